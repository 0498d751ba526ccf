//! The condition in front of a line. It stays where the law has it: at the end it may belong to something else (`guess if the user
//! consented`, `restart services stopped after the upgrade`), and no list of words could tell. It keeps its `when`, too: `when logging
//! is off: …` is no `logging is off: …`.

use super::piece::Piece;
use super::words::OPENERS;

/// The comma behind a leading condition where another one follows: it ends the condition or parts a list in it, so no line may put a
/// colon in its place (`if the disk, the net or the host fails, stop`).
const ONE_OF_SEVERAL: &str = ",:";

/// Whether this mark ends a leading condition.
pub(super) fn is_end(piece: &Piece) -> bool {
    piece.is_mark(":") || piece.is_mark(ONE_OF_SEVERAL)
}

/// Writes the mark behind a leading condition in one way: `if x, y` is `if x: y`.
pub(super) fn mark(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
    if !opens || pieces.iter().any(|piece| piece.is_mark(":")) {
        return pieces;
    }
    let mut commas = (0..pieces.len()).filter(|&at| pieces[at].is_mark(","));
    let (first, second) = (commas.next(), commas.next());
    let Some(comma) = first else { return pieces };
    pieces[comma] = Piece::mark(if second.is_some() { ONE_OF_SEVERAL } else { ":" });
    pieces
}

/// Takes off the `then` behind a leading condition, which only leads over.
pub(super) fn without_then(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let opens = pieces.first().is_some_and(|first| first.any(OPENERS));
    let end = pieces.iter().position(is_end).filter(|_| opens);
    if let Some(then) =
        end.map(|end| end + 1).filter(|&at| pieces.get(at).is_some_and(|piece| piece.is("then")))
    {
        pieces.remove(then);
    }
    pieces
}
