//! Headings and lead-ins that say what the acts under them wait for, that they wait for nobody, or that the things under them stay as
//! they are.

use super::word::{Word, WordKind};

/// Nouns of what somebody gives who lets an act be done.
pub(crate) const GRANTS: &[&str] = &[
    "approval",
    "permission",
    "consent",
    "confirmation",
    "sign-off",
    "go-ahead",
    "clearance",
    "authorization",
    "authorisation",
];

/// Nouns of what an act waits for.
pub(crate) const GUARDS: &[&str] = &[
    "approval",
    "approvals",
    "approver",
    "approvers",
    "review",
    "reviews",
    "reviewer",
    "reviewers",
    "sign-off",
    "sign-offs",
    "signoff",
    "permission",
    "consent",
    "confirmation",
    "clearance",
    "authorization",
    "authorisation",
    "agreement",
    "ticket",
    "tickets",
    "backup",
    "backups",
    "vote",
    "votes",
    "supervision",
    "witness",
    "colleague",
    "person",
    "people",
];

/// Verbs that say that an act waits for it.
pub(crate) const NEEDING: &[&str] = &["need", "needs", "needing", "require", "requires", "requiring"];

/// The same as participles.
pub(crate) const NEEDED: &[&str] = &["required", "needed", "necessary", "mandatory"];

/// More words than this say more.
const LONGEST: usize = 8;

/// The words of a text, in lower case, without marks.
pub(crate) fn plain_of(words: &[Word]) -> Vec<&str> {
    let named = |word: &&Word| word.kind != WordKind::Mark && word.lower.chars().any(char::is_alphanumeric);
    words.iter().filter(named).map(|word| word.lower.as_str()).collect()
}

/// The same of a name in lower case.
pub(crate) fn plain_in(name: &str) -> Vec<&str> {
    name.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-')))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .collect()
}

fn denies(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "no" | "not" | "don't" | "doesn't" | "never" | "without"))
}

/// `Ask first`, `Requires a ticket`: a heading that says what the acts under it wait for.
pub(crate) fn guards(words: &[&str]) -> bool {
    const LONGEST: usize = 6;
    const ASKING: &[&[&str]] = &[
        &["ask", "first"],
        &["ask", "before"],
        &["always", "ask"],
        &["confirm", "first"],
        &["confirm", "before"],
        &["check", "first"],
        &["ask", "for", "permission"],
        &["ask", "for", "approval"],
        &["wait", "for", "approval"],
        &["wait", "for", "permission"],
        &["get", "approval"],
        &["leave", "these", "to"],
        &["leave", "to"],
        &["humans", "only"],
        &["human", "only"],
        &["maintainers", "only"],
    ];
    let asks = words.len() <= LONGEST && ASKING.iter().any(|cue| words.starts_with(cue));
    // `Actions that need a human`
    let by_people = words.len() <= LONGEST
        && words
            .windows(2)
            .any(|pair| matches!(pair[0], "need" | "needs" | "require" | "requires") && pair[1] == "a")
        && words.last().is_some_and(|last| matches!(*last, "human" | "person" | "maintainer" | "reviewer"));
    (asks || by_people) && !denies(words) || needs_leave(words)
}

/// `Requires a ticket`, `Things that need two reviewers`, `Approval required`.
pub(crate) fn needs_leave(words: &[&str]) -> bool {
    const TELLING: &[&str] = &["what", "why", "how", "when", "who", "you", "we", "if", "does", "do"];
    if words.len() < 2 || words.len() > LONGEST || denies(words) || TELLING.contains(&words[0]) {
        return false;
    }
    let names = |words: &[&str]| words.iter().any(|word| GUARDS.contains(word));
    let needs = words.iter().take(5).position(|word| NEEDING.contains(word));
    let needed = words.last().is_some_and(|last| NEEDED.contains(last));
    needs.is_some_and(|at| names(&words[at + 1..]) || at + 1 == words.len() && names(words))
        || needed && names(words)
}

/// `Don't ask, just do`, `No approval needed`, `OK without asking`: what stands under it waits for nobody.
pub(crate) fn waives(words: &[&str]) -> bool {
    const WAITING: &[&str] = &["ask", "wait", "confirm", "check"];
    const REST: &[&str] = &[
        "first",
        "for",
        "before",
        "approval",
        "permission",
        "confirmation",
        "just",
        "do",
        "it",
        "them",
        "these",
        "this",
        "go",
        "ahead",
        "act",
        "acting",
        "doing",
        "and",
        "anyone",
        "to",
    ];
    const FREE: &[&str] = &["do", "ok", "okay", "safe", "fine", "allowed", "permitted"];
    if words.is_empty() || words.len() > LONGEST {
        return false;
    }
    let act = match words {
        ["don't", act @ ..] | ["do", "not", act @ ..] | ["no", "need", "to", act @ ..] => Some(act),
        _ => None,
    };
    let leaves = act
        .and_then(<[&str]>::split_first)
        .is_some_and(|(verb, rest)| WAITING.contains(verb) && rest.iter().all(|word| REST.contains(word)));
    let names = |word: &str| GUARDS.contains(&word);
    // `Do not change without asking` bans.
    let bans = matches!(words, ["do", "not" | "n't", ..]);
    let unasked = FREE.contains(&words[0])
        && !bans
        && words.windows(2).any(|pair| {
            pair[0] == "without" && (names(pair[1]) || matches!(pair[1], "asking" | "waiting" | "confirming"))
        });
    let needs = words.iter().any(|word| NEEDING.contains(word) || NEEDED.contains(word));
    leaves || unasked || needs && denies(words) && words.iter().any(|word| names(word))
}

/// `Read-only`, `Immutable files`: what is named under it stays as it is.
pub(crate) fn keeps(words: &[&str]) -> bool {
    const KEPT: &[&str] = &[
        "read-only",
        "readonly",
        "immutable",
        "write-once",
        "append-only",
        "write-protected",
        "frozen",
        "locked",
    ];
    const THINGS: &[&str] = &[
        "files",
        "file",
        "paths",
        "path",
        "folders",
        "directories",
        "dirs",
        "tables",
        "branches",
        "areas",
        "data",
        "modules",
        "fields",
        "columns",
        "schemas",
        "and",
        "or",
        "strictly",
        "always",
    ];
    words.iter().any(|word| KEPT.contains(word))
        && words.iter().all(|word| KEPT.contains(word) || THINGS.contains(word))
}

/// `Not on main`, `Not without a backup`: what stands under it is forbidden there.
pub(crate) fn not_there(words: &[&str]) -> bool {
    const THERE: &[&str] = &[
        "on", "in", "without", "during", "before", "after", "by", "under", "while", "at", "outside",
        "inside", "alone",
    ];
    const ABOUT: &[&str] =
        &["scope", "this", "here", "list", "skill", "document", "release", "version", "all"];
    matches!(words, ["not", there, ..] if THERE.contains(there))
        && words.len() <= 6
        && !words.iter().any(|word| ABOUT.contains(word))
}

/// `Forbidden in production, allowed in staging`: a rule with two sides, and what stands under it is what it speaks of.
pub(crate) fn two_sided(words: &[&str]) -> bool {
    const WHERE: &[&str] = &[
        "in", "on", "for", "during", "without", "with", "under", "outside", "inside", "by", "before",
        "after", "when",
    ];
    let told =
        |cues: &[&str]| words.windows(2).any(|pair| cues.contains(&pair[0]) && WHERE.contains(&pair[1]));
    told(&["forbidden", "prohibited", "banned", "disallowed"])
        && told(&["allowed", "permitted", "fine", "ok"])
}
