//! The comma in front of the last thing of a list: `tests, docs, and examples` are `tests, docs and examples`.

use super::RefusalReason as Reason;
use super::actor::acts;
use super::piece::{Kind, Piece};
use super::words::{CLAUSES, OPENERS, decides};
use crate::law::is_verb;

/// Takes off the comma behind the last thing but one, where a list and nothing else ends. Where something is denied or may be done it
/// parts two orders as often (`never push drafts, secrets, and run the tests`), and behind somebody it may close what is said of him (`ask
/// the owner, the lead, and QA`).
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    (0..pieces.len()).filter(|&at| !ends_list(pieces, at)).map(|at| pieces[at].clone()).collect()
}

/// Whether the comma that stands here parts the last two things of a list.
fn ends_list(pieces: &[Piece], at: usize) -> bool {
    let is_edge = |piece: &Piece| piece.kind == Kind::Mark && !piece.is_mark(",");
    let start = pieces[..at].iter().rposition(is_edge).map_or(0, |edge| edge + 1);
    let end = pieces[at..].iter().position(is_edge).map_or(pieces.len(), |edge| at + edge);
    let part = &pieces[start..end];
    // Behind a condition a comma may end it.
    let opens = part.first().is_some_and(|first| first.any(OPENERS));
    pieces[at].is_mark(",")
        && !opens
        && is_listed(&part[..at - start], &part[at + 1 - start..], !part.iter().any(turns))
}

/// Whether the comma between these parts the last two things of a list of three or more. `orders`: the first of them may look like orders,
/// since nothing is told of them but that; the last one never may (`commit docs, tests, and release the build`).
fn is_listed(before: &[Piece], behind: &[Piece], orders: bool) -> bool {
    let [join, last @ ..] = behind else { return false };
    let Some(comma) = before.iter().rposition(|piece| piece.is_mark(",")) else { return false };
    let (first, middle) = (&before[..comma], &before[comma + 1..]);
    let last: Vec<&Piece> =
        last.iter().take_while(|piece| piece.kind != Kind::Mark && !parts(piece)).collect();
    let is_deed = |piece: &Piece| piece.kind == Kind::Word && is_verb(&piece.text);
    let may_stand = |piece: &Piece| is_thing(piece) && (orders || !is_deed(piece));
    join.any(&["and", "or"])
        && first.last().is_some_and(may_stand)
        && (1..=3).contains(&middle.len())
        && middle.iter().all(may_stand)
        && (1..=3).contains(&last.len())
        && last.iter().all(|piece| is_thing(piece) && !is_deed(piece))
}

/// What holds for more or less of a list, as it goes on or not.
fn turns(piece: &Piece) -> bool {
    use Reason::{Condition, Exception, Level, Order, Polarity};
    let reason = decides(&piece.text.to_lowercase()).filter(|_| piece.kind != Kind::Mark);
    reason.is_some_and(|reason| matches!(reason, Polarity | Exception | Level | Condition | Order))
        || piece.any(CLAUSES)
}

/// A word of a thing that nobody takes for a person.
fn is_thing(piece: &Piece) -> bool {
    let is_word = piece.kind == Kind::Word && decides(&piece.text).is_none();
    (is_word || piece.kind == Kind::Literal) && !acts(piece) && !piece.any(INSIDE)
}

/// Behind a thing something else begins with these.
fn parts(piece: &Piece) -> bool {
    piece.kind == Kind::Word && (decides(&piece.text).is_some() || piece.any(&["of", "in", "on", "at", "as"]))
}

const INSIDE: &[&str] = &[
    "of", "in", "on", "at", "as", "is", "are", "has", "have", "was", "were", "that", "this", "it", "they",
    "you", "we", "so", "else", "be", "do", "does",
];

#[cfg(test)]
mod tests {
    use super::super::piece::split;
    use super::*;

    #[test]
    fn the_last_comma_of_a_list_of_things_goes() {
        for (words, read) in [
            ("keep tokens, fixtures, and examples", "keep tokens , fixtures and examples"),
            ("no mocks, stubs, or fakes in tests", "no mocks , stubs or fakes in tests"),
            ("keep `a`, `b`, and `c` in order", "keep `a` , `b` and `c` in order"),
            ("keep `a`, `b`, and `c`", "keep `a` , `b` and `c`"),
            ("never push drafts, secrets, and run tests", "never push drafts , secrets , and run tests"),
            ("ask owner, lead, and clerk", "ask owner , lead , and clerk"),
            ("structure, styling, and branding", "structure , styling and branding"),
            ("if ready: copy files, images, and fonts", "if ready : copy files , images and fonts"),
            ("commit docs, tests, and release build", "commit docs , tests , and release build"),
            ("may copy files, images, and run tests", "may copy files , images , and run tests"),
            ("log it, and stop", "log it , and stop"),
            ("keep tests, docs, and if it fails", "keep tests , docs , and if it fails"),
            ("in tests, mocks, and stubs may stand", "in tests , mocks , and stubs may stand"),
        ] {
            let said: Vec<String> = unify(&split(words, &[])).into_iter().map(|piece| piece.text).collect();
            assert_eq!(said.join(" "), read);
        }
    }
}
