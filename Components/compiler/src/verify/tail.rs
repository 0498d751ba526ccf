//! The reason at the end of a line: it orders nothing, so it may go.

use super::piece::{Kind, Piece};
use super::words::decides;
use crate::law::SAYING;

/// Where the reason begins that ends the line; none when the line ends with what counts.
pub(super) fn reason(pieces: &[Piece]) -> Option<usize> {
    (2..pieces.len()).find(|&at| opens(pieces, at) && is_harmless(&pieces[at..]) && !is_condition(pieces, at))
}

/// What a reason says of what it is about.
const REASONS: &[&str] = &[
    "keeps",
    "makes",
    "helps",
    "prevents",
    "improves",
    "reduces",
    "saves",
    "breaks",
    "causes",
    "hides",
    "confuses",
    "wastes",
    "slows",
    "simplifies",
    "speeds",
    "eases",
    "protects",
    "preserves",
    "guards",
    "clutters",
];

/// `, because …`, `; this keeps …`, `(this keeps …)`. Without a pause `because` as often tells when the rule holds: `skip the test because the
/// platform lacks sockets`. `Since Monday` tells when, `which guards writes` which one, `it guards writes` may, too, and `so that` tells
/// how as often as why.
fn opens(pieces: &[Piece], at: usize) -> bool {
    let next = |offset: usize, words: &[&str]| pieces.get(at + offset).is_some_and(|piece| piece.any(words));
    let here = &pieces[at];
    let told = next(1, &["this"]) && next(2, REASONS);
    (here.is_mark(",") && next(1, &["because"]))
        || (here.is_mark(";") && told)
        || (here.is_mark("(") && told && pieces.last().is_some_and(|last| last.is_mark(")")))
}

/// Whether what looks like a reason belongs to the order: what comes of something, and what is said (`say it fails, because …`).
fn is_condition(pieces: &[Piece], at: usize) -> bool {
    let of = pieces[at..].windows(2).any(|pair| pair[0].is("because") && pair[1].is("of"));
    let is_said = pieces[..at].iter().any(|piece| piece.any(SAYING));
    of || (is_said && pieces[at..].iter().take(2).any(|piece| piece.is("because")))
}

/// Whether nothing in it can bind: no literal, no number, no word that the meaning of a norm turns on, and no further clause,
/// which might order something.
fn is_harmless(tail: &[Piece]) -> bool {
    let links = [
        "to", "from", "into", "onto", "by", "with", "for", "over", "than", "more", "less", "other", "same",
        "own",
    ];
    let may_stand = |piece: &Piece| match piece.kind {
        Kind::Literal | Kind::Number => false,
        Kind::Mark => matches!(piece.text.as_str(), "(" | ")"),
        Kind::Word => decides(&piece.text).is_none() || piece.any(&links),
    };
    let is_one = tail.iter().filter(|piece| piece.is("because")).count() < 2;
    // The mark that opens it ends nothing.
    let rest = if tail.first().is_some_and(|piece| piece.kind == Kind::Mark) { &tail[1..] } else { tail };
    let goes_on =
        rest.iter().any(|piece| piece.any(&["and", "or", "but", "then", "so", "otherwise", "else"]));
    is_one && !goes_on && rest.iter().all(may_stand)
}
