//! The condition in front of a line. It stays where the law has it: at the end it may belong to something else (`guess if the user
//! consented`, `restart services stopped after the upgrade`), and no list of words could tell. It keeps its `when`, too: `when logging
//! is off: …` is no `logging is off: …`.

use super::piece::{Kind, Piece};
use super::words::OPENERS;
use crate::law::{is_nounish, is_verb};

/// The comma behind a leading condition that may part a list in it, so that no line may put a colon in its place: another comma follows
/// (`if the disk, the net or the host fails, stop`), or no order begins behind it (`for docs, tests and examples use short names`).
const ONE_OF_SEVERAL: &str = ",?";
/// The comma behind a leading condition that surely ends it: a colon says the same.
const SURE: &str = ",:";
/// These begin an order and no part of a list.
const ORDERS: &[&str] = &["you", "never", "not!", "do", "always", "must", "should", "may"];
/// Only behind these does `then` lead over to the order: behind `in`, `on` or `after` it tells the order of two places or times.
const CONDITIONS: &[&str] = &["if", "when", "once", "unless"];

/// Whether this mark ends a leading condition.
pub(super) fn is_end(piece: &Piece) -> bool {
    piece.is_mark(":") || piece.is_mark(SURE) || piece.is_mark(ONE_OF_SEVERAL)
}

/// Whether both pieces say the same: a comma is a comma, and one that surely ends a condition is a colon.
pub(super) fn says(one: &Piece, other: &Piece) -> bool {
    let is_comma = |piece: &Piece| piece.is_mark(SURE) || piece.is_mark(ONE_OF_SEVERAL);
    let ends = |piece: &Piece| piece.is_mark(SURE) || piece.is_mark(":");
    one == other || (is_comma(one) && is_comma(other)) || (ends(one) && ends(other))
}

/// Tells by the mark behind a leading condition whether it surely ends it: `if x, stop` is `if x: stop`.
pub(super) fn mark(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
    if !opens || pieces.iter().any(|piece| piece.is_mark(":")) {
        return pieces;
    }
    let mut commas = (0..pieces.len()).filter(|&at| pieces[at].is_mark(","));
    let (first, second) = (commas.next(), commas.next());
    let Some(comma) = first else { return pieces };
    let ends = second.is_none() && begins_order(&pieces[comma + 1..]);
    pieces[comma] = Piece::mark(if ends { SURE } else { ONE_OF_SEVERAL });
    pieces
}

/// Whether an order begins here: by a word that begins nothing else, or by a verb with nothing behind it that could end a list.
fn begins_order(pieces: &[Piece]) -> bool {
    let pieces = without_then_at(pieces, 0);
    let Some(first) = pieces.first() else { return false };
    let joins = || pieces.iter().any(|piece| piece.any(&["and", "or", "and/or", "nor"]));
    let is_deed = |piece: &Piece| piece.kind == Kind::Word && is_verb(&piece.text);
    // `Before the audit, the launch use the drill`.
    let is_thing = is_nounish(&first.text) && pieces.get(1).is_some_and(is_deed);
    first.any(ORDERS) || (is_deed(first) && !is_thing && !joins())
}

/// Behind the `then` that stands there.
fn without_then_at(pieces: &[Piece], at: usize) -> &[Piece] {
    if pieces.get(at).is_some_and(|piece| piece.is("then")) { &pieces[at + 1..] } else { &pieces[at..] }
}

/// Takes off the `then` between a leading condition and its order, which only leads over.
pub(super) fn without_then(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(CONDITIONS));
    let end = pieces.iter().position(is_end).filter(|&end| opens && !pieces[end].is_mark(ONE_OF_SEVERAL));
    let leads =
        |at: usize| pieces.get(at).is_some_and(|piece| piece.is("then")) && begins_order(&pieces[at..]);
    if let Some(then) = end.map(|end| end + 1).filter(|&at| leads(at)) {
        pieces.remove(then);
    }
    pieces
}
