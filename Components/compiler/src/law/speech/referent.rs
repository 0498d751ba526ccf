//! What a line speaks of that only points: `Never log it`, `Extend it, don't replace it`.

use std::ops::Range;

use mentci_authority::Level;

use super::befalling::befalls;
use super::clause::Clause;
use super::imperative::imperative;
use super::label::{Label, label};
use super::lexicon::{DETERMINERS, is_verb};
use super::mood::{Mood, asks, finite_at, mood_of, skip_connectives};
use super::prose::Prose;
use super::sentence::{first_sentence, sentences_back};
use super::thing::{names_thing, points};
use super::word::{Word, WordKind};

/// A sentence of more words than this is not said again.
const LONGEST: usize = 14;

/// `Never log it`, `In production, never log it`; `If a key leaks, never use it` says itself what is meant.
pub(crate) fn points_back(prose: &Prose<'_>, clause: &Clause) -> bool {
    const BRIEF: usize = 4;
    let Some(condition) = &clause.condition else {
        let words = &prose.words[clause.words.clone()];
        return only_points(words);
    };
    condition.len() <= BRIEF
        && prose.words[condition.start].any(&["in", "on", "during", "at", "under", "outside"])
        && points(&prose.words[condition.end..clause.words.end])
}

/// What an outright rule that only points speaks of; a prohibition says so of other prohibitions alone.
pub(crate) fn meant(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Clause) -> Option<Range<usize>> {
    if bans_what_was_told(&prose.words[clause.words.clone()]) && clause.words.len() == sentence.len() {
        let told = sentences_back(&prose.words[..sentence.start]).next()?;
        return told_alone(&prose.words[told.clone()]).then_some(told);
    }
    if !points_back(prose, clause) {
        return None;
    }
    let meant = antecedent(prose, sentence)
        .filter(|meant| clause.mood.forbids() || !mood_of(&prose.words[meant.clone()]).mood.forbids())?;
    let points = || points(&prose.words[clause.words.clone()]) || clause.condition.is_some();
    match label(prose, meant.clone()) {
        // `Show the gallery: Open it.` names it in its label.
        (Label::Topic, body) => Some(meant.start..body.start),
        _ if used_in_case(&prose.words[meant.clone()]) => Some(meant.start + 1..meant.start + 2),
        _ if points() && meant.len() <= LONGEST => Some(meant),
        _ => thing_of(&prose.words, &meant),
    }
}

/// ``Use `tow` when she lies aground``: what is said of it behind that is said of the tow, not of the case.
fn used_in_case(words: &[Word]) -> bool {
    matches!(words, [act, named, when, ..] if act.is("use")
        && named.kind == WordKind::Code
        && when.any(&["when", "whenever", "if", "only", "for", "to", "where"]))
}

/// `Never do this.`, `Don't.`, `That is forbidden.`: a ban of what the sentence before tells.
fn bans_what_was_told(words: &[Word]) -> bool {
    let plain: Vec<&str> =
        words.iter().filter(|word| word.kind != WordKind::Mark).map(|word| word.lower.as_str()).collect();
    let rest = match plain[..] {
        ["never" | "don't", ref rest @ ..] | ["do", "not", ref rest @ ..] => rest,
        // `You may be tempted to skip it. Resist.`
        ["resist", ref rest @ ..] => {
            return matches!(
                rest,
                [] | ["it" | "that" | "this"] | ["the" | "that", "urge" | "temptation" | "impulse"]
            );
        }
        ["this" | "that", "is", ref rest @ ..] => {
            return matches!(
                rest,
                ["forbidden" | "prohibited" | "banned"] | ["not", "allowed" | "permitted" | "acceptable"]
            );
        }
        _ => return false,
    };
    matches!(rest, [] | ["do", "this" | "that" | "so"])
}

