//! What a sentence says to do and to leave, clause by clause.

use std::collections::BTreeSet;

use super::option::words_of_short;
use crate::words::{content_words, stem_of, tokens};

/// Words of a rule that say nothing of what it forbids.
const GENERIC: &[&str] = &[
    "use",
    "us",
    "using",
    "run",
    "call",
    "do",
    "don't",
    "dont",
    "cannot",
    "can't",
    "must",
    "mustn't",
    "won't",
    "avoid",
    "execut",
    "invok",
    "mak",
    "work",
    "command",
    "ban",
    "bann",
    "forbid",
    "forbidden",
    "prohibit",
    "prohibited",
    "disallow",
    "allow",
    "allowed",
    "permit",
    "permitt",
    "directly",
    "ever",
    "please",
    "way",
    "tool",
    "thing",
    "anything",
    "anywher",
];

pub(super) fn is_generic(word: &str) -> bool {
    GENERIC.contains(&word)
}

/// The stems of the words that carry a subject, and of what short options stand for.
pub(super) fn stems(text: &str) -> Vec<String> {
    let text = text.replace('\u{2019}', "'");
    let options: Vec<String> = words_of_short(&text).into_iter().map(stem_of).collect();
    let words = content_words(&text).into_iter().flat_map(|word| parts_of(&word.stem));
    words.map(known_as).chain(options).collect()
}

/// `force` and `push` of `force-push`, which is the same as `push --force`. `pre-commit` and `re-run` are one word.
fn parts_of(stem: &str) -> Vec<String> {
    const SHORTEST: usize = 4;
    let parts: Vec<&str> = stem.split('-').collect();
    let worded = |part: &&str| part.len() >= SHORTEST && part.chars().all(char::is_alphabetic);
    if parts.len() == 2 && parts.iter().all(worded) {
        parts.into_iter().map(stem_of).collect()
    } else {
        vec![stem.to_owned()]
    }
}

/// The same of what a lesson says; a ref or a path has the words of its parts, too: `HEAD:main`, `refs/heads/main`.
pub(super) fn told_stems(text: &str) -> Vec<String> {
    let mut words = stems(text);
    words.extend(meant(text).into_iter().map(str::to_owned));
    let joined = tokens(text).filter(|token| token.contains([':', '/']));
    let parts = joined.flat_map(|token| token.split([':', '/'])).filter(|part| !part.is_empty());
    words.extend(parts.flat_map(stems));
    words
}

/// What several words mean in one: an `API key` is a secret, and `add it to the repo` commits it.
fn meant(text: &str) -> Vec<&'static str> {
    const PHRASES: &[(&str, &[&str])] = &[
        (
            "secret",
            &[
                "api key",
                "api-key",
                "apikey",
                "private key",
                "access key",
                "ssh key",
                "signing key",
                "encryption key",
                "service account key",
                "api token",
                "access token",
                "auth token",
                "bearer token",
                "refresh token",
                "the token",
                "passphrase",
                ".env",
                ".pem",
            ],
        ),
        (
            "commit",
            &[
                "to the repo",
                "to the repository",
                "into the repo",
                "into the repository",
                "in the repo",
                "to git",
                "into git",
                "in git",
                "version control",
                "source control",
                "check in",
                "check it in",
                "check them in",
            ],
        ),
    ];
    let lower = text.to_lowercase();
    let says =
        |phrase: &&str| whole(&lower, phrase).is_some() || phrase.starts_with('.') && lower.contains(*phrase);
    PHRASES.iter().filter(|(_, phrases)| phrases.iter().any(says)).map(|(word, _)| *word).collect()
}

/// Whether two stems are of one word: `sign` and `signature`, `approv` and `approval`.
pub(super) fn is_akin(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    // `Verify` and `verification`.
    let begins = match short.strip_suffix('y') {
        Some(stem) => long.strip_prefix(stem).is_some_and(|rest| rest.starts_with('i')),
        None => long.starts_with(short),
    };
    short == long || short.len() >= 4 && begins && long.len() - short.len() <= 6
}

