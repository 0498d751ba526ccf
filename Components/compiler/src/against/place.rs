//! Where something has to be, and lessons that put it elsewhere: `Secrets must stay in the vault`, `keep the secrets in .env`.

use std::collections::BTreeSet;

use super::advice::{Advice, says_it};
use super::said::{has_akin, is_generic, parted, stems, words_of};

/// Verbs that leave something somewhere, as stems.
const KEEPING: &[&str] = &[
    "keep", "stay", "remain", "liv", "stor", "sav", "put", "hold", "plac", "writ", "mov", "copy", "stash",
    "belong", "park", "leav", "resid", "kept", "held", "left",
];

/// Behind these stands where.
const WHERE: &[&str] =
    &["in", "into", "inside", "on", "onto", "to", "under", "at", "outside", "next to", "beside"];

/// Words of a state, and of what ends it.
const OPPOSITE: &[(&str, &str)] = &[
    ("clos", "open"),
    ("skip", "enabl"),
    ("private", "public"),
    ("privat", "public"),
    ("stop", "start"),
    ("lock", "unlock"),
    ("encrypt", "decrypt"),
    ("hidden", "print"),
    ("connect", "disconnect"),
    ("attach", "detach"),
    ("off", "on"),
];

/// Verbs of a state that lasts.
const LASTING: &[&str] = &["stay", "keep", "kept", "remain", "leav", "left", "hold", "held", "be"];

/// Where a demand says that something has to be; nothing when it does not.
pub(super) fn place_of(kept: &str) -> BTreeSet<String> {
    let (what, place) = parted(kept, WHERE);
    let keeps = stems(&what).iter().any(|word| is_keeping(word));
    let words = place.iter().filter(|_| keeps).flat_map(|place| stems(place));
    words.filter(|word| !is_generic(word)).collect()
}

fn is_keeping(word: &str) -> bool {
    KEEPING.contains(&word)
}

/// Whether a lesson puts what `deeds` names elsewhere than at `place`.
pub(super) fn is_displaced(deeds: &BTreeSet<String>, place: &BTreeSet<String>, advice: &Advice) -> bool {
    let is_counted = place.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if is_counted || place.is_empty() || place.iter().all(|word| has_akin(&advice.done.words, word)) {
        return false;
    }
    let subjects: Vec<&String> = deeds.iter().filter(|word| !is_keeping(word)).collect();
    let named = |words: &BTreeSet<String>| subjects.iter().any(|subject| has_akin(words, subject));
    advice.done.texts.iter().any(|text| {
        let (what, elsewhere) = parted(text, WHERE);
        let words = stems(&what);
        let opens = words.first().is_some_and(|word| is_keeping(word));
        let is_it = says_it(&what) && named(&advice.condition);
        opens && !elsewhere.is_empty() && (is_it || named(&words.into_iter().collect()))
    })
}

/// Whether a lesson ends the state in which `deeds` says that something stays: `Ports must stay closed`, `open the port`.
pub(super) fn is_ended(deeds: &BTreeSet<String>, advice: &Advice) -> bool {
    let lasts = |words: &BTreeSet<String>| words.iter().any(|word| LASTING.contains(&word.as_str()));
    if !lasts(deeds) {
        return false;
    }
    let opposites = OPPOSITE.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    let ends: Vec<(&str, &str)> = opposites.filter(|(state, _)| deeds.contains(*state)).collect();
    let subjects = |state: &str| -> Vec<&String> {
        deeds.iter().filter(|word| word.as_str() != state && !LASTING.contains(&word.as_str())).collect()
    };
    ends.iter().any(|(state, end)| {
        advice.done.clauses.iter().zip(&advice.done.texts).any(|(words, text)| {
            let does = words.first().is_some_and(|verb| verb == end)
                || words_of(text).any(|word| word == *end)
                    && words_of(text).next().is_some_and(|word| word == "turn");
            let named = subjects(state)
                .iter()
                .any(|word| words.contains(word) || says_it(text) && advice.condition.contains(*word));
            does && named
        })
    })
}
