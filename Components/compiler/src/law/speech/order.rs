//! Clauses that order from their first word on: imperatives, and what forbids, advises or permits in their place.

use mentci_authority::{Force, Level};

use super::imperative::{acts, imperative, softened};
use super::lexicon::{DETERMINERS, FINITE, SUBJECTS, is_verb};
use super::mood::{ADVICE, IMPERATIVE, MAY, MUST, MUST_NOT, Mood, SHOULD, SHOULD_NOT, asks, has_finite};
use super::word::{Word, WordKind};

/// A clause that orders from its first word on.
pub(crate) fn order_at(clause: &[Word]) -> Option<Mood> {
    let word = clause.first().filter(|word| word.kind == WordKind::Plain)?;
    let next = clause.get(1);
    let next_any = |lowers: &[&str]| next.is_some_and(|next| next.any(lowers));
    let lower = word.lower.as_str();
    if let Some(mood) = none_of(clause).or_else(|| minded_not(clause)).or_else(|| warns(clause)) {
        return Some(mood);
    }
    let mood = match lower {
        "let's" if next_any(&["not"]) => MUST_NOT,
        "stop" | "cease" | "quit"
            if next_any(&[
                "using",
                "adding",
                "making",
                "writing",
                "ignoring",
                "creating",
                "importing",
                "pushing",
            ]) =>
        {
            MUST_NOT_IMPLIED
        }
        "do" if next_any(&["not", "n't"]) => negated_imperative(&clause[2..]),
        "do" if next.is_none_or(|next| next.among(FINITE) || next.among(SUBJECTS))
            && (asks(clause) || !next_any(&["it", "this", "that", "these"])) =>
        {
            return None;
        }
        "never" if next_any(&["mind"]) => return None,
        "don't" | "dont" | "never" => negated_imperative(&clause[1..]),
        "nor" if next_any(&["should"]) => SHOULD_NOT,
        "nor" if next_any(&["must", "may", "can", "shall"]) => MUST_NOT,
        "must" | "shall" if next_any(&["not", "never"]) => MUST_NOT,
        "must" | "required" | "mandatory" | "shall" => MUST,
        "may" if word.shouted && next.is_some_and(|next| is_verb(&next.lower)) => MAY,
        "should" if next_any(&["not", "never"]) => SHOULD_NOT,
        "should" if supposes(clause) => return None,
        "should" if !asks(clause) => SHOULD,
        "zero" if clause.last().is_some_and(|last| last.any(&["required", "needed", "necessary"])) => {
            Mood::Fragment
        }
        "zero" if word.capital && (2..=4).contains(&clause.len()) && !has_finite(clause) => none_of_it(word),
        "stay" | "steer" | "keep" if keeps_away(clause) => SHOULD_NOT,
        "avoid" | "refrain" | "resist" | "abstain" => SHOULD_NOT,
        "no" => return no_order(clause),
        "neither" if next.is_some_and(|next| next.kind == WordKind::Plain && is_verb(&next.lower)) => {
            MUST_NOT
        }
        "not"
            if next_any(&["suitable", "meant", "intended", "appropriate"])
                && clause.get(2).is_some_and(|third| third.is("for")) =>
        {
            MUST_NOT_IMPLIED
        }
        "not" if next_any(UNIMPORTANT) => return None,
        "not" if word.shouted => MUST_NOT,
        "not" if next_any(&["needed", "required", "necessary"]) => MAY,
        "not" if next_any(&["only", "just", "merely", "simply"]) && orders_both(&clause[2..]) => MUST,
        "nothing" | "nobody"
            if has_finite(clause) && !next_any(&["has", "had", "was", "is", "were", "will"]) =>
        {
            MUST_NOT
        }
        "nobody" if nobody_acts(clause) && !asks(clause) => MUST_NOT,
        "nothing" if is_of_nothing(clause) => MUST_NOT,
        "only" if word.capital && clause.len() > 3 && !asks(clause) => MUST,
        "only"
            if next.is_some_and(|next| {
                is_verb(&next.lower) || next.any(&["after", "when", "if", "once", "in", "for"])
            }) && !asks(clause) =>
        {
            MUST
        }
        "back" if next.is_some_and(|next| next.is("up") || next.among(DETERMINERS)) => IMPERATIVE,
        // `Optional vs required ropes` names both.
        "optional" | "optionally" => return Some(MAY).filter(|_| !next_any(&["vs", "versus", "and", "or"])),
        "batch" | "bias" if word.capital && batches(clause) => IMPERATIVE,
        "hands" | "fingers" if next_any(&["off"]) && clause.len() > 2 => MUST_NOT,
        "feel" if next_any(&["free"]) => MAY,
        "ensure" | "make" if lower == "ensure" || (next_any(&["sure", "certain"])) => MUST,
        "be" if next_any(&["sure", "certain"]) => MUST,
        "see" | "refer" if !next.is_some_and(|next| next.among(FINITE)) => ADVICE,
        "consider" | "prefer" | "try" | "favor" | "favour" | "aim" | "strive" | "recommend" | "suggest" => {
            soft(lower, clause)
        }
        "it" | "it's" => return it_is(clause),
        "hardly" | "rarely" | "seldom" if imperative(&clause[1 + usize::from(next_any(&["ever"]))..]) => {
            Mood::Order(Level::ShouldNot, Force::Implied)
        }
        "there" | "there's" if (lower == "there's" || next_any(&["is", "are"])) && reasonless(clause) => {
            if clause.iter().take(4).any(|word| word.is("excuse")) {
                MUST_NOT
            } else {
                SHOULD_NOT
            }
        }
        _ if (ends_denied(clause) || takes_none(clause)) && imperative(clause) => MUST_NOT,
        _ => return imperative(clause).then(|| softened(clause)),
    };
    Some(mood)
}

