//! Clauses that a turn of words decides, before any verb is looked for: `This skill covers …`, `The goal is not to …`.

use super::held_back::held_back;
use super::imperative::unknown_verb;
use super::lexicon::{DETERMINERS, FINITE, LEAVE, is_nounish, is_verb};
use super::mood::{IMPERATIVE, MAY, MUST, MUST_NOT, Mood, SHOULD_NOT, asks};
use super::order::order_at;
use super::seam::is_due;
use super::word::{Word, WordKind};

/// `` Requires `@lamp` on each mast ``.
pub(crate) fn requires_code(clause: &[Word]) -> bool {
    matches!(clause, [first, code, _, ..] if first.capital && first.is("requires") && code.kind == WordKind::Code)
}

/// `The goal is not to plan more`: what is not aimed at, in front of what is. `NOT` forbids.
pub(crate) fn aims_elsewhere(clause: &[Word]) -> bool {
    const AIMS: &[&str] = &["goal", "aim", "purpose", "point", "idea", "intent"];
    let [the, goal, rest @ ..] = clause else { return false };
    let denied = match rest {
        [is, not, to, ..] if is.is("is") => not.is("not") && !not.shouted && to.is("to"),
        [isnt, to, ..] => isnt.is("isn't") && to.is("to"),
        _ => false,
    };
    the.any(&["the", "our", "your"]) && goal.any(AIMS) && denied
}

/// `This skill covers the moorings of the bay`: what it is about.
pub(crate) fn introduces(clause: &[Word]) -> bool {
    const TELLING: &[&str] = &[
        "covers",
        "provides",
        "guides",
        "helps",
        "includes",
        "contains",
        "describes",
        "explains",
        "teaches",
        "was",
        "offers",
        "lets",
        "gives",
        "supports",
    ];
    const BINDING: &[&str] =
        &["must", "should", "shall", "never", "always", "only", "not", "cannot", "no", "before", "unless"];
    let [this, skill, tells, ..] = clause else { return false };
    this.any(&["this", "the"])
        && skill.any(&["skill", "command", "script", "tool", "guide", "document"])
        && tells.any(TELLING)
        && !clause.iter().any(|word| word.any(BINDING))
}

/// `May note neutrally: reefs and wrecks`: a permission without who has it. `May release` is a month's.
pub(crate) fn may_act(clause: &[Word]) -> bool {
    const ACTS: &[&str] = &[
        "document",
        "note",
        "use",
        "skip",
        "edit",
        "read",
        "write",
        "propose",
        "ask",
        "create",
        "add",
        "remove",
        "call",
        "run",
        "flag",
        "mention",
        "reference",
        "modify",
        "delete",
        "reuse",
        "merge",
        "push",
    ];
    let [may, act, next, ..] = clause else { return false };
    let acts = act.any(ACTS) && (!is_nounish(&act.lower) || next.lower.ends_with("ly"));
    may.is("may") && may.capital && act.kind == WordKind::Plain && !act.capital && acts && !asks(clause)
}

/// Whether it leaves the reader free in how it is done: `Do anything you like in the yard`, `Edit freely in docs/`,
/// `Use any lamp you like`.
fn left_free(clause: &[Word]) -> bool {
    const LIKES: &[&str] = &["like", "want", "please", "wish", "prefer"];
    const KINDS: &[&str] = &["anything", "whatever", "whichever", "however"];
    let [first, rest @ ..] = clause else { return false };
    let denied = first.any(&["don't", "never", "avoid", "not"])
        || first.is("do") && rest.first().is_some_and(|next| next.any(&["not", "n't"]));
    if denied || first.kind != WordKind::Plain || !is_verb(&first.lower) {
        return false;
    }
    let any_you_like = rest.len() >= 3
        && rest[0].is("any")
        && rest[rest.len() - 2].is("you")
        && rest[rest.len() - 1].any(LIKES);
    any_you_like
        || rest.iter().take(3).any(|word| word.is("freely"))
        || clause.windows(3).take(4).any(|run| run[0].any(KINDS) && run[1].is("you") && run[2].any(LIKES))
}

/// `Better not sail on Fridays`, `You had better sail now`.
fn better(clause: &[Word]) -> Option<Mood> {
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    if is(0, &["better"]) && is(1, &["not"]) && clause.len() > 2 {
        return Some(SHOULD_NOT);
    }
    let better = match clause {
        [you, better, ..] if you.is("you'd") && better.is("better") => 2,
        [you, had, better, ..] if you.is("you") && had.is("had") && better.is("better") => 3,
        _ => return None,
    };
    Some(if is(better, &["not", "never"]) { MUST_NOT } else { MUST })
}

