//! An item that only names or tells, as a norm of the level that its lead-in or its heading lends.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::composed::draft_of;
use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::contrast::{Turned, denies, turned};
use super::speech::label::Label;
use super::speech::lexicon::CONDITIONS;
use super::speech::prose::Prose;
use super::speech::word::{Word, WordKind};
use super::topic::ended_when;

/// A bare name that gets its force from above.
pub(super) fn bare(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    (level, label): (Level, Option<&str>),
    here: &Setting,
) {
    if let Some(parts) = here.is_task.then(|| opposite_halves(prose, sentence)).flatten() {
        bare(book, prose, &(sentence.start..parts), (level, label), here);
        return bare(book, prose, &(parts + 1..sentence.end), (level, label), here);
    }
    // `No crates on deck` forbids, whatever lends it its force.
    let first = &prose.words[sentence.start];
    let named_none = || {
        let (named, body) = super::speech::label::label(prose, sentence.clone());
        let body = &prose.words[body];
        named == Label::Topic
            && body.first().is_some_and(|first| first.is("no") && first.capital)
            && super::speech::contrast::denies(body)
            && !body.iter().any(|word| word.mark(";") || word.mark("."))
    };
    let denies = first.is("no") && first.capital && sentence.len() > 2
        || first.any(&["cannot", "can't", "mustn't"]) && sentence.len() > 2
        || named_none()
        || here.is_task && tells_of_nothing(&prose.words[sentence.clone()]);
    let denies = denies && level == Level::Must && !super::speech::mood::asks(&prose.words[sentence.clone()]);
    let level = match level {
        _ if denies => Level::MustNot,
        Level::Must if label.is_none() && lets(&prose.words[sentence.clone()]) => Level::May,
        level => level,
    };
    let when = ended_when(book, here).filter(|_| label.is_none());
    let label = label.or(when.as_deref());
    let halves = halves(prose, sentence, level);
    // The bracket of a box to tick belongs to what is ticked, too.
    let name = halves.as_ref().filter(|_| !here.is_task).map_or(sentence, |(name, _)| name);
    let text = label.map_or_else(
        || prose.condensed(name.clone()),
        |label| format!("{label}: {}", prose.lowered(name.clone())),
    );
    let mut draft = draft_of(prose, name.clone(), text, (level, Force::Implied), here, sentence);
    if let Some(lead) = &here.lead {
        draft.spans.push(lead.span);
    }
    book.add(draft);
    if let Some((_, bracket)) = halves {
        let force = (bracket.level, Force::Explicit);
        book.add(draft_of(prose, bracket.words, bracket.text, force, here, sentence));
    }
}

/// `Letters only (no digits)`: what is asked for, and the bracket at its end that forbids.
pub(super) fn halves(
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    level: Level,
) -> Option<(Range<usize>, Turned)> {
    let mut turned = turned(prose, sentence, sentence, level);
    if turned.is_empty() && !level.is_prohibition() {
        return denied_behind_dash(prose, sentence);
    }
    let bracket = turned.pop().filter(|_| turned.is_empty() && !level.is_prohibition())?;
    let name = sentence.start..bracket.words.start.checked_sub(1)?;
    let rest = &prose.words[bracket.words.end..sentence.end];
    let ends = rest.iter().all(|word| word.kind == WordKind::Mark);
    (ends && !name.is_empty()).then_some((name, bracket))
}

