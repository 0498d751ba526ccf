//! What a forbidding heading or lead-in names itself: nothing (`Never:`), what its items complete (`Never edit these
//! files:`), or a whole rule (`Never commit secrets:`), under which people also write what to do instead.

use super::ban_names::stance_of_ban;
use super::lexicon::is_verb;
use super::word::lowered;

/// What a forbidding heading or lead-in names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Nothing: its items say all.
    Bare,
    /// A part of the sentence that its items end: it goes before each.
    Part,
    /// A rule of its own.
    Whole,
}

/// Words that open a circumstance: what follows them is no object.
const CIRCUMSTANCES: &[&str] = &[
    "in", "on", "for", "without", "when", "during", "unless", "before", "after", "if", "with", "while", "at",
    "under", "inside", "outside", "until", "except", "from", "by",
];

/// Words that say how something is done: without a verb they forbid nothing yet.
const MANNERS: &[&str] = &[
    "alone",
    "unattended",
    "unsupervised",
    "unreviewed",
    "unasked",
    "blindly",
    "twice",
    "directly",
    "manually",
    "automatically",
    "silently",
    "yourself",
    "together",
    "overnight",
    "remotely",
    "casually",
    "lightly",
];

/// Words that point at the items.
const POINTERS: &[&str] = &[
    "these",
    "this",
    "following",
    "those",
    "them",
    "things",
    "thing",
    "any",
    "anything",
    "such",
    "here",
    "ever",
    "again",
    "anymore",
    "below",
];

/// Words before a negation that name nobody and nothing.
const EMPTY: &[&str] = &[
    "you",
    "we",
    "i",
    "must",
    "should",
    "may",
    "can",
    "could",
    "shall",
    "will",
    "would",
    "please",
    "do",
    "does",
    "things",
    "thing",
    "what",
    "agents",
    "agent",
    "the",
    "a",
    "an",
    "is",
    "are",
    "it",
    "it's",
    "critical",
    "important",
    "that",
    "and",
    "also",
    "but",
    "strictly",
    "absolutely",
    "to",
    "patterns",
    "practices",
    "actions",
    "this",
    "skill",
    "rules",
    "rule",
    "common",
    "list",
    "of",
    "so",
    "claude",
    "anti-patterns",
    "antipatterns",
    "mistakes",
    "words",
    "behaviors",
    "behaviours",
    "pitfalls",
    "red",
    "flags",
    "stuff",
    "traps",
    "hard",
    "core",
];

/// What a forbidding heading or lead-in names.
pub(crate) fn naming(text: &str) -> Naming {
    let lower = lowered(text);
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-' | '_' | '/' | '.')))
        .map(|word| word.trim_matches(['-', '.', '\'', '/']))
        .filter(|word| !word.is_empty())
        .collect();
    if stance_of_ban(&words).is_some() {
        return Naming::Bare;
    }
    let Some(at) = words.iter().position(|word| negates(word)) else { return adjective(&words) };
    let named =
        words[..at].iter().any(|word| !EMPTY.contains(word) && !word.chars().all(|c| c.is_ascii_digit()));
    let mut after: Vec<&str> = words[at + 1..]
        .iter()
        .copied()
        .filter(|word| {
            !matches!(
                *word,
                "to" | "ever"
                    | "be"
                    | "the"
                    | "allowed"
                    | "permitted"
                    | "ok"
                    | "okay"
                    | "fine"
                    | "acceptable"
            )
        })
        .collect();
    if is_manner(&after) {
        return Naming::Part;
    }
    if words[at] != "avoid" && after.first().is_some_and(|word| is_verb(word) || word.ends_with("ing")) {
        let generic = matches!(after[0], "do" | "doing");
        after.remove(0);
        if !generic && after.is_empty() {
            return Naming::Part;
        }
        if !generic && points(&after) {
            return Naming::Part;
        }
    }
    if after.iter().all(|word| POINTERS.contains(word) || *word == "do") {
        return if named { Naming::Part } else { Naming::Bare };
    }
    if points(&after) { Naming::Part } else { Naming::Whole }
}

/// `Do not deploy on Fridays`: an act, be it only in some case, and what is ordered under it is done instead. Under `Do not`, `Never edit
/// these` and `Never run without asking` stands what is forbidden.
pub(crate) fn forbids_act(text: &str) -> bool {
    const GENERIC: &[&str] = &["do", "use", "be", "have", "include"];
    const OPEN: &[&str] = &["without", "unless", "before", "until"];
    let lower = lowered(text);
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-')))
        .filter(|word| !word.is_empty())
        .collect();
    let (["do", "not", act, ref rest @ ..] | ["don't" | "never", act, ref rest @ ..]) = words[..] else {
        return false;
    };
    is_verb(act)
        && words[..] != ["never", "list"]
        && !GENERIC.contains(&act)
        && rest.first().is_some_and(|first| !OPEN.contains(first))
        && !rest.iter().any(|word| POINTERS.contains(word))
}

/// `Never alone`, `Never unattended`: how something is not done, whatever it is.
pub(crate) fn forbids_manner(text: &str) -> bool {
    let lower = lowered(text);
    let mut words =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
    words.next() == Some("never") && is_manner(&words.collect::<Vec<&str>>())
}

pub(crate) fn is_manner(after: &[&str]) -> bool {
    !after.is_empty() && after.iter().all(|word| MANNERS.contains(word))
}

fn negates(word: &str) -> bool {
    matches!(
        word,
        "never" | "don't" | "dont" | "not" | "avoid" | "cannot" | "can't" | "mustn't" | "shouldn't"
    )
}

/// `Forbidden in tests`: what is forbidden, and when.
fn adjective(words: &[&str]) -> Naming {
    let forbids = words.iter().position(|word| {
        ["forbidden", "prohibited", "banned", "disallowed", "off-limits", "limits"].contains(word)
    });
    let told = forbids.is_some_and(|at| words.get(at + 1).is_some_and(|next| CIRCUMSTANCES.contains(next)));
    if told { Naming::Part } else { Naming::Bare }
}

fn points(after: &[&str]) -> bool {
    after.first().is_none_or(|word| CIRCUMSTANCES.contains(word))
        || after.iter().any(|word| POINTERS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{Naming, naming};

    #[test]
    fn a_heading_names_nothing_a_part_or_a_whole_rule() {
        for (text, expected) in [
            ("Never", Naming::Bare),
            ("Never do this", Naming::Bare),
            ("What you must never do", Naming::Bare),
            ("Things to avoid", Naming::Bare),
            ("Not okay", Naming::Bare),
            ("Anti-patterns (forbidden)", Naming::Bare),
            ("It is critical that you do NOT", Naming::Bare),
            ("Never edit these files", Naming::Part),
            ("Do not commit", Naming::Part),
            ("Never do this without asking", Naming::Part),
            ("Never ask before", Naming::Part),
            ("Not allowed without asking", Naming::Part),
            ("Without permission, never", Naming::Part),
            ("Forbidden in tests", Naming::Part),
            ("Never commit secrets", Naming::Whole),
            ("Avoid flaky tests", Naming::Whole),
        ] {
            assert_eq!(naming(text), expected, "{text}");
        }
    }
}
