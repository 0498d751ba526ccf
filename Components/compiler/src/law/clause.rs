//! A sentence in clauses, joined again where they say the same kind of thing.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::contrast::denies;
use super::imperative::{acts, imperative, unknown_verb, verbal};
use super::in_case::{end_of_list, within_aside};
use super::lexicon::{DETERMINERS, FINITE, OBJECT_STARTS, is_nounish, is_verb};
use super::mood::{ClauseMood, IMPERATIVE, Mood, has_finite, mood_of, skip_connectives};
use super::opposed::{asked_of, bars, confine, denied_in_brackets, halve, leaves_none, lift, route};
use super::order::supposes;
use super::reported::is_reported;
use super::told::{told, told_in_case};
use super::turn::denies_modally;
use super::turn::{
    other_half, remedies, says_how, second_half, series_goes_on, shares_subject, turns_to_demand,
    turns_to_refusal,
};
use super::withdrawn::{turns_to_denial, withdrawn};
use super::word::{Word, WordKind};

/// A run of words of one sentence that is one norm, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// The words, as indices into the paragraph's.
    pub words: Range<usize>,
    /// What it does.
    pub mood: Mood,
    /// Its leading condition, if it has one.
    pub condition: Option<Range<usize>>,
}

/// Splits a sentence where its force changes: at semicolons, dashes, `but`, and before a negation that opens a clause.
pub(crate) fn clauses(words: &[Word], sentence: Range<usize>) -> Vec<Clause> {
    let Some(first) = words.get(sentence.start) else { return find_clauses(words, sentence) };
    first.known.clauses(words.len(), &sentence, || find_clauses(words, sentence.clone()))
}

fn find_clauses(words: &[Word], sentence: Range<usize>) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    if is_reported(&words[sentence.clone()]) {
        return vec![Clause { words: sentence, mood: Mood::Statement, condition: None }];
    }
    for part in parts(words, sentence) {
        let mut clause = judge(words, part);
        let before = found.last().map(|last| &last.words);
        if let Some(mood) = second_half(words, before, &clause.words) {
            clause.mood = mood;
        }
        if let Some(mood) = withdrawn(words, found.last_mut(), &clause.words) {
            clause.mood = mood;
        }
        if let Some(last) = found.last_mut().filter(|last| shares_subject(words, &last.words, &clause.words))
        {
            last.mood = Mood::Statement;
        }
        resume(&found, &mut clause, words);
        lift(&mut found, &clause, words);
        confine(&found, &mut clause, words);
        halve(&mut found, &mut clause, words);
        let demands = |last: &Clause| matches!(last.mood, Mood::Order(level, _) if !level.is_prohibition() && level != Level::May);
        if found.last().is_some_and(demands) && not_so(words, &clause.words) {
            clause.mood = Mood::Fragment;
        }
        if found.last().is_some_and(|last| demands(last) && leaves_none(words, last.words.end, &clause)) {
            clause.mood = Mood::Order(Level::MustNot, Force::Implied);
        }
        if found.last().is_some_and(|last| demands(last) && bars(words, last, &clause)) {
            clause.mood = Mood::Order(Level::MustNot, Force::Implied);
        }
        if let Some(last) = found.last_mut().filter(|last| left_to_user(words, last, &clause)) {
            last.mood = IMPERATIVE;
        }
        if found.last().is_some_and(|last| becomes(words, last, &clause)) {
            clause.mood = IMPERATIVE;
        }
        match found.last_mut() {
            Some(last) if joins(last, &clause, words) => {
                if last.condition.is_none() && clause.condition.is_none() {
                    last.condition = headed(words, &last.words);
                }
                last.words.end = clause.words.end;
                if !matches!(last.mood, Mood::Order(..)) {
                    last.mood = clause.mood;
                } else if let (Mood::Order(level, Force::Implied), Mood::Order(own, Force::Explicit)) =
                    (last.mood, clause.mood)
                    && (own.is_binding() || !level.is_binding())
                {
                    last.mood = Mood::Order(level, Force::Explicit);
                }
            }
            _ => found.push(clause),
        }
    }
    if let [only] = &mut found[..]
        && matches!(only.mood, Mood::Statement | Mood::Fragment)
        && denied_in_brackets(&words[only.words.clone()])
    {
        only.mood = IMPERATIVE;
    }
    found
}

