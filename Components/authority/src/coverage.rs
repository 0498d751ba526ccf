//! The coverage map: losslessness is checked and not claimed.

use std::sync::Arc;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::{EntryKind, LessonId, Level, OmissionReason, RuleNo, SourceSpan};

/// The format number of `absolute_rules.map.json`.
pub const MAP_FORMAT: u32 = 1;

/// `absolute_rules.map.json`: every sentence of every source is in exactly one of `entries` and `omitted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageMap {
    /// [`MAP_FORMAT`].
    pub format: u32,
    /// The skill; `null` in the workspace's map.
    pub skill: Option<String>,
    /// What was read.
    pub sources: Vec<MapSource>,
    /// What the digest states.
    pub entries: Vec<MapEntry>,
    /// What it leaves out.
    pub omitted: Vec<MapOmission>,
}

/// One source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSource {
    /// Path relative to the workspace.
    pub path: Arc<str>,
    /// BLAKE3 of its bytes.
    pub hash: Hash,
}

/// One line of the digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapEntry {
    /// `sema-programmer-4`; `null` for pointers.
    pub rule: Option<RuleNo>,
    /// `null` for facts and pointers.
    pub level: Option<Level>,
    /// `core` or `adaptive`.
    pub tier: crate::Tier,
    /// What the line is.
    pub kind: EntryKind,
    /// The digest's line.
    pub text: String,
    /// Where it stands in the law.
    pub spans: Vec<SourceSpan>,
    /// The lessons in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<LessonId>,
}

/// One piece left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapOmission {
    /// Where.
    #[serde(flatten)]
    pub span: SourceSpan,
    /// Why.
    pub reason: OmissionReason,
}
