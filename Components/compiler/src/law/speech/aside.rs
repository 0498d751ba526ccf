//! What stands in brackets and only argues: it orders nothing, so it may go.

use super::condense::flat;
use super::exempt::waives;
use super::mood::{Mood, has_finite, mood_of};
use super::word::{Word, WordKind};

/// Whether a bracket only argues or points: no literal, no number, no negation, no condition, no order, no list; and it lets nobody off.
pub(crate) fn is_aside(inner: &[Word]) -> bool {
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
                "excepted",
                "exempt",
                "excluded",
                "aside",
                "apart",
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
    // `(optional; don't hold the boat for it)`
    let orders = inner
        .split(|word| word.mark(";") || word.mark("—"))
        .any(|piece| !piece.is_empty() && matches!(mood_of(piece).mood, Mood::Order(..)));
    let argues = has_finite(inner)
        && !restricts(inner)
        && !inner.iter().any(|word| {
            word.kind == WordKind::Code
                || word.mark(",")
                || word.any(&["must", "should", "never", "only", "unless"])
        });
    let example = inner.first().is_some_and(|word| word.any(&["e.g", "eg", "e.g."]) || opens_example(inner));
    // `(3 or 4 is best)`, `(you lead the whole trip)`, `(along with the name of the port)`
    let short =
        inner.len() <= 8 && inner.iter().any(|word| word.lower.contains(|c: char| c.is_ascii_digit()));
    let adds = inner.first().is_some_and(|first| first.any(&["you", "along", "plus"]));
    if !example && (short || adds) {
        return false;
    }
    inner.len() > 1
        && !is_done_by(inner)
        && !waives(inner)
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

/// `Do not sign it — the mate handles that`: who does what is forbidden here.
pub(crate) fn is_done_by(words: &[Word]) -> bool {
    const LONGEST: usize = 5;
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let [.., does, that] = plain[..] else { return false };
    does.any(&["handles", "handle", "does", "owns"])
        && that.any(&["this", "that", "it", "these", "those"])
        && (3..=LONGEST).contains(&plain.len())
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
            ("docs are exempt", true),
            ("bots don't need to", true),
            ("typo fixes are excluded", true),
            ("drafts need not be", true),
            ("the release team may skip it", true),
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
