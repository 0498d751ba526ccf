//! Ways to say the same thing in other words that no table of phrases can hold.

use super::RefusalReason as Reason;
use super::piece::{Kind, Piece};
use super::words::decides;

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
        if tells_which(&pieces[at..], out.last()) {
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

/// `Never use any mocks` forbids what `never use mocks` forbids: `any` behind what is negated, and in front of a thing.
fn is_none_of(before: &[Piece], pieces: &[Piece]) -> bool {
    let ([any, thing, ..], [.., not, deed]) = (pieces, before) else { return false };
    let is_plain = |piece: &Piece| piece.kind == Kind::Word && decides(&piece.text).is_none();
    let is_deed =
        is_plain(deed) && !deed.any(INSIDE) && !deed.text.ends_with("ly") && !deed.text.ends_with("ing");
    let is_negated = not.any(&["not", "never"]);
    any.is("any") && is_negated && is_deed && is_plain(thing) && !thing.any(INSIDE)
}

/// Behind these `that` and `which` open a sentence of their own: `decide which is changed` tells of nothing in front.
const OPEN_THAT: &[&str] = &[
    "decide",
    "determine",
    "find",
    "explain",
    "list",
    "ask",
    "choose",
    "pick",
    "identify",
    "learn",
    "report",
    "document",
    "describe",
    "specify",
    "ensure",
    "verify",
    "check",
    "confirm",
    "so",
    "know",
    "say",
    "says",
    "means",
    "note",
    "see",
    "tell",
    "require",
    "requires",
    "show",
    "mean",
    "prove",
    "assume",
    "claim",
    "state",
];

/// `that is fixed`, `which are exported`, behind a thing.
fn tells_which(pieces: &[Piece], before: Option<&Piece>) -> bool {
    let [that, is, done, ..] = pieces else { return false };
    let is_thing = before.is_some_and(|before| match before.kind {
        Kind::Word => decides(&before.text).is_none() && !before.any(OPEN_THAT),
        Kind::Literal => true,
        _ => false,
    });
    let is_done = done.kind == Kind::Word
        && done.text.len() > 4
        && (done.text.ends_with("ed") || done.is("available"))
        && decides(&done.text).is_none();
    is_thing && that.any(&["that", "which"]) && is.any(&["is", "are"]) && is_done
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
