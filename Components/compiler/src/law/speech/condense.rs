//! From words to one short line: lossless in meaning, verbatim in literals.

use std::borrow::Borrow;

use super::aside::is_aside;
use super::lexicon::{FILLERS, is_finite, is_verb};
use super::reason::reason_starts;
use super::word::{Word, WordKind};

/// Renders words as one line. Articles, fillers, emphasis and bracketed asides that only argue go; modality, polarity,
/// literals, conditions and exceptions stay.
pub(crate) fn condense(words: &[Word], text: &str) -> String {
    let kept = keep(words, text);
    render(&kept, text)
}

/// The words that stay.
fn keep<'w>(words: &'w [Word], text: &str) -> Vec<&'w Word> {
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        if reason_starts(words, at) {
            break;
        }
        if word.kind == WordKind::Mark && matches!(word.lower.as_str(), "(" | "[") && word.depth == 0 {
            let end = close_of(words, at);
            let inner = &words[at + 1..end.min(words.len())];
            if (points_within(inner) || is_aside(inner)) && !tells_case(&words[..at], inner) {
                at = (end + 1).min(words.len());
                continue;
            }
        }
        if let Some(skip) = filler(words, at, text) {
            at += skip;
            continue;
        }
        kept.push(word);
        at += 1;
    }
    kept
}

/// `(the lamps are lit)` of `If the crew is aboard (the lamps are lit), …`: what the case is.
fn tells_case(before: &[Word], inner: &[Word]) -> bool {
    let opens = before.first().is_some_and(|first| first.any(&["if", "when", "unless", "once"]));
    let samples = inner.first().is_some_and(|first| first.any(&["e.g", "e.g.", "i.e", "for"]));
    opens
        && !samples
        && !before.iter().any(|word| word.mark(",") || word.mark(":"))
        && inner.iter().any(|word| word.any(&["is", "are", "has", "have"]))
}

fn close_of(words: &[Word], open: usize) -> usize {
    let depth = words[open].depth;
    words[open + 1..]
        .iter()
        .position(|word| {
            word.kind == WordKind::Mark && word.depth == depth && matches!(word.lower.as_str(), ")" | "]")
        })
        .map_or(words.len(), |at| open + 1 + at)
}

/// The words of a bracket as if they stood outside.
pub(crate) fn flat(words: &[Word]) -> Vec<Word> {
    words.iter().map(|word| Word { depth: word.depth.saturating_sub(1), ..word.clone() }).collect()
}

/// How many words at `at` are filler.
fn filler(words: &[Word], at: usize, text: &str) -> Option<usize> {
    let word = &words[at];
    let next = |offset: usize, lower: &str| words.get(at + offset).is_some_and(|word| word.is(lower));
    let acts = |next: &Word| next.kind == WordKind::Plain && is_verb(&next.lower);
    if word.among(FILLERS) {
        let before_mark = words.get(at + 1).is_none_or(|next| next.kind == WordKind::Mark);
        // `Not a single one` counts.
        let counts = next(1, "single") && at > 0 && words[at - 1].any(&["not", "never", "don't"]);
        let equated = words.get(at + 1).is_some_and(|next| {
            next.kind == WordKind::Plain && !next.lower.chars().any(char::is_alphanumeric)
        });
        // `To please the reviewer` is a purpose.
        let pleases = word.is("please") && at > 0 && words[at - 1].is("to");
        let parts = word.any(&["a", "an", "the"])
            && (words.get(at + 1).is_some_and(|next| next.any(PARTED)) || is_idiom(words, at));
        return (!before_mark && !equated && !counts && !pleases && !parts && !is_name(words, at, text))
            .then_some(1);
    }
    if points_away(words, at) {
        return Some(1);
    }
    // `In order to main` tells an order of branches, `in order to merge` a purpose.
    if word.is("in") && next(1, "order") && next(2, "to") && words.get(at + 3).is_some_and(acts) {
        return Some(2);
    }
    None
}

/// Words that say something else without the article in front: `write a down migration`, `take a few risks`.
const PARTED: &[&str] = &[
    "up", "down", "in", "out", "on", "off", "over", "back", "away", "through", "along", "around", "by",
    "few", "little",
];

