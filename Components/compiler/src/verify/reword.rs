//! Ways to say the same thing in other words that no table of phrases can hold.

use super::RefusalReason as Reason;
use super::actor::acts;
use super::piece::{Kind, Piece};
use super::words::decides;
use crate::law::{is_nounish, is_verb};

/// `Bugs that are fixed` are `bugs fixed`, and `both tests and docs` are `tests and docs` where nothing is negated.
pub(super) fn unify(pieces: &[Piece]) -> Vec<Piece> {
    let negates = pieces.iter().any(|piece| {
        piece.kind != Kind::Mark
            && matches!(
                decides(&piece.text.to_lowercase()),
                Some(Reason::Polarity | Reason::Exception | Reason::Condition)
            )
    });
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        if tells_which(&pieces[at..], &out) {
            at += 2;
        } else if is_none_of(&out, &pieces[at..]) || (!negates && joins_two(&pieces[at..])) {
            at += 1;
        } else {
            out.push(pieces[at].clone());
            at += 1;
        }
    }
    out
}

/// `Never use any mocks` forbids what `never use mocks` forbids: `any` behind what is negated, and in front of things. One thing without
/// an article may be a certain one: `never delete any branch` stays.
fn is_none_of(before: &[Piece], pieces: &[Piece]) -> bool {
    let ([any, things @ ..], [.., not, deed]) = (pieces, before) else { return false };
    let is_plain = |piece: &Piece| piece.kind == Kind::Word && decides(&piece.text).is_none();
    let is_deed =
        is_plain(deed) && !deed.any(INSIDE) && !deed.text.ends_with("ly") && !deed.text.ends_with("ing");
    let things = things.iter().take_while(|piece| is_plain(piece) && !piece.any(INSIDE));
    let are_many = things.last().is_some_and(|last| last.text.ends_with('s') && !last.text.ends_with("ss"));
    any.is("any") && not.any(&["not", "never"]) && is_deed && are_many
}

/// Behind these `that` opens a sentence of its own, or is the thing itself.
const OPEN_THAT: &[&str] = &[
    "so", "says", "means", "what", "requires", "it", "this", "all", "now", "certain", "sure", "clear",
    "aware",
];
/// What these are told of is a thing, and no question: `use functions which are exported`, but not `list which are exported`.
const TAKE_THINGS: &[&str] = &["use", "call", "import", "run", "delete", "remove", "close"];

/// Nobody does these of himself without an object.
const STATES: &[&str] = &[
    "listed",
    "located",
    "named",
    "defined",
    "configured",
    "installed",
    "deprecated",
    "documented",
    "available",
];

/// `that is fixed`, `which are exported`, behind a thing.
fn tells_which(pieces: &[Piece], before: &[Piece]) -> bool {
    let ([that, is, done, rest @ ..], Some((thing, front))) = (pieces, before.split_last()) else {
        return false;
    };
    let is_done = done.kind == Kind::Word
        && done.text.len() > 4
        && (done.text.ends_with("ed") || done.is("available"))
        && !done.any(&["indeed", "speed", "hundred", "embed", "exceed"])
        && decides(&done.text).is_none();
    // `Agents that are asked` are not those that asked.
    let is_named = done.is("called") && rest.first().is_some_and(|name| name.kind == Kind::Literal);
    let is_suffered =
        !acts(thing) || done.any(STATES) || is_named || rest.first().is_some_and(|by| by.is("by"));
    let asks_nothing = that.is("that")
        || before
            .iter()
            .find(|piece| !piece.any(&["you", "must", "always"]))
            .is_some_and(|first| first.any(TAKE_THINGS));
    that.any(&["that", "which"])
        && is.any(&["is", "are"])
        && is_done
        && is_suffered
        && asks_nothing
        && is_thing(thing, front)
}

/// Whether this is a thing, and no deed that `that` or `which` would be the object of: `ensure that is fixed`.
fn is_thing(piece: &Piece, front: &[Piece]) -> bool {
    if piece.kind != Kind::Word {
        return piece.kind == Kind::Literal;
    }
    if front.is_empty() {
        // What stands first is a deed or a subject, and the lexicon does not know all deeds: `hear that is denied`.
        return false;
    }
    let opens =
        front.last().is_none_or(|before| before.kind == Kind::Mark || decides(&before.text).is_some());
    let is_deed = is_verb(&piece.text) && (opens || !is_nounish(&piece.text));
    decides(&piece.text).is_none() && !piece.any(OPEN_THAT) && !is_deed
}

/// `both X and Y`, where X and Y are one or two words each.
fn joins_two(pieces: &[Piece]) -> bool {
    let plain = |piece: &Piece| {
        piece.kind == Kind::Literal || (piece.kind == Kind::Word && decides(&piece.text).is_none())
    };
    let and = pieces.iter().position(|piece| piece.is("and"));
    pieces[0].is("both")
        && and.is_some_and(|and| {
            (2..=3).contains(&and)
                && pieces[1..and].iter().all(plain)
                && pieces.get(and + 1).is_some_and(plain)
        })
}

/// A thing that holds one of these may end where another begins.
const INSIDE: &[&str] = &[
    "of", "in", "on", "at", "as", "per", "about", "under", "this", "that", "it", "they", "there", "you", "we",
];
