//! Where a sentence turns from what it forbids to what it orders: `Don't only list it — name the cause`, `Avoid jargon: Write for a
//! newcomer`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::forbidden::LEAVING;
use super::mood::{Mood, mood_of, skip_connectives};
use super::order::imperative;
use super::word::{Word, WordKind};

/// `Avoid jargon: Write for a newcomer`, `Do not retry blindly: reload first`: what stands behind the colon is the remedy. What only goes
/// on with the prohibition (`Never cut corners: skip tests`) is none.
pub(crate) fn remedies(label: &[Word], body: &[Word]) -> bool {
    let Mood::Order(level, force) = mood_of(body).mood else { return false };
    if level.is_prohibition() || level == Level::May || points_on(label) {
        return false;
    }
    let plain = || body.iter().filter(|word| word.kind != WordKind::Mark);
    let Some(first) = plain().next() else { return false };
    let instead =
        plain().any(|word| word.is("instead")) || plain().next_back().is_some_and(|last| last.is("first"));
    let titled = first.capital && !first.any(LEAVING) && !does_wrong(body) && orders(body);
    force == Force::Explicit && !first.any(LEAVING) || (instead || titled) && orders(body)
}

/// `Never do any of these:`, `Never:`, `Do not use:`: what comes is what is forbidden.
fn points_on(label: &[Word]) -> bool {
    const POINTING: &[&str] =
        &["these", "this", "following", "those", "any", "things", "ways", "like", "e.g"];
    let plain: Vec<&Word> = label.iter().filter(|word| word.kind != WordKind::Mark).collect();
    let negators = ["never", "do", "not", "don't", "avoid", "no", "must", "should", "you", "please"];
    let named = plain.iter().filter(|word| !word.any(&negators)).count();
    named < usize::from(!plain.first().is_some_and(|first| first.is("avoid"))) + 1
        || plain.iter().any(|word| word.any(POINTING))
}

/// `Writing tests last, …`: no order, but an act that has a name.
fn does_wrong(body: &[Word]) -> bool {
    body.iter().take(2).any(|word| word.lower.len() > 5 && word.lower.ends_with("ing"))
}

fn orders(words: &[Word]) -> bool {
    let skipped = skip_connectives(words);
    imperative(&words[skipped..]) || mood_of(words).main > 0
}

/// `Don't only list it`, `Do not just complain`: half of what is to be done, and what follows is the other half.
pub(crate) fn is_half(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    let Some(first) = plain.next() else { return false };
    let denied =
        first.any(&["don't", "never"]) || first.is("do") && plain.next().is_some_and(|word| word.is("not"));
    denied && plain.next().is_some_and(|word| word.any(&["just", "only", "merely", "simply"]))
}

/// `Don't just complain, suggest fixes`: whether the other half of what is to be done begins at `at`.
pub(crate) fn other_half(words: &[Word], before: &Range<usize>, at: usize, end: usize) -> bool {
    words[at - 1].depth == 0
        && words[at - 1].mark(",")
        && is_half(&words[before.clone()])
        && orders(&words[at..end])
}

/// `Don't just state the rule — forbid the ways around it`: the other half is to be done, though its verb forbids.
pub(crate) fn second_half(
    words: &[Word],
    before: Option<&Range<usize>>,
    part: &Range<usize>,
) -> Option<Mood> {
    const FORBIDDING: &[&str] =
        &["forbid", "prohibit", "ban", "disallow", "prevent", "block", "refuse", "reject"];
    let before = before.filter(|before| before.end == part.start)?;
    let acts = words[part.clone()].iter().find(|word| word.kind != WordKind::Mark)?.any(FORBIDDING);
    (acts && is_half(&words[before.clone()])).then_some(Mood::Order(Level::Must, Force::Implied))
}

/// `Keep it in a folder, do not share it, and choose a new name`: behind an aside that forbids, the series goes on ordering.
pub(crate) fn series_goes_on(
    words: &[Word],
    parts: &[Range<usize>],
    start: usize,
    at: usize,
    end: usize,
) -> bool {
    let joins = words[at].any(&["and", "then"]) && words[at - 1].mark(",") && at + 1 < end;
    if !joins || start == 0 || !words[start - 1].mark(",") || !words[start].any(&["do", "don't", "never"]) {
        return false;
    }
    let ordered = |part: &Range<usize>| matches!(mood_of(&words[part.clone()]).mood, Mood::Order(level, _) if !level.is_prohibition());
    parts.last().is_some_and(|before| before.end == start && ordered(before))
        && !words[start..at - 1].iter().any(|word| word.mark(","))
        && imperative(&words[at + 1..end])
}
