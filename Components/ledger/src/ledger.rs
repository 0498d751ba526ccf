//! All sessions, and what they share.

use std::collections::BTreeMap;

use mentci_authority::{Event, StateScope};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Act, Delta, LedgerView, Record, SessionLedger, What, Windows};

/// What every session shares.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Shared {
    /// Rises with each change of what follows: what a commit compares beside the session's version.
    pub version: u64,
    /// Why every call of every session is stopped, when it is.
    pub killed: Option<String>,
    /// What plugins and packs keep across sessions: by [`keeper`](crate::keeper()), then by key.
    pub state: BTreeMap<String, BTreeMap<String, Value>>,
    /// Why what happened before cannot be read, when it cannot: no call is let through then. Never written down.
    #[serde(skip)]
    pub unread: Option<String>,
    /// Why it cannot be written down that a grant is used, when it cannot: none is good then. Never written down.
    #[serde(skip)]
    pub unwritten: Option<String>,
}

impl Shared {
    /// What a keeper keeps under a key.
    pub fn state(&self, keeper: &str, key: &str) -> Option<&Value> {
        self.state.get(keeper)?.get(key)
    }

    /// Takes in what a record changes for all.
    pub fn fold(&mut self, record: &Record) {
        for delta in &record.deltas {
            if let Delta::Set { scope: StateScope::Plugin, owner, key, value } = delta {
                let kept = self.state.entry(owner.clone()).or_default();
                // Null is nothing: the key is forgotten.
                if value.is_null() {
                    kept.remove(key);
                } else {
                    kept.insert(key.clone(), value.clone());
                }
            }
        }
        match &record.what {
            What::Act(Act::Killed { reason, .. }) if record.session.is_empty() => {
                self.killed = Some(reason.clone());
            }
            What::Act(Act::Resumed { .. }) if record.session.is_empty() => self.killed = None,
            _ => {}
        }
        self.version += Self::changes(record);
    }

    /// How many of the record's changes are for all sessions: by so much the version rises.
    pub fn changes(record: &Record) -> u64 {
        let is_for_all = |delta: &&Delta| matches!(delta, Delta::Set { scope: StateScope::Plugin, .. });
        let switches = matches!(record.what, What::Act(Act::Killed { .. } | Act::Resumed { .. }));
        record.deltas.iter().filter(is_for_all).count() as u64
            + u64::from(switches && record.session.is_empty())
    }
}

/// Every session of a log, in memory: what a replay folds into.
///
/// A record of a person without a session, a kill or a resume, is for all sessions.
///
/// ```
/// use mentci_authority::{Event, Hook};
/// use mentci_ledger::{Decided, Ledger, Record, Windows};
/// let mut ledger = Ledger::new(Windows::default());
/// let event = Event { session: "s1".into(), ..Event::new(Hook::TurnStart) };
/// assert_eq!(ledger.view(&event).turn(), 1); // the turn about to be sent
/// ledger.fold(&Record::of(&event, &Decided::allowed(), vec![]));
/// assert_eq!(ledger.view(&event).turn(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ledger {
    windows: Windows,
    sessions: BTreeMap<String, SessionLedger>,
    shared: Shared,
    empty: SessionLedger,
}

impl Ledger {
    /// A log without lines.
    pub fn new(windows: Windows) -> Self {
        Self { windows, empty: SessionLedger::new(windows), ..Self::default() }
    }

    /// Takes one record in.
    pub fn fold(&mut self, record: &Record) {
        self.shared.fold(record);
        let for_all = record.session.is_empty() && matches!(record.what, What::Act(_));
        if for_all {
            return;
        }
        if !self.sessions.contains_key(&record.session) {
            self.sessions.insert(record.session.clone(), SessionLedger::new(self.windows));
        }
        if let Some(session) = self.sessions.get_mut(&record.session) {
            session.fold(record);
        }
    }

    /// The log as `event` sees it.
    pub fn view<'a>(&'a self, event: &'a Event) -> LedgerView<'a> {
        LedgerView::new(self.session(&event.session).unwrap_or(&self.empty), &self.shared, event)
    }

    /// A session, when it is there.
    pub fn session(&self, id: &str) -> Option<&SessionLedger> {
        self.sessions.get(id)
    }

    /// Every session, by id.
    pub fn sessions(&self) -> impl Iterator<Item = (&str, &SessionLedger)> {
        self.sessions.iter().map(|(id, session)| (id.as_str(), session))
    }

    /// What all sessions share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }
}
