//! The condition in front of a line, or at its end: the same condition.

use super::piece::{Kind, Piece};
use super::words::{MOVABLE, OPENERS, decides};

/// Writes the mark behind a leading condition in one way: `if x, y` is `if x: y`.
pub(super) fn mark(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
    if !opens || pieces.iter().any(|piece| piece.is_mark(":")) {
        return pieces;
    }
    let Some(comma) = pieces.iter().position(|piece| piece.is_mark(",")) else { return pieces };
    pieces[comma] = Piece::mark(":");
    pieces
}

/// Beside these it is open what a condition at the end belongs to: `report tests that fail when cached`, `ask if tests fail`.
const BRANCHES: &[&str] = &[
    "and",
    "or",
    "and/or",
    "that",
    "which",
    "who",
    "whose",
    "whom",
    "to",
    "how",
    "what",
    "why",
    "where",
    "whether",
    "ask",
    "check",
    "see",
    "tell",
    "know",
    "verify",
    "decide",
    "determine",
    "confirm",
    "report",
    "say",
    "show",
    "find",
    "learn",
    "note",
    "log",
    "explain",
    "clarify",
    "document",
    "describe",
    "state",
    "specify",
    "record",
    "remember",
    "test",
    "ensure",
    "warn",
    "notify",
];

/// Past forms that do not end as others do: `services stopped after upgrade` tells which services, and so does `files kept`.
const PAST: &[&str] = &[
    "built",
    "bought",
    "brought",
    "caught",
    "cut",
    "done",
    "found",
    "gone",
    "held",
    "hit",
    "hurt",
    "kept",
    "laid",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "put",
    "read",
    "run",
    "said",
    "sent",
    "set",
    "shown",
    "shut",
    "sold",
    "spent",
    "split",
    "spun",
    "stuck",
    "sworn",
    "taught",
    "thrown",
    "told",
    "torn",
    "understood",
    "won",
    "worn",
];

/// Whether this word may tell which thing is meant, by what was done to it or what it does: then a condition behind it may be its own.
fn may_tell_which(piece: &Piece) -> bool {
    let ends = |end: &str| piece.text.len() > end.len() + 1 && piece.text.ends_with(end);
    piece.kind == Kind::Word && (ends("ed") || ends("ing") || ends("en") || piece.any(PAST))
}

/// Takes off what only leads over: `then` behind a leading condition, and `when` in front of `writing tests: …`.
pub(super) fn shorten(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let Some(colon) = pieces.iter().position(|piece| piece.is_mark(":")) else { return pieces };
    let opens = pieces[0].any(OPENERS);
    if opens && pieces.get(colon + 1).is_some_and(|piece| piece.is("then")) {
        pieces.remove(colon + 1);
    }
    let doing =
        |piece: &Piece| piece.kind == Kind::Word && piece.text.len() > 4 && piece.text.ends_with("ing");
    if pieces[0].any(&["when", "while"]) && pieces.get(1).is_some_and(doing) {
        pieces.remove(0);
    }
    pieces
}

/// Puts a condition that stands at the end in front, where nothing else could be meant: the line is two parts, and no word in
/// either decides where the condition belongs.
pub(super) fn front(pieces: Vec<Piece>) -> Vec<Piece> {
    let openers = pieces.iter().filter(|piece| piece.any(MOVABLE)).count();
    let Some(at) = pieces.iter().position(|piece| piece.any(MOVABLE)) else { return pieces };
    let (main, condition) = pieces.split_at(at);
    let is_bare = |part: &[Piece]| part.iter().all(|piece| piece.kind != Kind::Mark && !piece.any(BRANCHES));
    let hangs = main.last().is_some_and(|last| last.kind == Kind::Word && decides(&last.text).is_some());
    let tells = main.iter().skip(1).any(may_tell_which);
    let is_short = main.len() < 2 || condition.len() < 2;
    if openers != 1 || is_short || hangs || tells || !is_bare(main) || !is_bare(condition) {
        return pieces;
    }
    condition.iter().chain([&Piece::mark(":")]).chain(main).cloned().collect()
}
