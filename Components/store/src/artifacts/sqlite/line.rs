//! The line in which those wait who want to store at the same time.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use mentci_authority::{ArtifactError, NewArtifact};

use super::lock;
use super::put::Prepared;

/// What somebody wants to be stored.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) ticket: u64,
    pub(super) session: String,
    pub(super) artifacts: Vec<(NewArtifact, Prepared)>,
}

/// One of those who wait leads: it stores for all, in one transaction with one sync, while the next ones gather.
#[derive(Debug, Default)]
pub(super) struct Line {
    inner: Mutex<Inner>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    is_led: bool,
    next: u64,
    waiting: Vec<Waiting>,
    done: BTreeMap<u64, Result<(), ArtifactError>>,
}

/// What somebody is told who waited.
pub(super) enum Turn<'a> {
    /// It was stored, or refused, by another.
    Done(Result<(), ArtifactError>),
    /// Store for all.
    Lead(Leader<'a>),
}

/// Who stores for all. When it goes, or stops, the next one leads.
pub(super) struct Leader<'a> {
    line: &'a Line,
    ticket: u64,
}

impl Line {
    /// Stands in the line until it is done, or is its turn to lead.
    pub(super) fn stand(&self, session: &str, artifacts: Vec<(NewArtifact, Prepared)>) -> Turn<'_> {
        let mut inner = lock(&self.inner);
        let ticket = inner.next;
        inner.next += 1;
        inner.waiting.push(Waiting { ticket, session: session.to_owned(), artifacts });
        while inner.is_led {
            inner = self.moved.wait(inner).unwrap_or_else(PoisonError::into_inner);
            if let Some(result) = inner.done.remove(&ticket) {
                return Turn::Done(result);
            }
        }
        inner.is_led = true;
        Turn::Lead(Leader { line: self, ticket })
    }
}

impl Leader<'_> {
    /// All who wait, this one among them. Those whom the last commit woke are on their way back with the next thing: the
    /// processor is left to them as long as more of them come, so that they share this commit and need none of their own.
    pub(super) fn take(&self) -> Vec<Waiting> {
        let mut came = 0;
        loop {
            std::thread::yield_now();
            let mut inner = lock(&self.line.inner);
            if inner.waiting.len() == came {
                return std::mem::take(&mut inner.waiting);
            }
            came = inner.waiting.len();
        }
    }

    /// Tells each how it ended, and gives how it ended for this one.
    pub(super) fn tell(
        self,
        ends: impl IntoIterator<Item = (u64, Result<(), ArtifactError>)>,
    ) -> Result<(), ArtifactError> {
        let mut inner = lock(&self.line.inner);
        inner.done.extend(ends);
        let gone = || {
            let why = "the thread that stored for others stopped".to_owned();
            Err(ArtifactError::Unavailable { why, help: "store it once more" })
        };
        inner.done.remove(&self.ticket).unwrap_or_else(gone)
    }
}

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        lock(&self.line.inner).is_led = false;
        self.line.moved.notify_all();
    }
}
