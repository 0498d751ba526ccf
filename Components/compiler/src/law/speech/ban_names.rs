//! Names that say of what stands under them that it is not done: `Absolute prohibitions`, `Do NOTs`, `Denied commands`, `Thou shalt not`.

use super::stance::Stance;

/// Words that say how strictly a ban holds, or whose it is.
const STRICT: &[&str] = &[
    "absolute",
    "hard",
    "strict",
    "strictly",
    "the",
    "our",
    "my",
    "your",
    "key",
    "general",
    "common",
    "all",
    "core",
    "critical",
    "important",
    "major",
    "more",
    "other",
    "big",
    "security",
    "coding",
    "git",
    "project",
    "team",
    "agent",
    "explicit",
    "firm",
    "list",
    "of",
];

/// Names of bans, in one word or several.
const BANS: &[&[&str]] = &[
    &["prohibitions"],
    &["prohibition"],
    &["interdictions"],
    &["nevers"],
    &["never", "list"],
    &["never-dos"],
    &["nope"],
    &["nopes"],
    &["no-nos"],
    &["no-no's"],
    &["no", "nos"],
    &["no", "no's"],
    &["hard", "nos"],
    &["do", "nots"],
    &["do-nots"],
    &["donts"],
    &["dont"],
    &["don't-dos"],
    &["must-nots"],
    &["shall", "nots"],
    &["shall-nots"],
    &["not-to-do", "list"],
    &["thou", "shalt", "not"],
    &["under", "no", "circumstances"],
    &["cardinal", "sins"],
    &["deadly", "sins"],
    &["zero", "tolerance"],
    &["won't", "do"],
    &["wont", "do"],
    &["won't", "dos"],
    &["refusals"],
    &["vetoes"],
    &["vetoed"],
    &["illegal"],
    &["outlawed"],
    &["verboten"],
    &["denylist"],
    &["deny", "list"],
    &["denylisted"],
    &["blacklist"],
    &["blacklisted"],
    &["blocklist"],
    &["block", "list"],
    &["deny"],
    &["denied"],
    &["steer", "clear", "of"],
    &["violations"],
    &["incorrect"],
    &["bad", "ideas"],
    &["wrong", "approach"],
    &["wrong", "approaches"],
    &["wrong", "way"],
    &["wrong", "ways"],
    &["how", "not", "to", "do", "it"],
    &["how", "not", "to", "do", "this"],
    &["things", "that", "will", "get", "you", "fired"],
    &["grounds", "for", "rejection"],
    &["reasons", "for", "rejection"],
    &["instant", "rejection"],
    &["automatic", "rejection"],
];

/// Names of what is advised against.
const AGAINST: &[&[&str]] = &[&["should-nots"], &["should", "nots"], &["avoids"], &["undesirable"]];

/// Names of what is wrong, among which what to do about it may stand.
const FAULTS: &[&[&str]] = &[&["code", "smells"], &["smells"], &["traps"], &["rejected", "approaches"]];

/// What is said of things that are not done or used.
const DENYING: &[&str] = &[
    "prohibited",
    "blocked",
    "denied",
    "illegal",
    "restricted",
    "outlawed",
    "unwanted",
    "vetoed",
    "blacklisted",
    "denylisted",
    "undesired",
    "undesirable",
    "inappropriate",
    "unacceptable",
    "impermissible",
    "unauthorized",
    "unauthorised",
];

/// Such things.
const THINGS: &[&str] = &[
    "actions",
    "action",
    "operations",
    "operation",
    "commands",
    "command",
    "patterns",
    "practices",
    "behaviors",
    "behaviours",
    "behavior",
    "behaviour",
    "tools",
    "moves",
    "changes",
    "activities",
    "topics",
    "words",
    "phrases",
    "approaches",
    "techniques",
    "methods",
    "calls",
    "imports",
    "dependencies",
];

/// `What agents get wrong`, `Where crews go wrong`, `Security risks`, `AI slop`, `Not for agents`.
fn names_bad(words: &[&str]) -> bool {
    matches!(
        words,
        ["risks" | "temptations"]
            | ["security", "risks"]
            | ["frequently", "violated"]
            | ["what", .., "get" | "gets", "wrong"]
            | ["where", .., "go" | "goes", "wrong"]
            | ["how", .., "break" | "breaks" | "fail" | "fails"]
            | ["what", "a", "bad", .., "looks", "like"]
            | ["signs", "of", "ai", ..]
            | [.., "slop"]
            | ["human-only" | "humans-only", "actions" | "operations" | "tasks"]
            | ["not", "for", "agents" | "ai" | "you"]
            | [
                "wrong" | "incorrect",
                "interpretation" | "interpretations" | "usage" | "pattern" | "patterns" | "behavior"
            ]
    )
}

/// What a name of few words says of all that stands under it; nothing for any other name.
pub(crate) fn stance_of_ban(words: &[&str]) -> Option<Stance> {
    let bare = words.iter().position(|word| !STRICT.contains(word)).map_or(words, |start| &words[start..]);
    let names = |all: &[&[&str]]| all.contains(&bare) || all.contains(&words);
    if names(BANS)
        || names_bad(words)
        || matches!(bare, [denied, thing] if DENYING.contains(denied) && THINGS.contains(thing))
    {
        Some(Stance::Forbid)
    } else if names(AGAINST) {
        Some(Stance::Discourage)
    } else if names(FAULTS) {
        Some(Stance::Mistakes)
    } else {
        None
    }
}
