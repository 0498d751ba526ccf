//! Where a line comes from.

use std::sync::Arc;

use mentci_source::Span;
use serde::{Deserialize, Serialize};

use crate::LessonId;

/// A place in a source: lines from 1, both included, and the bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceSpan {
    /// Path relative to the workspace.
    pub path: Arc<str>,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The bytes, in the decoded text.
    #[serde(default, skip_serializing_if = "is_empty", rename = "bytes")]
    pub span: Span,
}

/// What a line rests on: law, lessons, or both.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// Where the law says it.
    pub spans: Vec<SourceSpan>,
    /// The lessons that it takes up.
    pub lessons: Vec<LessonId>,
}

/// Serde asks by reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's `skip_serializing_if` takes a reference")]
fn is_empty(span: &Span) -> bool {
    span.is_empty()
}
