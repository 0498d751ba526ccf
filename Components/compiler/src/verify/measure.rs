//! Numbers, units and bounds: written as words or as signs, they are the same.

use super::numeral::numerals;
use super::piece::{Kind, Piece, split};
use super::words::decides;
use crate::law::{is_nounish, is_verb};

const UNITS: &[(&str, &[&str])] = &[
    ("ns", &["ns", "nanosecond", "nanoseconds"]),
    ("us", &["us", "µs", "microsecond", "microseconds"]),
    ("ms", &["ms", "millisecond", "milliseconds"]),
    ("s", &["s", "sec", "secs", "second", "seconds"]),
    ("min", &["min", "mins", "minute", "minutes"]),
    ("h", &["h", "hr", "hrs", "hour", "hours"]),
    ("d", &["d", "day", "days"]),
    ("wk", &["wk", "wks", "week", "weeks"]),
    ("month", &["month", "months"]),
    ("yr", &["yr", "yrs", "year", "years"]),
    ("%", &["%", "percent"]),
    ("bit", &["bit", "bits"]),
    ("B", &["byte", "bytes"]),
    ("KB", &["kb", "kilobyte", "kilobytes"]),
    ("MB", &["mb", "megabyte", "megabytes"]),
    ("GB", &["gb", "gigabyte", "gigabytes"]),
    ("TB", &["tb", "terabyte", "terabytes"]),
    ("KiB", &["kib", "kibibyte", "kibibytes"]),
    ("MiB", &["mib", "mebibyte", "mebibytes"]),
    ("GiB", &["gib", "gibibyte", "gibibytes"]),
    ("TiB", &["tib", "tebibyte", "tebibytes"]),
    ("px", &["px", "pixel", "pixels"]),
    ("Hz", &["hz", "hertz"]),
    ("chars", &["char", "chars", "character", "characters"]),
];

/// Bounds in words, in front of a number. The longer ones first. `over 5`, `about 5` and `the minimum of 5` are none of them: in
/// `iterate over 5 files` and `ask about 5 files` they bound nothing.
const BOUNDS: &[(&str, &[&str])] = &[
    ("≤", &["no", "more", "than"]),
    ("≤", &["no", "greater", "than"]),
    ("≤", &["no", "longer", "than"]),
    ("≤", &["no", "larger", "than"]),
    ("≥", &["no", "less", "than"]),
    ("≥", &["no", "fewer", "than"]),
    ("≥", &["at", "least"]),
    ("≤", &["at", "most"]),
    (">", &["more", "than"]),
    (">", &["greater", "than"]),
    (">", &["larger", "than"]),
    (">", &["longer", "than"]),
    ("<", &["less", "than"]),
    ("<", &["fewer", "than"]),
    ("<", &["shorter", "than"]),
    ("<", &["smaller", "than"]),
    ("~", &["approximately"]),
    ("~", &["roughly"]),
];

/// Bounds behind a number. `Or higher` and its kin are none: severity 1 is higher than 2, and line 20 is below line 10.
const BEHIND: &[(&str, &[&str])] = &[
    ("≥", &["or", "more"]),
    ("≥", &["or", "greater"]),
    ("≥", &["or", "newer"]),
    ("≤", &["or", "less"]),
    ("≤", &["or", "fewer"]),
    ("≥", &["or", "longer"]),
    ("≥", &["or", "larger"]),
    ("≤", &["or", "shorter"]),
    ("≤", &["or", "smaller"]),
    ("≥", &["or", "later"]),
];

/// These are other words as well, but with a hyphen in front: `step 2 second`, `2 minute changes`.
const HOMOGRAPHS: &[&str] = &["second", "minute"];
/// What is ranked has no order that all agree on: severity 1 is higher than 2.
const RANKS: &[&str] =
    &["severity", "priority", "rank", "tier", "level", "grade", "class", "urgency", "importance", "sev"];
/// What may be told of a size that stands below something: `keep lines below 80 characters`, but not `draw it below 80 characters`.
const KEEPS: &[&str] = &["keep", "hold", "stay", "limit"];

/// The one name of a unit.
pub(super) fn unit(text: &str) -> Option<&'static str> {
    // `A 30-second timeout` is one of 30 seconds.
    let (is_hyphened, text) = match text.strip_prefix('-').filter(|unit| unit.len() > 1) {
        Some(unit) => (true, unit),
        None => (false, text),
    };
    if !is_hyphened && HOMOGRAPHS.contains(&text) {
        return None;
    }
    let exact = UNITS.iter().find(|(name, _)| *name == text).map(|(name, _)| *name);
    // `Mb` is another unit than `MB`.
    let lower = text.to_lowercase();
    let is_other = text.len() <= 3 && text != lower;
    exact.or_else(|| {
        if is_other {
            return None;
        }
        UNITS.iter().find(|(_, names)| names.contains(&lower.as_str())).map(|(name, _)| *name)
    })
}

/// Writes numbers, their units and their bounds in one way.
pub(super) fn measure(pieces: &[Piece]) -> Vec<Piece> {
    let pieces = units(numerals(pieces));
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        if let Some((sign, words)) = bound(&pieces[at..], &out) {
            out.push(Piece::number(sign));
            at += words;
            continue;
        }
        let behind = BEHIND.iter().find(|(_, words)| stands(&pieces[at..], words));
        if let (Some((sign, words)), Some(number)) = (behind, bounded(&out)) {
            out.insert(number, Piece::number(sign));
            at += words.len();
            continue;
        }
        out.push(pieces[at].clone());
        at += 1;
    }
    out
}