/// `Stay away from the reef`, `Steer clear of it`.
fn keeps_away(clause: &[Word]) -> bool {
    matches!(clause, [_, away, from, ..] if away.any(&["away", "clear"]) && from.any(&["from", "of"]))
}

/// `Nothing under dist/ committed`, `Nothing leaves the hold`: what shall not come about.
fn is_of_nothing(clause: &[Word]) -> bool {
    let left = clause.last().is_some_and(|last| last.lower.ends_with("ed") || last.is("left"));
    let happens = clause.get(1).is_some_and(|next| acts(next) && !next.any(HAPPENS));
    clause.len() > 2 && (left && !has_finite(clause) || happens && !asks(clause))
}

/// `Batch similar reads`, `Bias toward reading`, and not `Batch operations`, `Batch processing steps`, `Bias towers`.
fn batches(clause: &[Word]) -> bool {
    let many = |word: &Word| {
        word.lower.ends_with('s') && !word.any(&["operations", "jobs", "sizes", "processes", "updates"])
    };
    let near = || clause.iter().skip(1).take(2).take_while(|word| word.kind == WordKind::Plain);
    // `Batch and sort the letters`.
    if let [_, and, act, _, ..] = clause
        && and.is("and")
        && is_verb(&act.lower)
    {
        return !has_finite(clause);
    }
    // `Batch writes with the ledger`.
    if let [_, what, with, _, ..] = clause
        && what.any(&["writes", "reads", "calls", "requests", "inserts", "queries", "updates"])
        && with.any(&["with", "in", "into", "by", "per", "through"])
    {
        return true;
    }
    // `Batch small calls and writes`.
    if let [_, small, _, and, last, ..] = clause
        && small.any(&["small", "similar", "related", "many", "multiple", "all"])
        && and.any(&["and", "or"])
        && many(last)
    {
        return true;
    }
    if clause[0].is("bias") {
        return near().next().is_some_and(|next| next.any(&["toward", "towards"]));
    }
    near().any(many) && !near().any(|word| word.lower.ends_with("ing")) && !has_finite(clause)
}

/// `NOT essential`: what a thing is not, and no prohibition.
const UNIMPORTANT: &[&str] = &["essential", "important", "critical", "relevant", "urgent", "enough"];

/// `Nobody steers`, `Nobody but the mate steers`.
fn nobody_acts(clause: &[Word]) -> bool {
    let Some(next) = clause.get(1) else { return false };
    acts(next) || next.any(&["but", "except", "besides"]) && clause.iter().skip(3).take(4).any(acts)
}

/// `If it is set, nothing changes`: it tells.
const HAPPENS: &[&str] = &[
    "changes", "breaks", "fails", "works", "runs", "starts", "matches", "helps", "returns", "stops", "moves",
    "loads", "needs",
];

