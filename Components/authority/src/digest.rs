//! The compiled law.

use std::fmt;
use std::sync::Arc;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::{Level, NormId, Provenance, SkillName, SourceSpan};

/// A rule's stable number: `sema-programmer-4`. Given once, kept in the lock, never reused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleNo {
    /// The skill, or `workspace`.
    pub scope: Arc<str>,
    /// From 1.
    pub number: u32,
}

impl RuleNo {
    /// Reads `skill-name-4`.
    pub fn parse(text: &str) -> Option<Self> {
        let (scope, number) = text.rsplit_once('-')?;
        let number = number.parse().ok().filter(|&number| number > 0)?;
        SkillName::parse(scope).ok()?;
        Some(Self { scope: scope.into(), number })
    }
}

impl fmt::Display for RuleNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.scope, self.number)
    }
}

impl Serialize for RuleNo {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RuleNo {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("expected a rule number such as `skill-4`"))
    }
}

/// What a line of the digest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A norm.
    Norm,
    /// A step of a procedure.
    Procedure,
    /// A norm that carries a lesson as its exception.
    Exception,
    /// A lesson that stands for itself, under *Case law*.
    Case,
    /// The shape of a schema type.
    Schema,
    /// A fact of the Cargo workspace.
    Workspace,
    /// Says where the law goes on: what did not fit, or what is only pointed at.
    Pointer,
}

/// One line of a digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestLine {
    /// Its number; pointers have none.
    pub rule: Option<RuleNo>,
    /// The norm or fact that it states.
    pub norm: Option<NormId>,
    /// What it is.
    pub kind: EntryKind,
    /// Level and polarity; facts and pointers have none.
    pub level: Option<Level>,
    /// The line without its number.
    pub text: String,
    /// What it rests on.
    pub provenance: Provenance,
}

/// Why a piece of a source is not in the digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OmissionReason {
    /// A heading; its force went into the norms under it.
    Heading,
    /// YAML front matter.
    FrontMatter,
    /// A rule, a table's ruler, a fence's marker.
    Separator,
    /// Code that is no boxed prose.
    Code,
    /// A worked example, a sample, a good or bad example.
    Example,
    /// It argues and orders nothing.
    Rationale,
    /// It describes and orders nothing.
    Description,
    /// A comment.
    Comment,
    /// Stated already by another line.
    Duplicate,
    /// Did not fit the budget; a pointer line counts it.
    Budget,
    /// Contradicts another norm.
    Conflict,
    /// A lesson that waits for a person.
    Pending,
}

/// A piece of a source that is not in the digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Omission {
    /// Where.
    pub span: SourceSpan,
    /// Why.
    pub reason: OmissionReason,
}

/// A digest: the Absolute Rules of one skill or of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// The text that a model is shown: header, sections, one rule a line; ends with a line break.
    pub text: String,
    /// The hash of `text`.
    pub hash: Hash,
    /// Its lines, in order.
    pub lines: Vec<DigestLine>,
    /// What is not in it.
    pub omitted: Vec<Omission>,
}
