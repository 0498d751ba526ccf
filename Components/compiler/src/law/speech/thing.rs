//! What names a thing, what names none, and what only points at one.

use super::lexicon::is_verb;
use super::mood::{Mood, mood_of};
use super::word::{Word, WordKind};

/// Words of headings that name no thing.
const GENERIC: &[&str] = &[
    "a",
    "above",
    "additional",
    "and",
    "approach",
    "background",
    "basic",
    "basics",
    "before",
    "behavior",
    "behaviour",
    "best",
    "checklist",
    "common",
    "concept",
    "concepts",
    "constraint",
    "constraints",
    "context",
    "convention",
    "conventions",
    "core",
    "critical",
    "description",
    "detail",
    "details",
    "essential",
    "etiquette",
    "examples",
    "final",
    "first",
    "flow",
    "following",
    "for",
    "format",
    "general",
    "goal",
    "goals",
    "guideline",
    "guidelines",
    "how",
    "important",
    "in",
    "information",
    "input",
    "instruction",
    "instructions",
    "introduction",
    "it",
    "key",
    "law",
    "main",
    "method",
    "more",
    "mode",
    "next",
    "note",
    "notes",
    "of",
    "on",
    "order",
    "other",
    "output",
    "overview",
    "pattern",
    "patterns",
    "phase",
    "philosophy",
    "points",
    "policy",
    "practice",
    "practices",
    "prerequisite",
    "prerequisites",
    "preparation",
    "principle",
    "principles",
    "procedure",
    "procedures",
    "process",
    "protocol",
    "purpose",
    "quick",
    "reference",
    "reminder",
    "reminders",
    "requirement",
    "requirements",
    "resources",
    "rule",
    "rules",
    "scope",
    "section",
    "setup",
    "skill",
    "special",
    "specific",
    "start",
    "started",
    "getting",
    "step",
    "steps",
    "strategy",
    "structure",
    "style",
    "summary",
    "task",
    "tasks",
    "techniques",
    "the",
    "this",
    "thinking",
    "tip",
    "tips",
    "to",
    "usage",
    "use",
    "using",
    "verification",
    "work",
    "workflow",
    "workflows",
    "works",
    "you",
    "your",
    "must",
    "always",
    "iron",
    "golden",
    "bottom",
    "line",
    "gate",
    "function",
    "conditions",
    "misc",
    "what",
    "when",
    "why",
    "quality",
    "self-review",
];

/// `Never restart it by hand`, `They must be signed`: a pronoun, and nothing in front of it that it could stand for.
pub(crate) fn points(words: &[Word]) -> bool {
    let Some(at) = words.iter().position(|word| word.any(&["it", "them", "they", "its", "their"])) else {
        return false;
    };
    let before = &words[..at];
    let empty = |word: &Word| {
        word.kind == WordKind::Mark
            || word.any(&[
                "never", "always", "do", "not", "don't", "must", "should", "may", "you", "please", "only",
                "to", "up", "down", "back", "then", "also", "with", "from", "on", "for", "of", "in", "into",
                "by", "at", "against", "out",
            ])
            || is_verb(&word.lower) && word.kind == WordKind::Plain
            || word.lower.ends_with("ly")
    };
    // `do not conflate them`: a verb, be it in no list.
    let denied = |at: usize| at > 0 && before[at - 1].any(&["not", "don't", "never"]);
    let bare = before.iter().enumerate().all(|(at, word)| empty(word) || denied(at));
    // `It is vital that …`, `make it clear that …`, `keep it simple`.
    let rest = &words[at + 1..];
    let named = rest
        .iter()
        .take(3)
        .any(|word| word.any(&["that", "to", "clear", "simple", "explicit", "possible", "easy", "short"]));
    let formal = words[at].is("it")
        && (named || rest.first().is_some_and(|word| word.any(&["is", "was", "works", "has"])));
    bare && !formal && (at > 0 || rest.len() > 1)
}

/// Whether a heading is a short name of a thing.
pub(crate) fn names_thing(words: &[Word]) -> bool {
    let plain: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let named = plain.iter().any(|word| !word.any(GENERIC) && word.lower.chars().any(char::is_alphabetic));
    let orders = matches!(mood_of(words).mood, Mood::Order(..) | Mood::Statement | Mood::Question);
    let outside = plain.iter().filter(|word| word.depth == 0).count();
    named && !orders && outside <= 4
}

/// A word of a heading that names no thing.
pub(crate) fn is_generic(word: &Word) -> bool {
    word.any(GENERIC)
}

/// `` use `lit()` ``, `pass it from the deck instead`: what a remedy of few words is for, the name of what it mends says.
pub(crate) fn says_little(remedy: &[Word]) -> bool {
    const FEW: usize = 7;
    remedy.iter().filter(|word| word.kind != WordKind::Mark).count() <= FEW
}