/// `The mate never invents facts; open points become questions`: what is done in place of what is forbidden.
fn becomes(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    const FARTHEST: usize = 4;
    let forbids = last.mood.forbids();
    let semicolon = clause.words.start > 0 && words[clause.words.start - 1].mark(";");
    let said = &words[clause.words.clone()];
    let becomes = said.iter().take(FARTHEST + 1).position(|word| word.any(&["become", "becomes"]));
    let things = said[0].lower.ends_with('s') || said[0].any(&["each", "every", "a", "an"]);
    forbids
        && semicolon
        && things
        && becomes.is_some_and(|at| at > 0)
        && matches!(clause.mood, Mood::Statement | Mood::Fragment)
}

/// `The user signs in by hand — do not script it`: what somebody else does, and what is not done for him.
fn left_to_user(words: &[Word], last: &Clause, clause: &Clause) -> bool {
    let forbids = clause.mood.forbids();
    let dash = clause.words.start > 0 && words[clause.words.start - 1].mark("—");
    let said: Vec<&Word> = words[last.words.clone()]
        .iter()
        .filter(|word| word.kind != WordKind::Mark && !word.is("then"))
        .collect();
    let user = matches!(said[..], [the, user, does, ..] if the.is("the") && user.any(&["user", "owner", "human"]) && acts(does));
    forbids && dash && user && !matches!(last.mood, Mood::Order(..) | Mood::Question)
}

fn judge(words: &[Word], part: Range<usize>) -> Clause {
    let mut found = mood_of(&words[part.clone()]);
    let follows_on = part.start > 0 && (words[part.start - 1].mark(";") || words[part.start - 1].mark("—"));
    // `…; grok this module first`, `…; caulk only open seams`.
    let first = &words[part.start];
    let next = words.get(part.start + 1);
    let only =
        || part.len() > 2 && next.is_some_and(|next| next.is("only")) && verbal(first) && !first.is("read");
    let acts = found.mood == Mood::Fragment && (unknown_verb(first, next) || only());
    if follows_on && (acts || !matches!(found.mood, Mood::Order(..)) && halts(first, next)) {
        found.mood = IMPERATIVE;
    }
    // `Review the casts — `casts list` to see what has come in`.
    if follows_on
        && found.mood == Mood::Statement
        && first.kind == WordKind::Code
        && next.is_some_and(|next| next.is("to"))
    {
        found.mood = Mood::Fragment;
    }
    if follows_on && found.mood == Mood::Statement && tells_apart(&words[part.clone()]) {
        found.mood = Mood::Fragment;
    }
    if found.mood == IMPERATIVE && names_denied(words, &part) {
        found.mood = Mood::Fragment;
    }
    let bare_no = words[part.start].is("no")
        && !words[part.start].shouted
        && part.start > 0
        && words[part.start - 1].mark("—");
    if bare_no {
        found.mood = Mood::Fragment;
    }
    if is_able(words, &part)
        || goes_over_to_each(words, &part) && found.mood == Mood::Order(Level::Must, Force::Implied)
    {
        found.mood = Mood::Statement;
    }
    if !matches!(found.mood, Mood::Order(..))
        && let Some((mood, main)) = told_of(&words[part.clone()])
    {
        found = ClauseMood { mood, main };
    }
    let case = part.start + usize::from(words[part.start].is("and") && found.main > 1);
    let condition = (found.main > 0).then(|| case..part.start + found.main);
    Clause { words: part, mood: found.mood, condition }
}

/// `Force pushes: never on main`: a name in front of what is denied of it, though its first word may be a verb.
fn names_denied(words: &[Word], part: &Range<usize>) -> bool {
    const LONGEST: usize = 4;
    let [name @ .., colon] = &words[part.clone()] else { return false };
    let [first, .., last] = name else { return false };
    // `Check logs: never skip one` orders, and forbids something else.
    let placed = words.get(part.end + 1).is_some_and(|next| {
        next.any(&["on", "in", "to", "at", "from", "into", "by", "during", "outside", "before", "after"])
    });
    let denied = words.get(part.end).is_some_and(|next| next.is("never")) && placed;
    colon.mark(":")
        && denied
        && name.len() <= LONGEST
        && name.iter().all(|word| word.kind == WordKind::Plain)
        && is_nounish(&first.lower)
        && last.lower.ends_with('s')
        && !last.lower.ends_with("ss")
}

