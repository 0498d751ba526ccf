//! Phrases that say the same: read as one, in the law and in a line alike.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::piece::{Kind, Piece};
use super::words::{ARTICLES, CLAUSES, decides};
use crate::law::{is_finite, is_nounish, is_verb};

/// By its first word, each phrase with what it is read as; the longest first.
type Table = FxHashMap<&'static str, Vec<(Vec<&'static str>, Vec<&'static str>)>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for line in include_str!("phrases.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((left, right)) = line.split_once(" = ") else { continue };
        // Articles are gone before phrases are looked for: the law has lost them already.
        let words = |text: &'static str| {
            text.split_whitespace().filter(|word| !ARTICLES.contains(word)).collect::<Vec<_>>()
        };
        let phrase = words(left);
        let Some(first) = phrase.first() else { continue };
        table.entry(first).or_default().push((phrase, words(right)));
    }
    for phrases in table.values_mut() {
        phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    }
    table
});

/// Reads phrases that say the same as one. What came out is read once more: `in case` is `if` by way of nothing else.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    once(&once(pieces))
}

fn once(pieces: &[Piece]) -> Vec<Piece> {
    let mut out = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        if let Some((len, words)) = phrase(pieces, at) {
            out.extend(words.iter().map(|word| Piece::word(word)));
            at += len;
        } else {
            out.push(pieces[at].clone());
            at += 1;
        }
    }
    out
}

/// What phrases of strength are read as.
const LEVELS: &[&str] = &["must", "may", "cannot", "should"];

/// Whether a piece stands in a clause that tells a fact.
fn is_told(before: &[Piece]) -> bool {
    let clause = before.iter().rev().take_while(|piece| piece.kind != Kind::Mark);
    clause.into_iter().any(|piece| piece.any(CLAUSES))
}

fn phrase(pieces: &[Piece], at: usize) -> Option<(usize, &'static [&'static str])> {
    let (before, pieces) = pieces.split_at(at);
    let first = pieces.first().filter(|piece| piece.kind == Kind::Word)?;
    let stands = |phrase: &[&str]| {
        phrase.len() <= pieces.len() && phrase.iter().zip(pieces).all(|(word, piece)| piece.is(word))
    };
    let found = TABLE.get(first.text.as_str())?.iter().find(|(phrase, _)| stands(phrase))?;
    let gives_level = first.any(&["is", "are"]) && found.1.first().is_some_and(|word| LEVELS.contains(word));
    let holds = !(gives_level && is_told(before)) && holds(&found.0, before, &pieces[found.0.len()..]);
    holds.then_some((found.0.len(), found.1.as_slice()))
}

/// Whether a phrase says here what the table has it say.
fn holds(phrase: &[&str], before: &[Piece], behind: &[Piece]) -> bool {
    match phrase {
        // `Merge them in order to main` tells the order.
        ["in", "order", "to"] => before.is_empty() || begins_deed(behind),
        ["as", "well", "as"] => adds(before, behind),
        // `Verify that branch before the merge` points at one.
        [_, "that"] if !phrase[0].starts_with("ensure") && !phrase[0].starts_with("make") => {
            let clause = behind.iter().take_while(|piece| piece.kind != Kind::Mark && !piece.any(CLAUSES));
            clause.skip(1).any(|piece| piece.kind == Kind::Word && tells(&piece.text))
        }
        _ => true,
    }
}

/// `Mirror it`, but not a lone `mirror`, which is as often a thing.
fn begins_deed(pieces: &[Piece]) -> bool {
    let goes_on = pieces.get(1).is_some_and(|next| next.kind != Kind::Mark && decides(&next.text).is_none());
    pieces.first().is_some_and(|first| {
        first.kind == Kind::Word && is_verb(&first.text) && (goes_on || !is_nounish(&first.text))
    })
}

/// What nobody does well or badly: behind other verbs `as well as` may compare.
const ADDING: &[&str] = &["use", "include", "update", "add", "delete", "remove", "list", "copy", "store"];

/// `Update the tests as well as the changelog`, in front of things and nothing else.
fn adds(before: &[Piece], behind: &[Piece]) -> bool {
    let order = before.rsplit(|piece| piece.kind == Kind::Mark).next().unwrap_or_default();
    let verb = order.iter().find(|piece| !piece.any(&["you", "must", "always", "should", "may"]));
    let compares = |piece: &Piece| {
        piece.any(&["you", "we", "they", "it", "possible", "needed", "as"]) || tells(&piece.text)
    };
    verb.is_some_and(|verb| verb.any(ADDING)) && !behind.is_empty() && !behind.iter().any(compares)
}

/// Whether a word tells what is so: `is`, `must`, `matches`.
fn tells(word: &str) -> bool {
    is_finite(word)
        || [
            "matches", "passes", "works", "holds", "runs", "returns", "opens", "pass", "match", "hold",
            "exist", "work",
        ]
        .contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_phrase_is_read_as_a_longer_one() {
        for phrases in TABLE.values() {
            for (phrase, read) in phrases {
                let letters = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
                let is_contraction = phrase[0].contains('\'');
                assert!(is_contraction || letters(read) <= letters(phrase) + 1, "{phrase:?}");
            }
        }
    }
}
