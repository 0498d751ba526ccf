//! Brackets among words, and those that are a force: `(MUST)`.

use std::ops::Range;

use super::prose::Prose;
use super::word::WordKind;

/// The brackets among words, their marks included.
pub(crate) fn brackets(prose: &Prose<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for at in words.clone() {
        let word = &prose.words[at];
        match word.lower.as_str() {
            "(" if word.kind == WordKind::Mark && word.depth == 0 => open = Some(at),
            ")" if word.kind == WordKind::Mark && word.depth == 0 => {
                found.extend(open.take().map(|open| open..at + 1));
            }
            _ => {}
        }
    }
    found
}

/// `MUST` of `Terms of the berth (MUST)`.
pub(crate) fn is_force(bracket: &str) -> bool {
    matches!(bracket, "MUST" | "REQUIRED" | "MANDATORY" | "must" | "required" | "mandatory" | "normative")
}
