//! Orders behind their case: `If it fails, stop`, `For long voyages pack a spare rope`.

use mentci_authority::{Force, Level};

use super::imperative::{acts, unknown_verb};
use super::lexicon::{CONDITIONS, DETERMINERS, FINITE, FINITE_OR_PLURAL, SUBJECTS, is_nounish, is_verb};
use super::modal::modal;
use super::mood::{IMPERATIVE, MUST, MUST_NOT, Mood, asks, has_finite, skip_connectives};
use super::order::{order_at, supposes};
use super::quiet::quiet;
use super::word::{Word, WordKind};

/// `For build, test, and lint commands, …`: the place of the comma behind what is listed; 0 where nothing is.
pub(crate) fn end_of_list(clause: &[Word]) -> usize {
    const LISTING: &[&str] = &["for", "in", "on", "during", "under", "with", "across"];
    if !clause.first().is_some_and(|word| word.any(LISTING)) {
        return 0;
    }
    let joined = clause.windows(2).position(|pair| pair[0].mark(",") && pair[1].any(&["and", "or"]));
    let Some(joined) = joined else { return 0 };
    let end = clause.iter().skip(joined + 1).position(|word| word.mark(",")).map(|at| joined + 1 + at);
    let inner = |end: usize| {
        clause[..end]
            .iter()
            .all(|word| !word.among(FINITE) && !word.any(&["never", "don't", "not"]) && !word.mark(":"))
    };
    // `For advice, use the chart with rocks, reefs, or wrecks, …`: its order stands behind the first comma.
    let orders = |end: usize| {
        clause[..end]
            .windows(3)
            .any(|run| run[0].mark(",") && is_verb(&run[1].lower) && run[2].among(DETERMINERS))
    };
    end.filter(|&end| end <= joined + 6 && inner(end) && !orders(end)).unwrap_or(0)
}

const COUNTS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "few", "other", "hour", "day",
    "week",
];

/// `The first time it fails, …`, `The moment it turns red, …`, `Any time you deploy, …`.
fn is_occasion(clause: &[Word]) -> bool {
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    let either = is(0, &["either", "whichever"]) && is(1, &["way"]);
    let moment = is(1, &["moment", "instant", "minute"])
        || is(1, &["first", "next", "last", "second"]) && is(2, &["time"]);
    // `Every 10 bells, …`, `Every two hours, …`.
    let counted = is(0, &["every"])
        && clause
            .get(1)
            .is_some_and(|word| word.lower.starts_with(|c: char| c.is_ascii_digit()) || is(1, COUNTS))
        && clause.iter().take(5).any(|word| word.mark(","));
    either
        || is(0, &["the"]) && moment
        || is(0, &["every", "each", "any"]) && is(1, &["time"])
        || is(0, &["anytime"])
        || counted
}

/// `If the owner says "row", "sail", or the like, …`: the comma parts what is said.
pub(crate) fn quotes_more(clause: &[Word], at: usize) -> bool {
    let quoted =
        |at: Option<usize>| at.and_then(|at| clause.get(at)).is_some_and(|word| word.kind == WordKind::Quote);
    clause[at].mark(",")
        && quoted(at.checked_sub(1))
        && (quoted(Some(at + 1)) || clause.get(at + 1).is_some_and(|next| next.any(&["or", "and"])))
}