const MUST_NOT_IMPLIED: Mood = Mood::Order(Level::MustNot, Force::Implied);

/// `Make sure not to X`, `Remember not to X`, `Ensure you never X`, `Try not to X`: the negation is what is ordered.
fn minded_not(clause: &[Word]) -> Option<Mood> {
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    let very = usize::from(
        is(0, &["be", "take"]) && is(1, &["very", "extra", "especially", "extremely", "particularly"]),
    );
    let head = match clause[0].lower.as_str() {
        "ensure" | "remember" | "try" | "prefer" | "aim" | "strive" => 1,
        "make" | "be" | "take" if is(1 + very, &["sure", "certain", "careful", "care"]) => 2 + very,
        _ => return None,
    };
    if is(head, &["to"]) && is(head + 1, &["avoid", "refrain"]) && !asks(clause) {
        return Some(Mood::Order(Level::ShouldNot, Force::Implied));
    }
    // `Be careful about not waking the crew`.
    let waking = |word: &Word| word.lower.ends_with("ing");
    if is(head, &["about"]) && is(head + 1, &["not"]) && clause.get(head + 2).is_some_and(waking) {
        return Some(MUST_NOT_IMPLIED);
    }
    let head = head + usize::from(is(head, &["that"])) + usize::from(is(head, &["to"]));
    let you = head + usize::from(is(head, &["you"]));
    let negated = is(head, &["not"]) && is(head + 1, &["to"])
        || is(you, &["never", "don't"])
        || (is(you, &["do", "must", "should"]) && is(you + 1, &["not", "never"]));
    if !negated || asks(clause) {
        return None;
    }
    Some(match clause[0].lower.as_str() {
        "try" => Mood::Order(Level::ShouldNot, Force::Implied),
        "prefer" => SHOULD_NOT,
        "ensure" | "make" => MUST_NOT,
        _ => MUST_NOT_IMPLIED,
    })
}

pub(crate) fn soft(lower: &str, clause: &[Word]) -> Mood {
    match lower {
        "suggest" if imperative(clause) => IMPERATIVE,
        // `Recommend at most two berths` is what somebody is to be told; `Recommend using flax` is advice.
        "recommend"
            if imperative(clause)
                && !clause.get(1).is_some_and(|next| next.lower.ends_with("ing") || next.is("to")) =>
        {
            IMPERATIVE
        }
        "prefer" => SHOULD,
        _ => ADVICE,
    }
}

/// `Neither A nor B may …`, `No one should …`, `Under no circumstances should …`: a negated subject or occasion with a modal.
fn none_of(clause: &[Word]) -> Option<Mood> {
    let opening = &clause[..clause.len().min(3)];
    let not_one = clause[0].is("not")
        && clause.get(1).is_some_and(|word| word.any(&["a", "one"]))
        && clause.get(2).is_some_and(|word| word.any(&["single", "one"]) || clause[1].is("one"));
    let subject = not_one
            || clause[0].any(&["neither", "none", "nobody"])
            // `No → push` answers.
            || clause[0].is("no") && clause.get(1).is_some_and(|next| next.kind != WordKind::Mark);
    let occasion = clause[0].any(&["at", "under", "in", "on", "by"])
        && opening.windows(2).any(|pair| {
            pair[0].is("no")
                && pair[1].any(&[
                    "time",
                    "circumstances",
                    "circumstance",
                    "condition",
                    "conditions",
                    "case",
                    "account",
                    "way",
                    "event",
                    "means",
                    "point",
                ])
        });
    if asks(clause) {
        return None;
    }
    if (subject || clause[0].is("nothing"))
        && let Some(mood) = judged_of_none(clause)
    {
        return Some(mood);
    }
    if !subject && !occasion {
        return None;
    }
    let ordered = occasion
        && clause.iter().position(|word| word.is("no")).is_some_and(|no| {
            // `Under no circumstances: row there`
            let act = no + 2 + usize::from(clause.get(no + 2).is_some_and(|word| word.mark(":")));
            clause.get(act).is_some_and(|word| word.kind == WordKind::Plain && is_verb(&word.lower))
        });
    if ordered {
        return Some(MUST_NOT);
    }
    let exempt = |pair: &[Word]| pair[0].any(&["is", "are"]) && pair[1].any(&["exempt", "excepted"]);
    if subject && clause.windows(2).any(exempt) {
        return Some(MUST);
    }
    let modal = clause.iter().find(|word| {
        word.depth == 0 && word.any(&["may", "can", "must", "shall", "should", "ever", "is", "are"])
    })?;
    if modal.is("should") && !occasion {
        return Some(SHOULD_NOT);
    }
    (occasion || modal.any(&["may", "can", "must", "shall"])).then_some(MUST_NOT)
}