/// Whether a sentence tells, and orders nothing that a ban behind it could be of.
fn told_alone(words: &[Word]) -> bool {
    const LONGEST: usize = 24;
    let wants =
        words.windows(3).any(|run| run[0].any(&["might", "may"]) && run[1].is("want") && run[2].is("to"));
    // `You can skip it. Don't.`
    let able = words.windows(2).any(|pair| pair[0].is("you") && pair[1].any(&["can", "could", "may"]));
    let told = match mood_of(words).mood {
        Mood::Order(level, _) => wants || able && level == Level::May,
        Mood::Question => false,
        Mood::Statement | Mood::Fragment => true,
    };
    told && words.len() <= LONGEST && !words.iter().any(|word| word.mark(":"))
}

/// `Match by number`, `Sort by date`: it leaves out what.
fn lacks_object(words: &[Word]) -> bool {
    matches!(words, [act, by, ..] if act.capital
        && act.any(&["match", "sort", "group", "filter", "identify", "order", "correlate", "look", "select", "split"])
        && by.any(&["by", "via", "with"]))
}

/// `Never print it`, `Do not cut or change it`, `Do not make any changes to it`.
fn only_points(words: &[Word]) -> bool {
    if lacks_object(words) {
        return true;
    }
    let joined = words.iter().any(|word| word.any(&["and", "or"]));
    let acts = || words.iter().filter(|word| !word.any(&["and", "or"])).cloned().collect::<Vec<_>>();
    points(words) || changes_it(words) || joined && points(&acts())
}

/// `Do not make any changes to it`: what is changed is only pointed at.
fn changes_it(words: &[Word]) -> bool {
    const CHANGES: &[&str] = &[
        "change",
        "changes",
        "edit",
        "edits",
        "modification",
        "modifications",
        "adjustments",
        "additions",
        "copies",
        "copy",
    ];
    let Some(at) = words.iter().position(|word| word.any(CHANGES)) else { return false };
    let light = |word: &Word| {
        word.any(&[
            "do", "not", "don't", "never", "make", "apply", "add", "any", "further", "more", "no", "other",
            "a", "the",
        ])
    };
    words[..at].iter().all(light)
        && words.get(at + 1).is_some_and(|word| word.any(&["to", "in", "of"]))
        && words.get(at + 2).is_some_and(|word| word.any(&["it", "them"]))
}

/// `Simple jobs grow. Track them.`, `The skeleton is the base. Extend it.`: the sentence that a short order takes its thing from,
/// where that one orders nothing itself.
pub(crate) fn told_of(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Clause) -> Option<Range<usize>> {
    const SHORT: usize = 8;
    let plain = prose.words[clause.words.clone()].iter().filter(|word| word.kind != WordKind::Mark).count();
    if plain > SHORT || clause.condition.is_some() || !points_back(prose, clause) {
        return None;
    }
    let told = antecedent(prose, sentence).filter(|told| told.len() <= LONGEST)?;
    let between = &prose.words[told.end..sentence.start];
    let next = between.iter().all(|word| word.kind == WordKind::Mark);
    let (named, body) = label(prose, told.clone());
    let tells = match mood_of(&prose.words[body.clone()]).mood {
        Mood::Statement => true,
        Mood::Fragment => body.len() > 3,
        _ => false,
    };
    let told = if named == Label::Topic { told.start..body.start } else { told };
    (next && tells).then_some(told)
}

/// `Replace the mark; do not change it`: what the clause before it does something to.
pub(crate) fn taken_on(prose: &Prose<'_>, found: &[Clause], at: usize) -> Option<Range<usize>> {
    let before = found.get(at.checked_sub(1)?)?;
    let clause = &found[at];
    let words = &prose.words[clause.words.clone()];
    let points = clause.condition.is_none() && only_points(words);
    let parts = |at: &usize| prose.words[*at].mark(";") || prose.words[*at].mark("—");
    let last = before.words.start..before.words.end - 1;
    let start = last.rev().find(parts).map_or(before.words.start, |turn| turn + 1);
    let turns = matches!(before.mood, Mood::Order(..)) && before.mood.forbids() != clause.mood.forbids();
    let before = start..before.words.end;
    (points && turns).then(|| {
        looked_up(&prose.words, words, &before)
            .or_else(|| thing_of(&prose.words, &before))
            .or_else(|| taken_in_plural(&prose.words, words, &before))
    })?
}

