//! The search for a set of literals, as fast as the machine has it.

use std::ops::Range;

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Span};

/// Finds the first of a set of literals; at one place, the one that was named first.
#[derive(Debug, Clone)]
pub(crate) enum Anchors {
    /// Vector instructions.
    Packed(Searcher),
    /// Machines without them.
    Plain(AhoCorasick),
    /// No literals.
    None,
}

impl Anchors {
    pub(crate) fn new(literals: &[&'static [u8]]) -> Self {
        if literals.is_empty() {
            return Self::None;
        }
        let packed = Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .heuristic_pattern_limits(false)
            .builder()
            .extend(literals)
            .build();
        packed.map_or_else(|| Self::plain(literals), Self::Packed)
    }

    fn plain(literals: &[&'static [u8]]) -> Self {
        // OK because a hundred short literals are far from the automaton's limits; a set that did not build would
        // find nothing, which the tests would see.
        AhoCorasick::builder()
            .match_kind(aho_corasick::MatchKind::LeftmostFirst)
            .build(literals)
            .map_or(Self::None, Self::Plain)
    }

    /// Number and place of the first literal within the stretch.
    pub(crate) fn next(&self, bytes: &[u8], within: Range<usize>) -> Option<(usize, usize)> {
        let rest = Span::from(within);
        let found = match self {
            Self::Packed(packed) => packed.find_in(bytes, rest)?,
            Self::Plain(plain) => plain.find(aho_corasick::Input::new(bytes).span(rest))?,
            Self::None => return None,
        };
        Some((found.pattern().as_usize(), found.start()))
    }
}
