//! Lessons in haste, and excuses: `at once`, `the change is tiny`, `nobody answers`.

use super::said::words_of;

/// Phrases that hurry.
const HURRY: &[&str] = &[
    "at once",
    "right away",
    "straight away",
    "right now",
    "as soon as",
    "on the spot",
    "without delay",
    "without further",
    "without waiting",
];

/// Words that hurry.
const HURRYING: &[&str] = &[
    "immediately",
    "directly",
    "anyway",
    "anyhow",
    "regardless",
    "nevertheless",
    "now",
    "quickly",
    "asap",
    "straight",
    "just",
];

/// What people say who think that something need not hold for them.
const EXCUSES: &[&str] = &[
    "tiny",
    "small",
    "trivial",
    "minor",
    "simple",
    "obvious",
    "cosmetic",
    "harmless",
    "urgent",
    "urgently",
    "emergency",
    "hotfix",
    "hurry",
    "rush",
    "deadline",
    "late",
    "overdue",
    "slow",
    "busy",
    "away",
    "asleep",
    "absent",
    "offline",
    "unavailable",
    "unreachable",
    "down",
    "nobody",
    "stale",
    "old",
    "unused",
    "abandoned",
    "dead",
    "temporary",
    "experimental",
    "prototype",
    "draft",
    "throwaway",
    "sure",
    "certain",
    "weekend",
    "night",
    "holiday",
    "vacation",
    "quick",
    "short",
    "typo",
    "typos",
    "cheap",
    "safe",
    "known",
    "only",
    "demo",
    "spike",
];

/// Words by which a condition says that what was demanded is there.
const FULFILLED: &[&str] = &[
    "passed",
    "passes",
    "green",
    "granted",
    "given",
    "gave",
    "agreed",
    "agrees",
    "answered",
    "approved",
    "done",
    "finished",
    "complete",
    "completed",
    "succeeded",
    "succeeds",
    "got",
    "yes",
];

/// Whether a lesson hurries or has an excuse.
pub(super) fn hastes(condition: &str, resolution: &str) -> bool {
    let resolution = resolution.to_lowercase();
    HURRY.iter().any(|phrase| resolution.contains(phrase))
        || words_of(&resolution).any(|word| HURRYING.contains(&word))
        || words_of(&condition.to_lowercase()).any(|word| EXCUSES.contains(&word))
}

/// Whether a condition says that something is there: `the owner agreed`, not `nobody agreed yet`.
pub(super) fn is_fulfilled(condition: &str) -> bool {
    const DENYING: &[&str] = &["not", "no", "nobody", "never", "without", "yet", "until", "before"];
    let condition = condition.to_lowercase();
    let says = |list: &[&str]| words_of(&condition).any(|word| list.contains(&word) || word.ends_with("n't"));
    words_of(&condition).any(|word| FULFILLED.contains(&word)) && !says(DENYING)
}

#[cfg(test)]
mod tests {
    use super::{hastes, is_fulfilled};

    #[test]
    fn who_hurries_is_told_from_who_says_when() {
        for (condition, resolution) in [
            ("a fix is urgent", "deploy it"),
            ("the owner is away", "merge"),
            ("a branch is in the way", "delete it right away"),
        ] {
            assert!(hastes(condition, resolution), "{condition} / {resolution}");
        }
        for (condition, resolution) in [
            ("the lock file moved", "commit it, too"),
            ("the queue holds a poisoned message", "move it to the side and read its headers"),
        ] {
            assert!(!hastes(condition, resolution), "{condition} / {resolution}");
        }
    }

    #[test]
    fn what_is_there_is_told_from_what_is_missing() {
        assert!(is_fulfilled("the owner agreed"));
        assert!(!is_fulfilled("the owner has not agreed"));
        assert!(!is_fulfilled("the owner doesn't answer"));
    }
}
