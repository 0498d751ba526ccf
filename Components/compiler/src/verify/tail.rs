//! The reason at the end of a line: it orders nothing, so it may go.

use super::piece::{Kind, Piece};
use super::words::decides;
use crate::law::{CHOOSING, SAYING, is_finite, is_nounish, is_participle, is_verb};

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

/// `because …`, `; this keeps …`. `Since Monday` tells when, `which guards writes` which one, `it guards writes` may, too, and `so that` tells
/// how as often as why.
fn opens(pieces: &[Piece], at: usize) -> bool {
    let next = |offset: usize, words: &[&str]| pieces.get(at + offset).is_some_and(|piece| piece.any(words));
    let here = &pieces[at];
    let told = next(1, &["this"]) && next(2, REASONS);
    let before = &pieces[at - 1];
    let narrowed = before.any(&["just", "only", "not", "even", "or", "and", "but", "also", "either"])
        || (before.kind == Kind::Word && before.text.ends_with("ly"));
    // `The accounts banned because they spam` are some of them.
    let chosen = pieces[at - 1].kind == Kind::Word && is_participle(&pieces[at - 1].text);
    (here.is("because") && !narrowed && !chosen)
        || (here.is_mark(",") && next(1, &["because"]))
        || (here.is_mark(";") && told)
        || (here.is_mark("(") && told && pieces.last().is_some_and(|last| last.is_mark(")")))
}

/// Whether what looks like a reason tells when the rule holds: what comes of something; what is said (`say it fails because …`); and,
/// without a pause before it, what follows a denial (`never close it because it is old` allows other reasons), belongs to a clause of
/// its own, or may choose (`reject uploads because they lack a checksum`).
fn is_condition(pieces: &[Piece], at: usize) -> bool {
    let bound = [
        "not", "never", "no", "nor", "cannot", "avoid", "without", "if", "when", "whenever", "where",
        "unless", "until", "while", "once", "after", "before", "that", "which", "who", "whether", "how",
        "why", "what",
    ];
    let of = pieces[at..].windows(2).any(|pair| pair[0].is("because") && pair[1].is("of"));
    let is_said = pieces[..at].iter().any(|piece| piece.any(SAYING));
    let paused = !pieces[at].is("because");
    let chooses = pieces.get(at + 1).is_some_and(|next| next.any(CHOOSING));
    let told = pieces[..at].iter().any(|piece| piece.shouts(&bound) || is_finite_word(piece))
        || pieces[..at].iter().skip(1).any(is_deed);
    of || (is_said && pieces[at..].iter().take(2).any(|piece| piece.is("because")))
        || (!paused && (told || chooses))
}

/// A verb and nothing else: `let the job fail because …` tells why it fails.
fn is_deed(piece: &Piece) -> bool {
    piece.kind == Kind::Word && is_verb(&piece.text) && !is_nounish(&piece.text)
}

fn is_finite_word(piece: &Piece) -> bool {
    piece.kind == Kind::Word && is_finite(&piece.text) && !piece.any(&["must", "do"])
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
