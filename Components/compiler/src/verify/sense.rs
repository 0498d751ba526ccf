//! What a line says, with everything gone that says nothing.

use super::piece::{Kind, Piece, split};
use super::words::{ARTICLES, NO_NOUNS, decides};
use super::{
    Original, clause, doing, head, instead, leading, limit, measure, noun, phrases, reword, series, tail,
};
use crate::law::is_verb;

/// The pieces of a line in one way of writing: two lines with one sense say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sense {
    pub(super) pieces: Vec<Piece>,
    /// Without the reason at its end, when it has one that orders nothing.
    bare: Option<Vec<Piece>>,
}

impl Sense {
    /// The sense of a line that states `original`, or of the original itself.
    pub(super) fn of(line: &str, original: &Original<'_>) -> Self {
        let pieces = without_fillers(&split(line, &verbatim(original)));
        let pieces = measure::measure(&reword::unify(&phrases::unify(&pieces)));
        let pieces = noun::unify(&series::unify(&limit::unify(&clause::unify(&pieces))));
        let pieces = ended(instead::unify(&pieces));
        let bare = tail::reason(&pieces).map(|at| finished(ended(pieces[..at].to_vec()), original));
        let pieces = finished(pieces, original);
        Self { pieces, bare }
    }

    /// Whether `told` says what this means. Only what is meant may have a reason that is left out.
    pub(super) fn is_said_by(&self, told: &Self) -> bool {
        let says = |meant: &[Piece]| {
            let mut pairs = meant.iter().zip(&told.pieces);
            meant.len() == told.pieces.len() && pairs.all(|(one, other)| leading::says(one, other))
        };
        says(&self.pieces) || self.bare.as_ref().is_some_and(|bare| says(bare))
    }
}

/// What stays verbatim: the literals of the law, and its names, which may stand at the start of a line as well.
fn verbatim(original: &Original<'_>) -> Vec<String> {
    let is_name = |piece: &Piece| piece.kind == Kind::Literal && piece.text.chars().all(char::is_alphabetic);
    let names = split(original.text, original.literals).into_iter().filter(is_name).map(|piece| piece.text);
    original.literals.iter().cloned().chain(names).collect()
}

fn finished(pieces: Vec<Piece>, original: &Original<'_>) -> Vec<Piece> {
    let pieces = leading::without_then(leading::mark(pieces));
    doing::unify(&head::unify(&pieces, original.level))
}

/// Articles and fillers go.
fn without_fillers(pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        if !(is_article(piece, pieces.get(at + 1)) || begs(out.last(), piece, pieces.get(at + 1))) {
            out.push(piece.clone());
        }
    }
    out
}

/// An article that says nothing: `a few` is not `few`, and a letter may be a name.
fn is_article(piece: &Piece, next: Option<&Piece>) -> bool {
    let counts = ["few", "little", "lot", "single", "bit", "while", "only"];
    let opens_noun = |next: &Piece| next.kind != Kind::Mark && !next.any(&counts) && !next.any(NO_NOUNS);
    piece.any(ARTICLES) && next.is_some_and(opens_noun)
}

/// `Please run` begs; `to please the reviewer` and `never please the reviewer` do something.
fn begs(before: Option<&Piece>, piece: &Piece, next: Option<&Piece>) -> bool {
    let opens = before.is_none_or(|before| before.kind == Kind::Mark);
    let acts = next.is_some_and(|next| next.kind == Kind::Word && is_verb(&next.text));
    let is_deed = before.is_some_and(|before| before.is("to") || decides(&before.text).is_some());
    piece.is("please") && next.is_some_and(|next| next.kind != Kind::Mark) && (opens || (acts && !is_deed))
}

/// Without the mark that ends it.
fn ended(mut pieces: Vec<Piece>) -> Vec<Piece> {
    while pieces.last().is_some_and(|last| last.is_mark(";") || last.is_mark(",")) {
        pieces.pop();
    }
    pieces
}
