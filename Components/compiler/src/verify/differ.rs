//! What differs between what is meant and what is told: the name of a refusal.

use super::piece::{Kind, Piece};
use super::sense::Sense;
use super::words::decides;
use super::{Refusal, RefusalReason as Reason};

/// Names the gravest difference.
pub(super) fn differ(meant: &Sense, told: &Sense) -> Refusal {
    let lost = without(&meant.pieces, &told.pieces);
    let added = without(&told.pieces, &meant.pieces);
    let found = GRAVEST.iter().find_map(|reason| named(*reason, &lost, &added));
    found.unwrap_or_else(|| moved(&meant.pieces, &told.pieces))
}

/// The kinds of difference, the gravest first.
const GRAVEST: &[Reason] = &[
    Reason::Polarity,
    Reason::Number,
    Reason::LiteralLost,
    Reason::LiteralInvented,
    Reason::Exception,
    Reason::Level,
    Reason::Condition,
    Reason::Order,
    Reason::Quantifier,
    Reason::Connective,
    Reason::WordInvented,
    Reason::WordLost,
];

/// The pieces of `all` that `other` does not have as often.
fn without<'p>(all: &'p [Piece], other: &[Piece]) -> Vec<&'p Piece> {
    let mut left: Vec<&Piece> = other.iter().collect();
    let mut lost = Vec::new();
    for piece in all {
        match left.iter().position(|there| *there == piece) {
            Some(at) => drop(left.swap_remove(at)),
            None => lost.push(piece),
        }
    }
    lost
}

fn named(reason: Reason, lost: &[&Piece], added: &[&Piece]) -> Option<Refusal> {
    let of = |pieces: &[&Piece], adds: bool| {
        pieces.iter().find(|piece| belongs(piece, reason, adds)).map(|piece| quoted(piece))
    };
    let detail = match (of(lost, false), of(added, true)) {
        (Some(lost), Some(added)) => format!("{lost} became {added}"),
        (Some(lost), None) => format!("{lost} is gone"),
        (None, Some(added)) => format!("{added} was added"),
        (None, None) => return None,
    };
    Some(Refusal::with(reason, detail))
}

/// Whether this piece, lost or added, is a difference of this kind.
fn belongs(piece: &Piece, reason: Reason, adds: bool) -> bool {
    match (piece.kind, reason) {
        (Kind::Number, Reason::Number) => true,
        (Kind::Literal, Reason::LiteralLost) => !adds,
        (Kind::Literal, Reason::LiteralInvented) => adds,
        (Kind::Word, Reason::WordInvented) => adds && decides(&piece.text).is_none(),
        (Kind::Word, Reason::WordLost) => !adds && decides(&piece.text).is_none(),
        (Kind::Word, reason) => decides(&piece.text) == Some(reason),
        _ => false,
    }
}

fn quoted(piece: &Piece) -> String {
    let text = if piece.text == "not!" { "never" } else { piece.text.trim_matches('`') };
    let cut: String = text.chars().take(60).collect();
    format!("`{cut}`")
}

/// The same words: their order or the marks between them changed.
fn moved(meant: &[Piece], told: &[Piece]) -> Refusal {
    let words = |pieces: &[Piece]| {
        pieces.iter().filter(|piece| piece.kind != Kind::Mark).cloned().collect::<Vec<_>>()
    };
    let (here, there) = (words(meant), words(told));
    match here.iter().zip(&there).find(|(one, other)| one != other) {
        Some((one, other)) => {
            Refusal::with(Reason::Swapped, format!("{} stands where {} stood", quoted(other), quoted(one)))
        }
        None => Refusal::of(Reason::Punctuation),
    }
}
