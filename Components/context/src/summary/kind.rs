//! What a text is.

use serde::{Deserialize, Serialize};

/// What a content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentKind {
    /// One JSON value.
    Json,
    /// JSON values, one a line.
    JsonLines,
    /// A unified diff.
    Diff,
    /// What compilers, tests and interpreters say of what failed: errors, failing tests, stack traces.
    Trace,
    /// Lines with times or levels.
    Log,
    /// What `grep -n` finds: `path:line:text`.
    Search,
    /// Rows of columns: CSV, TSV, Markdown, aligned.
    Table,
    /// A program.
    Code,
    /// Sentences and headings.
    Prose,
    /// Lines of any other kind.
    Text,
    /// No text.
    Binary,
}

impl ContentKind {
    /// What a text is.
    pub fn of(text: &str) -> Self {
        let _ = text;
        Self::Text
    }

    /// What bytes are.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let _ = bytes;
        Self::Text
    }

    /// The type of a content of this kind.
    pub fn mime_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::JsonLines => "application/jsonl",
            Self::Diff => "text/x-diff",
            Self::Binary => "application/octet-stream",
            _ => "text/plain",
        }
    }
}
