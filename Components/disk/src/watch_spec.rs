//! What is watched: exactly what the last compile read, and the places where new sources could appear.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use crate::SourcePattern;

/// The dependency set of a compile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WatchSpec {
    /// Where sources stand or could appear; the directories in which one of these can match are watched.
    pub patterns: Vec<SourcePattern>,
    /// Other files that were read or missed, relative to the workspace: `mentci.toml`, `.pi/skills/rust/runtime.edn`.
    pub files: BTreeSet<Arc<str>>,
}

impl WatchSpec {
    /// The patterns, and one for each of the other files.
    pub(crate) fn all_patterns(&self) -> Vec<SourcePattern> {
        let files = self.files.iter().filter_map(|file| SourcePattern::literal(file).ok());
        self.patterns.iter().cloned().chain(files).collect()
    }

    /// What this one watches and `other` does not.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let patterns = self.patterns.iter().filter(|pattern| !other.patterns.contains(pattern));
        Self {
            patterns: patterns.cloned().collect(),
            files: self.files.difference(&other.files).cloned().collect(),
        }
    }

    /// Whether a change of this file matters.
    pub fn concerns(&self, path: &str) -> bool {
        self.files.contains(path) || self.patterns.iter().any(|pattern| pattern.matches(path))
    }

    /// Whether something that matters stands or could appear below this directory.
    pub fn reaches(&self, directory: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.could_match_below(directory)) || self.has_below(directory)
    }

    /// Whether one of the files stands below this directory. There may be thousands, and every event asks.
    fn has_below(&self, directory: &str) -> bool {
        if directory.is_empty() {
            return !self.files.is_empty();
        }
        let first = format!("{directory}/");
        let mut from = self.files.range::<str, _>((Bound::Included(first.as_str()), Bound::Unbounded));
        from.next().is_some_and(|file| file.starts_with(&first))
    }
}