/// `None of these is allowed`, `Nothing here is optional`, `No approval is required`: what is said of nothing turns round.
fn judged_of_none(clause: &[Word]) -> Option<Mood> {
    const ALLOWED: &[&str] =
        &["allowed", "permitted", "acceptable", "accepted", "ok", "okay", "fine", "tolerated", "welcome"];
    const OPTIONAL: &[&str] = &["optional", "negotiable"];
    const REQUIRED: &[&str] = &["required", "mandatory", "necessary", "needed", "obligatory", "compulsory"];
    const FORBIDDEN: &[&str] =
        &["forbidden", "prohibited", "banned", "disallowed", "off-limits", "discouraged"];
    let main = clause.iter().position(|word| word.mark(",") || word.any(&["that", "which", "who"]));
    let main = &clause[..main.unwrap_or(clause.len())];
    let at = main.iter().position(|word| word.depth == 0 && word.any(&["is", "are"]))?;
    let judged =
        main[at + 1..].iter().find(|word| word.kind == WordKind::Plain && !word.lower.ends_with("ly"))?;
    if judged.any(ALLOWED) {
        Some(MUST_NOT)
    } else if judged.any(OPTIONAL) {
        Some(MUST)
    } else {
        (judged.any(REQUIRED) || judged.any(FORBIDDEN)).then_some(MAY)
    }
}

/// `Don't forget to X` orders X; so does `do not only X`.
fn negated_imperative(rest: &[Word]) -> Mood {
    if rest.first().is_some_and(|word| word.any(&["only", "just"]))
        && rest.iter().any(|word| word.any(&["also", "but"]))
    {
        return MUST;
    }
    // `Don't bother checking` leaves it free, and `Don't bother the owner` does not.
    let bothers = matches!(rest, [bother, whom, ..] if bother.is("bother")
        && (whom.among(DETERMINERS) || whom.any(&["users", "people", "anyone", "anybody", "others", "them", "him", "her", "us"])));
    if !bothers && rest.first().is_some_and(|word| word.any(&["worry", "bother"])) {
        return MAY;
    }
    if rest.first().is_some_and(|word| word.is("be"))
        && rest.get(1).is_some_and(|word| word.any(&["afraid", "shy"]))
    {
        return MAY;
    }
    // `Don't feel obliged to row`.
    if rest.first().is_some_and(|word| word.is("feel"))
        && rest
            .get(1)
            .is_some_and(|word| word.any(&["obliged", "pressured", "forced", "you", "required", "bound"]))
    {
        return MAY;
    }
    // `Don't forget the log`
    let remembered = rest.first().is_some_and(|word| word.is("forget"))
        && rest.get(1).is_some_and(|word| word.among(DETERMINERS) && !word.any(&["any", "all"]));
    if remembered {
        return MUST;
    }
    let forget = rest.first().is_some_and(|word| word.any(&["forget", "fail", "neglect", "hesitate"]));
    let to = rest.get(1).is_some_and(|word| word.any(&["to", "about"]));
    match (forget && to, rest.first().is_some_and(|word| word.is("hesitate"))) {
        (true, true) => MAY,
        (true, false) => MUST,
        _ => MUST_NOT,
    }
}

/// `Use it never`, `Call the old gate no longer`.
fn ends_denied(clause: &[Word]) -> bool {
    let Some((last, before)) = clause.split_last() else { return false };
    last.is("never") || last.any(&["longer", "more"]) && before.last().is_some_and(|word| word.is("no"))
}

/// `Not only run the tests but also the linter`, `Not only must you row, you must also steer`: both halves are to be done.
fn orders_both(rest: &[Word]) -> bool {
    if rest.first().is_some_and(|word| word.is("must")) {
        return true;
    }
    rest.iter().skip(1).any(|word| word.any(&["but", "also"])) && imperative(rest)
}

