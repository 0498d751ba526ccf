//! From words to one short line: lossless in meaning, verbatim in literals.

use super::lexicon::{FILLERS, is_verb};
use super::mood::{Mood, has_finite, mood_of};
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
                "exception",
                "exceptions",
                "but",
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
                "all",
                "any",
                "each",
                "every",
                "both",
                "own",
                "your",
                "first",
                "last",
                "next",
                "then",
                "before",
                "after",
                "until",
                "while",
                "during",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
            ])
            || (word.kind == WordKind::Mark && matches!(word.lower.as_str(), "," | "→" | "="))
    };
    let inner = &flat(inner);
    let orders = matches!(mood_of(inner).mood, Mood::Order(..)) && !inner.is_empty();
    let argues = has_finite(inner)
        && !restricts(inner)
        && !inner.iter().any(|word| {
            word.kind == WordKind::Code
                || word.mark(",")
                || word.any(&["must", "should", "never", "only", "unless"])
        });
    let example = inner.first().is_some_and(|word| word.any(&["e.g", "eg", "e.g."]) || opens_example(inner));
    inner.len() > 1
        && (example
            || (argues && !orders)
            || (!inner.iter().any(carries) && !restricts(inner) && !orders && has_finite(inner)))
}

/// `(for example a branch)`; `(for releases)` restricts.
fn opens_example(inner: &[Word]) -> bool {
    inner.len() > 1 && inner[0].is("for") && inner[1].any(&["example", "instance"])
}

/// Whether a bracket tells which, when, where or how: `(on Windows)`, `(those of bots)`, `(the ones you made)`. One without a finite verb
/// may do so whatever it begins with, and is no aside.
fn restricts(inner: &[Word]) -> bool {
    let opens = inner.first().is_some_and(|word| word.any(RESTRICTING));
    opens || inner.iter().take(2).any(|word| word.any(&["ones", "one"]))
}

const RESTRICTING: &[&str] = &[
    "only",
    "except",
    "excluding",
    "including",
    "unless",
    "if",
    "when",
    "whenever",
    "not",
    "or",
    "and",
    "no",
    "default",
    "that",
    "which",
    "who",
    "whose",
    "those",
    "such",
    "where",
    "wherever",
    "while",
    "until",
    "before",
    "after",
    "once",
    "even",
    "also",
    "starting",
    "unlike",
    "other",
    "others",
    "on",
    "in",
    "at",
    "for",
    "with",
    "without",
    "under",
    "by",
    "of",
    "from",
    "to",
    "via",
    "outside",
    "inside",
    "during",
    "per",
    "through",
    "but",
    "as",
    "what",
    "whatever",
    "whoever",
    "here",
    "there",
    "provided",
    "given",
    "assuming",
];

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
        return (!before_mark && !equated && !counts && !pleases && !is_name(words, at, text)).then_some(1);
    }
    // `In order to main` tells an order of branches, `in order to merge` a purpose.
    if word.is("in") && next(1, "order") && next(2, "to") && words.get(at + 3).is_some_and(acts) {
        return Some(2);
    }
    None
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
    let cut = cut.strip_suffix(" -").unwrap_or(cut).trim_end();
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

#[cfg(test)]
mod tests {
    use mentci_source::Source;

    use crate::law::{LawKind, read_law};

    #[test]
    fn a_bracket_stays_unless_it_argues() {
        for (bracket, stays) in [
            ("on Windows", true),
            ("in production", true),
            ("for releases", true),
            ("with coverage", true),
            ("under valgrind", true),
            ("outside office hours", true),
            ("in French", true),
            ("of the proxy", true),
            ("those of bots", true),
            ("the ones you made", true),
            ("affected ones", true),
            ("starting with docs", true),
            ("Fridays included", true),
            ("by hand", true),
            ("via mail", true),
            ("weekly", true),
            ("a person", true),
            ("tags move", true),
            ("that is, the new ones", true),
            ("they are slow", false),
            ("it breaks the build", false),
            ("because it is slow", false),
            ("e.g. a branch", false),
            ("for example a branch", false),
        ] {
            let source = Source::new("AGENTS.md", &format!("- You must sign the commits ({bracket}).\n"));
            let norms = read_law(&source, &LawKind::Workspace).norms;
            let kept = norms[0].text.contains('(');
            assert_eq!(kept, stays, "({bracket}): {}", norms[0].text);
        }
    }
}
