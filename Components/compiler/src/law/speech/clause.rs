//! A sentence in clauses, joined again where they say the same kind of thing.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::imperative::{acts, unknown_verb, verbal};
use super::in_case::end_of_list;
use super::lexicon::{is_nounish, is_role, is_verb};
use super::mood::{ClauseMood, IMPERATIVE, Mood, mood_of};
use super::opposed::{asked_of, bars, confine, denied_in_brackets, halve, leaves_none, lift, route};
use super::reported::is_reported;
use super::seam::pieces;
use super::told::{told, told_in_case};
use super::turn::{second_half, shares_subject};
use super::withdrawn::withdrawn;
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
    if is_reported(&words[sentence.clone()]) || tells_series(&words[sentence.clone()]) {
        return vec![Clause { words: sentence, mood: Mood::Statement, condition: None }];
    }
    for part in pieces(words, sentence.clone()) {
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
        if !matches!(clause.mood, Mood::Order(..))
            && found.last().is_some_and(|last| fine(&words[last.words.clone()]).is_some())
            && ends_in_not(&words[clause.words.clone()])
        {
            clause.mood = Mood::Order(Level::MustNot, Force::Implied);
        }
        if let Some(last) = found.last_mut().filter(|last| left_to_user(words, last, &clause)) {
            last.mood = IMPERATIVE;
        }
        if found.last().is_some_and(|last| becomes(words, last, &clause)) {
            clause.mood = IMPERATIVE;
        }
        match found.last_mut() {
            Some(last)
                if joins(last, &clause, words) || awaited_too(last, &clause, &words[..sentence.end]) =>
            {
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

/// `Hooks bind each slip to its owner; reject the stale ones; and keep one log.`: all that they do, and no order.
fn tells_series(words: &[Word]) -> bool {
    let [who, does, ..] = words else { return false };
    let several = who.is("they")
        || who.lower.ends_with('s') && who.capital && !is_role(&who.lower) && !is_verb(&who.lower);
    let acts = does.kind == WordKind::Plain && is_verb(&does.lower) && !does.lower.ends_with('s');
    let parts = || words.iter().enumerate().filter(|(_, word)| word.depth == 0 && word.mark(";"));
    let last = parts().last().map(|(at, _)| at);
    let ends = last.is_some_and(|at| {
        words.get(at + 1).is_some_and(|and| and.is("and"))
            && words.get(at + 2).is_some_and(|verb| is_verb(&verb.lower))
    });
    several && acts && ends && parts().count() > 1
}

/// `fine` of `Asking once is fine; …`.
pub(crate) fn fine(words: &[Word]) -> Option<&Word> {
    const FINE: &[&str] = &["fine", "ok", "okay", "allowed", "acceptable", "welcome", "correct", "right"];
    words.windows(2).find(|pair| pair[0].any(&["is", "are"]) && pair[1].any(FINE)).map(|pair| &pair[1])
}

/// `…; asking twice is not.`
fn ends_in_not(words: &[Word]) -> bool {
    let said: Vec<&Word> = words.iter().filter(|word| word.kind != WordKind::Mark).collect();
    matches!(said[..], [_, .., is, not] if is.any(&["is", "are"]) && not.is("not"))
        || matches!(said[..], [_, .., isnt] if isnt.any(&["isn't", "aren't"]))
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

/// `…; the log is closed` of `Do not sail until the hold is dry; the log is closed; and no alarm rings`: a further thing that is waited for.
fn awaited_too(last: &Clause, clause: &Clause, words: &[Word]) -> bool {
    const FEWEST: usize = 2;
    let said = &words[last.words.clone()];
    // `…; even then, only the plan is`
    if matches!(&words[clause.words.clone()], [even, then, ..] if even.is("even") && then.is("then"))
        && matches!(last.mood, Mood::Order(..))
        && !matches!(clause.mood, Mood::Order(..))
    {
        return true;
    }
    let Some(until) = said.iter().position(|word| word.any(&["until", "unless"])) else { return false };
    let opens = clause.words.start;
    let counted = words[last.words.start + until..].iter().filter(|word| word.mark(";")).count() >= FEWEST;
    let first = words[clause.words.clone()].iter().find(|word| !word.is("and"));
    let stands = || words[clause.words.clone()].iter().any(|word| word.any(&["is", "are"]));
    let state = match clause.mood {
        Mood::Statement | Mood::Fragment => true,
        Mood::Order(_, Force::Implied) => {
            first.is_some_and(|first| first.is("no") || !is_verb(&first.lower) && stands())
        }
        Mood::Order(..) => first.is_some_and(|first| first.is("no")),
        Mood::Question => false,
    };
    until > 0
        && matches!(last.mood, Mood::Order(..))
        && opens > 0
        && words[opens - 1].mark(";")
        && counted
        && state
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