/// `Match the song — slow when they row, fast when they sail`: how an order is meant in each of several cases.
fn tells_apart(words: &[Word]) -> bool {
    const CASES: &[&str] = &["when", "if", "where", "for"];
    let mut pieces = words.split(|word| word.mark(","));
    let apart = |piece: &[Word]| {
        let opens = piece.iter().position(|word| word.any(CASES));
        opens.is_some_and(|at| {
            (1..=2).contains(&at) && piece[..at].iter().all(|word| word.kind == WordKind::Plain)
        })
    };
    words.iter().any(|word| word.mark(",")) && pieces.all(apart)
}

/// `Count the crew — block if one is missing`: what is done where it is so, though its verb may be a noun.
fn halts(first: &Word, next: Option<&Word>) -> bool {
    first.any(&["block", "abort", "fail", "halt", "pause", "retry", "return", "flag", "alert"])
        && next.is_some_and(|next| next.any(&["if", "when", "unless", "until", "where"]))
}

/// `Ask for the pilot — NOT upfront`: how, when or where the order in front of it is not meant.
fn not_so(words: &[Word], part: &Range<usize>) -> bool {
    const LONGEST: usize = 5;
    let said = &words[part.clone()];
    let plain = said.iter().filter(|word| word.kind != WordKind::Mark).count();
    said[0].is("not")
        && said[0].shouted
        && part.start > 0
        && words[part.start - 1].mark("—")
        && (2..=LONGEST).contains(&plain)
        && !acts(&said[1])
        && !is_verb(&said[1].lower)
}

/// What a clause tells as a rule, be it behind a condition: `Before the merge, the reviewer reads it`.
fn told_of(words: &[Word]) -> Option<(Mood, usize)> {
    if let Some(mood) = told(words) {
        return Some((mood, 0));
    }
    // `Else if the mate waits, …`
    let mut opening = words.iter().filter(|word| word.kind != WordKind::Mark);
    let first = opening.find(|word| !word.any(&["else", "otherwise"]))?;
    let waits = first.any(&["before", "after", "when", "once", "if", "until", "for"]);
    // `For salt, oil, or rope, …` lists its cases.
    let comma = end_of_list(words).max(words.iter().position(|word| word.mark(",")).filter(|_| waits)?);
    // `When the seal was broken, the mate wrote it down` tells what happened.
    let past = words[..comma].iter().any(|word| word.any(&["was", "were", "had", "did"]));
    Some((told_in_case(&words[comma + 1..]).filter(|_| !past)?, comma + 1))
}

/// `Spot check — agents can err`: behind a dash it tells what may happen, and permits nothing.
fn is_able(words: &[Word], part: &Range<usize>) -> bool {
    let behind_dash = part.start > 0 && words[part.start - 1].mark("—");
    behind_dash
        && words[part.start].any(&["agents", "agent", "subagents", "claude", "models"])
        && words.get(part.start + 1).is_some_and(|word| word.any(&["can", "may", "might"]))
}

/// `The algorithm stays, but each seed differs`: it tells with the clause before it.
fn goes_over_to_each(words: &[Word], part: &Range<usize>) -> bool {
    let but = words[part.start].any(&["but", "and"]) && part.start > 0;
    but && words.get(part.start + 1).is_some_and(|word| word.any(&["each", "every"]))
}

/// `Open the request — its page if there is one — and report the URL`: an aside between two dashes is no clause of its own, and what
/// follows goes on with what stands before.
fn without_asides(words: &[Word], parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if parts.len() < 3 {
        return parts;
    }
    let orders = |part: &Range<usize>| matches!(mood_of(&words[part.clone()]).mood, Mood::Order(..));
    let ends_in_dash = |part: &Range<usize>| words[part.end - 1].mark("—");
    let goes_on = |part: &Range<usize>| {
        let first = &words[part.start];
        first.any(&["and", "or"])
            || first.lower.len() > 5 && first.lower.ends_with("ing") && first.kind == WordKind::Plain
    };
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    let mut rest = parts.into_iter().peekable();
    while let Some(part) = rest.next() {
        let aside = joined.last().is_some_and(|before| ends_in_dash(before) && orders(before))
            && ends_in_dash(&part)
            && !orders(&part);
        match rest.peek().filter(|next| aside && goes_on(next)).cloned() {
            Some(next) => {
                rest.next();
                if let Some(before) = joined.last_mut() {
                    before.end = next.end;
                }
            }
            None => joined.push(part),
        }
    }
    joined
}

