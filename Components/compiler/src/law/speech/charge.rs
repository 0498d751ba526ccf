//! What somebody is there for, or keeps off, by what a text says of itself: `Your job is to find bugs`, `This skill does not push`, `This
//! step is optional`.

use mentci_authority::{Force, Level};

use super::imperative::acts;
use super::lexicon::is_verb;
use super::mood::{IMPERATIVE, Mood};
use super::word::{Word, WordKind};

const MUST_NOT: Mood = Mood::Order(Level::MustNot, Force::Implied);
const MAY: Mood = Mood::Order(Level::May, Force::Implied);

/// `Your job is to find bugs`, `You are responsible for the log`: what somebody is there for.
pub(crate) fn charges(clause: &[Word]) -> Option<Mood> {
    const CHARGES: &[&str] = &[
        "job",
        "task",
        "goal",
        "role",
        "mission",
        "responsibility",
        "duty",
        "objective",
        "purpose",
        "obligation",
    ];
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    if is(0, &["you"]) && is(1, &["are"]) && is(2, &["responsible"]) && is(3, &["for"]) {
        return Some(IMPERATIVE);
    }
    if step_is_to(clause) {
        return Some(IMPERATIVE);
    }
    if skill_keeps_off(clause) {
        return Some(Mood::Order(Level::MustNot, Force::Explicit));
    }
    if skill_only_does(clause) {
        return Some(Mood::Order(Level::Must, Force::Explicit));
    }
    if is_optional(clause) {
        return Some(Mood::Order(Level::May, Force::Explicit));
    }
    if may_be_small(clause) {
        return Some(MAY);
    }
    // `As the pilot, your task is to find a berth`.
    let role = clause.iter().take(6).position(|word| word.mark(",")).filter(|_| is(0, &["as"]));
    if let Some(comma) = role {
        return charges(&clause[comma + 1..]);
    }
    // `The job is to count ropes`
    let the = is(0, &["the"]) && is(1, &["job", "mission"]);
    if !(the || is(0, &["your"])) {
        return None;
    }
    let named = 1 + usize::from(is(1, &["first", "next", "last", "only", "main", "primary", "sole", "core"]));
    let charged = is(named, CHARGES) || named == 2 && is(named, &["step", "move", "act"]);
    let denied = is(named + 2, &["not", "never"]);
    let acts = is(named + 1, &["is"])
        && is(named + 2 + usize::from(denied), &["to"])
        && clause.get(named + 3 + usize::from(denied)).is_some_and(|word| is_verb(&word.lower));
    (charged && acts).then_some(if denied { MUST_NOT } else { IMPERATIVE })
}

/// Acts of a text that order nothing: what it is made for, or able to.
pub(crate) const TELLING: &[&str] = &[
    "need",
    "require",
    "cover",
    "include",
    "support",
    "apply",
    "replace",
    "have",
    "provide",
    "contain",
    "depend",
    "work",
    "affect",
    "assume",
    "guarantee",
    "mean",
    "matter",
    "exist",
    "know",
    "see",
    "teach",
    "handle",
    "deal",
    "address",
    "describe",
    "explain",
    "imply",
    "count",
    "help",
    "offer",
    "come",
    "use",
    "rely",
    "ship",
    "prevent",
    "make",
    "ensure",
    "limit",
];

/// `This skill does not push`: what it leaves to others. `This skill does not need a network` tells.
fn skill_keeps_off(clause: &[Word]) -> bool {
    const WHO: &[&str] = &["skill", "agent", "workflow", "step", "command", "phase", "mode", "role"];
    if it_keeps_off(clause) {
        return true;
    }
    let [this, who, does, not, act, object, ..] = clause else { return false };
    this.is("this")
        && who.any(WHO)
        && does.is("does")
        && not.is("not")
        && is_verb(&act.lower)
        && !act.any(TELLING)
        && (object.kind != WordKind::Mark || object.mark(","))
}

