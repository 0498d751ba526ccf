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
const CHOOSING: &[&str] = &["they", "it", "he", "she", "these", "those", "their", "its", "his", "her"];
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
    let is_said = || words[..at].iter().any(|word| word.any(SAYING));
    opens && !is_said() && !weighs(&words[at - 1]) && is_harmless(&words[at..])
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
fn is_participle(word: &str) -> bool {
    const IRREGULAR: &[&str] = &[
        "built", "cut", "done", "found", "gone", "held", "kept", "left", "lost", "made", "put", "run",
        "sent", "set", "shut", "split", "told", "torn", "worn",
    ];
    word.len() > 3 && (word.ends_with("ed") || word.ends_with("en")) || IRREGULAR.contains(&word)
}

#[cfg(test)]
mod tests {
    use mentci_source::Source;

    use crate::law::{LawKind, read_law};

    /// The line of a law of one sentence.
    fn line(law: &str) -> String {
        let source = Source::new("AGENTS.md", &format!("- {law}\n"));
        let norms = read_law(&source, &LawKind::Workspace).norms;
        norms.into_iter().map(|norm| norm.text).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn a_reason_goes() {
        for (law, short) in [
            ("You must pin the images because tags move.", "You must pin images"),
            ("You must never force-push, because it rewrites history.", "You must never force-push"),
            ("Keep the handlers small, since big ones are hard.", "Keep handlers small"),
            ("You must keep the logs of the jobs because auditors ask.", "You must keep logs of jobs"),
        ] {
            assert_eq!(line(law), short);
        }
    }

    /// Whatever may restrict a rule stays, word by word but for the articles.
    #[test]
    fn what_restricts_stays() {
        for law in [
            "You must not reject patches because they are old unless owner agrees",
            "You must never close issues because they are old",
            "You must only retry calls because server asks for it",
            "You must retry calls only because server asks for it",
            "You must merge branches partly because tests pass",
            "You must reject uploads because they lack a checksum",
            "You must fail whole job because of missing coverage",
            "You must say that builds fail because disks are full",
            "You must report slow runs because caches are cold",
            "You must let failing jobs fail because mirrors stall",
            "You may skip slow tests because owner agrees",
            "You must summarize all commits, since freeze began",
            "You must batch all writes because `fsync` is slow",
            "You must batch all writes because src/io.rs is slow",
            "You must keep both copies because 1 in 50 disks fails",
            "You must keep both copies because 'cold' disks fail",
            "You must stop leaking daemons because memory fills and restart brokers",
            "You must sign all builds because tags move, and rotate keys",
            "You must delete accounts banned because users spam",
            "You must refuse large uploads because disks fill",
            "You must ask owners before merging because they decide",
            "You must never store keys because users ask but because law demands it",
        ] {
            let said = line(&format!("{law}."));
            let words = |text: &str| -> Vec<String> {
                let words = text.split(|c: char| c.is_whitespace() || matches!(c, '|' | '`' | ',' | '.'));
                let plain = words.filter(|word| !matches!(*word, "" | "a" | "and"));
                plain.map(str::to_lowercase).collect()
            };
            let kept = words(&said);
            let lost: Vec<String> = words(law).into_iter().filter(|word| !kept.contains(word)).collect();
            assert!(lost.is_empty(), "{law}\n{said}\nlost {lost:?}");
        }
    }

    #[test]
    fn what_stands_in_quotation_marks_is_verbatim() {
        for (law, short) in [
            ("You must print 'open the door' on the panel.", "You must print 'open the door' on panel"),
            ("You must label the button ‘a new file’.", "You must label button ‘a new file’"),
            ("You must print \"open the door\" on the panel.", "You must print \"open the door\" on panel"),
            (
                "You must keep the users' data in the vault's store.",
                "You must keep users' data in vault's store",
            ),
            ("You must keep the '90s look of the '80s page.", "You must keep '90s look of '80s page"),
        ] {
            assert_eq!(line(law), short);
        }
    }
}