/// `A, no B, C`: C goes on with A.
fn resume(found: &[Clause], clause: &mut Clause, words: &[Word]) {
    let [.., before, last] = found else { return };
    let aside = words[last.words.start].is("no") && words[last.words.start - 1].mark(",");
    if aside && clause.mood == Mood::Fragment {
        clause.mood = before.mood;
    }
}

/// Whether a clause goes on with what the last one said: same polarity, or a mere name after an order, or an order after
/// the name of its topic.
fn joins(last: &Clause, clause: &Clause, words: &[Word]) -> bool {
    match (last.mood, clause.mood) {
        (Mood::Order(a, _), Mood::Order(b, force)) => {
            let raises = b.is_binding() && !a.is_binding() && force == Force::Explicit;
            kind(a) == kind(b) && !raises
        }
        (Mood::Fragment, Mood::Order(level, _)) => {
            let turns = level.is_prohibition()
                && (asked_of(&words[last.words.clone()]).is_some()
                    || route(&words[last.words.clone()]).is_some());
            // `Depths, tides, lights: look them up`: what the order is about may be long.
            let most = if words[last.words.end - 1].mark(":") { 24 } else { 12 };
            last.words.len() <= most && !turns
        }
        (Mood::Order(..) | Mood::Fragment, Mood::Fragment)
        | (Mood::Statement, Mood::Statement | Mood::Fragment) => true,
        (Mood::Question, Mood::Order(..)) => words[last.words.clone()].len() <= 12,
        // `Look for overlaps — did two workers touch one file?`
        (Mood::Order(..), Mood::Question) => words[clause.words.start - 1].mark("—") && last.words.len() > 2,
        _ => false,
    }
}

/// `Once merged: do not amend`: the condition in front of a colon.
fn headed(words: &[Word], before: &Range<usize>) -> Option<Range<usize>> {
    let first = before.clone().find(|&at| words[at].kind != WordKind::Mark)?;
    let opens = words[first].any(&[
        "if", "when", "whenever", "once", "after", "before", "unless", "while", "until", "for", "in", "on",
        "during",
    ]);
    (opens && words[before.end - 1].mark(":")).then(|| first..before.end - 1)
}

/// Prohibitions, permissions and orders are told apart; strength is not.
fn kind(level: Level) -> u8 {
    match level {
        Level::MustNot | Level::ShouldNot => 0,
        Level::Must | Level::Should => 1,
        Level::May => 2,
    }
}

