//! Lessons that give leave: `overwriting it is okay`, `those can wait`, `go ahead`.
//!
//! INVARIANT (leave): from what a lesson gives leave, its words need not tell. So one that gives leave waits wherever the law binds
//! outright, unless it stands on the line of a norm that does not.

use super::said::{clauses, needs_none, words_of};

/// Phrases that give leave wherever they stand in a clause.
const PHRASES: &[&str] = &[
    "go ahead",
    "feel free",
    "free to",
    "no need",
    "need not",
    "needn't",
    "needs no",
    "need no",
    "not needed",
    "aren't needed",
    "isn't needed",
    "not required",
    "isn't required",
    "aren't required",
    "not necessary",
    "not have to",
    "n't have to",
    "nobody has to",
    "no one has to",
    "not worth",
    "not apply",
    "n't apply",
    "not count",
    "n't count",
    "n't wait",
    "not wait",
    "can wait",
    "may wait",
    "no harm",
    "not hurt",
    "n't hurt",
    "no problem",
    "hold off",
    "on your own",
    "will do",
    "works better",
    "work better",
    "get away with",
    "leave it",
    "leave them",
    "leave those",
    "leave that",
    "can go without",
    "do without",
    "get rid of",
    "straight in",
    "straight to",
    "overkill",
    "superfluous",
    "redundant",
    "an exception",
    "exceptions",
    "not applicable",
    "n't matter",
    "not matter",
    "nobody expects",
    "nobody needs",
    "nobody cares",
    "nobody minds",
    "keep using",
    "can lag",
    "as it is",
    "as they are",
    "as is",
];

/// Behind `is` or `are`, or alone, these give leave.
const APPROVING: &[&str] = &[
    "fine",
    "ok",
    "okay",
    "alright",
    "allowed",
    "permitted",
    "acceptable",
    "tolerable",
    "tolerated",
    "harmless",
    "safe",
    "preferable",
    "intended",
    "legitimate",
    "justified",
    "exempt",
    "exempted",
    "excepted",
    "optional",
    "unnecessary",
    "unneeded",
    "needless",
    "pointless",
    "enough",
    "sufficient",
    "suffices",
    "suffice",
    "trusted",
    "void",
    "moot",
];

/// Verbs that take something away: with no object but a pronoun, or the rule itself, they take away what the law says.
const TAKING: &[&str] = &[
    "skip",
    "ignore",
    "omit",
    "bypass",
    "disable",
    "waive",
    "exceed",
    "relax",
    "forgo",
    "postpone",
    "defer",
    "drop",
    "suspend",
    "override",
    "overrule",
    "disregard",
    "evade",
];

/// Objects that name nothing of their own.
const NAMELESS: &[&str] = &[
    "it",
    "them",
    "this",
    "that",
    "those",
    "these",
    "the",
    "a",
    "an",
    "any",
    "all",
    "limit",
    "limits",
    "rule",
    "rules",
    "check",
    "checks",
    "requirement",
    "requirements",
    "policy",
    "step",
    "threshold",
    "ban",
    "for",
    "now",
    "here",
];

/// Words behind which a clause says when, and not what.
const CIRCUMSTANCES: &[&str] = &[
    "when", "if", "until", "unless", "once", "whether", "so", "that", "which", "who", "whose", "where",
    "what",
];

/// Whether a resolution gives leave.
pub(super) fn grants(resolution: &str) -> bool {
    clauses(resolution).iter().any(|clause| {
        let clause = clause.replace("n\u{2019}t", "n't");
        PHRASES.iter().any(|phrase| holds(&clause, phrase))
            || approves(&clause)
            || allows(&clause)
            || takes(&clause)
            || dispenses(&clause)
    })
}

/// Whether a phrase stands in a clause, at the ends of words.
fn holds(clause: &str, phrase: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric();
    clause.match_indices(phrase).any(|(at, _)| {
        let opens = phrase.starts_with("n't") || !clause[..at].ends_with(letter);
        opens && !clause[at + phrase.len()..].starts_with(letter)
    })
}

/// `blocking is tolerable`, `exempt`, `precise enough`: not `once it is safe`.
fn approves(clause: &str) -> bool {
    let words: Vec<&str> = words_of(clause).collect();
    let told = words.iter().position(|word| CIRCUMSTANCES.contains(word)).unwrap_or(words.len());
    let approving = words[..told].iter().position(|word| APPROVING.contains(word));
    approving.is_some_and(|at| {
        let before = &words[..at];
        let copula =
            before.iter().any(|word| ["is", "are", "be", "it's", "that's", "they're"].contains(word));
        let denied = before.iter().any(|word| ["not", "isn't", "aren't", "never", "no"].contains(word));
        let alone = at == 0 && words.len() <= 3;
        (copula || alone || matches!(words[at], "suffice" | "suffices")) && !denied
    })
}

/// `no bump`, `no signature`, `no approvals are needed`.
fn dispenses(clause: &str) -> bool {
    let words: Vec<&str> = words_of(clause).collect();
    words.first() == Some(&"no") && (2..=3).contains(&words.len()) || needs_none(clause)
}

/// `those may go into the repo`, `you can touch it up`, `they can be trusted`.
fn allows(clause: &str) -> bool {
    let words: Vec<&str> = words_of(clause).collect();
    let told = words.iter().position(|word| CIRCUMSTANCES.contains(word)).unwrap_or(words.len());
    (0..told).any(|at| {
        let next = words.get(at + 1).copied().unwrap_or("");
        let subject = at.checked_sub(1).map_or("", |at| words[at]);
        let negated = ["not", "never", "only"].contains(&next);
        match words[at] {
            "may" | "might" => at > 0 && !negated && next != "have",
            "can" => {
                at > 0 && !negated && (subject == "you" || ["be", "go", "stay", "remain"].contains(&next))
            }
            _ => false,
        }
    })
}

/// `skip`, `ignore them`, `exceed the limit`, `bypassing it`.
fn takes(clause: &str) -> bool {
    let words: Vec<&str> = words_of(clause).collect();
    let Some((verb, rest)) = words.split_first() else { return false };
    let taking = TAKING.contains(verb)
        || verb
            .strip_suffix("ing")
            .is_some_and(|stem| TAKING.contains(&stem) || TAKING.contains(&&*format!("{stem}e")));
    taking && rest.iter().all(|word| NAMELESS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::grants;

    #[test]
    fn leave_is_given_in_many_words() {
        for text in [
            "overwriting the remote branch is okay",
            "you can go ahead",
            "those may go into the repo",
            "yarn is fine there",
            "their commits need no signature",
            "ignore them",
            "those don't count",
            "docs can wait",
            "feel free to remove them",
            "exempt",
            "not required",
            "it's harmless",
            "exceed the limit",
            "no bump",
            "no approvals are needed",
            "go straight to commit",
            "keep the history as it is",
        ] {
            assert!(grants(text), "{text}");
        }
        for text in [
            "ask for a group that may read it",
            "rebase on origin and push again",
            "wait until it is safe, then push",
            "skip the first line of the file",
            "disable the cache of the compiler",
            "you may not push",
            "that is not allowed",
            "regenerate with the newer prost, which is clean",
        ] {
            assert!(!grants(text), "{text}");
        }
    }
}
