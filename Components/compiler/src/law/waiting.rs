//! A sentence that only says when what the next one orders is done: `Did it break? Mend it.`, `If this is so, that is ready. Do X.`

use std::ops::Range;

use mentci_authority::Force;

use super::chain::is_open;
use super::speech::clause::clauses;
use super::speech::condition::confines;
use super::speech::mood::{IMPERATIVE, Mood, asks, mood_of};
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind};
use super::wording::lacks;

/// `If this is so, that is ready. Do X`, `Did it work? Do X`: the condition in a sentence that only tells or asks, when the
/// one after it orders. Several questions may stand in front of it.
pub(crate) fn waits_for(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    rest: &[Range<usize>],
) -> Option<Range<usize>> {
    let words = &prose.words[sentence.clone()];
    let asked = asks(words);
    let first = words.iter().find(|word| word.kind != WordKind::Mark)?;
    if let Some(case) = done_in_case(words) {
        let next = clauses(&prose.words, rest.first()?.clone());
        let acts = next.iter().any(|clause| matches!(clause.mood, Mood::Order(..)));
        return acts.then(|| sentence.start..sentence.start + case);
    }
    if let Some(lacking) = lacks_before(words) {
        let acts = prose.words[rest.first()?.start]
            .any(&["use", "choose", "pick", "switch", "fall", "run", "execute", "perform", "do"]);
        let (end, asks) =
            (sentence.start + lacking, mood_of(&prose.words[rest[0].clone()]).mood == IMPERATIVE);
        return (acts && asks).then_some(sentence.start..end);
    }
    if let Some(name) = named_before(words) {
        let next = &prose.words[rest.first()?.clone()];
        let takes_up =
            mood_of(next).mood == IMPERATIVE && next.get(1).is_some_and(|word| word.any(&["it", "them"]));
        return takes_up.then(|| sentence.start..sentence.start + name);
    }
    let confined = confines(words);
    let tells = first.any(&["if", "when", "once"]) || confined;
    // `Need ropes, knots, chains, wires, or lamps? → Use the crane`.
    let drawn = prose.words.get(sentence.end).is_some_and(|next| next.mark("→"));
    if !(asked && decides(words, first, drawn) || !asked && tells) {
        return None;
    }
    let mut rest = rest.iter().filter(|next| !(asked && asks(&prose.words[(*next).clone()])));
    let next = rest.next()?;
    // `Changed a schema? The bindings are stale. Regenerate them.`
    let next = if asked && only_tells(&prose.words[next.clone()]) { rest.next()? } else { next };
    let following = mood_of(&prose.words[next.clone()]);
    if !matches!(following.mood, Mood::Order(..)) {
        return None;
    }
    if asked {
        return Some(sentence.clone());
    }
    if following.main > 0 || !confined && matches!(mood_of(words).mood, Mood::Order(..)) {
        return None;
    }
    if confined {
        return Some(sentence.clone());
    }
    // `If a tug leaves, its berth is free. Never moor alone.`: what binds by itself binds always, unless it points back.
    let outright = matches!(following.mood, Mood::Order(_, Force::Explicit));
    let points = |word: &Word| {
        word.any(&[
            "it", "them", "they", "this", "that", "these", "those", "then", "there", "instead", "again",
        ])
    };
    if outright && !prose.words[next.clone()].iter().any(points) {
        return None;
    }
    // `If the log is torn, wet, or lost.`: what follows the comma is no clause.
    let comma = words.iter().position(|word| word.mark(","));
    let comma = comma.filter(|&at| !goes_on_listing(&words[at + 1..]));
    // `If there is no chart, the old gates run unchanged.`: then nothing is to be done.
    let unmoved =
        words[comma.unwrap_or(0)..].iter().any(|word| word.any(&["unchanged", "unaffected", "anyway"]));
    if comma.is_some() && unmoved {
        return None;
    }
    // `If it is a rope the mate ties it and never asks — that saves a trip.` says itself what is done then.
    if comma.is_none() && words.iter().any(|word| word.mark("—")) {
        return None;
    }
    let end = comma.map_or(sentence.end, |at| sentence.start + at);
    Some(sentence.start..end)
}