/// Whether an article is a part of what is said: `one at a time`, `make this a habit`, `have a choice`, `most of the time`.
fn is_idiom(words: &[Word], at: usize) -> bool {
    const TIMES: &[&str] = &["time", "day", "week", "month", "year", "hour", "minute", "moment", "while"];
    const COUNTED: &[&str] = &["lot", "bit", "couple", "dozen", "hundred", "thousand", "million"];
    let before = |lowers: &[&str]| at > 0 && words[at - 1].any(lowers);
    let next = |lowers: &[&str]| words.get(at + 1).is_some_and(|next| next.any(lowers));
    if words[at].is("the") {
        // `Not the only way` is no `not only`.
        let denied = before(&["not", "isn't", "aren't", "never", "don't"]);
        return next(&["time"]) && before(&["of", "all"])
            || next(&["fly"]) && before(&["on"])
            || next(&["only"]) && denied;
    }
    // Of a name server.
    let record = words[at].capital && at > 0 && words[at - 1].lower != ".";
    before(&["this", "that", "these", "those", "it", "them"])
        || next(&["record", "records"]) && record
        || next(TIMES)
        || next(COUNTED)
        || next(&["row"]) && before(&["in"])
        || next(&["whole"]) && before(&["as"])
        || next(&["choice"]) && before(&["have", "has", "had", "having"])
        || next(&["number"]) && words.get(at + 2).is_some_and(|of| of.is("of"))
}

/// `(see below)`, `(as described above)`: a bracket that only points at another place of the same law.
fn points_within(inner: &[Word]) -> bool {
    const POINTING: &[&str] = &[
        "see",
        "as",
        "described",
        "shown",
        "listed",
        "defined",
        "explained",
        "mentioned",
        "above",
        "below",
        "later",
        "earlier",
        "next",
        "previous",
        "section",
        "the",
        "for",
        "more",
        "details",
        "also",
    ];
    let opens = inner
        .first()
        .is_some_and(|word| word.any(&["see", "as", "described", "shown", "listed", "defined", "explained"]));
    let places = inner.iter().any(|word| word.any(&["above", "below", "later", "earlier"]));
    opens && places && inner.iter().all(|word| word.any(POINTING))
}

/// `The URL below`, `as described above`: a word that points at another place of a page that nobody sees. `80% or above` and `none of
/// the above` say something.
fn points_away(words: &[Word], at: usize) -> bool {
    const TOLD: &[&str] = &[
        "described",
        "listed",
        "mentioned",
        "given",
        "shown",
        "defined",
        "outlined",
        "noted",
        "specified",
        "stated",
        "explained",
    ];
    const NAMING: &[&str] = &["the", "these", "this", "those", "following"];
    if !words[at].any(&["above", "below"]) || at < 2 {
        return false;
    }
    let ends = words.get(at + 1).is_none_or(|next| {
        next.kind == WordKind::Mark && matches!(next.lower.as_str(), "." | "," | ";" | ":" | ")" | "—" | "\n")
    });
    let plain = |word: &Word| {
        word.kind == WordKind::Plain && word.lower.chars().all(|c| c.is_alphabetic() || c == '-')
    };
    let last = &words[at - 1];
    let from = at.saturating_sub(4);
    let named = words[from..at].iter().rposition(|word| word.any(NAMING)).is_some_and(|naming| {
        let phrase = &words[from + naming + 1..at];
        !phrase.is_empty() && phrase.iter().all(|word| plain(word) && !is_finite(&word.lower))
    });
    ends && (last.any(TOLD) || named && !last.any(&["ones", "one", "and", "or"]))
}

/// Whether an article's letter is a name: `the A record`, `plan A is`.
fn is_name(words: &[Word], at: usize, text: &str) -> bool {
    let opens = at == 0 || words[at - 1].kind == WordKind::Mark;
    let is_shouted = |word: Option<&Word>| {
        word.is_some_and(|word| {
            let written = &text[word.range.clone()];
            written.len() > 1
                && !written.chars().any(char::is_lowercase)
                && written.chars().any(char::is_alphabetic)
        })
    };
    let shouts = is_shouted(words.get(at + 1)) || (at > 0 && is_shouted(words.get(at - 1)));
    &text[words[at].range.clone()] == "A" && !opens && !shouts
}

