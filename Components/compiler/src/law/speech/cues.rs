//! The words of headings and lead-ins by which they take a stance.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::stance::{Stance, is_whole};
use super::theme::bearing;
use super::word::lowered;

/// Cue phrases of headings and lead-ins, the first that fits decides.
const CUES: &[(Stance, &[&str])] = &[
    (Stance::Excuses, &["rationalization", "rationalisation", "excuse"]),
    (
        Stance::Permit,
        &[
            "need not",
            "needn't",
            "don't need to",
            "do not need to",
            "don't have to",
            "do not have to",
            "doesn't have to",
            "does not have to",
            "won't need to",
            "free to",
        ],
    ),
    (
        Stance::Forbid,
        &[
            "red flag",
            "warning sign",
            "danger sign",
            "be rejected",
            "get rejected",
            "gets rejected",
            "pr rejected",
            "anti-pattern",
            "antipattern",
            "forbidden",
            "prohibited",
            "not allowed",
            "never",
            "don't",
            "do not",
            "don'ts",
            "what not to",
            "must not",
            "may not",
            "mustn't",
            "should not",
            "shouldn't",
            "you cannot",
            "you can't",
            "you can not",
            "agents cannot",
            "agents can't",
            "not to do",
            "banned",
            "bans",
            "bad practice",
            "worst practice",
            "bad habit",
            "disallowed",
            "off-limits",
            "off limits",
            "hard no",
            "no-go",
            "no go's",
            "hands off",
            "hands-off",
            "untouchable",
            "red line",
            "deal breaker",
            "deal-breaker",
            "dealbreaker",
            "out of bounds",
            "taboo",
        ],
    ),
    (Stance::Discourage, &["avoid", "discouraged", "deprecated"]),
    (
        Stance::Mistakes,
        &[
            "failure modes to",
            "failure mode to",
            "common mistake",
            "mistakes",
            "pitfall",
            "common error",
            "gotcha",
        ],
    ),
    (
        Stance::Example,
        &[
            "example",
            "sample output",
            "sample workflow",
            "worked session",
            "walkthrough",
            "good:",
            "bad:",
            "demo",
            "before/after",
            "real session",
        ],
    ),
    (
        Stance::Permit,
        &["optional", "allowed", "permitted", "you may", "you can do", "ok to do", "safe to do"],
    ),
    (
        Stance::Advise,
        &[
            "principle",
            "best practice",
            "good practice",
            "recommendation",
            "recommended",
            "tips",
            "advice",
            "suggestion",
            "nice to have",
            "good idea",
            "ideally",
            "advisable",
            "if possible",
            "where possible",
        ],
    ),
    (
        Stance::Order,
        &[
            "mandatory",
            "always",
            "requirement",
            "required",
            "rules",
            "checklist",
            "iron law",
            "must ",
            "hard gate",
            "non-negotiable",
            "convention",
            "constraint",
            "code style",
            "coding style",
            "coding standard",
            "definition of done",
            "guardrail",
            "prerequisite",
            "prerequisites",
            "naming",
            "quality check",
            "quality checks",
            "safety check",
            "safety checks",
            "final check",
            "final checks",
            "before you",
            "quality bar",
            "verification step",
        ],
    ),
    (
        Stance::Describe,
        &[
            "background",
            "what is",
            "how it works",
            "impact",
            "benefit",
            "advantages",
            "why ",
            "references",
            "resources",
            "related",
            "what you get",
            "gives you",
            "limitation",
            "limitations",
            "known issues",
            "symptom",
            "pattern indicating",
            "common cause",
            "advantage",
            "output format",
        ],
    ),
];

/// All cues, and for each the place of its stance in [`CUES`].
static FINDER: LazyLock<(Option<AhoCorasick>, Vec<usize>)> = LazyLock::new(|| {
    let places = CUES.iter().enumerate().flat_map(|(place, (_, cues))| cues.iter().map(move |_| place));
    // It fails for millions of patterns only.
    (AhoCorasick::new(CUES.iter().flat_map(|(_, cues)| *cues)).ok(), places.collect())
});

pub(crate) fn cue(text: &str) -> Stance {
    cue_of(text).map_or(Stance::Neutral, |(_, stance)| stance)
}

/// `403 Forbidden errors:`, `Fixing anti-patterns:`: a cue that forbids, in a name that does not.
pub(crate) fn is_topic(text: &str) -> bool {
    cue_of(text).is_some_and(|(bare, stance)| {
        matches!(bare, Stance::Forbid | Stance::Discourage | Stance::Mistakes) && stance == Stance::Neutral
    })
}

/// The stance of the first cue by itself, and in its place.
fn cue_of(text: &str) -> Option<(Stance, Stance)> {
    let mut lower = lowered(text);
    lower.push(' ');
    let (finder, places) = &*FINDER;
    let found = finder.iter().flat_map(|finder| finder.find_overlapping_iter(&lower));
    let whole = found.filter(|cue| is_whole(&lower, cue.range()));
    let first = whole.min_by_key(|cue| places[cue.pattern().as_usize()]);
    first.map(|cue| {
        let bare = CUES[places[cue.pattern().as_usize()]].0;
        let stance = if binds(&lower[..cue.start()], &lower[cue.range()]) { Stance::Order } else { bare };
        if is_denied(&lower[..cue.start()]) {
            (bare, denied(stance, &lower[cue.range()]))
        } else {
            (bare, bearing(stance, &lower, &cue.range()))
        }
    })
}

/// `Essential principles`, `Mandatory best practices`: no advice, whatever they call it.
fn binds(before: &str, cue: &str) -> bool {
    const BINDING: &[&str] = &[
        "essential",
        "mandatory",
        "required",
        "critical",
        "non-negotiable",
        "binding",
        "strict",
        "absolute",
        "inviolable",
        "unbreakable",
    ];
    let mut near = before
        .split(|c: char| !(c.is_alphabetic() || c == '-'))
        .filter(|word| !word.is_empty())
        .rev()
        .take(2);
    matches!(cue, "principle" | "best practice")
        && near.any(|word| BINDING.contains(&word))
        && !before.contains("not ")
}

/// `No longer forbidden`, `Not required`: a cue that is taken back.
fn is_denied(before: &str) -> bool {
    ["no longer ", "not ", "never ", "isn't ", "aren't "].iter().any(|denial| before.ends_with(denial))
        || of_none(before)
}

/// `None of this is optional`, `Nothing here is allowed`: said of nothing.
fn of_none(before: &str) -> bool {
    let mut words = before.split_whitespace();
    let opens = words.next().is_some_and(|word| matches!(word, "none" | "neither" | "nothing" | "no"));
    opens && words.next_back().is_some_and(|last| matches!(last, "is" | "are"))
}

/// The stance of a cue that is taken back.
fn denied(stance: Stance, cue: &str) -> Stance {
    match stance {
        Stance::Forbid | Stance::Discourage => Stance::Permit,
        Stance::Order if matches!(cue, "mandatory" | "required" | "requirement") => Stance::Permit,
        Stance::Permit if cue == "optional" => Stance::Order,
        Stance::Permit => Stance::Forbid,
        Stance::Advise if cue == "recommended" => Stance::Discourage,
        stance => stance,
    }
}
