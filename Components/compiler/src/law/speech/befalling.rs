//! Names of what has befallen something: `Upload failed`, `Key not found (any host)`.

use super::lexicon::{is_nounish, is_verb, opens_condition};

/// `Missing config file`, `Unclear requirements`: a thing, and in front of it what is wrong with it.
fn opens_with_lack(words: &[&str]) -> bool {
    const WRONG: &[&str] =
        &["missing", "unclear", "ambiguous", "conflicting", "unresolved", "corrupted", "unreachable"];
    const LONGEST: usize = 4;
    // `Missing value analysis`, `Missing coverage` name what is done, or looked for.
    const TOPICS: &[&str] = &[
        "analysis",
        "handling",
        "detection",
        "checks",
        "coverage",
        "strategies",
        "report",
        "values",
        "data",
    ];
    let told =
        |word: &&str| matches!(*word, "and" | "or" | "is" | "are" | "not" | "to") || TOPICS.contains(word);
    (2..=LONGEST).contains(&words.len()) && WRONG.contains(&words[0]) && !words.iter().any(told)
}

/// `No changes detected`, `No config available`: that something is not there.
fn is_lacking(words: &[&str]) -> bool {
    const THERE: &[&str] = &[
        "found",
        "detected",
        "available",
        "present",
        "given",
        "provided",
        "specified",
        "configured",
        "installed",
        "returned",
        "supplied",
        "exist",
        "exists",
        "identified",
        "remaining",
        "free",
    ];
    const LONGEST: usize = 6;
    matches!(words, ["no", _, .., last] if THERE.contains(last)) && words.len() <= LONGEST
}

pub(crate) fn outside_brackets(name: &str) -> &str {
    name.split_once('(').map_or(name, |(outside, _)| outside).trim()
}

/// `Upload failed`, `Template missing`, `Key not found (any host)`: a thing, and what befell it.
pub(crate) fn befalls(name: &str) -> bool {
    const STATES: &[&str] = &[
        "failed",
        "fails",
        "fail",
        "failing",
        "missing",
        "unavailable",
        "unreachable",
        "invalid",
        "exceeded",
        "denied",
        "rejected",
        "refused",
        "expired",
        "crashed",
        "crashes",
        "unclear",
        "ambiguous",
        "aborted",
        "interrupted",
        "corrupted",
        "succeeded",
        "succeeds",
        "detected",
        "found",
        "broken",
        "blocked",
        "remaining",
        "unresolved",
        "unknown",
        "undefined",
        "unset",
        "absent",
        "approved",
        "passed",
    ];
    // `Merge conflict found during the review`.
    const THEN: &[&str] = &["during", "after", "on", "in", "by", "while"];
    const ENDINGS: &[&[&str]] =
        &[&["not", "found"], &["timed", "out"], &["times", "out"], &["already", "exists"]];
    const LONGEST: usize = 6;
    let lower = outside_brackets(name).to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '\'')))
        .filter(|word| !word.is_empty())
        .skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    if is_lacking(&words) || opens_with_lack(&words) {
        return true;
    }
    let all = words.len();
    let then = words
        .iter()
        .position(|word| THEN.contains(word) || word.starts_with("mid-"))
        .filter(|&at| at > 1 && at + 5 > all);
    let words = &words[..then.unwrap_or(all)];
    let [first, .., last] = words else { return false };
    // `All gates pass`; `Second pass` counts.
    let pass = *last == "pass" && words.get(words.len() - 2).is_some_and(|thing| thing.ends_with('s'));
    let stated = pass || STATES.contains(last) || ENDINGS.iter().any(|ending| words.ends_with(ending));
    let told = words.iter().any(|word| {
        matches!(
            *word,
            "that" | "which" | "what" | "get" | "gets" | "things" | "where" | "approaches" | "methods"
        )
    });
    // `Report errors found in the hold`
    let acts = is_verb(first) && !is_nounish(first)
        || matches!(
            *first,
            "report" | "log" | "note" | "document" | "review" | "record" | "fix" | "check" | "show" | "count"
        );
    let met = acts && matches!(*last, "found" | "detected" | "remaining" | "unresolved" | "blocked");
    let asked = met
        || told
        || matches!(*first, "why" | "how" | "what" | "which" | "when" | "if" | "list" | "the" | "no");
    stated && words.len() <= LONGEST && !asked && !opens_condition(first)
}