fn parts(words: &[Word], sentence: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = sentence.start;
    let due = is_due(&words[sentence.clone()]);
    for at in sentence.clone() {
        if due && start == sentence.start && at > start && words[at - 1].mark(",") {
            continue;
        }
        // A clause begins behind a mark, or where two are joined.
        if at <= start || words[at - 1].kind != WordKind::Mark && !words[at].any(&["and", "but"]) {
            continue;
        }
        if within_aside(&words[sentence.clone()], at - 1 - sentence.start) {
            continue;
        }
        if words[at - 1].mark(";") && goes_on_waiting(&words[sentence.start..at], &words[at..sentence.end]) {
            continue;
        }
        if at > start && words[at - 1].mark(":") && mood_of(&words[start..at]).mood.forbids() {
            let (label, body) = (&words[start..at], &words[at..sentence.end]);
            if remedies(label, body) || start > sentence.start && says_how(label, body) {
                parts.push(start..at);
                start = at;
                continue;
            }
            let Some(turn) = turns_behind_reason(words, at, sentence.end) else { break };
            parts.push(start..turn);
            start = turn;
            continue;
        }
        if at > start
            && (other_half(words, &(start..at), at, sentence.end)
                || turns_to_refusal(words, start, at, sentence.end)
                || turns_to_demand(words, start, at, sentence.end)
                || turns_to_denial(words, at, sentence.end)
                || turns_to_remedy(words, start, at, sentence.end)
                || series_goes_on(words, &parts, start, at, sentence.end))
        {
            parts.push(start..at);
            start = at;
            continue;
        }
        let resumes =
            at > start && words[start].is("no") && start > sentence.start && words[at - 1].mark(",");
        if resumes
            || (at > start
                && splits(words, at, sentence.end)
                && !waits(&words[start..at])
                && !lone_force(&words[start..at])
                && !(words[at - 1].mark(";") && lists(&words[start..at]))
                && !(words[at].is("but") && permits(&words[start..at], words.get(at + 1)))
                && !turns(&words[start..at])
                && !leaves_one(words, start, at, sentence.end)
                && !(words[at].is("no") && lists_cases(&words[start..at], &words[at..sentence.end]))
                && (!words[at].is("no")
                    || words[at].shouted
                    || words[start].is("only") && denies(&words[at..sentence.end])
                    || words[at - 1].mark(";") && parts_from_denial(words, start, at, sentence.end)
                    || matches!(mood_of(&words[start..at]).mood, Mood::Order(..))))
        {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..sentence.end);
    without_asides(words, parts)
}

/// `Done only when the log is read; depths are taken; and the hold is dry`: each part is one more of the cases that all have to hold.
fn goes_on_waiting(said: &[Word], rest: &[Word]) -> bool {
    only_then(said)
        && rest.split(|word| word.mark(";")).all(|part| {
            let part = &part[skip_connectives(part)..];
            !part.is_empty()
                && !imperative(part)
                && part.iter().any(|word| word.among(FINITE) || word.lower.ends_with('s'))
        })
}

/// `Sail only when …`: an order that waits for all that is said behind it.
fn only_then(words: &[Word]) -> bool {
    words.windows(2).skip(1).any(|pair| pair[0].is("only") && pair[1].any(&["when", "if", "once"]))
}

/// `By hand when any of: no wind, no crew`: cases, and no bans.
fn lists_cases(words: &[Word], denied: &[Word]) -> bool {
    // `only when all lamps are lit, no tows remain, and no cargo is left`
    let end = denied.iter().position(|word| word.mark(",")).unwrap_or(denied.len());
    let state = denied[..end]
        .iter()
        .any(|word| word.any(&["remain", "remains", "is", "are", "exist", "exists", "left", "open"]));
    if only_then(words) && state {
        return true;
    }
    words.windows(2).any(|pair| pair[0].any(&["of", "when", "if"]) && pair[1].mark(":"))
}

/// `Go on at once — no questions`: two words behind an order's dash that say again how it is meant.
fn leaves_one(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    let short = words[at - 1].mark("—")
        && words[at].is("no")
        && words[at..end].iter().filter(|word| word.kind != WordKind::Mark).count() == 2;
    short
        && !words[at + 1].any(&["exceptions", "exception", "excuses", "matter"])
        && matches!(mood_of(&words[start..at]).mood, Mood::Order(level, _) if !level.is_prohibition())
}

/// `Never sail to the reef, take a pilot`, `Don't guess, ask`: what to do stands behind the comma of a ban. What a list goes on with is
/// forbidden, too.
fn turns_to_remedy(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    const SHORTEST: usize = 2;
    const SOFT: &[&str] = &["prefer", "favor", "favour"];
    let (ban, rest) = (&words[start..at], &words[at..end]);
    let opens = ban.first().is_some_and(|first| first.any(&["never", "don't"]))
        || matches!(ban, [first, what, ..] if first.is("no") && !what.any(&["matter", "longer", "need"]))
        || matches!(ban, [first, not, ..] if first.is("do") && not.is("not"))
        // `Avoid gaps, prefer one long run`.
        || ban.first().is_some_and(|first| first.is("avoid")) && rest.first().is_some_and(|act| act.any(SOFT));
    let lone = words[start..end].iter().filter(|word| word.mark(",") || word.mark(";")).count() == 1;
    let Some(act) = rest.first().filter(|_| opens && lone && words[at - 1].mark(",")) else { return false };
    let plain = rest.iter().filter(|word| word.kind != WordKind::Mark).count();
    let acts = act.kind == WordKind::Plain
        && is_verb(&act.lower)
        && (plain == 1 || act.is("use") || !is_nounish(&act.lower) || rest[1].among(DETERMINERS))
        && !act.capital;
    ban.len() > SHORTEST
        && acts
        && !rest.iter().any(|word| word.any(&["or", "nor"]))
        && (plain == 1 || act.any(SOFT) || mood_of(rest).mood == IMPERATIVE)
}

/// `Short sentences; no jargon`, `Calls use the client; no raw requests`: whether what the second half denies is forbidden beside the first.
/// `It runs offline; no calls leave it` tells.
fn parts_from_denial(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    denies(&words[at..end]) && (!has_finite(&words[start..at]) || told(&words[start..end]).is_some())
}

/// `Don't quiz: open questions tell more; keep menus for forks`, `Avoid gaps: never skip a page — leave it blank`: where an order begins
/// behind the reason for what is forbidden, or behind how. What a semicolon parts within a list of forbidden things is no order.
fn turns_behind_reason(words: &[Word], reason: usize, end: usize) -> Option<usize> {
    let parts = |at: &usize| words[*at].depth == 0 && (words[*at].mark(";") || words[*at].mark("—"));
    let turn = (reason..end).find(parts)? + 1;
    let said = &words[reason..turn];
    let tells = words[turn - 1].mark(";") && has_finite(said) && mood_of(said).mood == Mood::Statement;
    let forbids = words[reason].capital && mood_of(said).mood.forbids() && !excepts(words, turn, end);
    let orders = matches!(mood_of(&words[turn..end]).mood, Mood::Order(level, _) if !level.is_prohibition());
    (orders && (tells || forbids && imperative(&words[turn..end]))).then_some(turn)
}

/// `**Never** —`, `MUST NOT -`: the force of what follows.
fn lone_force(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark).peekable();
    plain.peek().is_some()
        && words.last().is_some_and(|word| word.mark("—"))
        && plain.all(|word| {
            word.any(&["never", "don't", "do", "not", "must", "always", "avoid", "mustn't", "should", "only"])
        })
}