/// A clause that opens with a condition: finds the order after it.
pub(crate) fn conditional(clause: &[Word]) -> Option<(Mood, usize)> {
    const LONGEST: usize = 12;
    let inverted = supposes(clause);
    let opening = clause.first()?;
    let participle = opening.kind == WordKind::Plain
        && opening.lower.len() > 5
        && opening.lower.ends_with("ing")
        && !is_verb(&opening.lower);
    let concedes =
        opening.any(&["though", "although", "even", "despite", "regardless", "notwithstanding", "besides"]);
    // `Now that the tide is out, sail`.
    let now = matches!(clause, [now, that, ..] if now.is("now") && that.is("that"))
        // `So long as the tide is out, wait`.
        || matches!(clause, [so, long, as_, ..] if so.is("so") && long.is("long") && as_.is("as"));
    // `Early in the talk, ask for the port`
    let timed = matches!(clause, [early, at, ..] if early.any(&["early", "late", "immediately", "shortly", "directly"])
        && at.any(&["in", "on", "after", "before", "at", "during", "upon"]));
    let opens = inverted || concedes || now || timed || opening.among(CONDITIONS) || is_occasion(clause);
    let listed = end_of_list(clause);
    let mut nounish = None;
    let in_place = clause[0].any(&["instead", "rather"]);
    for (at, word) in clause.iter().enumerate().skip(listed) {
        let replaces = at > 2
            && in_place
            && word.kind == WordKind::Plain
            && is_verb(&word.lower)
            && !is_nounish(&word.lower)
            && !clause[..at].iter().any(|word| word.mark(","));
        if replaces {
            return Some((IMPERATIVE, at));
        }
        let separates = word.mark("→") || (opens && (word.mark(",") || word.mark(":") || word.mark("—")));
        // `Following that, apply it`.
        let follows =
            participle && at > 1 && word.mark(",") && !clause[..at].iter().any(|word| word.mark(","));
        // `If the build fails then fix it`.
        let then = opens
            && at > 2
            && word.is("then")
            // `If it can load and then sail` tells on.
            && !clause[at - 1].any(&["and", "or", "but"])
            && clause[0].any(&["if", "when", "whenever", "once", "unless"]);
        if !(separates || follows || then) || at + 1 >= clause.len() {
            continue;
        }
        let rest = &clause[at + 1..];
        if within_aside(clause, at) || quotes_more(clause, at) {
            continue;
        }
        let skipped = skip_connectives(rest);
        // `When you choose a berth, which others will want, …` goes on behind the aside.
        if rest[skipped].any(&["which", "who"]) && word.mark(",") {
            continue;
        }
        let quietly = || quiet(&rest[skipped..]).filter(|_| opens && word.mark(","));
        let ordered = order_at(&rest[skipped..]);
        if !word.mark("→")
            && (ordered.is_none() && lists_states(clause, rest) || opens && lists_things(&rest[skipped..]))
        {
            continue;
        }
        if let Some(mood) = ordered.or_else(|| modal(&rest[skipped..])).or_else(quietly) {
            return Some((mood, at + usize::from(!then)));
        }
        // `If yes, for each crate use the crane`.
        if let Some((mood, main)) = ordered_in_case(&rest[skipped..]).filter(|_| opens) {
            return Some((mood, at + 1 + skipped + main));
        }
        let unlisted = &rest[skipped];
        let waits =
            clause[0].any(&["if", "unless", "when", "whenever", "once", "after", "before", "until", "now"]);
        if waits && !unlisted.capital && unknown_verb(unlisted, rest.get(skipped + 1)) && !asks(clause) {
            return Some((IMPERATIVE, at + 1));
        }
        let plain: Vec<&Word> = rest.iter().filter(|word| word.kind != WordKind::Mark).collect();
        if matches!(plain[..], [please, act] if please.is("please") && act.is("do")) {
            return Some((IMPERATIVE, at + 1));
        }
        if acts_alone(rest, skipped) && !asks(clause) {
            return Some((IMPERATIVE, at + 1));
        }
        if word.mark("→") {
            return Some((IMPERATIVE, at + 1));
        }
        // `If the owner declines, work freehand`: what may be a noun elsewhere is a verb here, if nothing behind it is.
        let acts = (waits || clause[0].is("for"))
            && word.mark(",")
            && !unlisted.capital
            && is_verb(&unlisted.lower)
            && (skipped + 2..=LONGEST).contains(&rest.len())
            && !clause[..at].iter().chain(rest).any(|word| word.mark(",") || word.mark(":"));
        // `run checks in the hold`: they are run.
        let object = rest.get(skipped + 1).is_some_and(|next| next.among(FINITE_OR_PLURAL))
            && rest
                .get(skipped + 2)
                .is_some_and(|next| next.any(&["in", "on", "for", "with", "by", "from", "at"]));
        if acts && nounish.is_none() && !has_finite(&rest[skipped + usize::from(object)..]) && !asks(clause) {
            nounish = Some((IMPERATIVE, at + 1));
        }
    }
    nounish
        .or_else(|| allowed_in_case(clause))
        .or_else(|| always_in_case(clause))
        .or_else(|| denied_behind_case(clause))
        .or_else(|| ordered_at_work(clause))
        .or_else(|| denied_where(clause))
        .or_else(|| ordered_where(clause))
        .or_else(|| ordered_in_case(clause))
        .or_else(|| ordered_behind_state(clause))
        .or_else(|| precedes_in_case(clause))
}

/// `…, report`, `…, also report`, and not `…, and share`: one verb, and nothing else.
fn acts_alone(rest: &[Word], skipped: usize) -> bool {
    let joined = rest[..skipped].iter().any(|word| word.any(&["and", "or", "but"]));
    let said = &rest[if joined { 0 } else { skipped }..];
    let alone = said.iter().filter(|word| word.kind != WordKind::Mark).count() == 1;
    alone && is_verb(&rest[skipped].lower)
}