fn no_order(clause: &[Word]) -> Option<Mood> {
    let next = clause.get(1)?;
    // `No longer push by hand`.
    if next.is("longer") {
        let behind = clause.get(2);
        if behind.is_some_and(|word| word.any(&["allowed", "permitted", "acceptable"]))
            || imperative(&clause[2..])
        {
            return Some(MUST_NOT);
        }
        if behind.is_some_and(|word| word.any(&["required", "needed", "necessary", "mandatory"])) {
            return Some(MAY);
        }
    }
    // `Proceed — no further soundings`: what is left, and no ban.
    if next.is("further") && clause.len() <= 4 {
        return None;
    }
    // `No flag → a voyage by day` is a case.
    if is_symptom(clause) || clause.iter().any(|word| word.mark("→")) {
        return None;
    }
    if next.any(&["need", "longer", "matter", "one", "such", "problem", "worries"])
        || next.kind == WordKind::Mark
    {
        return next.is("need").then_some(MAY);
    }
    // `No lamps beyond what was asked for`: behind `what` stands which ones.
    let which =
        clause.windows(2).position(|pair| pair[0].any(&["beyond", "than", "outside"]) && pair[1].is("what"));
    let tells = clause[..which.unwrap_or(clause.len())]
        .iter()
        .any(|word| word.any(&["is", "are", "was", "has", "needed", "required", "found", "exists"]));
    let left_over = clause
        .windows(2)
        .any(|pair| pair[0].is("to") && pair[1].kind == WordKind::Plain && is_verb(&pair[1].lower));
    let bound = clause.iter().any(|word| word.any(&["without", "unless", "until"]));
    let passive = clause.windows(2).any(|pair| pair[0].any(&["is", "are"]) && pair[1].lower.ends_with("ed"));
    if bound && passive && !asks(clause) {
        return Some(MUST_NOT);
    }
    (!tells && !left_over && !asks(clause)).then_some(MUST_NOT)
}

/// `No traces appearing`, `No output from the probe received`: what is seen when something fails, and no prohibition.
fn is_symptom(clause: &[Word]) -> bool {
    const LONGEST: usize = 7;
    const HAPPENING: &[&str] = &[
        "appearing",
        "arriving",
        "displaying",
        "displayed",
        "firing",
        "loading",
        "received",
        "rendering",
        "responding",
        "returned",
        "running",
        "showing",
        "shown",
        "starting",
        "updating",
        "visible",
        "working",
    ];
    const AROUND: &[&str] = &["up", "through", "at", "all", "anymore", "again", "back", "in"];
    let mut plain = clause.iter().rev().filter(|word| word.kind != WordKind::Mark && !word.any(AROUND));
    clause.len() <= LONGEST && plain.next().is_some_and(|last| last.any(HAPPENING)) && plain.count() > 1
}

/// `There is no reason to use goto`.
fn reasonless(clause: &[Word]) -> bool {
    let none = |three: &[Word]| {
        three[0].is("no")
            && (three[1].any(&["reason", "excuse"]) && three[2].is("to")
                || three[1].is("excuse") && three[2].is("for"))
    };
    clause.windows(3).take(4).any(none)
}

/// `It is a mistake to use eval`.
fn mistaken(clause: &[Word]) -> bool {
    const WRONG: &[&str] = &["mistake", "wrong", "error", "unacceptable", "forbidden", "dangerous"];
    clause.windows(2).take(6).any(|pair| pair[0].any(WRONG) && pair[1].is("to"))
        && !clause.iter().take(5).any(|word| word.any(&["not", "isn't", "never", "longer"]))
        && !asks(clause)
}

/// `It is very important to name the berth`, and not `It is important to note that …`, which only tells.
fn important(clause: &[Word]) -> Option<Mood> {
    const TELLING: &[&str] = &[
        "note",
        "remember",
        "understand",
        "know",
        "realize",
        "realise",
        "recognize",
        "see",
        "mention",
        "be",
    ];
    const MUCH: &[&str] =
        &["very", "extremely", "absolutely", "especially", "critically", "really", "vitally"];
    let at = clause.iter().take(5).position(|word| word.is("important"))?;
    let [to, act @ ..] = &clause[at + 1..] else { return None };
    // `It is important to only row by day`
    let act = act.iter().find(|word| !word.any(&["only", "always", "also", "first"]))?;
    let denied = clause[..at].iter().any(|word| word.any(&["not", "isn't", "less"]));
    let acts = to.is("to") && is_verb(&act.lower) && !act.any(TELLING);
    let much = at > 0 && clause[at - 1].any(MUCH);
    let told = at > 0 && clause[at - 1].any(&["is", "it's"]) || much;
    (acts && told && !denied).then_some(MUST)
}

