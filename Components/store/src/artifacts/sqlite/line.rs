//! The line in which those wait who want to store at the same time.

use std::collections::BTreeMap;

use mentci_authority::{ArtifactError, NewArtifact};

use super::put::Prepared;

/// What somebody wants to be stored.
#[derive(Debug)]
pub(super) struct Waiting {
    ticket: u64,
    pub(super) session: String,
    pub(super) artifacts: Vec<(NewArtifact, Prepared)>,
}

/// Who holds the writer stores for all who wait: one transaction, one sync.
#[derive(Debug, Default)]
pub(super) struct Line {
    next: u64,
    waiting: Vec<Waiting>,
    done: BTreeMap<u64, Result<(), ArtifactError>>,
}

impl Line {
    /// Stands in the line.
    pub(super) fn stand(&mut self, session: &str, artifacts: Vec<(NewArtifact, Prepared)>) -> u64 {
        let ticket = self.next;
        self.next += 1;
        self.waiting.push(Waiting { ticket, session: session.to_owned(), artifacts });
        ticket
    }

    /// All who wait: whoever takes them stores for them.
    pub(super) fn take(&mut self) -> Vec<Waiting> {
        std::mem::take(&mut self.waiting)
    }

    /// Notes how it ended for one of them.
    pub(super) fn end(&mut self, waiting: &Waiting, result: Result<(), ArtifactError>) {
        self.done.insert(waiting.ticket, result);
    }

    /// How it ended, when somebody else stored it.
    pub(super) fn result(&mut self, ticket: u64) -> Option<Result<(), ArtifactError>> {
        self.done.remove(&ticket)
    }
}
