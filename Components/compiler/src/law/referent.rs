//! What a line speaks of that only points: `Never log it`, `Extend it, don't replace it`.

use std::ops::Range;

use super::clause::Clause;
use super::lexicon::is_verb;
use super::mood::{Mood, asks, finite_at, mood_of, skip_connectives};
use super::order::imperative;
use super::prose::Prose;
use super::sentence::split_sentences;
use super::topic;
use super::word::{Word, WordKind};

/// `Never log it`, `In production, never log it`; `If a key leaks, never use it` says itself what is meant.
pub(crate) fn points_back(prose: &Prose<'_>, clause: &Clause) -> bool {
    const LONGEST: usize = 4;
    let Some(condition) = &clause.condition else { return topic::points(&prose.words[clause.words.clone()]) };
    condition.len() <= LONGEST
        && prose.words[condition.start].any(&["in", "on", "during", "at", "under", "outside"])
        && topic::points(&prose.words[condition.end..clause.words.end])
}

/// What an outright rule that only points speaks of; a prohibition says so of other prohibitions alone.
pub(crate) fn meant(prose: &Prose<'_>, sentence: &Range<usize>, clause: &Clause) -> Option<Range<usize>> {
    if !points_back(prose, clause) {
        return None;
    }
    let prohibits = |mood| matches!(mood, Mood::Order(level, _) if level.is_prohibition());
    antecedent(prose, sentence)
        .filter(|meant| prohibits(clause.mood) || !prohibits(mood_of(&prose.words[meant.clone()]).mood))
}

/// What a pronoun of an outright rule stands for, in the sentence before it: `Rotate keys.` of `Never log them.`
fn antecedent(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 14;
    let pointing = |before: &Range<usize>| {
        let words = &prose.words[before.clone()];
        let first = words.iter().find(|word| word.kind != WordKind::Mark);
        let tells = ["it", "they", "this", "that", "these", "those", "there"];
        topic::points(words) || first.is_none_or(|first| first.any(&tells))
    };
    let mut before = split_sentences(&prose.words[..sentence.start]);
    before.retain(|range| prose.words[range.clone()].iter().any(|word| word.kind != WordKind::Mark));
    let last = before.into_iter().rev().take(4).find(|range| !pointing(range))?;
    let waits = prose.words[last.start].any(&["if", "when", "whenever", "once", "after", "unless"]);
    let named = !waits && !asks(&prose.words[last.clone()]) && last.len() <= LONGEST;
    named.then_some(last)
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
    const LONGEST: usize = 6;
    const POINTING: &[&str] = &[
        "it", "them", "they", "this", "that", "these", "those", "you", "there", "one", "he", "she", "we", "i",
    ];
    let (thing, act) = match act_of(words, clause) {
        Some(act) => (act.object, true),
        None => (clause.start..subject_end(words, clause)?, false),
    };
    let listed = act && words.get(thing.end).is_some_and(|next| next.mark(",") || next.any(&["and", "or"]));
    let named = !thing.is_empty()
        && thing.len() <= LONGEST
        && !listed
        && !words[thing.clone()].iter().any(|word| word.kind == WordKind::Mark || word.any(POINTING));
    named.then_some(thing)
}

fn subject_end(words: &[Word], clause: &Range<usize>) -> Option<usize> {
    const MODALS: &[&str] = &["must", "should", "may", "shall", "can", "cannot", "never", "always"];
    (clause.start + 1..clause.end.min(clause.start + 8))
        .find(|&at| words[at].any(MODALS) || finite_at(&words[clause.clone()], at - clause.start))
}
