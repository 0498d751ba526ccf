//! How far each pattern has come in one directory of a walk.

use crate::SourcePattern;
use crate::pattern::{Alternative, Part};

/// The patterns that are still open in one directory, each with the part that its names must fit next.
#[derive(Debug, Clone)]
pub(crate) struct Frontier<'a> {
    open: Vec<(&'a Alternative, usize)>,
}

/// A name of a directory, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'n> {
    pub(crate) name: &'n str,
    /// Whether a `.gitignore` names it.
    pub(crate) ignored: bool,
}

impl<'a> Frontier<'a> {
    /// All patterns at the root.
    pub(crate) fn at_root(patterns: &'a [SourcePattern]) -> Self {
        let mut start = Self { open: Vec::new() };
        for alternative in patterns.iter().flat_map(SourcePattern::alternatives) {
            start.push(alternative, 0);
        }
        start
    }

    /// What is still open in the directory of this name.
    pub(crate) fn enter(&self, candidate: Candidate<'_>) -> Self {
        let mut below = Self { open: Vec::new() };
        for &(alternative, at) in &self.open {
            match &alternative.parts[at] {
                _ if !is_seen(alternative, at, candidate) => {}
                Part::Deep => below.push(alternative, at),
                part if part.fits(candidate.name) => below.push(alternative, at + 1),
                _ => {}
            }
        }
        below
    }

    /// Whether a file of this name is a source.
    pub(crate) fn accepts(&self, candidate: Candidate<'_>) -> bool {
        self.finals().any(|(alternative, at)| {
            let part = &alternative.parts[at];
            (matches!(part, Part::Deep) || part.fits(candidate.name)) && is_seen(alternative, at, candidate)
        })
    }

    /// Whether a source of just this name is expected, so that a directory or a pipe in its place is odd.
    pub(crate) fn expects(&self, candidate: Candidate<'_>) -> bool {
        self.finals().any(|(alternative, at)| {
            let part = &alternative.parts[at];
            !matches!(part, Part::Any) && part.fits(candidate.name) && is_seen(alternative, at, candidate)
        })
    }

    /// The only names that can matter, if all open parts are plain names: then the directory need not be listed.
    pub(crate) fn names(&self) -> Option<Vec<&'a str>> {
        let names: Option<Vec<_>> = self.open.iter().map(|(rule, at)| rule.parts[*at].name()).collect();
        names.map(|mut names| {
            names.sort_unstable();
            names.dedup();
            names
        })
    }

    /// Whether `.gitignore` matters to any open pattern.
    pub(crate) fn respects_ignored(&self) -> bool {
        self.open.iter().any(|(alternative, _)| !alternative.named)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    fn finals(&self) -> impl Iterator<Item = (&'a Alternative, usize)> {
        self.open.iter().copied().filter(|(alternative, at)| at + 1 == alternative.parts.len())
    }

    /// Opens a pattern at a part; `**` may stand for no directory at all, so what follows it is open, too.
    fn push(&mut self, alternative: &'a Alternative, at: usize) {
        let Some(part) = alternative.parts.get(at) else { return };
        if self.open.iter().any(|&(open, part)| std::ptr::eq(open, alternative) && part == at) {
            return;
        }
        self.open.push((alternative, at));
        if matches!(part, Part::Deep) {
            self.push(alternative, at + 1);
        }
    }
}

/// Whether a pattern may look at this name: hidden and ignored names only where it names its root, or the name.
fn is_seen(alternative: &Alternative, at: usize, candidate: Candidate<'_>) -> bool {
    if alternative.named || at < alternative.fixed {
        return true;
    }
    let hidden = candidate.name.starts_with('.') && !alternative.parts[at].names_hidden();
    !hidden && !candidate.ignored
}
