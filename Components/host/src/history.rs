//! The Absolute Rules as they were.

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// The verbs of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "history", rename_all = "snake_case", deny_unknown_fields)]
pub enum HistoryRequest {
    /// The versions that a daemon kept. -> [`HistoryAnswer`]
    List,
    /// What changed between two. -> [`DigestDiff`]
    Diff {
        /// The hash of the one, or the start of it.
        from: String,
        /// The hash of the other; the newest when absent.
        #[serde(default)]
        to: Option<String>,
    },
}

/// Versions of the Absolute Rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryAnswer {
    /// The newest first.
    pub versions: Vec<DigestVersion>,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DigestVersion {
    /// The hash of its text.
    pub hash: Hash,
    /// When it came.
    pub at: String,
}

/// What changed between two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DigestDiff {
    /// The one.
    pub from: Hash,
    /// The other.
    pub to: Hash,
    /// Lines that went (`-`) and came (`+`).
    pub lines: Vec<String>,
}
