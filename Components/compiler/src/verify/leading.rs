//! The condition in front of a line. It stays where the law has it: at the end it may belong to something else (`guess if the user
//! consented`, `restart services stopped after the upgrade`), and no list of words could tell.

use super::piece::{Kind, Piece};
use super::words::OPENERS;

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

/// Takes off what only leads over: `then` behind a leading condition, and `when` in front of `writing tests: …`.
pub(super) fn shorten(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let Some(colon) = pieces.iter().position(|piece| piece.is_mark(":")) else { return pieces };
    let opens = pieces[0].any(OPENERS);
    if opens && pieces.get(colon + 1).is_some_and(|piece| piece.is("then")) {
        pieces.remove(colon + 1);
    }
    let doing =
        |piece: &Piece| piece.kind == Kind::Word && piece.text.len() > 4 && piece.text.ends_with("ing");
    // `When logging is off: …` says what is so, and not what somebody does.
    let tells = pieces[..colon].iter().any(|piece| piece.any(TELLING));
    if pieces[0].any(&["when", "while"]) && pieces.get(1).is_some_and(doing) && !tells {
        pieces.remove(0);
    }
    pieces
}

/// Verbs of a clause that says what is so, and what is no doing though it ends like one.
const TELLING: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "has",
    "have",
    "had",
    "does",
    "do",
    "did",
    "gets",
    "stays",
    "remains",
    "fails",
    "breaks",
    "runs",
    "stops",
    "starts",
    "works",
    "hangs",
    "ends",
    "changes",
    "needs",
    "happens",
    "passes",
    "returns",
    "goes",
    "comes",
    "begins",
    "finishes",
    "crashes",
    "nothing",
    "everything",
    "something",
    "anything",
    "failed",
    "stopped",
    "started",
    "changed",
    "passed",
    "finished",
    "crashed",
    "broke",
    "went",
    "came",
    "began",
];
