//! Words of lead-ins that say when a skill applies, or how often something is due.

use super::lexicon::is_verb;
use super::word::Word;

/// Verbs of taking up a skill.
pub(crate) const USES: &[&str] =
    &["use", "using", "used", "apply", "applied", "trigger", "invoke", "activate", "load", "run", "reach"];

/// Words that open the case in which it is taken up.
pub(crate) const CASES: &[&str] =
    &["when", "if", "for", "whenever", "before", "after", "in", "on", "during", "while", "where", "with"];

/// What orders one to take it up.
pub(crate) const TAKING: &[&str] = &["use", "apply", "invoke", "activate", "load", "choose"];

/// What a skill is called where it is told apart from what it speaks of.
pub(crate) const SKILL: &[&str] = &["skill", "skills"];

/// What a skill calls itself.
pub(crate) const ITSELF: &[&str] = &[
    "this",
    "it",
    "these",
    "the",
    "skill",
    "skills",
    "tool",
    "guide",
    "command",
    "workflow",
    "playbook",
    "pattern",
    "technique",
    "approach",
    "process",
    "method",
    "prompt",
    "document",
];

/// `Use when:`: says when the skill applies.
pub(crate) fn leads_trigger(plain: &[&Word]) -> bool {
    let uses = |word: &&Word| word.any(USES) && word.lower != "run";
    plain.len() == 2 && uses(&plain[0]) && plain[1].any(CASES)
}

/// `When to write an ADR:`: the items say when to do it.
pub(crate) fn leads_case(plain: &[&Word]) -> bool {
    let [when, to, act, rest @ ..] = plain else { return false };
    when.is("when") && to.is("to") && is_verb(&act.lower) && !act.any(USES) && rest.len() <= 6
}

/// `Monthly`, `Every quarter`, `After each sprint`: how often the items are due.
pub(crate) fn is_cadence(names: &[&str]) -> bool {
    const OFTEN: &[&str] = &[
        "hourly",
        "daily",
        "nightly",
        "weekly",
        "biweekly",
        "bi-weekly",
        "monthly",
        "quarterly",
        "yearly",
        "annually",
    ];
    const TIMES: &[&str] = &[
        "hour", "day", "night", "week", "sprint", "month", "quarter", "year", "morning", "release", "session",
    ];
    match names {
        [often] => OFTEN.contains(often),
        ["every" | "each", time] | ["once", "a" | "per" | "every" | "each", time] => TIMES.contains(time),
        _ => false,
    }
}