/// `If the log says another depth, this chart is the source of truth`: which of two holds.
fn precedes_in_case(clause: &[Word]) -> Option<(Mood, usize)> {
    const LONGEST: usize = 10;
    let opens = clause[0].any(&["if", "when", "where"]);
    let comma = clause.iter().rposition(|word| word.depth == 0 && word.mark(",")).filter(|_| opens)?;
    let rest = clause.get(comma + 1..).filter(|rest| (5..=LONGEST).contains(&rest.len()))?;
    let is = rest.iter().position(|word| word.is("is")).filter(|&is| (1..=3).contains(&is))?;
    let named = rest[0].any(&["this", "the"]) && !rest[is + 1].any(&["not", "no"]);
    let truth = rest[is..].windows(3).any(|run| run[0].is("source") && run[1].is("of") && run[2].is("truth"));
    (named && truth).then_some((IMPERATIVE, comma + 1))
}

/// `When the holds are apart — own hatches, no shared pump — load them at once`: whether a comma or the first dash stands in an aside of the case,
/// which its second dash ends.
pub(crate) fn within_aside(clause: &[Word], at: usize) -> bool {
    let dashes = |words: &[Word]| words.iter().filter(|word| word.depth == 0 && word.mark("—")).count();
    let inside = dashes(&clause[..=at]) == 1 && dashes(&clause[at + 1..]) == 1;
    let opens = clause[0].any(&["if", "when", "whenever", "once", "unless", "while", "where"]);
    let end = clause.iter().rposition(|word| word.depth == 0 && word.mark("—"));
    let commas = |end: usize| clause[..end].iter().any(|word| word.mark(","));
    inside
        && opens
        && end.is_some_and(|end| {
            commas(end)
                && clause
                    .get(end + 1..)
                    .is_some_and(|behind| !behind.is_empty() && order_at(behind).is_some())
        })
}

/// `If the hull is old, worn, or does NOT float, call the pilot`: what stands behind this comma belongs to the case, which ends where the
/// order begins.
fn lists_states(clause: &[Word], rest: &[Word]) -> bool {
    if !clause[0].any(&["if", "when", "whenever", "unless", "once", "while"]) || rest[0].among(SUBJECTS) {
        return false;
    }
    let joins = |word: &Word| word.any(&["or", "and"]);
    let last = rest.windows(2).position(|pair| pair[0].mark(",") && joins(&pair[1])).map(|at| at + 1);
    let last = if joins(&rest[0]) { Some(0) } else { last };
    let ends = |from: usize| (from..rest.len()).find(|&at| rest[at].mark(",") || rest[at].mark("→"));
    let Some(end) = ends(last.unwrap_or(rest.len())).or_else(|| rest.iter().position(|word| word.mark("→")))
    else {
        return false;
    };
    let behind = rest.get(end + 1..).unwrap_or_default();
    let skipped = if behind.is_empty() { 0 } else { skip_connectives(behind) };
    let orders = behind.get(skipped..).is_some_and(|behind| !behind.is_empty() && order_at(behind).is_some());
    // `If tugs, barges, and yachts all call and the pilot always comes, it is a bad day` tells.
    let things = last.is_some_and(|last| last == 0 || !has_finite(&rest[..last - 1]));
    orders || things && !behind.is_empty()
}

/// `update, or collision, it is …` behind `fails on creation,`: one of a list, whatever verb it may be elsewhere.
fn lists_things(rest: &[Word]) -> bool {
    let [thing, comma, or, behind @ ..] = rest else { return false };
    is_nounish(&thing.lower) && comma.mark(",") && or.is("or") && behind.iter().any(|word| word.mark(","))
}

/// `If you are unsure you can ask the pilot`: what is allowed in a case, without a comma between the two.
fn allowed_in_case(clause: &[Word]) -> Option<(Mood, usize)> {
    const NEAREST: usize = 3;
    let opens = clause.first()?.any(&["if", "when", "whenever", "once"]);
    if !opens || clause.iter().any(|word| word.mark(",")) {
        return None;
    }
    let allowed = |at: &usize| {
        clause[*at].any(&["you", "agents"])
            && clause.get(at + 1).is_some_and(|modal| modal.any(&["can", "may"]))
            && clause.get(at + 2).is_some_and(|act| is_verb(&act.lower))
    };
    let at = (NEAREST..clause.len()).find(allowed)?;
    (!asks(clause)).then_some((Mood::Order(Level::May, Force::Explicit), at))
}