/// Whether a word akin to this one is in the set.
pub(super) fn has_akin(words: &BTreeSet<String>, word: &str) -> bool {
    words.contains(word) || words.iter().any(|other| is_akin(other, word))
}

/// What a shell would see as words, without the marks of prose around them.
pub(super) fn tokens_of_shell(text: &str) -> impl Iterator<Item = &str> {
    const MARKS: &[char] = &['`', '"', '\'', ',', ';', ':', '.', '(', ')', '\u{201c}', '\u{201d}'];
    text.split_whitespace().map(|run| run.trim_matches(MARKS)).filter(|run| !run.is_empty())
}

/// Short forms and their long ones are one word, and so are verbs and programs that do the same.
pub(super) fn known_as(stem: String) -> String {
    const SHORT: &[(&str, &str)] = &[
        ("db", "databas"),
        ("prod", "production"),
        ("repo", "repository"),
        ("dir", "directory"),
        ("password", "secret"),
        ("credential", "secret"),
        ("drop", "delet"),
        ("eras", "delet"),
        ("remov", "delet"),
        ("wip", "delet"),
        ("destroy", "delet"),
        ("rm", "delet"),
        ("nuk", "delet"),
        ("trash", "delet"),
        ("truncat", "delet"),
        ("unlink", "delet"),
        ("discard", "delet"),
        ("reboot", "restart"),
        ("bounc", "restart"),
        ("relaunch", "restart"),
        ("recycl", "restart"),
        ("kill", "stop"),
        ("halt", "stop"),
        ("terminat", "stop"),
        ("shutdown", "stop"),
        ("ship", "deploy"),
        ("land", "merg"),
        ("resend", "retry"),
        ("repeat", "retry"),
        ("forward", "send"),
        ("mail", "send"),
        ("email", "send"),
        ("purg", "delet"),
        ("patch", "edit"),
        ("modify", "edit"),
        ("modifi", "edit"),
        ("chang", "edit"),
        ("alter", "edit"),
        ("tweak", "edit"),
        ("rewrit", "edit"),
        ("overwrit", "edit"),
        ("adjust", "edit"),
        ("echo", "print"),
        ("dump", "print"),
        ("log", "print"),
        ("show", "print"),
        ("display", "print"),
        ("reveal", "print"),
        ("ignor", "skip"),
        ("omit", "skip"),
        ("bypas", "skip"),
        ("bypass", "skip"),
        ("disabl", "skip"),
        ("exclud", "skip"),
        ("deactivat", "skip"),
        ("su", "sudo"),
        ("pkexec", "sudo"),
        ("run0", "sudo"),
        ("f32", "float"),
        ("f64", "float"),
    ];
    SHORT.iter().find(|(short, _)| *short == stem).map_or(stem, |(_, long)| (*long).to_owned())
}

/// What a must-not forbids, in lower case, and the words that are lacking where it holds.
pub(super) fn object_of(text: &str) -> (String, BTreeSet<String>) {
    const LACKING: &[&str] = &["without", "before", "until"];
    let text = text.to_lowercase();
    // `Use pnpm, never npm` forbids what stands behind.
    let text = match text.split_once(", never ") {
        Some((head, rest)) if !is_negated(head) => rest.to_owned(),
        _ => text,
    };
    let opens = LACKING.iter().any(|word| text.starts_with(&format!("{word} ")));
    // `Without approval, do not deploy`.
    let (lead, main) = match text.split_once(", ") {
        Some((lead, main)) if opens => (lead.to_owned(), main.to_owned()),
        _ => (String::new(), text),
    };
    let (main, _) =
        parted(&main, &["unless", "except", "if", "when", "instead", "instead of", "rather than", "because"]);
    let (kept, lacking) = parted(&main, LACKING);
    let lacking = lacking.iter().flat_map(|part| stems(part)).chain(stems(&lead));
    (kept, lacking.filter(|word| !is_generic(word)).collect())
}

