//! What a person and a tool ask of a store of artifacts: parts, searches, pins, collection.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::ops::{Range, RangeInclusive};

use mentci_source::Finding;
use serde::{Deserialize, Serialize};

use crate::{ArtifactError, ArtifactHandle, ArtifactId, ArtifactStore};

/// Which part of a content. Whatever begins inside and ends outside ends with the content; what begins outside is an error.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactPart {
    /// All of it.
    #[default]
    Whole,
    /// These bytes, from 0, the end not included.
    Bytes(Range<u64>),
    /// These bytes, each end moved back to where its character begins: parts that follow each other give the whole text.
    Text(Range<u64>),
    /// These lines, from 1, both included, each with its line break.
    Lines(RangeInclusive<u64>),
}

/// A part of a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactExcerpt {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where they stand in the content.
    pub extent: ArtifactExtent,
}

/// Where a part stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactExtent {
    /// Its bytes, from 0, the end not included.
    pub range: Range<u64>,
    /// The length of the whole content in bytes.
    pub size_bytes: u64,
}

/// What is said of a content that comes from a reader: its id and length are found while it is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArtifactNote {
    /// What it says, in short.
    pub summary: String,
    /// `text/plain`, `application/json`.
    pub mime_type: String,
    /// Now, in seconds since 1970 UTC.
    pub created_at: f64,
    /// Where it came from: `tool:echo`.
    pub source: String,
}

/// Where is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactScope {
    /// In one artifact.
    One(ArtifactId),
    /// In those that a session holds.
    Session(String),
    /// In all.
    All,
}

/// A line in which something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactHit {
    /// In which artifact.
    pub artifact_id: ArtifactId,
    /// In which line, from 1.
    pub line: u64,
    /// The bytes of the content that were found.
    pub range: Range<u64>,
    /// The line, or what stands around the place in a long one: at most 240 bytes, without its line break.
    pub snippet: String,
}

/// What a collection leaves. What is pinned, held by a session in `sessions`, or stored at or after `newer_than` stays; all
/// else goes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GcPolicy {
    /// Stays when it was last stored at this time or later, in seconds since 1970 UTC.
    pub newer_than: Option<f64>,
    /// Sessions whose artifacts stay.
    pub sessions: BTreeSet<String>,
    /// Only says what would go.
    pub is_dry: bool,
}

/// What a collection took away, or would.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Collected {
    /// What stood for what is gone, the oldest first.
    pub deleted: Vec<ArtifactHandle>,
    /// The bytes of their contents.
    pub freed_bytes: u64,
    /// How many artifacts are left.
    pub kept: u64,
}

/// A store that is looked after: what the compiler of contexts needs is [`ArtifactStore`], this is for people and tools.
pub trait ArtifactKeeper: ArtifactStore {
    /// Stores what `content` gives, to its end, for a session. Memory does not grow with its length.
    ///
    /// # Errors
    /// - [`ArtifactError::Stream`]: `content` failed. Nothing was stored.
    /// - [`ArtifactError::Unavailable`].
    fn store_reader(
        &self,
        session: &str,
        note: &ArtifactNote,
        content: &mut dyn Read,
    ) -> Result<ArtifactHandle, ArtifactError>;

    /// Writes a part of the content to `to`, verified before its first byte is written; none when the artifact is not there.
    /// Memory does not grow with its length.
    fn copy(
        &self,
        id: &ArtifactId,
        part: &ArtifactPart,
        to: &mut dyn Write,
    ) -> Result<Option<ArtifactExtent>, ArtifactError>;

    /// A part of the content, verified; none when the artifact is not there.
    ///
    /// # Errors
    /// - [`ArtifactError::Range`], [`ArtifactError::Lines`]: it begins outside of the content, or after its end.
    fn retrieve_part(
        &self,
        id: &ArtifactId,
        part: &ArtifactPart,
    ) -> Result<Option<ArtifactExcerpt>, ArtifactError> {
        let mut bytes = Vec::new();
        let extent = self.copy(id, part, &mut bytes)?;
        Ok(extent.map(|extent| ArtifactExcerpt { bytes, extent }))
    }

    /// Lines that hold the query as it stands, or its words; the best first, at most `most`. Every sign of the query is text.
    /// Letters match in either case.
    fn search(
        &self,
        scope: &ArtifactScope,
        query: &str,
        most: usize,
    ) -> Result<Vec<ArtifactHit>, ArtifactError>;

    /// Whether a session may see it: it holds it.
    fn visible(&self, session: &str, id: &ArtifactId) -> Result<bool, ArtifactError>;

    /// A session holds what was stored before, from a time in seconds since 1970 UTC on; whether it is there.
    fn hold(&self, session: &str, id: &ArtifactId, at: f64) -> Result<bool, ArtifactError>;

    /// Keeps it until it is unpinned; whether it is there.
    fn pin(&self, id: &ArtifactId) -> Result<bool, ArtifactError>;

    /// Takes the pin away; whether it is there.
    fn unpin(&self, id: &ArtifactId) -> Result<bool, ArtifactError>;

    /// The pinned ones, in order.
    fn pins(&self) -> Result<Vec<ArtifactId>, ArtifactError>;

    /// What was odd since the last call: a damaged store was set aside.
    fn take_findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// Takes away what nothing keeps.
    fn gc(&self, policy: &GcPolicy) -> Result<Collected, ArtifactError>;
}
