//! The one handle that every door holds.

use std::sync::mpsc::Receiver;

use mentci_source::Hash;

use crate::{Request, Response};

/// Answers requests. Cheap to share as `Arc<dyn Ask>`; every call is blocking and safe from any thread.
pub trait Ask: Send + Sync {
    /// Answers one request. Never panics; bad input is a [`Response`] with findings.
    fn ask(&self, request: Request) -> Response;

    /// Hears from now on when a digest moves, the workspace's or a skill's: published by this handle or by the watcher
    /// beside it, or followed when another process publishes. The first look at the workspace counts as a move.
    /// Dropping the receiver ends it.
    fn subscribe(&self) -> Receiver<Published>;
}

/// A digest moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The hash of the workspace digest's text, as it stands now.
    pub hash: Hash,
}