/// `You'd better not wait`, `It is not true that you must`, `You cannot go wrong with`: words that mean more, or less,
/// than each of them says.
pub(crate) fn idiom(clause: &[Word]) -> Option<Mood> {
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    let says = |phrase: &[&str]| phrase.iter().enumerate().all(|(at, lower)| is(at, &[lower]));
    if let Some(mood) = better(clause) {
        return Some(mood);
    }
    let made = plain_by_design(clause) || works_in_stages(clause);
    if let Some(mood) = held_back(clause).or(made.then_some(IMPERATIVE)) {
        return Some(mood);
    }
    // `Nothing forbids the use of oars`, `No ship needs a flag by day`.
    let opens_none = is(0, &["nothing", "nobody"]) || is(0, &["no", "none"]) && !is(1, &["need"]);
    if left_free(clause) {
        return Some(MAY);
    }
    // `If you like, sing`.
    if let [iff, you, like, comma, act, ..] = clause
        && iff.is("if")
        && you.is("you")
        && like.any(&["like", "want", "wish", "prefer"])
        && comma.mark(",")
        && is_verb(&act.lower)
    {
        return Some(MAY);
    }
    // `No approval needed for repairs`, `Repairs don't need a permit`.
    let needless = || clause.iter().take(6).any(|word| word.any(&["required", "needed", "necessary"]));
    let bounded = || clause.iter().any(|word| word.any(&["unless", "except", "until"]));
    let none = is(0, &["no"]);
    if none && needless() && !bounded() && clause.iter().take(4).any(|word| word.among(LEAVE)) {
        return Some(MAY);
    }
    // `Keys: None required`
    if is(0, &["none"]) && is(1, &["required", "needed"]) {
        return Some(Mood::Statement);
    }
    // `No pilot required for small boats`
    let of_what = || {
        clause.windows(2).take(4).any(|pair| {
            pair[0].any(&["required", "needed", "necessary"])
                && pair[1].any(&["for", "in", "on", "when", "if", "during"])
        })
    };
    if none && of_what() && !bounded() {
        return Some(MAY);
    }
    let spared = clause
        .windows(2)
        .take(6)
        .position(|pair| pair[0].any(&["don't", "doesn't", "not"]) && pair[1].any(&["need", "require"]));
    if let Some(at) = spared
        && at > 0
        && clause[at + 2..].iter().take(3).any(|word| word.among(LEAVE))
        && !clause.iter().any(|word| word.any(&["if", "unless", "that", "which"]))
    {
        return Some(MAY);
    }
    // `Nothing is off limits in the yard`.
    let barred = || {
        clause.windows(2).take(4).any(|pair| {
            pair[0].any(&["is", "are"])
                && pair[1].any(&["off", "off-limits", "forbidden", "prohibited", "banned"])
        })
    };
    if opens_none && barred() {
        return Some(MAY);
    }
    let verb = || {
        clause.iter().take(6).skip(1).find(|word| {
            word.any(&["forbids", "prevents", "prohibits", "needs", "requires", "need", "require"])
        })
    };
    if opens_none && let Some(verb) = verb() {
        let bans = verb.any(&["forbids", "prevents", "prohibits"]);
        let lets = clause.iter().any(|word| word.among(LEAVE));
        return Some(if bans || lets { MAY } else { Mood::Statement });
    }
    if is(0, &["never"]) && is(1, &["mind"]) {
        return Some(Mood::Statement);
    }
    // `Small repairs need no approval` lets them off; `The lamp needs no oil` tells.
    // `For repairs, require no witness` orders.
    let free = clause
        .windows(4)
        .take(5)
        .filter(|run| !run[0].mark(","))
        .map(|run| &run[1..])
        .find(|run| run[0].any(&["need", "needs", "require", "requires"]) && run[1].is("no"));
    if let Some(free) = free.filter(|_| !clause[0].any(&["no", "nobody", "nothing", "never"])) {
        return Some(if free[2].among(LEAVE) { MAY } else { Mood::Statement });
    }
    // `Cannot sail without a mate`: what has to be there first.
    let barred = is(0, &["cannot", "can't", "mustn't"])
        && clause.get(1).is_some_and(|verb| verb.kind == WordKind::Plain && !verb.among(DETERMINERS))
        && clause.iter().skip(2).take(4).any(|word| word.any(&["without", "until", "unless"]));
    if barred {
        return Some(MUST_NOT);
    }
    let untrue = says(&["it", "is", "not", "true", "that"])
        || says(&["it", "isn't", "true", "that"])
        || is(0, &["you"]) && is(1, &["cannot", "can't"]) && is(2, &["go"]) && is(3, &["wrong"]);
    untrue.then_some(Mood::Statement)
}