/// A text up to the first of these words, and what stands behind it.
pub(super) fn parted(text: &str, at: &[&str]) -> (String, Vec<String>) {
    let places = at.iter().filter_map(|word| whole(text, word).map(|place| (place, word.len())));
    match places.min() {
        Some((place, len)) => (text[..place].to_owned(), vec![text[place + len..].to_owned()]),
        None => (text.to_owned(), Vec::new()),
    }
}

/// The clauses of a text, in lower case.
pub(super) fn clauses(text: &str) -> Vec<String> {
    let mut text = text.to_lowercase().replace('\u{2019}', "'");
    for mark in [". ", ": ", " - ", " -> ", " => ", "! ", "? ", " and ", " then ", " but "] {
        text = text.replace(mark, "\n");
    }
    let marks = [',', ';', '(', ')', '\n', '\u{2013}', '\u{2014}', '\u{2192}'];
    let parts = text.split(marks).map(|part| part.trim().trim_end_matches('.').to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether a clause forbids, and turns not into its opposite: `never hesitate to use it`.
pub(super) fn forbids(clause: &str) -> bool {
    const REVERSING: &[&str] = &[
        "fail", "fear", "forget", "hesitate", "just", "miss", "neglect", "omit", "only", "refrain", "refuse",
        "skip", "stop", "unless", "wait", "without", "worry", "except", "afraid", "mind",
    ];
    is_negated(clause) && !words_of(clause).any(|word| REVERSING.contains(&word))
}

pub(super) fn is_negated(clause: &str) -> bool {
    let opening: Vec<&str> = words_of(clause).take(2).collect();
    matches!(
        opening.as_slice(),
        ["never" | "avoid" | "don't" | "dont" | "cannot" | "can't" | "no" | "not", ..]
            | ["do" | "must" | "should", "not"]
    )
}

pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty())
}

/// Whether a clause says that something is not so: `sudo is not needed`.
pub(super) fn denies(clause: &str) -> bool {
    const NOT: &[&str] = &[
        " is not ",
        " are not ",
        " isn't ",
        " aren't ",
        " does not ",
        " doesn't ",
        " cannot ",
        " will not ",
    ];
    (NOT.iter().any(|not| clause.contains(not)) || is_needless(clause)) && !allows(clause)
}

/// Whether a clause says that something need not be done.
pub(super) fn is_needless(clause: &str) -> bool {
    const NEEDLESS: &[&str] = &[
        "no need ",
        "need not ",
        "needn't ",
        "not need",
        "n't need",
        "not required",
        "not necessary",
        "not have to",
        "n't have to",
        "not mandatory",
    ];
    NEEDLESS.iter().any(|phrase| clause.contains(phrase)) || needs_none(clause)
}

/// `no approvals are needed`, `no test is required`.
pub(super) fn needs_none(clause: &str) -> bool {
    const LONGEST: usize = 8;
    let words: Vec<&str> = words_of(clause).collect();
    let copula = words.iter().any(|word| matches!(*word, "is" | "are" | "be"));
    let needed =
        words.last().is_some_and(|last| matches!(*last, "needed" | "required" | "necessary" | "due"));
    words.first() == Some(&"no") && copula && needed && words.len() <= LONGEST
}

/// Whether a clause says that something does no harm: `it is not forbidden to use sudo`.
pub(super) fn allows(clause: &str) -> bool {
    const HARM: &[&str] =
        &["forbidden", "banned", "prohibited", "wrong", "bad", "dangerous", "a problem", "hurt", "matter"];
    (clause.contains("n't ") || clause.contains("not ")) && HARM.iter().any(|word| clause.contains(word))
}

/// Whether `part` stands in `text` and is no part of a longer word or option.
pub(super) fn contains_whole(text: &str, part: &str) -> bool {
    whole(text, &part.to_lowercase()).is_some()
}

pub(super) fn whole(text: &str, part: &str) -> Option<usize> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'');
    text.match_indices(part).map(|(at, _)| at).find(|&at| {
        let goes_on = text[at + part.len()..].chars().next().is_some_and(joins) && part.ends_with(joins);
        let is_tail = text[..at].chars().next_back().is_some_and(joins) && part.starts_with(joins);
        !(part.is_empty() || goes_on || is_tail)
    })
}
