//! What a line says, with everything gone that says nothing.

use super::piece::{Kind, Piece, split};
use super::words::{ARTICLES, FILLERS, NARROWING, decides};
use super::{Original, doing, head, leading, measure, noun, phrases, reword, tail};

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
        let pieces = noun::unify(&pieces);
        let pieces = ended(instead(&pieces));
        let bare = tail::reason(&pieces).map(|at| finished(ended(pieces[..at].to_vec()), original));
        let pieces = finished(pieces, original);
        Self { pieces, bare }
    }

    /// Whether `told` says what this means. Only what is meant may have a reason that is left out.
    pub(super) fn is_said_by(&self, told: &Self) -> bool {
        self.pieces == told.pieces || self.bare.as_ref() == Some(&told.pieces)
    }
}

/// What stays verbatim: the literals of the law, and its names, which may stand at the start of a line as well.
fn verbatim(original: &Original<'_>) -> Vec<String> {
    let is_name = |piece: &Piece| piece.kind == Kind::Literal && piece.text.chars().all(char::is_alphabetic);
    let names = split(original.text, original.literals).into_iter().filter(is_name).map(|piece| piece.text);
    original.literals.iter().cloned().chain(names).collect()
}

fn finished(pieces: Vec<Piece>, original: &Original<'_>) -> Vec<Piece> {
    let pieces = leading::mark(pieces);
    leading::shorten(doing::unify(&head::unify(&pieces, original.level)))
}

/// `, not X` behind what is meant is `instead of X`, where nothing before it is negated.
fn instead(pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    let mut negated = false;
    while at < pieces.len() {
        let here = &pieces[at];
        let next = |word: &str| pieces.get(at + 1).is_some_and(|piece| piece.is(word));
        let and_not =
            here.is_mark(",") && next("and") && pieces.get(at + 2).is_some_and(|piece| piece.is("not"));
        let is_swap = and_not || (here.is_mark(",") && next("not")) || (here.is("instead") && next("of"));
        let len = if and_not { 3 } else { 2 };
        let last_part = !pieces[at + 1..].iter().any(|piece| piece.kind == Kind::Mark);
        let swaps = pieces
            .get(at + len)
            .is_some_and(|piece| piece.kind != Kind::Word || decides(&piece.text).is_none());
        if is_swap && !negated && last_part && at > 1 && swaps {
            out.push(Piece::word("instead"));
            at += len;
            continue;
        }
        negated |= here
            .shouts(&["not", "never", "no", "cannot", "avoid", "without", "unless", "except", "if", "when"]);
        out.push(here.clone());
        at += 1;
    }
    out
}

/// Articles and fillers go.
fn without_fillers(pieces: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        if !(piece.any(FILLERS) && is_filler(out.last(), piece, pieces.get(at + 1))) {
            out.push(piece.clone());
        }
    }
    out
}

/// `a few` is not `few`, `not very` is not `not`, and a letter may be a name.
fn is_filler(before: Option<&Piece>, piece: &Piece, next: Option<&Piece>) -> bool {
    let counts = next.is_some_and(|next| {
        next.any(&["few", "little", "lot", "single", "bit", "while", "and", "or", "only"])
    });
    let ends = next.is_none_or(|next| next.kind == Kind::Mark);
    let is_article = piece.any(ARTICLES);
    let narrows = before.is_some_and(|before| before.any(NARROWING)) && !is_article;
    // `To please the reviewer` is a purpose.
    let pleases = piece.is("please") && before.is_some_and(|before| before.is("to"));
    !(counts || ends || narrows || pleases)
}

/// Without the mark that ends it.
fn ended(mut pieces: Vec<Piece>) -> Vec<Piece> {
    while pieces.last().is_some_and(|last| last.is_mark(";") || last.is_mark(",")) {
        pieces.pop();
    }
    pieces
}
