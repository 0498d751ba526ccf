//! What the sources were the last time they were looked at.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use mentci_source::{Hash, Reading};

use crate::{DiskError, Found, Fs, SourceBytes, SourcePattern, Stamp};

/// Whether the bytes of changed files are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// They are in [`Checked::changed`]: a compile reads each file once.
    Bytes,
    /// Only hashes are.
    Hashes,
}

/// What was done so far: counters, not clocks, prove that a saved file re-reads one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Stat keys compared.
    pub stats: u64,
    /// Files opened and read.
    pub reads: u64,
    /// Hashes computed.
    pub hashes: u64,
}

/// What a check found, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// Files whose bytes are new or differ from the last time.
    pub changed: Vec<SourceBytes>,
    /// Files that are gone, or can no longer be read.
    pub removed: Vec<Arc<str>>,
    /// How many files hold what they held.
    pub unchanged: usize,
}

/// Path -> stat key and hash, kept in `.mentci/index`.
///
/// A file whose stat key is as it was is taken to hold the same bytes, unless it was written so shortly before it was
/// read that a second write in the same tick of the clock would not show: then it is hashed again.
#[derive(Debug, Clone, Default)]
pub struct HashIndex {
    pub(crate) entries: BTreeMap<Arc<str>, IndexEntry>,
    counters: Counters,
}

/// What is known about one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    pub(crate) stamp: Stamp,
    pub(crate) hash: Hash,
    /// Whether equal stamps prove equal bytes.
    pub(crate) settled: bool,
}

impl HashIndex {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// The index kept in `.mentci/index`. Missing, damaged or of another version, it is empty, with a finding.
    pub fn load(_fs: &dyn Fs, _root: &Path) -> Reading<Self> {
        Reading::clean(Self::default())
    }

    /// Keeps the index in `.mentci/index`.
    ///
    /// # Errors
    /// When it cannot be written; the next load builds anew.
    pub fn save(&self, _fs: &dyn Fs, _root: &Path) -> Result<(), DiskError> {
        Ok(())
    }

    /// Compares all sources, as [`discover`](crate::discover()) found them, with the index, and brings it up to date.
    /// What is in the index and not in `found` is removed. Large trees are read in parallel.
    pub fn check(&mut self, _fs: &dyn Fs, _root: &Path, _found: &[Found], _keep: Keep) -> Reading<Checked> {
        Reading::clean(Checked::default())
    }

    /// Compares only what stands at or below `paths`, as a [`Change`](crate::Change) names them: a saved file reads one
    /// file. Only files that one of `patterns` matches count.
    pub fn refresh(
        &mut self,
        _fs: &dyn Fs,
        _root: &Path,
        _patterns: &[SourcePattern],
        _paths: &[Arc<str>],
        _keep: Keep,
    ) -> Reading<Checked> {
        Reading::clean(Checked::default())
    }

    /// The hash of a file as it was last read.
    pub fn hash(&self, path: &str) -> Option<Hash> {
        self.entries.get(path).map(|entry| entry.hash)
    }

    /// The known files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        self.entries.keys()
    }

    /// What was done since the index was made or loaded.
    pub fn counters(&self) -> Counters {
        self.counters
    }
}