/// `Log errors, not warnings`: a verb that is as often a noun, and what it is done to set against what it is not done to.
pub(crate) fn set_against_itself(clause: &[Word]) -> bool {
    const LONGEST: usize = 5;
    const UNCOUNTED: &[&str] = &[
        "behavior",
        "behaviour",
        "code",
        "data",
        "intent",
        "output",
        "input",
        "state",
        "history",
        "progress",
    ];
    // `Trust first — build bonds, not fences`: in small letters, too, what is seldom a noun there.
    const ACTS: &[&str] =
        &["build", "report", "review", "test", "support", "answer", "help", "share", "show", "target"];
    let act = |first: &Word| (first.capital || first.any(ACTS)) && is_verb(&first.lower);
    let Some(comma) = clause.iter().take(LONGEST + 1).position(|word| word.mark(",")) else { return false };
    let (said, rest) = (&clause[..comma], &clause[comma + 1..]);
    if !rest.first().is_some_and(|not| not.is("not")) || !said.first().is_some_and(act) {
        return false;
    }
    let plain = |words: &[Word]| {
        words.iter().all(|word| word.kind != WordKind::Mark) && !words.iter().any(|word| word.among(FINITE))
    };
    // `Design decision, not research` names one.
    let uncounted = said.last().is_some_and(|last| last.lower.ends_with('s') || last.any(UNCOUNTED));
    (2..=LONGEST).contains(&said.len())
        && uncounted
        && (2..=LONGEST).contains(&rest.len())
        && plain(said)
        && plain(rest)
}

/// `No matter how small the boat, count the crew`, `No later than dawn, hoist the flag`: the comma behind what makes no difference.
pub(crate) fn whatever_comes(clause: &[Word]) -> Option<usize> {
    let [no, matter, rest @ ..] = clause else { return None };
    if !(no.is("no") && matter.is("matter") || is_due(clause)) {
        return None;
    }
    let comma = rest.iter().position(|word| word.mark(",")).filter(|&at| at + 1 < rest.len())?;
    Some(comma + 2)
}

/// `When NOT to hail: fog, night`: cases in which something must not be done.
pub(crate) fn names_what_not(clause: &[Word]) -> bool {
    let [when, not, to, act, rest @ ..] = clause else { return false };
    let colon = || rest.iter().take(4).position(|word| word.mark(":"));
    when.is("when")
        && not.is("not")
        && to.is("to")
        && is_verb(&act.lower)
        && colon().is_some_and(|colon| colon + 1 < rest.len())
}

/// `Real, but nothing builds on it: park it`: what denies is the case for which the order stands behind the colon.
pub(crate) fn is_case_of_nothing(whole: &[Word], before: &[Word], clause: &[Word]) -> bool {
    clause.first().is_some_and(|word| word.any(&["nothing", "nobody", "none", "no"]))
        && before.iter().any(|word| word.any(&["but", "and", "though", "yet"]))
        && whole.last().is_some_and(|word| word.mark(":"))
}

/// The colon behind such a case, where an order follows in the same clause.
pub(crate) fn case_of_nothing(words: &[Word]) -> Option<usize> {
    let turns = words.windows(2).take(6).any(|pair| {
        pair[0].any(&["but", "though", "yet"]) && pair[1].any(&["nothing", "nobody", "none", "no"])
    });
    if !turns {
        return None;
    }
    let colon = words.iter().position(|word| word.mark(":"))?;
    let rest = words.get(colon + 1..).filter(|rest| !rest.is_empty())?;
    (order_at(rest) == Some(IMPERATIVE) || unknown_verb(&rest[0], rest.get(1))).then_some(colon)
}

/// `Charts are plain paper — no colours`: how a thing is made, and what is not in it.
fn plain_by_design(clause: &[Word]) -> bool {
    const LONGEST: usize = 14;
    const PLAIN: &[&str] = &["plain", "pure", "stateless", "immutable", "read-only", "append-only"];
    let Some(made) = clause.iter().take(5).position(|word| word.any(&["are", "is"])) else { return false };
    let dash = clause.iter().position(|word| word.depth == 0 && word.mark("—"));
    made > 0
        && clause[..made].iter().all(|word| word.kind != WordKind::Mark)
        && clause.get(made + 1).is_some_and(|word| word.any(PLAIN))
        && dash.is_some_and(|dash| {
            clause.get(dash + 1).is_some_and(|no| no.any(&["no", "never", "not", "without"]))
        })
        && clause.len() <= LONGEST
}

/// `Screen in stages`: an act, be its verb in no list.
fn works_in_stages(clause: &[Word]) -> bool {
    const STAGES: &[&str] = &["stages", "passes", "batches", "rounds", "steps", "phases"];
    let [act, inside, stages] = clause else { return false };
    let verb = act.kind == WordKind::Plain
        && act.capital
        && !act.lower.ends_with("ing")
        && !act.lower.ends_with('s');
    verb && inside.is("in") && stages.any(STAGES)
}