/// `The view from the quay — no deck plans`: what shall not be there is a line of its own.
fn denied_behind_dash(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<(Range<usize>, Turned)> {
    let dash = sentence.clone().skip(1).find(|&at| prose.words[at].mark("—"))?;
    let rest = dash + 1..sentence.end;
    let denied = !rest.is_empty() && !prose.words[rest.start].capital && denies(&prose.words[rest.clone()]);
    denied.then(|| {
        let text = prose.condensed(rest.clone());
        (sentence.start..dash, Turned { words: rest, text, level: Level::MustNot })
    })
}

/// `Required features: seed navigation`: a bare name behind the lead-in that it answers.
pub(super) fn labelled(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    lead: &LeadIn,
    here: &Setting,
) {
    let label = lead.text.trim_end_matches([':', '.', ' ']);
    let here = Setting { lead: Some(lead.clone()), ..here.clone() };
    bare(book, prose, sentence, (Level::Must, Some(label)), &here);
}

/// `No leaks; lamps lit`: the mark between what shall not be and what shall.
fn opposite_halves(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<usize> {
    let mut marks = sentence.clone().filter(|&at| prose.words[at].mark(";"));
    let (Some(parts), None) = (marks.next(), marks.next()) else { return None };
    let none = |words: Range<usize>| prose.words[words].iter().any(|word| word.any(&["no", "not", "never"]));
    let apart = none(sentence.start..parts) && !none(parts + 1..sentence.end);
    (apart && parts + 1 < sentence.end).then_some(parts)
}

/// `Sails don't touch the mast`, `Night crews lit no fires`, `Charts not in the bilge` in a box to tick: what shall not be.
fn tells_of_nothing(words: &[Word]) -> bool {
    const DENYING: &[&str] = &["don't", "doesn't", "didn't", "isn't", "aren't"];
    const PLACING: &[&str] = &["in", "on", "into", "inside", "within", "under"];
    const BEING: &[&str] = &["is", "are", "was", "were", "do", "does", "did", "has", "have"];
    let end =
        words.iter().position(|word| word.kind == WordKind::Mark && word.depth == 0).unwrap_or(words.len());
    words[..end].windows(2).enumerate().any(|(at, pair)| {
        let [word, next] = pair else { return false };
        at > 0 && word.any(DENYING)
            || word.any(BEING) && next.any(&["not", "no"])
            || at > 0 && next.is("no") && word.kind == WordKind::Plain && word.lower.ends_with("ed")
            // `Charts not in the bilge`, `Lamps not covered`
            || at > 0 && word.is("not") && (next.any(PLACING) || at + 2 == end && next.lower.ends_with("ed"))
    })
}

/// `Guests may board by day` among requirements: what somebody may do.
fn lets(words: &[Word]) -> bool {
    const FARTHEST: usize = 5;
    let may = words.iter().take(FARTHEST).position(|word| word.is("may"));
    may.is_some_and(|at| {
        let named =
            at > 0 && words[..at].iter().all(|word| word.kind != WordKind::Mark && !word.among(CONDITIONS));
        named
            && words.get(at + 1).is_some_and(|act| act.kind == WordKind::Plain && !act.any(&["not", "need"]))
            && !words.iter().any(|word| word.any(&["only", "not", "never", "no", "must", "but"]))
    })
}

/// `No stray prints` under `Review for:`: what shall not be found. `No logs?` asks, and what is looked for may be bad itself.
pub(super) fn denied(item: &[Word], lead: &str) -> bool {
    const LOOKING: &[&str] = &["ensure", "verify", "confirm", "validate", "check", "review"];
    // `never drift` under `Each lamp must:`.
    let never = item.first().is_some_and(|word| word.any(&["never", "not"])) && item.len() > 1;
    if never && lead.trim_end_matches([':', ' ']).ends_with("must") {
        return true;
    }
    let opens = item.first().is_some_and(|word| word.is("no") && word.capital);
    if !opens || item.len() < 2 || super::speech::mood::asks(item) {
        return false;
    }
    let lead = lead.to_lowercase();
    let mut words = lead.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next();
    // `Before you sail, check:`
    let last = words.clone().next_back().is_some_and(|last| LOOKING.contains(&last));
    last || first.is_some_and(|first| LOOKING.contains(&first))
        && (first == Some("review") || words.next() != Some("for"))
}

/// The prohibition that such an item is, under its lead-in.
pub(super) fn deny(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    (lead, force): (&str, Force),
    here: &Setting,
) {
    let before = book.drafts.len();
    bare(book, prose, sentence, (Level::MustNot, Some(lead.trim_end_matches([':', ' ']))), here);
    book.drafts[before..].iter_mut().for_each(|draft| draft.force = force);
}
