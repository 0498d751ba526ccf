//! From words to one short line: lossless in meaning, verbatim in literals.

use super::aside::is_aside;
use super::lexicon::{FILLERS, is_verb};
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
            if is_aside(&words[at + 1..end.min(words.len())]) {
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
        let parts = word.any(&["a", "an", "the"]) && words.get(at + 1).is_some_and(|next| next.any(PARTED));
        return (!before_mark && !equated && !counts && !pleases && !parts && !is_name(words, at, text))
            .then_some(1);
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
pub(crate) fn render(words: &[&Word], text: &str) -> String {
    let mut line = String::new();
    for word in words {
        let spaced = word.spaced && !line.is_empty();
        match word.kind {
            WordKind::Mark if word.lower == "\n" => {
                if !line.is_empty() && !line.ends_with(' ') {
                    line.push(' ');
                }
                continue;
            }
            WordKind::Mark if spaced && matches!(word.lower.as_str(), "," | "." | ";" | ":") => {}
            _ if spaced && !line.ends_with(' ') && !line.ends_with('(') => line.push(' '),
            _ => {}
        }
        let written = &text[word.range.clone()];
        if word.kind == WordKind::Code && needs_ticks(written) {
            line.push('`');
            line.push_str(written.trim());
            line.push('`');
        } else {
            line.extend(written.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
        }
    }
    tidy(&line)
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
    let line = line
        .trim()
        .trim_start_matches([
            '—', '–', ',', ';', ':', '→', '✅', '❌', '✓', '✗', '✔', '✘', '☑', '🚫', '⛔', '🛑', '👍', '👎',
            '×', '\u{fe0f}', ' ',
        ])
        .trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let cut = line.trim_end_matches([' ', ',', ';', ':', '—', '–', '.', '→']);
    let cut = cut.strip_suffix(" -").or_else(|| cut.strip_suffix(" --")).unwrap_or(cut).trim_end();
    let kept = if cut.ends_with("..") || line[cut.len()..].starts_with("...") { line } else { cut };
    let bare = kept
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
        .filter(|inner| !inner.contains(['(', ')']));
    single_spaced(bare.unwrap_or(kept))
}

/// With single spaces between words; code and quotations keep theirs.
fn single_spaced(line: &str) -> String {
    let mut spaced = String::with_capacity(line.len());
    let mut open = None;
    for c in line.trim().chars() {
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
