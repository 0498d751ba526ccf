//! Phrases that say the same: read as one, in the law and in a line alike.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::RefusalReason as Reason;
use super::piece::{Kind, Piece};
use super::words::{ARTICLES, CLAUSES, OPENERS, PARTICLES, decides};
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

/// Whether a phrase of strength gives the level of its sentence here: `it is okay to` and `you are required to` open the main clause, and
/// in front of `are allowed to` stands its subject and nothing else. In a question, in a clause that tells a fact or behind an order
/// (`delete data you are not allowed to keep`) they give none.
fn gives_level(first: &Piece, before: &[Piece]) -> bool {
    let start = before.iter().rposition(|piece| piece.kind == Kind::Mark).map_or(0, |mark| mark + 1);
    let subject = &before[start..];
    if !first.any(&["is", "are"]) {
        return subject.is_empty() && leads(&before[..start]);
    }
    let is_plain = |piece: &Piece| match piece.kind {
        Kind::Word => match decides(&piece.text) {
            Some(Reason::Quantifier) => !piece.is("also"),
            Some(_) => piece.any(&["no", "nobody"]),
            None => !piece.any(CLAUSES) && !piece.any(&["there", "it", "this", "that", "what", "you"]),
        },
        Kind::Literal => true,
        _ => false,
    };
    let orders = subject.len() > 1 && subject[0].kind == Kind::Word && is_verb(&subject[0].text);
    let is_subject = subject.iter().all(is_plain) && !orders;
    (1..=4).contains(&subject.len())
        && (is_subject || matches!(subject, [you] if you.is("you")))
        && leads(&before[..start])
}

/// Whether only a condition stands in front of a main clause, or nothing.
fn leads(before: &[Piece]) -> bool {
    let marks = before.iter().filter(|piece| piece.kind == Kind::Mark).count();
    let ends = before.last().is_some_and(|last| last.is_mark(",") || last.is_mark(":"));
    let opens = before.first().is_some_and(|first| first.any(OPENERS));
    before.is_empty() || (marks == 1 && ends && opens)
}

fn phrase(pieces: &[Piece], at: usize) -> Option<(usize, &'static [&'static str])> {
    let (before, pieces) = pieces.split_at(at);
    let first = pieces.first().filter(|piece| piece.kind == Kind::Word)?;
    let stands = |phrase: &[&str]| {
        phrase.len() <= pieces.len() && phrase.iter().zip(pieces).all(|(word, piece)| piece.is(word))
    };
    let found = TABLE.get(first.text.as_str())?.iter().find(|(phrase, _)| stands(phrase))?;
    let is_strength = found.0.len() > 2 && found.1.first().is_some_and(|word| LEVELS.contains(word));
    let holds =
        (!is_strength || gives_level(first, before)) && holds(&found.0, before, &pieces[found.0.len()..]);
    holds.then_some((found.0.len(), found.1.as_slice()))
}

/// Whether a phrase says here what the table has it say.
fn holds(phrase: &[&str], before: &[Piece], behind: &[Piece]) -> bool {
    match phrase {
        // `Merge them in order to main` tells the order.
        ["in", "order", "to"] => before.is_empty() || begins_deed(behind),
        ["as", "well", "as"] => adds(before, behind),
        ["as", "soon", "as"] => happens(behind),
        ["has" | "needs", "to"] => is_each(before),
        // `Avoid using up the quota` is another verb.
        ["avoid", "using"] => {
            behind.first().is_some_and(|next| next.kind != Kind::Mark && !next.any(PARTICLES))
        }
        // `Stop excluding tests` is done; `all tests excluding those` are some.
        ["excluding"] => before.split_last().is_some_and(|(last, front)| {
            let is_deed = last.kind == Kind::Word && (is_verb(&last.text) || decides(&last.text).is_some());
            !front.is_empty() && !is_deed
        }),
        // `Verify that branch before the merge` points at one.
        [_, "that"] if !phrase[0].starts_with("ensure") && !phrase[0].starts_with("make") => {
            let clause = behind.iter().take_while(|piece| piece.kind != Kind::Mark && !piece.any(CLAUSES));
            clause.skip(1).any(|piece| piece.kind == Kind::Word && tells(&piece.text))
        }
        _ => true,
    }
}

/// `Each new test`, which opens the line: whoever else `has to` may be told a fact, or be nobody.
fn is_each(before: &[Piece]) -> bool {
    let [each, thing @ ..] = before else { return false };
    let is_plain =
        |piece: &Piece| piece.kind == Kind::Word && decides(&piece.text).is_none() && !piece.any(CLAUSES);
    each.any(&["each", "every"]) && (1..=3).contains(&thing.len()) && thing.iter().all(is_plain)
}

/// `As soon as the check fails`, where somebody or something does something: `as soon as you can`, `as soon as needed` and `as soon as Y`
/// tell no event, and behind those `once` would be one time.
fn happens(behind: &[Piece]) -> bool {
    let clause: Vec<&Piece> = behind.iter().take_while(|piece| piece.kind != Kind::Mark).collect();
    let does = |piece: &Piece| {
        let base = piece.text.strip_suffix("es").filter(|base| is_verb(base));
        let base = base.or_else(|| piece.text.strip_suffix('s'));
        piece.kind == Kind::Word
            && (piece.any(&["is", "are", "has", "have"]) || base.is_some_and(is_verb) || tells(&piece.text))
            && !piece.any(&["can", "could", "may", "might", "will", "must", "should"])
    };
    let subject = clause.iter().take_while(|piece| !does(piece)).count();
    let named = clause.first().is_some_and(|first| match first.kind {
        Kind::Word => {
            !first.any(&["you", "possible", "practical", "needed"])
                && matches!(decides(&first.text), None | Some(Reason::Quantifier | Reason::Order))
        }
        kind => kind == Kind::Literal,
    });
    named
        && (1..clause.len()).contains(&subject)
        && !clause.iter().any(|piece| piece.any(&["possible", "can"]))
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
