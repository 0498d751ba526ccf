//! Where a sentence turns from what it forbids to what it orders: `Don't only list it — name the cause`, `Avoid jargon: Write for a
//! newcomer`.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::imperative::imperative;
use super::leniency::LEAVING;
use super::lexicon::{DETERMINERS, FINITE, is_nounish, is_verb};
use super::mood::{Mood, mood_of, skip_connectives};
use super::word::{Word, WordKind};

/// `Avoid jargon: Write for a newcomer`, `Do not retry blindly: reload first`: what stands behind the colon is the remedy. What only goes
/// on with the prohibition (`Never cut corners: skip tests`) is none.
pub(crate) fn remedies(label: &[Word], body: &[Word]) -> bool {
    let judged = mood_of(body);
    let Mood::Order(level, force) = judged.mood else { return false };
    if level.is_prohibition() || level == Level::May || points_on(label) {
        return false;
    }
    let plain = || body.iter().filter(|word| word.kind != WordKind::Mark);
    let Some(first) = plain().next() else { return false };
    let instead =
        plain().any(|word| word.is("instead")) || plain().next_back().is_some_and(|last| last.is("first"));
    let titled = first.capital && !first.any(LEAVING) && !does_wrong(body) && orders(body);
    // `Do not rely on one cast: widen the search first, then narrow it`
    let in_turn = named(label) > 1
        && body.windows(2).any(|pair| pair[0].mark(",") && pair[1].is("then"))
        && !first.any(LEAVING);
    // `Hands never do this, even when asked: if the mode is quick, skip this chapter`
    let cased = first.any(&["if", "when"])
        && named(label) > 1
        && judged.main > 0
        && is_verb(&body[judged.main].lower)
        && !body[judged.main].any(LEAVING);
    force == Force::Explicit && !first.any(LEAVING) || (instead || titled || in_turn) && orders(body) || cased
}

/// `Never do any of these:`, `Never:`, `Do not use:`: what comes is what is forbidden.
fn points_on(label: &[Word]) -> bool {
    let avoids = plain_of(label).next().is_some_and(|first| first.is("avoid"));
    named(label) < usize::from(!avoids) + 1 || points(label)
}

/// `Archive, don't delete: Keep what is done`: behind an order and what is set against it, how it is done. `…, never: skip it` forbids.
pub(crate) fn says_how(label: &[Word], body: &[Word]) -> bool {
    named(label) > 0 && !points(label) && orders(body)
}

fn plain_of(label: &[Word]) -> impl Iterator<Item = &Word> {
    label.iter().filter(|word| word.kind != WordKind::Mark)
}

/// How many words there are beside those that deny.
fn named(label: &[Word]) -> usize {
    let negators = ["never", "do", "not", "don't", "avoid", "no", "must", "should", "you", "please"];
    plain_of(label).filter(|word| !word.any(&negators)).count()
}