/// `Stop and ask if: a; b`: the semicolon parts cases.
fn lists(words: &[Word]) -> bool {
    const OPENING: &[&str] = &["if", "when", "unless", "before", "after", "where", "whenever", "until"];
    words.windows(2).any(|pair| pair[1].mark(":") && pair[0].any(OPENING))
}

/// `Maintainers may merge, but only …`, `Guests are allowed to sail, but only …`: what follows bounds it.
fn permits(words: &[Word], next: Option<&Word>) -> bool {
    let free = words.windows(2).any(|pair| {
        pair[0].any(&["is", "are", "you're"])
            && pair[1].any(&["allowed", "permitted", "free", "welcome", "fine"])
    });
    next.is_some_and(|next| next.any(&["only", "not"]) && !(free && next.is("not")))
        && (free || words.iter().any(|word| word.any(&["may", "can"])))
}

/// `otherwise,`: what follows goes on with it.
fn turns(words: &[Word]) -> bool {
    words.last().is_some_and(|word| word.mark(","))
        && words.iter().all(|word| word.kind == WordKind::Mark || word.any(&["otherwise", "else"]))
}

/// `No later than Friday, sign the log`: by when it is done.
pub(crate) fn is_due(words: &[Word]) -> bool {
    matches!(words, [no, later, than, ..] if no.is("no") && later.any(&["later", "earlier", "sooner"]) && than.is("than"))
}