/// `When the tide is out you always wait`: what is done each time, without a comma in front of it.
fn always_in_case(clause: &[Word]) -> Option<(Mood, usize)> {
    const NEAREST: usize = 3;
    let opens = clause.first()?.any(&["if", "when", "whenever", "once"]);
    if !opens || clause.iter().any(|word| word.mark(",")) {
        return None;
    }
    let always = |at: &usize| {
        clause[*at].is("you")
            && clause.get(at + 1).is_some_and(|always| always.is("always"))
            && clause.get(at + 2).is_some_and(|act| is_verb(&act.lower))
    };
    let at = (NEAREST..clause.len()).find(always)?;
    (!asks(clause)).then_some((MUST, at))
}

/// `When mooring don't use the anchor`, `When in doubt do not merge`, `While CI runs don't push`, `Unless asked do not rename`: a case that
/// is whole, and what is forbidden in it, without a comma between the two. `When the tests do not pass` is a case.
fn denied_behind_case(clause: &[Word]) -> Option<(Mood, usize)> {
    const FARTHEST: usize = 8;
    let [opening, doing, ..] = clause else { return None };
    let opens = opening.any(&["if", "when", "while", "unless", "since", "once", "until", "before", "after"]);
    if !opens || clause.iter().any(|word| word.mark(",")) {
        return None;
    }
    let works = opening.any(&["when", "while", "before", "after"]) && doing.lower.ends_with("ing");
    let denies = |at: &usize| {
        let not = usize::from(clause[*at].is("do") && clause.get(at + 1).is_some_and(|not| not.is("not")));
        (clause[*at].is("don't") || not == 1 || works && clause[*at].is("never"))
            && clause.get(at + not + 1).is_some_and(|act| act.kind == WordKind::Plain && is_verb(&act.lower))
    };
    let at = (2..clause.len().min(FARTHEST)).find(denies).filter(|_| !asks(clause))?;
    let (case, last) = (&clause[1..at], &clause[at - 1]);
    let whole = works
        || case.len() == 1 && last.lower.ends_with("ed")
        || matches!(case, [in_, doubt] if in_.is("in") && doubt.any(&["doubt", "production", "conflict"]))
        || case.len() > 1
            && (last.among(FINITE)
                || last.among(FINITE_OR_PLURAL)
                || case.iter().any(|word| word.among(FINITE))
                    && !last.lower.ends_with('s')
                    && !last.among(SUBJECTS));
    whole.then_some((MUST_NOT, at))
}

/// `Before mooring sound the depth`, ``After editing run `fmt` ``: an order right behind a gerund, without a comma between the two.
fn ordered_at_work(clause: &[Word]) -> Option<(Mood, usize)> {
    let [when, doing, act, object, ..] = clause else { return None };
    let works = when.any(&["before", "after", "when", "while"])
        && doing.lower.len() > 5
        && doing.lower.ends_with("ing")
        && doing.kind == WordKind::Plain;
    let acts = act.kind == WordKind::Plain
        && is_verb(&act.lower)
        && (object.among(DETERMINERS) || object.kind == WordKind::Code);
    let parted = || clause.iter().any(|word| word.mark(","));
    (works && acts && !parted() && !asks(clause) && !has_finite(&clause[3..])).then_some((IMPERATIVE, 2))
}

/// `If the hold is wet pump it`, `When the mast breaks call the pilot`: an order right behind a state, without a comma between the two.
fn ordered_behind_state(clause: &[Word]) -> Option<(Mood, usize)> {
    const ALONE: &[&str] = &["stop", "wait", "abort", "halt", "ask", "retry", "quit"];
    let opens = clause.first()?.any(&["if", "when", "whenever", "once", "unless"]);
    let end = clause.iter().rposition(|word| word.kind != WordKind::Mark)? + 1;
    if !opens || asks(clause) || clause[..end].iter().any(|word| word.kind == WordKind::Mark) {
        return None;
    }
    let is_state = |at: usize| {
        let (state, be) = (&clause[at - 1], &clause[at - 2]);
        let told = be.any(&["is", "are", "was", "were", "gets"])
            && !state.among(DETERMINERS)
            && !state.any(&["not", "to", "being", "you", "it", "they"]);
        state.kind == WordKind::Plain && (told || at > 3 && acts(state) && clause[1].among(DETERMINERS))
    };
    let orders = |at: &usize| {
        let act = &clause[*at];
        let object =
            |word: &Word| word.among(DETERMINERS) || word.any(&["it", "them"]) || word.kind == WordKind::Code;
        let said = clause[..end].get(at + 1).map_or_else(|| act.any(ALONE), object);
        act.kind == WordKind::Plain && is_verb(&act.lower) && said && is_state(*at)
    };
    let at = (3..end).find(orders)?;
    (!has_finite(&clause[at + 1..end])).then_some((IMPERATIVE, at))
}