/// `surface errors where they occur; don't bury them`: the verb is as often a noun, and what it is done to is several.
fn taken_in_plural(words: &[Word], ban: &[Word], before: &Range<usize>) -> Option<Range<usize>> {
    let opens = before.clone().find(|&at| words[at].kind != WordKind::Mark)?;
    let object = words.get(opens + 1).filter(|_| opens + 1 < before.end)?;
    let plural = object.kind == WordKind::Plain && object.lower.ends_with('s') && !is_verb(&object.lower);
    (plural && is_verb(&words[opens].lower) && ban.iter().any(|word| word.is("them")))
        .then_some(opens + 1..opens + 2)
}

/// `Use the chart for exact depths; do not guess them`: what is looked up there.
fn looked_up(words: &[Word], ban: &[Word], before: &Range<usize>) -> Option<Range<usize>> {
    const LOOKING: &[&str] = &["use", "see", "check", "consult", "read", "open", "refer"];
    let opens = before.clone().find(|&at| words[at].kind != WordKind::Mark)?;
    let several = words[opens].any(LOOKING) && ban.iter().any(|word| word.is("them"));
    let start = before.clone().rfind(|&at| words[at].is("for")).filter(|_| several)? + 1;
    let end = (start..before.end).find(|&at| words[at].kind == WordKind::Mark).unwrap_or(before.end);
    let plural = end > start && words[end - 1].lower.ends_with('s');
    plural.then_some(start..end)
}

/// `STALE_LOCK: The worker holds an old lock.`: the name of what the sentences behind it are about, where the first one orders nothing.
pub(crate) fn named_above(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const GRADES: &[&str] = &["critical", "high", "medium", "low", "blocker", "major", "minor", "severe"];
    const LONGEST: usize = 6;
    let first = first_sentence(&prose.words[..sentence.start])?;
    let used = is_use_case(&prose.words[sentence.clone()]);
    // `Critical: loss of cargo. Must be mended at once.`
    let opens = prose.words[first.clone()].iter().find(|word| word.kind == WordKind::Plain);
    let graded = opens.is_some_and(|opens| opens.any(GRADES));
    let colon =
        || first.clone().take(LONGEST).find(|&at| prose.words[at].mark(":")).filter(|_| used || graded);
    let body = match label(prose, first.clone()) {
        (Label::Topic, body) => body,
        _ => colon()? + 1..first.end,
    };
    let name = first.start..body.start;
    let mood = mood_of(&prose.words[body]).mood;
    let befell = graded || befalls(&prose.verbatim(name.clone()));
    if befell && matches!(mood, Mood::Statement | Mood::Fragment) {
        return Some(name);
    }
    let told = mood == Mood::Statement || used;
    let code =
        prose.words[name.clone()].iter().any(|word| word.kind == WordKind::Code || word.lower.contains('_'));
    (told && (code || names_thing(&prose.words[name.clone()]))).then_some(name)
}

/// `Use when it is dark`: of what the first sentence is called.
pub(crate) fn is_use_case(words: &[Word]) -> bool {
    matches!(words, [act, case, _, ..] if act.is("use") && case.any(&["when", "if", "for", "only"]))
}

/// What a pronoun of an outright rule stands for, in the sentence before it: `Rotate keys.` of `Never log them.`
fn antecedent(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let pointing = |before: &Range<usize>| {
        let words = &prose.words[before.clone()];
        let first = words.iter().find(|word| word.kind != WordKind::Mark);
        let tells = ["it", "they", "this", "that", "these", "those", "there"];
        points(words) || first.is_none_or(|first| first.any(&tells))
    };
    let says =
        |range: &Range<usize>| prose.words[range.clone()].iter().any(|word| word.kind != WordKind::Mark);
    let before = sentences_back(&prose.words[..sentence.start]).filter(says);
    let last = before.take(4).find(|range| !pointing(range))?;
    let waits = prose.words[last.start].any(&["if", "when", "whenever", "once", "after", "unless"]);
    (!waits && !asks(&prose.words[last.clone()])).then_some(last)
}

/// `Keep the key in the vault`: what is done, and to what.
pub(crate) struct Act {
    pub verb: Range<usize>,
    pub object: Range<usize>,
}

