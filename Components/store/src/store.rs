//! What a store does.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use mentci_authority::{At, Event};
use mentci_ledger::{LedgerView, Record, SessionLedger, Shared, Windows};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AnswerError, ApprovalQuery, ApprovalRow, Audit, CommitError, LogLine, LogQuery, RawLine, SessionRow,
    StoreError,
};

/// A session as the store had it.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// Whose.
    pub session: String,
    /// What its log adds up to.
    pub ledger: SessionLedger,
    /// What all sessions share.
    pub shared: Shared,
}

impl Loaded {
    /// A session in which nothing happened.
    pub fn empty(session: &str, windows: Windows) -> Self {
        Self { session: session.to_owned(), ledger: SessionLedger::new(windows), shared: Shared::default() }
    }

    /// The session as `event` sees it.
    pub fn view<'a>(&'a self, event: &'a Event) -> LedgerView<'a> {
        LedgerView::new(&self.ledger, &self.shared, event)
    }

    /// It is as the store has it, which can be read and written.
    pub(crate) fn know_all(&mut self) {
        (self.shared.unread, self.shared.unwritten) = (None, None);
    }

    /// Takes in a record that was written.
    pub(crate) fn fold(&mut self, record: &Record) {
        self.ledger.fold(record);
        self.shared.fold(record);
    }
}

/// The sessions that records are of.
pub(crate) fn sessions_of(records: &[(Record, Option<String>)]) -> BTreeSet<&str> {
    records.iter().map(|(record, _)| record.session.as_str()).collect()
}

/// What a commit achieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// The session's version now.
    pub version: u64,
    /// Whether the record is in a file. Otherwise it is held in memory, and written as soon as that is possible again.
    pub is_stored: bool,
}

/// A person's answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The approval's id.
    pub approval: String,
    /// Yes or no.
    pub is_granted: bool,
    /// Who says so.
    pub by: String,
    /// Why not.
    pub words: Option<String>,
    /// When.
    pub at: At,
}

/// A setting: a value under a key, in one layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// `user`, `workspace`.
    pub layer: String,
    /// `rules/pack/id/enabled`.
    pub key: String,
    /// What it is set to.
    pub value: Value,
}

/// A log with what is folded from it: sessions, approvals, switches, plugin state; and settings.
///
/// Every method either did what it says, or gives an error and did nothing.
pub trait Store: Send {
    /// The session as it stands, with calls kept for as long as `windows` says; a session without records when it is new.
    fn load(&mut self, session: &str, windows: Windows) -> Result<Loaded, StoreError>;

    /// Brings a session up to date: takes in what was committed since it was loaded.
    fn refresh(&mut self, loaded: &mut Loaded) -> Result<(), StoreError>;

    /// Writes the record if nothing that `loaded` shows has changed since, and folds it into `loaded`. `body` is the whole
    /// event as its door told it, kept for export; it is not read when loading.
    ///
    /// # Errors
    /// - [`CommitError::Conflict`]: load, or refresh, and decide again.
    /// - The store failed.
    fn commit(
        &mut self,
        loaded: &mut Loaded,
        record: &Record,
        body: Option<&str>,
    ) -> Result<Committed, CommitError>;

    /// Writes records whatever was written before: facts, such as what a person did, or a session that is brought in. All or
    /// none, in one transaction.
    fn append(&mut self, records: &[(Record, Option<String>)]) -> Result<(), StoreError>;

    /// Writes the records of sessions of which the log has nothing, as [`append`](Store::append) does. Where it knows one of them,
    /// that one is given and nothing is written: of two who bring in the same session at once, one is told so.
    fn bring_in(&mut self, records: &[(Record, Option<String>)]) -> Result<Option<String>, StoreError>;

    /// Requests for approval, the newest first.
    fn approvals(&mut self, query: &ApprovalQuery) -> Result<Vec<ApprovalRow>, StoreError>;

    /// Answers a request. A denial stands; a request can be granted once.
    fn answer(&mut self, answer: &Answer) -> Result<ApprovalRow, AnswerError>;

    /// Stops every call of a session, or of all; lasts until [`resume`](Store::resume).
    fn kill(&mut self, session: Option<&str>, reason: &str, by: &str, at: At) -> Result<(), StoreError>;

    /// Lets calls run again. A session that was killed on its own stays so when all are resumed.
    fn resume(&mut self, session: Option<&str>, by: &str, at: At) -> Result<(), StoreError>;

    /// Why all sessions are stopped, when they are.
    fn killed(&mut self) -> Result<Option<String>, StoreError>;

    /// Every setting, by layer and key.
    fn settings(&mut self) -> Result<Vec<Setting>, StoreError>;

    /// Sets a value; `None` takes the setting back.
    fn set(&mut self, layer: &str, key: &str, value: Option<&Value>) -> Result<(), StoreError>;

    /// The same with the line of the log that tells who did it: both, or neither.
    fn set_by(
        &mut self,
        layer: &str,
        key: &str,
        value: Option<&Value>,
        told: &Record,
    ) -> Result<(), StoreError>;

    /// A number that rises with every change of settings: whoever holds them looks at it to know that they are old.
    fn settings_version(&mut self) -> Result<u64, StoreError>;

    /// The number of the last line of the log; 0 when there is none.
    fn last(&mut self) -> Result<u64, StoreError>;

    /// Lines of the log, in the order in which they were written.
    fn log(&mut self, query: &LogQuery) -> Result<Vec<LogLine>, StoreError>;

    /// Hands the lines of a session after version `after` to `each`, in order and as they are stored, until it says stop:
    /// one pass, one line in memory, nothing taken apart and no hash looked at.
    fn walk(
        &mut self,
        session: &str,
        after: u64,
        each: &mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Every session, the last used first.
    fn sessions(&mut self) -> Result<Vec<SessionRow>, StoreError>;

    /// Walks the whole log and checks that each line's hash covers the line and the hash before it, that it stands in its own
    /// session after the one before it, and that the list of sessions counts as many.
    fn audit(&mut self) -> Result<Audit, StoreError>;
}
