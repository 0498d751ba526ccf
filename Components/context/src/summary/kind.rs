//! What a content is.

use serde::{Deserialize, Serialize};

use super::sample::Sample;
use super::{binary, code, diff, json, json_lines, log, prose, search, table, trace};

/// What a content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentKind {
    /// One JSON value: an object or a list.
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

/// Whether a text is of a kind.
type Recogniser = fn(&Sample<'_>) -> bool;

/// Who is asked, in this order; the first one wins.
const RECOGNISERS: &[(ContentKind, Recogniser)] = &[
    (ContentKind::Binary, binary::is_binary),
    (ContentKind::Json, json::is_json),
    (ContentKind::JsonLines, json_lines::is_json_lines),
    (ContentKind::Diff, diff::is_diff),
    (ContentKind::Table, table::is_table),
    (ContentKind::Log, log::is_log),
    (ContentKind::Trace, trace::is_trace),
    (ContentKind::Search, search::is_search),
    (ContentKind::Code, code::is_code),
    (ContentKind::Prose, prose::is_prose),
];

impl ContentKind {
    /// What a text is, by its beginning; JSON is read to its end.
    ///
    /// ```
    /// use mentci_context::ContentKind;
    /// assert_eq!(ContentKind::of("{\"a\": [1, 2]}"), ContentKind::Json);
    /// assert_eq!(ContentKind::of("src/a.rs:3:fn a() {}\nsrc/b.rs:9:fn b() {}\n"), ContentKind::Search);
    /// assert_eq!(ContentKind::of("ok"), ContentKind::Text);
    /// ```
    pub fn of(text: &str) -> Self {
        let sample = Sample::of(text);
        let found = RECOGNISERS.iter().find(|(_, is_such)| is_such(&sample));
        found.map_or(Self::Text, |(kind, _)| *kind)
    }

    /// What bytes are: binary by a known beginning, or when they are not nearly UTF-8; else what their text is.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        if binary::is_binary_bytes(bytes) { Self::Binary } else { Self::of(&String::from_utf8_lossy(bytes)) }
    }

    /// The type of a content of this kind, as far as the kind tells.
    pub(super) fn mime_type(self, text: &str) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::JsonLines => "application/jsonl",
            Self::Diff => "text/x-diff",
            Self::Table => table::mime_type(text),
            Self::Prose => prose::mime_type(text),
            Self::Binary => "application/octet-stream",
            Self::Trace | Self::Log | Self::Search | Self::Code | Self::Text => "text/plain",
        }
    }
}