/// `It does not change files`, `It never pushes unless the owner asks`: what a text says of itself.
fn it_keeps_off(clause: &[Word]) -> bool {
    const ACTS: &[&str] =
        &["modify", "edit", "write", "delete", "commit", "push", "change", "publish", "deploy", "merge"];
    const THINGS: &[&str] = &["files", "code", "anything", "source", "branches", "settings"];
    let [it, does, not, act, rest @ ..] = clause else { return false };
    let bounded = || rest.iter().any(|word| word.any(&["unless", "without", "until"]));
    let thing = || rest.iter().take(3).any(|word| word.any(THINGS));
    it.is("it") && does.is("does") && not.is("not") && act.any(ACTS) && (thing() || bounded())
}

/// `This skill only writes the log`: what it is bound to.
fn skill_only_does(clause: &[Word]) -> bool {
    const WHO: &[&str] = &["skill", "agent", "workflow", "step", "command", "phase", "mode", "role"];
    const TELLING: &[&str] =
        &["works", "applies", "supports", "covers", "needs", "requires", "helps", "matters"];
    let [this, who, only, does, object, ..] = clause else { return false };
    this.is("this")
        && who.any(WHO)
        && only.is("only")
        && acts(does)
        && !does.any(TELLING)
        && object.kind != WordKind::Mark
}

/// `This is a completely optional step`, `This step is optional`.
fn is_optional(clause: &[Word]) -> bool {
    const FARTHEST: usize = 4;
    const PARTS: &[&str] = &["step", "phase", "part", "section", "stage"];
    let Some(first) = clause.first().filter(|first| first.any(&["this", "it"])) else { return false };
    let named = usize::from(first.is("this") && clause.get(1).is_some_and(|part| part.any(PARTS)));
    if !clause.get(1 + named).is_some_and(|is| is.is("is")) {
        return false;
    }
    let rest = &clause[2 + named..];
    let optional = rest.iter().take(FARTHEST).position(|word| word.is("optional"));
    optional.is_some_and(|at| {
        rest[..at].iter().all(|word| word.any(&["a", "an", "the", "also"]) || word.lower.ends_with("ly"))
            && rest[at + 1..].iter().all(|word| word.kind == WordKind::Mark || word.any(PARTS))
    })
}

/// `The log can be short (two lines)`: how little of what is made is enough.
fn may_be_small(clause: &[Word]) -> bool {
    const FARTHEST: usize = 5;
    const SMALL: &[&str] = &["short", "brief", "rough", "simple", "minimal", "informal", "terse", "long"];
    let the = clause.first().is_some_and(|first| first.any(&["the", "your", "this", "each", "these"]));
    let can =
        clause.iter().take(FARTHEST).position(|word| word.any(&["can", "may"])).filter(|&can| the && can > 1);
    can.is_some_and(|can| {
        clause[1..can].iter().all(|word| word.kind == WordKind::Plain && !word.any(&["that", "which", "who"]))
            && clause.get(can + 1).is_some_and(|be| be.is("be"))
            && clause.get(can + 2).is_some_and(|small| small.any(SMALL))
            && clause.get(can + 3).is_none_or(|next| {
                next.kind == WordKind::Mark || next.any(&["if", "when", "for", "in", "but"])
            })
    })
}

/// `The first step for this skill is to look for the lamp`, `The main mode is just to wait`.
fn step_is_to(clause: &[Word]) -> bool {
    const FARTHEST: usize = 10;
    const WHICH: &[&str] = &[
        "first",
        "second",
        "third",
        "initial",
        "next",
        "last",
        "final",
        "primary",
        "secondary",
        "main",
        "default",
        "only",
    ];
    const STEPS: &[&str] = &["step", "task", "job", "action", "mode", "move", "priority", "approach"];
    let near = &clause[..clause.len().min(FARTHEST)];
    let [the, which, step, ..] = near else { return false };
    if !(the.any(&["the", "your"]) && which.any(WHICH) && step.any(STEPS)) {
        return false;
    }
    let to = near.iter().position(|word| word.is("to")).filter(|&to| to > 3);
    let is = |to: usize| near[3..to].iter().rev().take(2).any(|word| word.is("is"));
    let act = |to: usize| {
        clause[to + 1..]
            .iter()
            .find(|word| !word.any(&["just", "simply", "always", "only"]) && !word.lower.ends_with("ly"))
    };
    to.is_some_and(|to| is(to) && act(to).is_some_and(|act| is_verb(&act.lower)))
}