/// Whether words are a bare condition: what follows belongs to it.
fn waits(words: &[Word]) -> bool {
    let opens = words
        .iter()
        .find(|word| word.kind != WordKind::Mark && !word.any(&["but", "and", "so", "then", "even"]))
        .is_some_and(|word| {
            word.any(&[
                "if", "when", "whenever", "once", "after", "before", "unless", "where", "while", "for", "in",
                "because", "since", "as", "although", "though",
            ])
        });
    let opens =
        opens || matches!(words, [so, long, as_, ..] if so.is("so") && long.is("long") && as_.is("as"));
    if words.len() > 1 && super::in_case::end_of_list(words) == words.len() - 1 {
        return true;
    }
    if words.last().is_some_and(|word| word.mark(",")) && (supposes(words) || concedes(words)) {
        return true;
    }
    let commas = words.iter().filter(|word| word.mark(",")).count();
    let conditional = words
        .iter()
        .find(|word| word.kind != WordKind::Mark)
        .is_some_and(|word| word.any(&["if", "when", "whenever", "unless"]))
        && commas == 1
        && !words.iter().any(|word| word.mark("→") || word.mark(":") || word.mark("—"));
    opens
        && commas <= 1
        && words.last().is_some_and(|word| word.mark(","))
        && (conditional || !matches!(mood_of(words).mood, Mood::Order(..)))
}

/// `Even then,`, `Despite the wind,`, `Apart from merges,`: what does not matter, or is left out.
fn concedes(words: &[Word]) -> bool {
    const LONGEST: usize = 10;
    let first = words.iter().find(|word| word.kind != WordKind::Mark);
    let apart = matches!(words, [apart, from, ..] if apart.any(&["apart", "aside"]) && from.is("from"));
    words.len() <= LONGEST
        && (apart
            || first.is_some_and(|first| {
                first.any(&["even", "despite", "regardless", "notwithstanding", "besides"])
            }))
}

/// `Never amend — unless you alone have it`: what a dash adds takes something out, and orders nothing itself.
fn excepts(words: &[Word], at: usize, end: usize) -> bool {
    let is = |at: usize, lowers: &[&str]| at < end && words[at].any(lowers);
    let opens = is(at, &["unless", "except", "excepting", "excluding", "barring"])
        || is(at, &["apart", "aside"]) && is(at + 1, &["from"])
        || is(at, &["other"]) && is(at + 1, &["than"])
        || is(at, &["save"]) && is(at + 1, &["for", "when", "if"])
        || is(at, &["with"]) && is(at + 1, &["the"]) && is(at + 2, &["exception"])
        || is(at, &["but"]) && is(at + 1, &["only", "not"]) && is(at + 2, CASES)
        || is(at, &["only", "even"]) && is(at + 1, CASES)
        || is(at, CASES);
    let rest = words[at..end].iter().position(|word| word.mark("—") || word.mark(";"));
    let rest = &words[at..rest.map_or(end, |stop| at + stop)];
    let found = mood_of(rest);
    let ordered = found.main > 0 && (words[at].any(CASES) || words[at].any(&["unless", "except"]));
    opens && !ordered && rest.iter().all(|word| !word.mark("→"))
}

/// `Tell the crew and — where there is one — the pilot`: a dash behind a conjunction opens an aside, and the next one ends it.
fn closes_aside(words: &[Word], dash: usize) -> bool {
    const LONGEST: usize = 16;
    let opening =
        (dash.saturating_sub(LONGEST)..dash).rev().find(|&at| words[at].mark("—") || words[at].mark("."));
    opening.is_some_and(|at| words[at].mark("—") && at > 0 && words[at - 1].any(&["and", "or"]))
}

/// `Never — under any circumstances — row there`: either dash of an aside right behind what denies.
fn denied_aside(words: &[Word], dash: usize) -> bool {
    const LONGEST: usize = 12;
    let denies = |at: usize| at > 0 && words[at].mark("—") && words[at - 1].any(&["never", "not"]);
    denies(dash)
        || (dash.saturating_sub(LONGEST)..dash)
            .rev()
            .find(|&at| words[at].mark("—") || words[at].mark("."))
            .is_some_and(denies)
}

const CASES: &[&str] =
    &["if", "when", "whenever", "while", "until", "after", "before", "in", "on", "for", "during"];

/// `…, so run it in a sandbox`: what a sentence that tells comes to.
fn concludes(rest: &[Word]) -> bool {
    let only = usize::from(rest.first().is_some_and(|word| word.any(&["only", "always", "just", "still"])));
    let acts = rest.get(only).is_some_and(|verb| verb.kind == WordKind::Plain && is_verb(&verb.lower));
    let ends =
        |next: &Word| next.kind != WordKind::Plain || next.among(DETERMINERS) || next.among(OBJECT_STARTS);
    let plainly = acts && !is_nounish(&rest[only].lower);
    // `so read positions from the picture`.
    let from = rest.get(only + 2).is_some_and(|next| next.any(&["from", "with", "before", "instead"]));
    let object = rest.get(only + 1).is_some_and(|next| plainly || ends(next) || from);
    acts && object && matches!(mood_of(rest).mood, Mood::Order(..))
}

