//! Whether a clause that opens with a verb only names a thing: `Guide to reviews`, `Scale and rhythm`.

use super::lexicon::{DETERMINERS, OBJECT_STARTS, is_verb};
use super::word::{Word, WordKind};

/// `Guide to find reviews`, `Scale and rhythm`, `Form, space, color`, `File A tests`: the name of a thing, though its first word may be a
/// verb.
pub(crate) fn names_thing(verb: &Word, clause: &[Word]) -> bool {
    const TITLES: &[&str] = &[
        "guide",
        "reference",
        "approach",
        "answer",
        "process",
        "template",
        "sample",
        "list",
        "set",
        "key",
        "design",
        "summary",
    ];
    let is = |at: usize, lowers: &[&str]| clause.get(at).is_some_and(|word| word.any(lowers));
    let verbal =
        |word: &Word| is_verb(&word.lower) || word.kind == WordKind::Code || word.lower.ends_with("ly");
    let based = verb.is("base") && is(1, &["class", "classes", "case", "image", "branch", "url", "path"]);
    let of = is(1, &["of"]) && !verb.any(&["think", "talk"]);
    let titled = verb.any(TITLES) && is(1, &["to"]) && clause.get(2).is_some_and(|word| is_verb(&word.lower));
    let lettered = clause.get(1).is_some_and(|word| word.is("a") && word.capital) && !verb.shouted;
    let acting = clause.get(1).is_some_and(|word| word.lower.len() > 5 && word.lower.ends_with("ing"))
        && is(2, &["from", "into", "through", "toward", "towards", "out", "of"])
        && !verb.any(&["start", "stop", "try", "practice", "finish", "resume", "support", "delay", "avoid"]);
    based || of || titled || lettered || acting || names_pair(clause, verbal) || names_series(clause, verbal)
}

/// `Write access is limited`, `Run times vary`, `Exempt from review`: a verb that belongs to a name, or is none.
pub(crate) fn names_in_front(verb: &Word, clause: &[Word]) -> bool {
    const NAMING: &[&str] = &[
        "write", "read", "run", "edit", "push", "pull", "delete", "commit", "deploy", "load", "start",
        "merge", "save", "fetch", "view",
    ];
    let [_, next, third, ..] = clause else { return false };
    let named = next.kind == WordKind::Plain && !next.among(DETERMINERS) && !next.among(OBJECT_STARTS);
    verb.any(NAMING)
        && named
        && third.any(&["is", "are", "was", "were", "has", "vary", "varies", "must", "should", "may"])
        || verb.is("exempt") && next.is("from")
}

/// `Scale and rhythm`, `Clean and contemporary grayscale`.
fn names_pair(clause: &[Word], verbal: impl Fn(&Word) -> bool) -> bool {
    let plain = clause.iter().take_while(|word| word.kind == WordKind::Plain).count();
    let Some(other) = clause.get(2) else { return false };
    clause[1].any(&["and", "or"])
        && plain == clause.len()
        && (3..=6).contains(&plain)
        && !verbal(other)
        && !clause[2..].iter().any(|word| word.among(DETERMINERS) || word.among(OBJECT_STARTS))
}

/// `Form, space, color, composition`.
fn names_series(clause: &[Word], verbal: impl Fn(&Word) -> bool) -> bool {
    let mut items = clause.split(|word| word.mark(",")).map(|item| match item {
        [and, rest @ ..] if and.any(&["and", "or"]) => rest,
        item => item,
    });
    let lone = |item: &[Word]| matches!(item, [word] if word.kind == WordKind::Plain);
    let series: Vec<&[Word]> = items.by_ref().collect();
    series.len() > 2
        && series.iter().all(|item| lone(item))
        && !series.iter().all(|item| item.iter().all(&verbal))
}