/// The verb and the object of an order without a subject, behind its label and its condition.
pub(crate) fn act_of(words: &[Word], clause: &Range<usize>) -> Option<Act> {
    const STRESSING: &[&str] = &[
        "always", "only", "please", "then", "also", "just", "simply", "do", "not", "don't", "never", "avoid",
    ];
    let label = clause.clone().take(9).find(|&at| words[at].mark(":"));
    let starts = [label.map_or(clause.start, |colon| colon + 1), clause.start];
    let start = starts.into_iter().find(|&start| start < clause.end && acts(&words[start..clause.end]))?;
    let start = start + skip_connectives(&words[start..clause.end]);
    let verb = (start..clause.end).find(|&at| !words[at].any(STRESSING))?;
    let after = verb + 1;
    let particle = words.get(after).is_some_and(|word| word.any(&["up", "down", "out", "off", "back"]));
    let open = (after + usize::from(particle)).min(clause.end);
    let object = open..(open..clause.end).find(|&at| ends_object(&words[at])).unwrap_or(clause.end);
    (words[verb].kind == WordKind::Plain && is_verb(&words[verb].lower))
        .then_some(Act { verb: verb..open, object })
}

fn acts(words: &[Word]) -> bool {
    let skipped = skip_connectives(words);
    imperative(&words[skipped..])
        || words[skipped].any(&["always", "only", "please", "just", "do", "don't", "never"])
}

/// What may follow an object and is no part of it.
fn ends_object(word: &Word) -> bool {
    const BEHIND: &[&str] = &[
        "as", "by", "in", "on", "at", "to", "with", "from", "for", "into", "onto", "before", "after", "when",
        "if", "only", "first", "once", "until", "so", "that", "which", "who", "under", "over", "through",
        "via", "per", "during", "without", "instead", "rather", "must", "should", "within", "using",
        "because", "alone", "is", "are", "than", "while", "where", "unless", "not", "never", "again", "here",
        "there", "inline", "and", "or",
    ];
    word.kind == WordKind::Mark
        || word.any(BEHIND)
        || word.kind == WordKind::Plain && word.lower.ends_with("ly")
}

/// What a clause speaks of, in few words: the object of its order, or its subject.
pub(crate) fn thing_of(words: &[Word], clause: &Range<usize>) -> Option<Range<usize>> {
    const MOST: usize = 6;
    const POINTING: &[&str] = &[
        "it", "them", "they", "this", "that", "these", "those", "you", "there", "one", "he", "she", "we",
        "i", "what", "which", "how",
    ];
    let (thing, act) = match act_of(words, clause) {
        Some(act) => (act.object, true),
        None => (clause.start..subject_end(words, clause)?, false),
    };
    let thing = if act { with_second(words, thing, clause.end) } else { thing };
    let listed = act && words.get(thing.end).is_some_and(|next| next.mark(",") || next.any(&["and", "or"]));
    let named = !thing.is_empty()
        && thing.len() <= MOST
        && !listed
        && !words[thing.clone()].iter().any(|word| word.kind == WordKind::Mark || word.any(POINTING));
    named.then_some(thing)
}

/// `blocks and mutes` of `Respect blocks and mutes`.
fn with_second(words: &[Word], thing: Range<usize>, end: usize) -> Range<usize> {
    let second = thing.end + 1;
    let joins = second < end && words[thing.end].is("and") && words[second].kind == WordKind::Plain;
    let last = words.get(second + 1).is_none_or(|next| next.kind == WordKind::Mark) || second + 1 == end;
    let names = |at: usize| words[at].lower.ends_with('s') && !words[at].among(DETERMINERS);
    if joins && last && !thing.is_empty() && names(second) && names(thing.end - 1) {
        thing.start..second + 1
    } else {
        thing
    }
}

fn subject_end(words: &[Word], clause: &Range<usize>) -> Option<usize> {
    const MODALS: &[&str] = &["must", "should", "may", "shall", "can", "cannot", "never", "always"];
    (clause.start + 1..clause.end.min(clause.start + 8))
        .find(|&at| words[at].any(MODALS) || finite_at(&words[clause.clone()], at - clause.start))
}