/// Prepositions that name where or when something holds.
const WHERE: &[&str] =
    &["for", "in", "on", "during", "under", "with", "without", "at", "after", "before", "outside", "inside"];

/// How many words name the place or the time right behind such a word: `4xx`, `a timeout`, `the long watch`. Two bare ones may be a subject
/// behind it (`In practice people don't read it`).
fn named_place(clause: &[Word]) -> Option<usize> {
    let [place, first, second, ..] = clause else { return None };
    let names = |word: &Word| {
        let plain = word.kind == WordKind::Plain && !word.among(SUBJECTS) && !word.among(FINITE);
        plain && !word.among(DETERMINERS) || word.kind == WordKind::Code
    };
    if !place.any(WHERE) {
        return None;
    }
    match (first.among(DETERMINERS), names(first), names(second)) {
        (true, _, true) => Some(3),
        (false, true, _) => Some(2),
        _ => None,
    }
}

/// `On 4xx don't retry`, `After a freeze do not merge`, `In doubt don't`: what is forbidden somewhere, without a comma between the two.
fn denied_where(clause: &[Word]) -> Option<(Mood, usize)> {
    let at = named_place(clause)?;
    let denies = match clause.get(at..)? {
        [not] => not.is("don't"),
        [not, act, ..] if not.any(&["don't", "never"]) => is_verb(&act.lower) || act.kind == WordKind::Mark,
        [do_, not, act, ..] if do_.is("do") && not.is("not") => is_verb(&act.lower),
        _ => false,
    };
    (denies && !asks(clause)).then_some((MUST_NOT, at))
}

/// `On 404 return null`, `In tests use fakes`: a verb that may be a noun, where it cannot be one.
fn ordered_where(clause: &[Word]) -> Option<(Mood, usize)> {
    const ACTS: &[&str] = &[
        "use", "return", "retry", "run", "ask", "stop", "show", "add", "keep", "write", "read", "call",
        "set", "send", "log", "throw", "raise", "skip", "wait", "prefer", "pass", "fail", "roll", "fall",
    ];
    const PLACES: &[&str] = &[
        "production",
        "staging",
        "development",
        "dev",
        "prod",
        "ci",
        "failure",
        "error",
        "success",
        "conflict",
        "timeout",
        "doubt",
        "startup",
        "shutdown",
        "review",
    ];
    let at = named_place(clause)
        .filter(|at| *at == 2 && clause[0].any(&["on", "in", "for", "during", "under"]))?;
    let place = &clause[1];
    let named = place.lower.starts_with(|c: char| c.is_ascii_digit())
        || place.lower.ends_with('s')
        || place.any(PLACES);
    let [act, object, ..] = clause.get(at..)? else { return None };
    let acts = act.any(ACTS) && object.kind != WordKind::Mark && !object.among(FINITE) && !object.is("of");
    (named && acts && !has_finite(&clause[at + 1..]) && !asks(clause)).then_some((IMPERATIVE, at))
}

/// `For long voyages pack a spare rope`, `In harbours keep the lamp lit`: an order right behind its case.
fn ordered_in_case(clause: &[Word]) -> Option<(Mood, usize)> {
    const FARTHEST: usize = 5;
    if !clause.first()?.any(&["for", "in", "on", "during", "from"]) || asks(clause) {
        return None;
    }
    // `From the list pick the first`.
    let taken = clause[0].is("from") && clause.get(1).is_some_and(|next| next.among(DETERMINERS));
    // `For each crate use the crane`.
    let each = clause[0].is("for") && clause.get(1).is_some_and(|next| next.any(&["each", "every"]));
    let orders = |at: &usize| {
        let (before, word) = (&clause[at - 1], &clause[*at]);
        word.kind == WordKind::Plain
            && is_verb(&word.lower)
            && (!is_nounish(&word.lower) || each && word.any(&["use", "run", "call"]))
            && before.kind == WordKind::Plain
            && (taken || each && *at > 2 || before.lower.ends_with('s') || before.is("mode"))
            && !before.among(DETERMINERS)
            && !before.among(FINITE)
            && clause.get(at + 1).is_some_and(|next| next.among(DETERMINERS) || next.kind == WordKind::Code)
    };
    let plain = |word: &Word| {
        word.kind == WordKind::Plain && (taken || each || !word.among(SUBJECTS)) && !word.among(FINITE)
    };
    let at = (2..clause.len().min(FARTHEST + 1)).find(orders)?;
    clause[1..at].iter().all(plain).then_some((IMPERATIVE, at))
}