/// Joins words as they were spaced; code keeps its ticks where it would not be seen as code without them.
pub(crate) fn render<W: Borrow<Word>>(words: &[W], text: &str) -> String {
    let written = words.iter().map(|word| word.borrow().range.len() + 1).sum();
    let mut line = String::with_capacity(written);
    for (at, word) in words.iter().enumerate() {
        let word = word.borrow();
        let last = line.as_bytes().last().copied();
        let spaced = word.spaced && last.is_some();
        match word.kind {
            WordKind::Mark if word.lower == "\n" => {
                if last.is_some_and(|last| last != b' ') {
                    line.push(' ');
                }
                continue;
            }
            // `a :latest tag`
            WordKind::Mark
                if spaced
                    && matches!(word.lower.as_str(), "," | "." | ";" | ":")
                    && !(word.lower == ":"
                        && words.get(at + 1).is_some_and(|next| opens_name(next.borrow()))) => {}
            _ if spaced && !matches!(last, Some(b' ' | b'(')) => line.push(' '),
            _ => {}
        }
        let written = if word.kind == WordKind::Quote { &word.lower } else { &text[word.range.clone()] };
        if word.kind == WordKind::Code && needs_ticks(written) {
            line.push('`');
            line.push_str(written.trim());
            line.push('`');
        } else if written.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
            line.extend(written.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
        } else {
            line.push_str(written);
        }
    }
    let kept = trimmed(&line);
    if is_single_spaced(kept) && line.starts_with(kept) {
        let end = kept.len();
        line.truncate(end);
        return line;
    }
    single_spaced(kept)
}

/// Whether a word stands right behind the mark in front of it, and is a name with it.
fn opens_name(word: &Word) -> bool {
    !word.spaced && word.kind == WordKind::Plain && word.lower.starts_with(char::is_alphabetic)
}

/// Whether code would read as prose without its ticks.
pub(crate) fn needs_ticks(code: &str) -> bool {
    code.contains(char::is_whitespace)
        || code.chars().all(|c| c.is_ascii_lowercase())
        || code.chars().all(|c| !c.is_alphanumeric())
        || code.ends_with([',', ';', ':', '.'])
}

/// Takes off what hangs at the ends.
pub(crate) fn tidy(line: &str) -> String {
    single_spaced(trimmed(line))
}

fn trimmed(line: &str) -> &str {
    let line = line
        .trim()
        .trim_start_matches([
            '—', '–', ',', ';', ':', '→', '✅', '❌', '✓', '✗', '✔', '✘', '☑', '🚫', '⛔', '🛑', '👍', '👎',
            '×', '\u{fe0f}', ' ',
        ])
        .trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let cut = line.trim_end_matches([' ', ',', ';', ':', '—', '–', '.', '→']);
    let hangs = [" -", " --", " ->", " -->", " =>"];
    let cut = hangs.iter().find_map(|mark| cut.strip_suffix(mark)).unwrap_or(cut).trim_end();
    let kept = if cut.ends_with("..") || line[cut.len()..].starts_with("...") { line } else { cut };
    let bare = kept
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
        .filter(|inner| !inner.contains(['(', ')']))
        .map(|inner| if inner.ends_with("..") { inner } else { inner.trim_end_matches('.') });
    bare.unwrap_or(kept).trim()
}

/// Whether a line is plain text that has its single spaces already.
fn is_single_spaced(line: &str) -> bool {
    let mut spaced = false;
    line.bytes().all(|byte| {
        let again = spaced && byte == b' ';
        spaced = byte == b' ';
        !again && matches!(byte, b' '..=b'~')
    })
}

/// With single spaces between words; code and quotations keep theirs.
fn single_spaced(line: &str) -> String {
    if is_single_spaced(line) {
        return line.to_owned();
    }
    let mut spaced = String::with_capacity(line.len());
    let mut open = None;
    for c in line.chars() {
        let closes = open == Some(c);
        match c {
            '`' | '"' if closes => open = None,
            '`' | '"' if open.is_none() => open = Some(c),
            _ => {}
        }
        let space = c.is_whitespace();
        if !space || open.is_some() || !spaced.ends_with(' ') {
            spaced.push(if space { ' ' } else { c });
        }
    }
    spaced
}
