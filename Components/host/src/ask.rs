//! The one handle that every door holds.

use std::sync::mpsc::Receiver;

use mentci_source::Hash;

use crate::{Request, Response};

/// Answers requests. Cheap to share as `Arc<dyn Ask>`; every call is blocking and safe from any thread.
pub trait Ask: Send + Sync {
    /// Answers one request. Never panics; bad input is a [`Response`] with findings.
    fn ask(&self, request: Request) -> Response;

    /// Hears of every workspace digest that is published from now on, by this handle or by the watcher beside it.
    /// Dropping the receiver ends it.
    fn subscribe(&self) -> Receiver<Published>;
}

/// A workspace digest was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The hash of its text.
    pub hash: Hash,
}
