//! One client that hears of changes: which resources it asked for, and what they were.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::SkillName;
use mentci_host::Ask;
use mentci_source::Hash;
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionSink};
use tokio::sync::Mutex;

use crate::answering::on_a_thread;
use crate::changes::Changes;
use crate::resource::Place;
use crate::skills::skills;

/// How long a client may take to read a notification; then it misses it.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a client was last told of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing yet: the next publication counts as a change.
    Nothing,
    /// This text; `None` when it could not be read.
    Text(Option<Hash>),
}

/// The resources that a client subscribed to.
pub(crate) type Subscribed = Arc<Mutex<BTreeMap<Place, Known>>>;

/// Where notifications go.
#[derive(Debug)]
pub(crate) enum Line {
    /// A session that was begun with `initialize`.
    Session(Peer<RoleServer>),
    /// One `subscriptions/listen` of the newest protocol.
    Subscription(SubscriptionSink),
}

/// Follows what is published for one client.
pub(crate) struct Follower {
    pub(crate) ask: Arc<dyn Ask>,
    pub(crate) changes: Changes,
    pub(crate) line: Line,
    pub(crate) subscribed: Subscribed,
}

impl Follower {
    /// Tells the client what changed, for as long as it is polled.
    pub(crate) async fn follow(mut self) {
        let mut known = self.skills().await;
        loop {
            self.changes.next().await;
            let now = self.skills().await;
            if now.is_some() && now != known {
                self.line.list_changed().await;
                known = now;
            }
            self.tell_updates().await;
        }
    }

    async fn skills(&self) -> Option<Vec<SkillName>> {
        let ask = self.ask.clone();
        on_a_thread(move || skills(ask.as_ref())).await.ok()
    }

    async fn tell_updates(&self) {
        let mut subscribed = self.subscribed.lock().await;
        for (place, known) in subscribed.iter_mut() {
            let now = hash(&self.ask, place).await;
            if now != *known {
                *known = now;
                self.line.updated(place).await;
            }
        }
    }
}

/// What a resource says now.
pub(crate) async fn hash(ask: &Arc<dyn Ask>, place: &Place) -> Known {
    let (ask, place) = (ask.clone(), place.clone());
    on_a_thread(move || place.hash(ask.as_ref())).await.map_or(Known::Nothing, Known::Text)
}

impl Line {
    /// OK to ignore: a client that is gone, or that did not ask for it, misses nothing.
    async fn updated(&self, place: &Place) {
        let uri = place.to_string();
        let sending = async {
            match self {
                Self::Session(peer) => {
                    let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
                }
                Self::Subscription(sink) => drop(sink.notify_resource_updated(uri).await),
            }
        };
        let _ = tokio::time::timeout(PATIENCE, sending).await;
    }

    async fn list_changed(&self) {
        let sending = async {
            match self {
                Self::Session(peer) => drop(peer.notify_resource_list_changed().await),
                Self::Subscription(sink) => drop(sink.notify_resource_list_changed().await),
            }
        };
        let _ = tokio::time::timeout(PATIENCE, sending).await;
    }
}
