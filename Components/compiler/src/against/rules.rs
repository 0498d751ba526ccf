//! Lessons that speak of rules themselves.

use std::collections::BTreeSet;

use mentci_authority::Lesson;

use crate::lessons::as_seen;
use crate::words::{stem_of, tokens};

/// Whether a lesson speaks of rules themselves: that one does not hold, or is to be read as another one. `skill` is its own: `rust-3`
/// names a rule of `rust`.
pub(crate) fn speaks_of_rules(skill: &str, lesson: &Lesson) -> bool {
    let lesson = as_seen(lesson);
    let both = format!("{}, {}", lesson.condition, lesson.resolution).to_lowercase();
    let words: BTreeSet<String> = tokens(&both).map(stem_of).collect();
    let has = |list: &[&str]| list.iter().any(|word| words.contains(*word));
    let of_skill = |word: &str| {
        word.strip_prefix(skill).and_then(|rest| rest.strip_prefix('-')).is_some_and(|number| {
            !number.is_empty() && number.len() < 4 && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let numbered = |word: &str| {
        word.rsplit_once('-')
            .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    (has(UNDOING) && has(LAW))
        || (has(READING) && MODALS.iter().any(|modal| both.contains(&format!(" as {modal}"))))
        || tokens(&both).any(of_skill)
        || (has(VOIDING) && tokens(&both).any(numbered))
}

/// What is done to rules by who sets them aside.
const UNDOING: &[&str] = &[
    "ignor",
    "disregard",
    "overrid",
    "bypas",
    "bypass",
    "circumvent",
    "forget",
    "supersed",
    "skip",
    "disabl",
    "treat",
    "void",
    "waiv",
    "suspend",
    "relax",
    "loosen",
    "exempt",
    "revok",
    "obsolet",
    "violat",
    "repeal",
    "optional",
];

/// What rules are called.
const LAW: &[&str] =
    &["rul", "instruction", "law", "polic", "policy", "guardrail", "guidelin", "prompt", "skill.md"];

/// `read must as should`.
const READING: &[&str] = &["treat", "read", "interpret", "consider", "regard", "take"];
const MODALS: &[&str] =
    &["may", "should", "never", "must", "optional", "allowed", "permitted", "advice", "void", "a suggestion"];
const VOIDING: &[&str] =
    &["void", "waiv", "suspend", "revok", "repeal", "obsolet", "overrid", "exempt", "disregard"];