fn points(label: &[Word]) -> bool {
    const POINTING: &[&str] =
        &["these", "this", "following", "those", "any", "things", "ways", "like", "e.g"];
    plain_of(label).any(|word| word.any(POINTING))
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

/// `Don't just state the rule — forbid the ways around it`: the other half is to be done, though its verb forbids. What shares its subject
/// with a demand (`… and cannot start with a dot`) forbids.
pub(crate) fn second_half(
    words: &[Word],
    before: Option<&Range<usize>>,
    part: &Range<usize>,
) -> Option<Mood> {
    const FORBIDDING: &[&str] =
        &["forbid", "prohibit", "ban", "disallow", "prevent", "block", "refuse", "reject"];
    let before = before.filter(|before| before.end == part.start)?;
    // `The name must be short and cannot start with a dot`.
    let negator = part.start + usize::from(words[part.start].any(&["and", "but"]));
    if negator > part.start
        && negator < part.end
        && denies_modally(words, negator)
        && (demands(&words[before.clone()]) || allows(&words[before.clone()]))
    {
        let advises = words[negator].any(&["should", "shouldn't"]);
        let level = if advises { Level::ShouldNot } else { Level::MustNot };
        return Some(Mood::Order(level, Force::Explicit));
    }
    if shares_subject(words, before, part) {
        return Some(Mood::Statement);
    }
    let said = &words[part.clone()];
    let first = said.iter().find(|word| word.kind != WordKind::Mark && !word.any(&["also", "but", "and"]))?;
    // `Don't only lint; also run:`.
    let begins = || {
        said.last().is_some_and(|last| last.mark(":"))
            && is_verb(&first.lower)
            && mood_of(said).mood == Mood::Fragment
    };
    let acts = is_half(&words[before.clone()]) && (first.any(FORBIDDING) || begins());
    let keeps = || {
        words[part.start - 1].mark("—") && mood_of(&words[before.clone()]).mood.forbids() && keeps_to(said)
    };
    (acts || keeps()).then_some(Mood::Order(Level::Must, Force::Implied))
}

/// `Never use the old lamp — always the new one`, `Do not write a date — the clock's only`: what is done in its place. `No pushes — only from
/// the quay` says where the ban ends.
fn keeps_to(said: &[Word]) -> bool {
    const LONGEST: usize = 8;
    const BOUNDING: &[&str] = &[
        "if", "when", "from", "in", "on", "at", "by", "with", "after", "before", "for", "to", "through",
        "via", "where", "while", "during", "once", "until", "because", "then", "as",
    ];
    let plain: Vec<&Word> =
        said.iter().filter(|word| word.kind != WordKind::Mark && word.depth == 0).collect();
    let ([first, next, ..], Some(last)) = (&plain[..], plain.last()) else { return false };
    plain.len() <= LONGEST
        && mood_of(said).mood == Mood::Fragment
        && (first.any(&["always", "only"]) && !next.any(BOUNDING) || last.is("only") && !first.any(BOUNDING))
}

/// `Keep it in a folder, do not share it, and choose a new name`: behind an aside that forbids, the series goes on ordering.
pub(crate) fn series_goes_on(
    words: &[Word],
    parts: &[Range<usize>],
    start: usize,
    at: usize,
    end: usize,
) -> bool {
    if turns_to_act(words, start, at, end) {
        return true;
    }
    let joins = words[at].any(&["and", "then"]) && words[at - 1].mark(",") && at + 1 < end;
    let listed = !joins && start > 0 && is_listed_act(words, at, end);
    if !(joins || listed) || start == 0 {
        return false;
    }
    let aside = words[start - 1].mark(",") && words[start].any(&["do", "don't", "never"]);
    let avoids = words[start].is("avoid") || words[start].is("and") && words[start + 1].is("avoid");
    if !aside && !avoids {
        return false;
    }
    let ordered = |part: &Range<usize>| matches!(mood_of(&words[part.clone()]).mood, Mood::Order(level, _) if !level.is_prohibition());
    // `or` closes what is forbidden: `never rope, lead, or lamps, and sign the log`.
    let is_closed = words[start..at].iter().any(|word| word.is("or"));
    let is_alone = !words[start..at - 1].iter().any(|word| word.mark(","));
    (is_closed || is_alone)
        && parts.last().is_some_and(|before| before.end == start && ordered(before))
        && goes_on_acting(&words[at + usize::from(joins)..end])
}

/// `Don't hold back, show what you can`, `Never trust, always verify`: behind a short refusal an order of its own.
fn turns_to_act(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    const LONGEST: usize = 5;
    let refused =
        words[start].any(&["don't", "never"]) || words[start].is("do") && words[start + 1].is("not");
    let near = at - start <= LONGEST + 1
        && words[at - 1].mark(",")
        && !words[start..at - 1].iter().any(|word| word.mark(","));
    if !(refused && near) || at + 1 >= end {
        return false;
    }
    let (word, next) = (&words[at], &words[at + 1]);
    let acts = is_verb(&word.lower)
        && (next.any(&["what", "how", "it", "them"]) || next.among(DETERMINERS) && !is_nounish(&word.lower));
    let always = word.is("always") && is_verb(&next.lower);
    (acts || always)
        && !words[at..end].iter().any(|word| word.depth == 0 && (word.is("or") || word.mark(",")))
}

/// `sign each commit`, `log failures`: an act, be its word a noun elsewhere, where what it acts on stands behind it.
fn goes_on_acting(words: &[Word]) -> bool {
    let [act, object, ..] = words else { return false };
    imperative(words) || is_verb(&act.lower) && object.kind == WordKind::Plain && !object.any(&["and", "or"])
}

/// `take the helm` in `Reef, never leave the deck, take the helm, and watch the mate`: one of several acts that `and` joins, for `or` would
/// join what is forbidden.
fn is_listed_act(words: &[Word], at: usize, end: usize) -> bool {
    let word = &words[at];
    let acts = words[at - 1].mark(",") && word.depth == 0 && is_verb(&word.lower) && !is_nounish(&word.lower);
    let rest = &words[at + 1..end];
    let object = rest.first().is_some_and(|next| next.kind == WordKind::Plain && !next.any(&["and", "or"]));
    let joined = rest.windows(2).any(|pair| pair[0].mark(",") && pair[1].is("and"));
    acts && object && joined && !rest.iter().any(|word| word.depth == 0 && word.is("or"))
}

/// `Keep the margins wide and avoid extra boxes`, `The name must be short and cannot start with a dot`: whether what is forbidden beside
/// the order begins at `at`. `Cache it to save time and avoid errors` only tells what the order is for.
pub(crate) fn turns_to_refusal(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    let joined = words[at].any(&["and", "but"]);
    if joined && words[at].depth == 0 && is_modal(&words[start..at]) && refuses_to_another(words, at, end) {
        return demands(&words[start..at]);
    }
    let negator = at + usize::from(joined);
    if at <= start || negator + 1 >= end || !(joined || words[at - 1].mark(",")) || words[at].depth > 0 {
        return false;
    }
    let avoids = words[negator].any(&["avoid", "refrain"]);
    (avoids || joined && denies_modally(words, negator))
        && demands(&words[start..at])
        && if avoids { !purposes(&words[start..at]) } else { is_modal(&words[start..at]) }
}

/// `The mast must not bend, and the sail must be dry`: whether what is demanded beside what is forbidden begins at `at`.
pub(crate) fn turns_to_demand(words: &[Word], start: usize, at: usize, end: usize) -> bool {
    const LONGEST: usize = 9;
    let joined = words[at].any(&["and", "but"]) && words[at].depth == 0;
    // `Lamps need not be new but must be dry`
    let leaves = |pair: &[Word]| pair[0].any(&["need", "are", "is"]) && pair[1].any(&["not", "optional"]);
    let optional = || {
        words[at].is("but")
            && words[start..at].windows(2).any(leaves)
            && words.get(at + 1).is_some_and(|next| next.is("must"))
            && matches!(mood_of(&words[start..at]).mood, Mood::Order(Level::May, _))
    };
    if !joined || !(start..at).any(|before| denies_modally(words, before)) && !optional() {
        return false;
    }
    // `… must not bend and must be dry`
    if words.get(at + 1).is_some_and(|next| next.any(&["must", "should"])) && at + 2 < end {
        return !words[at + 2].any(&["not", "never"]);
    }
    if !words[at - 1].mark(",") {
        return false;
    }
    let telling = |at: usize| words[at].kind == WordKind::Mark && words[at].depth == 0;
    let stop = (at + 2..end.min(at + 2 + LONGEST))
        .find(|&at| telling(at) || words[at].among(FINITE) && words[at].depth == 0);
    stop.is_some_and(|modal| {
        words[modal].any(&["must", "should", "shall"])
            && !words.get(modal + 1).is_some_and(|next| next.any(&["not", "never"]))
    })
}

/// `…, and the mast itself must not bend`: another subject, of which something is forbidden.
fn refuses_to_another(words: &[Word], at: usize, end: usize) -> bool {
    const LONGEST: usize = 5;
    let telling = |modal: &usize| words[*modal].kind == WordKind::Mark || words[*modal].among(FINITE);
    let stop =
        (at + 2..end.min(at + 2 + LONGEST)).find(|modal| telling(modal) || denies_modally(words, *modal));
    words[at - 1].mark(",") && stop.is_some_and(|modal| denies_modally(words, modal))
}

/// `Remote profiles draw a frame but do not keep it`: it tells of the profiles, and forbids nothing.
pub(crate) fn shares_subject(words: &[Word], before: &Range<usize>, part: &Range<usize>) -> bool {
    const LONGEST: usize = 8;
    let said = &words[before.clone()];
    let denied = words[part.start].any(&["but", "and"]) && !words[part.start - 1].mark(",");
    let does = denied && words[part.clone()].get(1).is_some_and(|word| word.any(&["do", "don't"]));
    let told = said.iter().take(LONGEST).collect::<Vec<_>>().windows(2).any(|pair| {
        let many = pair[0].kind == WordKind::Plain && pair[0].lower.ends_with('s') && pair[0].depth == 0;
        many && pair[1].kind == WordKind::Plain && is_verb(&pair[1].lower) && !is_nounish(&pair[1].lower)
    });
    does && told && matches!(mood_of(said).mood, Mood::Statement | Mood::Fragment)
}

/// `cannot`, `must not`, `should never`.
pub(crate) fn denies_modally(words: &[Word], at: usize) -> bool {
    let denied = words.get(at + 1).is_some_and(|next| next.any(&["not", "never"]));
    words[at].any(&["cannot", "can't", "mustn't", "shouldn't"])
        || words[at].any(&["must", "should", "may", "shall", "can"]) && denied
}

fn demands(words: &[Word]) -> bool {
    matches!(mood_of(words).mood, Mood::Order(level, _) if !level.is_prohibition() && level != Level::May)
}

/// `You can push to dev`, `Reading is allowed`.
fn allows(words: &[Word]) -> bool {
    matches!(mood_of(words).mood, Mood::Order(Level::May, _))
}

/// Whether the words tell a purpose, an effect or a clause of its own, which what follows may go on with.
fn purposes(words: &[Word]) -> bool {
    const TELLING: &[&str] = &[
        "to", "so", "that", "which", "who", "help", "helps", "can", "will", "how", "ways", "if", "when",
        "because",
    ];
    words.iter().skip(1).any(|word| word.depth == 0 && word.any(TELLING))
}

/// `The name must be short`: it is the subject that must, and no order takes it in (`Check that it must …`).
fn is_modal(words: &[Word]) -> bool {
    const LONGEST: usize = 8;
    let modal = words.iter().position(|word| word.any(&["must", "should", "shall"]));
    modal.is_some_and(|at| (1..=LONGEST).contains(&at) && !orders(&words[..at]))
}