/// The numbers that a line tells, in digits, however it writes them.
///
/// ```
/// use mentci_compiler::numbers;
///
/// assert_eq!(numbers("Keep ≤1,500 tokens in three files"), ["1500", "3"]);
/// assert!(numbers("Use `v1` of the API").is_empty());
/// ```
pub fn numbers(line: &str) -> Vec<String> {
    let pieces = measure(&split(line, &[]));
    pieces.into_iter().filter(is_number).map(|piece| piece.text).collect()
}

/// The bound that begins here, and how many words it has.
fn bound(pieces: &[Piece], before: &[Piece]) -> Option<(&'static str, usize)> {
    if is_ranked(before) {
        return None;
    }
    // `Back up to 5 disks` and `round up to 5 seconds` hold no bound: only what is tried again is surely counted.
    let retries = before.first().is_some_and(|first| first.is("retry"));
    let up_to = retries && stands(pieces, &["up", "to"]);
    if is_below(pieces, before) {
        return Some(("<", 1));
    }
    let found =
        BOUNDS.iter().find(|(_, words)| stands(pieces, words)).map(|(sign, words)| (*sign, words.len()));
    let is_told = |words: usize| {
        let counts = |next: &Piece| {
            next.kind == Kind::Number || (next.kind == Kind::Word && decides(&next.text).is_none())
        };
        pieces.get(words).is_some_and(is_number)
            && (!is_labelled(before) || pieces.get(words + 1).is_some_and(counts))
    };
    found.or(up_to.then_some(("≤", 2))).filter(|(_, words)| is_told(*words))
}

/// `Prio`, `impact`: a thing right in front of a number, which names one and counts nothing. Which end of its scale is the greater one
/// nobody can tell from it.
fn is_labelled(before: &[Piece]) -> bool {
    let Some((thing, front)) = before.split_last() else { return false };
    let told = ["not!", "never", "not", "do", "to", "and", "or", "must", "should", "may", "always", "then"];
    let orders = front.last().is_none_or(|last| last.kind == Kind::Mark || last.any(&told));
    let places = ["in", "on", "at", "of", "as", "be", "is", "are", "version", "versions"];
    thing.kind == Kind::Word
        && decides(&thing.text).is_none()
        && !thing.any(&places)
        && !front.is_empty()
        && !(is_verb(&thing.text) && (orders || !is_nounish(&thing.text)))
}

/// `Below 5 MB`. `Under 5 files`, `below 20 pixels` and `under 3 MB of noise` may be places.
fn is_below(pieces: &[Piece], before: &[Piece]) -> bool {
    let [below, number, unit, rest @ ..] = pieces else { return false };
    let keeps = || before.first().is_some_and(|first| first.any(KEEPS));
    let is_size = match unit.text.as_str() {
        "px" => false,
        "chars" => keeps(),
        _ => unit.kind == Kind::Number,
    };
    below.any(&["below", "under"])
        && is_number(number)
        && is_size
        && !rest.first().is_some_and(|of| of.is("of"))
}

/// `Severity 2`, `a priority of 2`.
fn is_ranked(before: &[Piece]) -> bool {
    before.iter().rev().take(2).any(|piece| piece.any(RANKS))
}

/// The word behind a number is a unit.
fn units(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for at in 1..pieces.len() {
        if is_number(&pieces[at - 1])
            && let Some(unit) = unit_at(&pieces, at)
        {
            pieces[at] = Piece::number(unit);
        }
    }
    pieces
}

/// The unit that stands here behind a number.
pub(super) fn unit_at(pieces: &[Piece], at: usize) -> Option<&'static str> {
    let piece = pieces.get(at).filter(|piece| piece.kind != Kind::Mark)?;
    unit(&piece.text).or_else(|| lone_unit(pieces, at))
}

/// `Within 1 minute` is a time; `step 1 second`, `2 minute changes` and `within 1 minute change` are none.
fn lone_unit(pieces: &[Piece], at: usize) -> Option<&'static str> {
    let leads = ["within", "than", "least", "most", "after", "for"];
    let (before, one) = (pieces.get(at.checked_sub(2)?)?, &pieces[at - 1]);
    let is_led = before.any(&leads) || before.kind == Kind::Number;
    let ends = pieces.get(at + 1).is_none_or(|next| {
        next.kind == Kind::Mark || decides(&next.text).is_some() || next.any(&["of", "in", "on", "at"])
    });
    let name = match pieces[at].text.as_str() {
        "second" => "s",
        "minute" => "min",
        _ => return None,
    };
    ((one.text == "1" || one.is("one")) && is_led && ends).then_some(name)
}

/// Where the number stands that ends `out` and has no bound yet.
fn bounded(out: &[Piece]) -> Option<usize> {
    let number = out.iter().rposition(is_number)?;
    let is_last =
        number + 1 == out.len() || (number + 2 == out.len() && out[number + 1].kind == Kind::Number);
    let has_bound = number > 0 && matches!(out[number - 1].text.as_str(), "≥" | "≤" | ">" | "<" | "~");
    let is_label = number + 1 == out.len() && is_labelled(&out[..number]);
    (is_last && !has_bound && !is_label && !is_ranked(&out[..number])).then_some(number)
}

pub(super) fn is_number(piece: &Piece) -> bool {
    piece.kind == Kind::Number && piece.text.starts_with(|c: char| c.is_ascii_digit())
}

fn stands(pieces: &[Piece], words: &[&str]) -> bool {
    pieces.len() >= words.len() && words.iter().zip(pieces).all(|(word, piece)| piece.is(word))
}
