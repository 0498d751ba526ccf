//! Lessons that make something seldom, or hold it in one place only: `run it once a week`, `only when code changed`.

use super::said::{clauses, words_of};
use super::tone::PRONOUN;

/// Words that limit wherever they stand.
const LIMITING: &[&str] = &[
    "later",
    "afterwards",
    "afterward",
    "weekly",
    "monthly",
    "nightly",
    "daily",
    "sometimes",
    "occasionally",
    "rarely",
    "seldom",
    "except",
    "unless",
    "outside",
    "half",
    "partially",
    "partly",
    "eventually",
    "sampled",
    "subset",
    "some",
    "fewer",
    "manually",
    "temporarily",
    "exception",
    "although",
    "despite",
];

/// Whether a resolution limits what it speaks of. `Only after a review`, `run it in the container instead`, `once the key is there` and
/// `as well as` limit nothing: they say more, or when.
pub(super) fn limits(resolution: &str) -> bool {
    let clauses = clauses(resolution);
    let goes_on = clauses
        .iter()
        .skip(1)
        .any(|clause| words_of(clause).any(|word| matches!(word, "all" | "everything" | "rest" | "others")));
    !goes_on && clauses.iter().any(|clause| clause_limits(clause))
}

fn clause_limits(clause: &str) -> bool {
    let words: Vec<&str> = words_of(clause).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if has(&["more", "again", "also", "well", "additionally", "both"]) {
        return false;
    }
    has(LIMITING) || (0..words.len()).any(|at| is_limit(&words, at))
}

fn is_limit(words: &[&str], at: usize) -> bool {
    let next = words.get(at + 1).copied().unwrap_or("");
    match words[at] {
        "once" => matches!(next, "a" | "per" | "every" | "each" | "in"),
        "only" => !matches!(next, "with" | "behind" | "once") && !words[at..].contains(&"after"),
        "instead" => next != "of" && !words.iter().any(|word| PRONOUN.contains(word)),
        "rather" => next != "than",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::limits;

    #[test]
    fn what_says_when_or_more_limits_nothing() {
        for text in [
            "run it once a week",
            "run cargo test only when code changed",
            "use grep instead",
            "later",
            "only the unit tests",
        ] {
            assert!(limits(text), "{text}");
        }
        for text in [
            "amend it once the key is unlocked",
            "ask once with the whole list instead of file by file",
            "clear its store instead of using npm",
            "run it in the container instead",
            "run them once more only when a test failed",
            "only push after a rebase",
            "run it only on changed files first, then on all",
            "run it nightly as well as before the merge",
        ] {
            assert!(!limits(text), "{text}");
        }
    }
}