/// `Skip the check and you lose the ship`: what comes of it, and no order.
fn warns(clause: &[Word]) -> Option<Mood> {
    const LEAVING: &[&str] = &["skip", "ignore", "forget", "miss", "drop", "omit", "neglect", "bypass"];
    const WHO: &[&str] = &["you", "you'll", "you'd", "it", "they", "it'll"];
    let leaves = clause.first().is_some_and(|verb| verb.any(LEAVING));
    let told = |pair: &[Word]| pair[0].is("and") && pair[1].any(WHO);
    (leaves && clause.windows(2).any(told)).then_some(Mood::Statement)
}

/// `It is crucial not to row`, `It is vital that you never row`: what matters is that it is not done.
fn weighs(clause: &[Word]) -> Option<Mood> {
    const WEIGHTY: &[&str] = &[
        "critical",
        "essential",
        "crucial",
        "imperative",
        "mandatory",
        "vital",
        "important",
        "required",
        "paramount",
    ];
    const FARTHEST: usize = 4;
    let at = clause.iter().take(FARTHEST).position(|word| word.any(WEIGHTY))?;
    let behind = &clause[at + 1..clause.len().min(at + 1 + FARTHEST)];
    let plain = !clause[..at].iter().any(|word| word.any(&["not", "isn't", "less", "no"]));
    let denied = behind.iter().position(|word| word.any(&["not", "never", "don't"]));
    let acts = denied.is_some_and(|denied| {
        behind[..denied].iter().all(|word| word.any(&["that", "you", "to", "do", "we", "agents"]))
    });
    (plain && acts).then_some(MUST_NOT)
}

fn it_is(clause: &[Word]) -> Option<Mood> {
    if mistaken(clause) {
        return Some(MUST_NOT);
    }
    if let Some(mood) = important(clause) {
        return Some(mood);
    }
    if let Some(mood) = weighs(clause) {
        return Some(mood);
    }
    let window = &clause[..clause.len().min(5)];
    let denied = window.windows(2).any(|pair| pair[0].is("not") && !pair[1].any(&["only", "just"]));
    if window.iter().any(|word| {
        word.any(&["critical", "essential", "crucial", "imperative", "mandatory", "vital", "required"])
    }) {
        return Some(if denied { MAY } else { MUST });
    }
    window.iter().any(|word| word.any(&["best", "better", "recommended", "advisable"])).then_some(if denied {
        SHOULD_NOT
    } else {
        SHOULD
    })
}

/// `Should you need it, ask`, `Should the build fail, stop`: no advice, but a condition.
pub(crate) fn supposes(clause: &[Word]) -> bool {
    const ANY: &[&str] = &["anything", "something", "anyone", "anybody", "someone", "somebody"];
    let cut = || clause.iter().any(|word| word.mark(","));
    clause.first().is_some_and(|should| should.is("should"))
        && clause
            .get(1)
            .is_some_and(|next| next.among(SUBJECTS) || (next.among(DETERMINERS) || next.any(ANY)) && cut())
}

/// `Make no changes to the hull`, `Use no open fire`. `Make no more than three` bounds.
fn takes_none(clause: &[Word]) -> bool {
    const TAKING: &[&str] = &[
        "use",
        "make",
        "add",
        "leave",
        "write",
        "allow",
        "accept",
        "take",
        "create",
        "introduce",
        "include",
        "emit",
        "store",
        "put",
        "start",
        "run",
        "spawn",
        "open",
        "commit",
        "give",
        "place",
    ];
    const BOUNDS: &[&str] = &[
        "more", "less", "fewer", "longer", "later", "earlier", "sooner", "other", "matter", "one", "action",
    ];
    let [act, no, what, ..] = clause else { return false };
    act.any(TAKING) && no.is("no") && what.kind == WordKind::Plain && !what.any(BOUNDS)
}

/// `ZERO tows by night` forbids, `Zero knots by default` asks for it.
fn none_of_it(zero: &Word) -> Mood {
    if zero.shouted { MUST_NOT } else { MUST }
}
