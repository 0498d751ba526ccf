//! The reason at the end of a sentence: it orders nothing, so it may go. What may restrict the rule is none: a reason that is denied,
//! said, or chooses among several things.

use super::lexicon::{is_finite, is_verb};
use super::literal::is_literal;
use super::mood::has_finite;
use super::word::{Word, WordKind};

/// Who speaks of something may be told the reason to give: `say it fails because …`.
pub(crate) const SAYING: &[&str] = &[
    "say", "tell", "report", "note", "explain", "answer", "claim", "assume", "state", "reply", "mention",
    "think", "believe", "remember", "describe", "show", "prove", "admit", "argue", "warn", "inform",
    "conclude", "write", "let", "see", "pretend", "imagine",
];
/// What stands for the thing in front may choose among such things: `reject uploads because they lack a checksum`.
pub(crate) const CHOOSING: &[&str] =
    &["they", "it", "he", "she", "these", "those", "their", "its", "his", "her"];
/// In front of a reason, without a pause, these make it a condition: `do not reject it because its style differs` rejects for other
/// reasons, and `only skip it because …` for no other.
const TURNING: &[&str] = &[
    "not", "never", "no", "don't", "doesn't", "cannot", "can't", "avoid", "without", "only", "except",
    "that", "which", "who", "whose", "if", "when", "whenever", "where", "unless", "until", "while", "once",
    "after", "before", "refuse", "forbid", "may",
];
/// Right in front of a reason these weigh it: it is one of several, or the only one.
const WEIGHING: &[&str] = &["just", "only", "not", "even", "or", "and", "but", "also", "either", "neither"];

/// Where a tail begins that only says why: `because …`, `, since …`; one that holds a literal or a condition stays. `So that` tells how
/// far as often as why.
pub(crate) fn reason_starts(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    if at < 4 || word.depth > 0 {
        return false;
    }
    let paused = words[at - 1].mark(",");
    let opens = (word.is("because") && (paused || !restricts(words, at)))
        || (word.is("since") && paused && tells_why(&words[at + 1..]));
    let is_said = words[..at].iter().any(|word| word.any(SAYING));
    opens && !is_said && !weighs(&words[at - 1]) && is_harmless(&words[at..])
}

fn weighs(before: &Word) -> bool {
    before.any(WEIGHING) || (before.kind == WordKind::Plain && before.lower.ends_with("ly"))
}

/// Whether a reason without a pause in front of it may tell when the rule holds, or for which things.
fn restricts(words: &[Word], at: usize) -> bool {
    let chooses = words.get(at + 1).is_some_and(|next| next.any(CHOOSING) || next.is("of"));
    let turns = |word: &Word| word.any(TURNING) || (word.kind == WordKind::Plain && is_clause(&word.lower));
    chooses || words[..at].iter().any(turns) || is_participle(&words[at - 1].lower)
}

/// A finite verb in front: the reason may belong to its clause alone.
fn is_clause(lower: &str) -> bool {
    is_finite(lower) && !matches!(lower, "must" | "should" | "do" | "shall")
}

/// `Since tags move` tells why, `since the freeze began` when.
fn tells_why(words: &[Word]) -> bool {
    let is_past = |word: &Word| {
        word.any(&["was", "were", "had", "began", "came", "went", "got", "became", "last"])
            || (word.kind == WordKind::Plain && word.lower.ends_with("ed"))
    };
    has_finite(words) && !words.iter().any(is_past)
}

/// Whether nothing in a reason binds: no literal, no word that restricts, and no further order.
fn is_harmless(tail: &[Word]) -> bool {
    let carries = |word: &Word| {
        is_literal(word)
            || word.any(&["must", "should", "never", "don't", "unless", "except", "only", "if", "not"])
    };
    // Behind a pause the sentence may order something: `because tags move, sign the build`; and so it may behind `and`.
    let goes_on = |pair: &[Word]| {
        let joins = pair[0].any(&["and", "or", "but", "then", "so", "otherwise", "else"]);
        joins && (is_verb(&pair[1].lower) || pair[1].any(&["always", "do", "please", "you"]))
    };
    let pauses = |word: &Word| [",", ";", ":", "—", "–"].iter().any(|mark| word.mark(mark));
    !tail.iter().any(|word| carries(word) || pauses(word)) && !tail.windows(2).any(goes_on)
}

/// Whether a word tells what was done to the one before it: `the accounts banned because they spam` are some of them.
pub(crate) fn is_participle(word: &str) -> bool {
    const IRREGULAR: &[&str] = &[
        "built", "cut", "done", "found", "gone", "held", "kept", "left", "lost", "made", "put", "run",
        "sent", "set", "shut", "split", "told", "torn", "worn",
    ];
    word.len() > 3 && (word.ends_with("ed") || word.ends_with("en")) || IRREGULAR.contains(&word)
}