/// `Long tows are not supported.` in front of `Use a barge.`: where it ends, without its stop.
fn lacks_before(words: &[Word]) -> Option<usize> {
    const LONGEST: usize = 16;
    let told = words.len() <= LONGEST && mood_of(words).mood == Mood::Statement && lacks(words);
    (told && words.last()?.mark(".")).then(|| words.len() - 1)
}

/// `` `crane` is no winch. `` in front of `Use it for crates.`: where the name ends that `it` stands for; a short denial says more, and stays
/// whole.
fn named_before(words: &[Word]) -> Option<usize> {
    const LONGEST: usize = 20;
    const SHORT: usize = 12;
    let [name, tells, ..] = words else { return None };
    let told = name.kind == WordKind::Code
        && tells.any(&["is", "isn't", "are", "does", "doesn't", "has", "gives", "returns", "holds", "keeps"])
        && words.len() <= LONGEST
        && words.last()?.mark(".")
        && mood_of(words).mood == Mood::Statement;
    let denies = tells.any(&["isn't", "doesn't"]) || words.get(2).is_some_and(|not| not.any(&["not", "no"]));
    told.then_some(if denies && words.len() <= SHORT { words.len() - 1 } else { 1 })
}

/// `If the owner takes the berth: done.`: where its case ends.
fn done_in_case(words: &[Word]) -> Option<usize> {
    let colon = words.iter().position(|word| word.mark(":"))?;
    let opens = words.iter().find(|word| word.kind != WordKind::Mark)?.any(&["if", "when", "once"]);
    let mut told = words[colon + 1..].iter().filter(|word| word.kind != WordKind::Mark);
    let done = told.next()?.any(&["done", "finished", "good", "fine", "ok", "okay", "ready"]);
    (opens && done && told.next().is_none()).then_some(colon)
}

/// `wet, or lost`: more of a series of single words.
fn goes_on_listing(rest: &[Word]) -> bool {
    let single = |piece: &[Word]| {
        let plain = piece.iter().filter(|word| word.kind == WordKind::Plain && !word.any(&["or", "and"]));
        plain.count() == 1
    };
    rest.iter().any(|word| word.any(&["or", "and"])) && rest.split(|word| word.mark(",")).all(single)
}

/// `You can`, `You should not have`: it answers; `You skipped a step` tells.
const OWNED: &[&str] = &[
    "can",
    "cannot",
    "can't",
    "do",
    "did",
    "don't",
    "didn't",
    "may",
    "might",
    "must",
    "should",
    "shouldn't",
    "will",
    "won't",
    "would",
    "could",
    "have",
    "haven't",
    "need",
    "are",
    "were",
    "aren't",
    "never",
    "always",
];

/// A sentence that orders nothing, and is no answer to a question.
fn only_tells(words: &[Word]) -> bool {
    let mut plain = words.iter().filter(|word| word.kind != WordKind::Mark);
    let answers = plain.next().is_none_or(|first| {
        first.any(&["yes", "no", "never", "nope", "none", "sure", "always", "not", "it", "they", "because"])
            || first.is("you") && plain.next().is_none_or(|verb| verb.any(OWNED))
    });
    // `You skipped it.`
    let told = words.iter().any(|word| word.kind != WordKind::Mark && word.is("you"));
    let mood = mood_of(words).mood;
    !answers && (mood == Mood::Statement || told && mood == Mood::Fragment)
}

/// `Did it break?`, `Edited by hand?`, `Tests red?`: a short question that is answered by what happened. `Ask: is it ready?` is an
/// order to ask, `Can you name it?` a thing to check, and `Why do we test?` has no yes and no.
fn decides(words: &[Word], first: &Word, drawn: bool) -> bool {
    const ASKING: &[&str] = &[
        "ask",
        "check",
        "verify",
        "confirm",
        "consider",
        "determine",
        "decide",
        "think",
        "test",
        "can",
        "could",
        "should",
        "may",
        "might",
        "shall",
    ];
    // `Test passes?` tells of a test.
    let told = first.any(&["test", "check"])
        && words
            .iter()
            .filter(|word| word.kind != WordKind::Mark)
            .nth(1)
            .is_some_and(|verb| verb.lower.ends_with('s'));
    words.len() <= if drawn { 32 } else { 13 }
        && !words.iter().any(|word| word.mark(":"))
        && (told || !first.any(ASKING))
        && (!is_open(words) || words.len() <= 4)
}
