//! From words to one short line: lossless in meaning, verbatim in literals.

use super::lexicon::{FILLERS, is_verb};
use super::mood::{Mood, has_finite, mood_of};
use super::word::{Word, WordKind};

/// Renders words as one line. Articles, fillers, emphasis and bracketed asides that only argue go; modality, polarity,
/// literals, conditions and exceptions stay.
pub(crate) fn condense(words: &[Word], text: &str) -> String {
    let kept = keep(words);
    render(&kept, text)
}

/// The words that stay.
fn keep(words: &[Word]) -> Vec<&Word> {
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
        if let Some(skip) = filler(words, at).filter(|_| !narrows(words, at)) {
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

/// Whether a bracket only argues or points: no literal, no number, no negation, no condition, no order, no list.
fn is_aside(inner: &[Word]) -> bool {
    let carries = |word: &Word| {
        word.kind == WordKind::Code
            || word.lower.chars().any(|c| c.is_ascii_digit() || matches!(c, '/' | '_' | '<' | '{' | '#'))
            || word.any(&[
                "not",
                "no",
                "never",
                "only",
                "except",
                "unless",
                "excluding",
                "if",
                "when",
                "without",
                "or",
                "optional",
                "required",
                "preferred",
                "recommended",
                "must",
                "should",
                "don't",
                "at",
                "default",
                "and",
            ])
            || (word.kind == WordKind::Mark && matches!(word.lower.as_str(), "," | "→" | "="))
    };
    let inner = &flat(inner);
    let orders = matches!(mood_of(inner).mood, Mood::Order(..)) && !inner.is_empty();
    let argues = has_finite(inner)
        && !inner.first().is_some_and(|word| {
            word.any(&[
                "only",
                "except",
                "excluding",
                "unless",
                "if",
                "when",
                "not",
                "or",
                "and",
                "no",
                "default",
            ])
        })
        && !inner.iter().any(|word| {
            word.kind == WordKind::Code
                || word.mark(",")
                || word.any(&["must", "should", "never", "only", "unless"])
        });
    let example = inner.first().is_some_and(|word| word.any(&["e.g", "eg", "e.g.", "for"]));
    inner.len() > 1
        && (example
            || (argues && !orders)
            || (!inner.iter().any(carries) && !orders && (has_finite(inner) || inner.len() <= 3)))
}

/// The words of a bracket as if they stood outside.
pub(crate) fn flat(words: &[Word]) -> Vec<Word> {
    words.iter().map(|word| Word { depth: word.depth.saturating_sub(1), ..word.clone() }).collect()
}

/// Where a tail begins that only says why: `because …`, `so that …`; one that holds a literal or a condition stays.
fn reason_starts(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    if at < 4 || word.depth > 0 {
        return false;
    }
    let next = |lower: &str| words.get(at + 1).is_some_and(|next| next.is(lower));
    let grounds = words[at - 1].any(&["just", "only", "simply", "merely", "not"]);
    // `Do not reject it because its style differs` rejects for other reasons; `requests that failed because …` are some of them.
    let turns = |word: &Word| {
        word.any(&[
            "not", "never", "no", "don't", "doesn't", "cannot", "can't", "avoid", "that", "which", "who",
            "whose",
        ])
    };
    let is_own = words[at - 1].mark(",") || !words[..at].iter().any(turns);
    let opens = word.is("because") && !grounds && is_own
        || (word.is("so") && (next("that") || words[at - 1].mark(",")))
        || (word.is("since") && words[at - 1].mark(","));
    let carries = |word: &Word| {
        word.kind == WordKind::Code
            || word.kind == WordKind::Quote
            || word.any(&["must", "should", "never", "don't", "unless", "except", "only", "if", "not"])
            || word.lower.starts_with(|c: char| c.is_ascii_digit())
    };
    opens && !words[at..].iter().any(carries)
}

/// `don't just …`, `not simply …`: after a negation such a word carries the meaning.
fn narrows(words: &[Word], at: usize) -> bool {
    let negator = |word: &Word| {
        word.any(&["not", "never", "don't", "doesn't", "cannot", "can't", "isn't", "aren't", "won't"])
    };
    let single = words[at].is("a") && words.get(at + 1).is_some_and(|next| next.is("single"));
    at > 0
        && negator(&words[at - 1])
        && (single
            || words[at].any(&[
                "just",
                "simply",
                "really",
                "very",
                "quite",
                "basically",
                "actually",
                "essentially",
            ]))
}

/// How many words at `at` are filler.
fn filler(words: &[Word], at: usize) -> Option<usize> {
    let word = &words[at];
    let next = |offset: usize, lower: &str| words.get(at + offset).is_some_and(|word| word.is(lower));
    if word.among(FILLERS) {
        let before_mark = words.get(at + 1).is_none_or(|next| next.kind == WordKind::Mark);
        return (!before_mark).then_some(1);
    }
    if word.is("in") && next(1, "order") && next(2, "to") {
        return Some(2);
    }
    if word.any(&["just", "actually"])
        && words.get(at + 1).is_some_and(|next| next.kind == WordKind::Plain && is_verb(&next.lower))
    {
        return Some(1);
    }
    None
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
    let cut = cut.strip_suffix(" -").unwrap_or(cut).trim_end();
    let kept = if cut.ends_with("..") || line[cut.len()..].starts_with("...") { line } else { cut };
    let bare = kept
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
        .filter(|inner| !inner.contains(['(', ')']));
    let mut tidied = String::with_capacity(kept.len());
    for word in bare.unwrap_or(kept).split_whitespace() {
        if !tidied.is_empty() {
            tidied.push(' ');
        }
        tidied.push_str(word);
    }
    tidied
}
