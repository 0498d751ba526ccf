//! Lines of the log, and the sessions that they belong to.

use mentci_ledger::Record;
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// Its number in the whole log, from 1.
    pub seq: u64,
    /// Its number in its session, from 1.
    pub version: u64,
    /// What it says.
    pub record: Record,
    /// The whole event, as its door told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Covers the line and the hash of the line before it.
    pub hash: Hash,
}

/// A line as it is stored, for whoever reads many: nothing of it is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawLine<'a> {
    /// Its number in the whole log, from 1.
    pub seq: u64,
    /// Its number in its session, from 1.
    pub version: u64,
    /// What it says: a [`Record`] as JSON.
    pub record: &'a str,
    /// The whole event, as its door told it.
    pub body: Option<&'a str>,
}

/// Which lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogQuery {
    /// Of this session; of all when absent.
    pub session: Option<String>,
    /// After the line with this number.
    pub after: u64,
    /// At most so many; 1,000 when absent.
    pub limit: Option<usize>,
}

impl LogQuery {
    /// The lines of a session, from its first.
    pub fn of(session: &str) -> Self {
        Self { session: Some(session.to_owned()), ..Self::default() }
    }

    pub(crate) fn most(&self) -> usize {
        self.limit.unwrap_or(1_000)
    }
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Its id.
    pub session: String,
    /// How many records it has.
    pub version: u64,
    /// When the first one was made, in milliseconds since 1970 UTC; 0 when it has no time.
    pub first_ms: i64,
    /// When the last one was made.
    pub last_ms: i64,
    /// Why it is stopped, when it is.
    pub killed: Option<String>,
}
