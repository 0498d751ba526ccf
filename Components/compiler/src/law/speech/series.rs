//! Acts that show by their company: a series that goes on with an order, what is done together, and what is done by somebody.

use super::imperative::{acts, verbal};
use super::lexicon::{DETERMINERS, FINITE, OBJECT_STARTS, ROLES, is_nounish, is_verb, lists_of};
use super::mood::has_finite;
use super::word::{Word, WordKind};

/// `Plan routes, write logs, stow the gear`: a series of acts, the second of which is plainly one.
pub(crate) fn opens_series(clause: &[Word]) -> bool {
    let Some(comma) = clause.iter().take(5).position(|word| word.mark(",")) else { return false };
    let [act, next, ..] = &clause[comma + 1..] else { return false };
    let object = next.kind == WordKind::Code || next.among(DETERMINERS) || next.among(OBJECT_STARTS);
    is_verb(&act.lower) && !act.capital && (object || next.kind == WordKind::Plain && !is_nounish(&act.lower))
}

/// `Bale small crates together`, `bale crates, write the log`: what no list knows acts where `together` says how, or where a series of acts
/// goes on.
pub(crate) fn acts_in_company(verb: &Word, clause: &[Word]) -> bool {
    const NEAR: usize = 8;
    let named = |word: &&Word| matches!(word.kind, WordKind::Plain | WordKind::Code);
    let near = || clause.iter().skip(1).take(NEAR).take_while(named);
    // `Four ships sail together` tells.
    let beside =
        clause.windows(2).take(NEAR).skip(1).any(|pair| pair[1].is("together") && !is_verb(&pair[0].lower));
    let together = verb.capital && beside && near().any(|word| word.is("together"));
    let series = || near().count() <= 2 && opens_series(clause);
    // `bale and stow the crates`.
    let joined = matches!(clause, [_, and, act, the, ..]
        if and.is("and") && is_verb(&act.lower) && the.among(DETERMINERS));
    verbal(verb)
        && clause.get(1).is_some_and(|next| {
            next.kind == WordKind::Code || next.kind == WordKind::Plain && !next.among(FINITE) && !acts(next)
        })
        && (together && !has_finite(clause) || joined || series())
}

/// `Subagent-verify long logs`, `Tide-check every berth`: have somebody do it, or do it in such a way.
pub(crate) fn acts_by_role(lower: &str, next: Option<&Word>) -> bool {
    let object = || next.is_some_and(|next| next.among(DETERMINERS));
    lower.split_once('-').is_some_and(|(role, act)| {
        is_verb(act) && (lists_of(role).meet(ROLES) && !is_nounish(act) || object())
    })
}