/// Whether a new clause begins at `at`.
fn splits(words: &[Word], at: usize, end: usize) -> bool {
    const FARTHEST: usize = 14;
    let word = &words[at];
    let before = &words[at - 1];
    if word.depth > 0 || before.depth > 0 {
        return false;
    }
    if before.mark("—")
        && (excepts(words, at, end) || closes_aside(words, at - 1) || denied_aside(words, at - 1))
    {
        return false;
    }
    if before.mark("—") || before.mark(";") {
        return true;
    }
    let next = |lowers: &[&str]| at + 1 < end && words[at + 1].any(lowers);
    let comma = before.mark(",");
    let negator = word.any(&["never", "don't"]) || (word.is("do") && next(&["not"]));
    if comma && (negator || word.is("no") && at + 1 < end && words[at + 1].kind == WordKind::Plain) {
        return true;
    }
    // `You may sail, but you may not tow`, `You may sail, you may not tow`
    let other = at + usize::from(word.is("but"));
    let permits = || words[at.saturating_sub(FARTHEST)..at].iter().any(|word| word.any(&["may", "can"]));
    if (comma || word.is("but"))
        && permits()
        && words.get(other).is_some_and(|who| who.any(&["you", "they", "we"]))
        && other + 1 < end
        && denies_modally(words, other + 1)
    {
        return true;
    }
    if comma && word.is("so") && concludes(&words[at + 1..end]) {
        return true;
    }
    // `Check not just that it floats, but that it is dry`
    if comma && word.is("but") && adds_to(&words[at.saturating_sub(2 * FARTHEST)..at]) {
        return false;
    }
    if comma && (word.is("but") || (word.is("and") && next(&["nothing"]))) {
        return true;
    }
    if before.mark(":") && at + 2 < end && mood_of(&words[at..end]).main == 0 {
        return matches!(mood_of(&words[at..end]).mood, Mood::Order(..));
    }
    // `Use the quay and avoid the reef`, and not what something is for: `to save time and avoid waste`.
    let for_what = || {
        let near = &words[at.saturating_sub(FARTHEST)..at];
        near.windows(2).any(|pair| pair[0].is("to") && is_verb(&pair[1].lower))
            || near.iter().any(|word| {
                word.any(&[
                    "help", "helps", "will", "can", "should", "must", "may", "lets", "so", "which", "who",
                    "you", "we",
                ])
            })
    };
    let joined = word.any(&["and", "but"])
        && (next(&["never", "don't", "always"])
            || word.is("but")
                && next(&["may", "must", "can", "should"])
                && words.get(at + 2).is_some_and(|not| not.is("not"))
            || next(&["avoid"]) && at + 2 < end && !for_what()
            || (next(&["do"]) && at + 2 < end && !words[at + 2].any(&["it", "this", "that", "so"])));
    // `Do not use it, and if it is loose, tie it`.
    let in_case = || {
        let opens =
            words[at.saturating_sub(FARTHEST)..at].iter().any(|word| word.any(&["never", "don't", "not"]));
        let rest = mood_of(&words[at + 1..end]);
        opens && rest.main > 0 && matches!(rest.mood, Mood::Order(level, _) if !level.is_prohibition())
    };
    if comma && word.is("and") && next(&["if", "when", "whenever", "once"]) && in_case() {
        return true;
    }
    // `Avoid thinking of it and instead think of her`.
    let replaces = word.any(&["and", "but"])
        && next(&["instead", "rather"])
        && words.get(at + 2).is_some_and(|verb| verb.kind == WordKind::Plain && is_verb(&verb.lower));
    joined || replaces || (comma && word.any(&["instead", "just"]) && at + 1 < end)
}

/// `not just that it floats`: what a clause with `but` adds to.
fn adds_to(words: &[Word]) -> bool {
    words.windows(2).any(|pair| pair[0].is("not") && pair[1].any(&["just", "only", "merely", "simply"]))
}
