//! What is published, heard once and told to every session.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use mentci_host::{Ask, Published};
use tokio::sync::watch;

/// How often the thread looks whether anybody still listens.
const BREATH: Duration = Duration::from_secs(1);

/// A count of publications. It ends when its last listener is gone.
#[derive(Debug, Clone)]
pub(crate) struct Changes(watch::Receiver<u64>);

impl Changes {
    /// Listens from now on.
    pub(crate) fn of(ask: &Arc<dyn Ask>) -> Self {
        let (count, listener) = watch::channel(0);
        let published = ask.subscribe();
        std::thread::spawn(move || hear(&published, &count));
        Self(listener)
    }

    /// A listener of its own, which has heard all that was published so far.
    pub(crate) fn listener(&self) -> Self {
        let mut listener = self.0.clone();
        listener.mark_unchanged();
        Self(listener)
    }

    /// Waits until something is published; several at once are one. Never, when nothing can be published any more.
    pub(crate) async fn next(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn hear(published: &Receiver<Published>, count: &watch::Sender<u64>) {
    while !count.is_closed() {
        match published.recv_timeout(BREATH) {
            Ok(_) => count.send_modify(|count| *count += 1),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
