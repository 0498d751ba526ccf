//! Sentences that go on with the norm before them, and make none of their own.

use std::ops::Range;

use mentci_authority::{Force, Level};

use super::convention::verb_of;
use super::draft::Book;
use super::follow::{guards_act, names_next, nothing_else};
use super::forms::Placed;
use super::norm::follows;
use super::speech::clause::Clause;
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::thing::points;
use super::speech::word::{Word, WordKind};

/// `The report must cover: Cost`: what comes is one more of what is named.
fn names_after_colon(text: &str) -> bool {
    let tail = text.rsplit_once(": ").map(|(_, tail)| tail);
    tail.is_some_and(|tail| tail.split_whitespace().count() <= 4 && !tail.contains(['`', '?']))
}

/// Joins a question or a bare name to the norm before it, and reads `Nothing else.` and `X is the next step.` by what it is.
pub(super) fn adds_to_last(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: &Range<usize>,
    found: &mut [Clause],
    before: usize,
) -> bool {
    let all = &prose.words[sentence.clone()];
    let [only] = found else { return false };
    let forbidden = book.drafts.last().is_some_and(|last| last.level.is_prohibition());
    if forbidden {
        let next = only.mood == Mood::Statement && names_next(all) && follows(book, prose, sentence, before);
        only.mood = if next { Mood::Order(Level::Must, Force::Implied) } else { only.mood };
        return false;
    }
    if nothing_else(all) {
        book.and_nothing_else(&prose.condensed(sentence.clone()), prose.span(sentence));
        return true;
    }
    let short = all.iter().filter(|word| word.kind != WordKind::Mark).count() <= 4;
    let joins = only.mood == Mood::Question || (only.mood == Mood::Fragment && short);
    let Some(at) = book.drafts.len().checked_sub(1).filter(|_| joins) else { return false };
    let text = prose.condensed(sentence.clone());
    if only.mood == Mood::Fragment && verb_of(all).is_some() {
        book.go_on(&text, prose.span(sentence), prose.literals(sentence.clone()));
        return true;
    }
    let names = only.mood == Mood::Fragment && names_after_colon(&book.drafts[at].text);
    book.drafts[at].completions += usize::from(names);
    book.complete(at, &text, prose.span(sentence), prose.literals(sentence.clone()));
    true
}

/// Joins a sentence that only says what the act before it waits for.
pub(super) fn guards_last(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, before, .. } = at;
    let binding = |level: Level| matches!(level, Level::Must | Level::MustNot | Level::May);
    if !book.drafts.last().is_some_and(|last| binding(last.level)) {
        return false;
    }
    let Some(binds) = guards_act(&prose.words[sentence.clone()]) else { return false };
    // `Never tow at night. Ask the owner first.` orders what is done in place of it.
    let forbids = book.drafts.last().is_some_and(|last| last.level.is_prohibition());
    let instead = forbids && mood_of(&prose.words[sentence.clone()]).mood == IMPERATIVE;
    if instead || !follows(book, prose, sentence, before) {
        return false;
    }
    book.bound();
    book.go_on(&prose.condensed(sentence.clone()), prose.span(sentence), prose.literals(sentence.clone()));
    if binds {
        book.stress();
    }
    true
}

/// `Ask the owner.` and then `Then merge.`, which is allowed no sooner.
pub(super) fn waits_for_leave(book: &Book<'_>, words: &[Word]) -> bool {
    const WAITING: &[&str] = &["ask", "wait", "await", "request", "obtain", "seek"];
    let then = words.iter().find(|word| word.kind != WordKind::Mark).is_some_and(|word| word.is("then"));
    let Some(last) = book.drafts.last().filter(|last| then && !last.level.is_prohibition()) else {
        return false;
    };
    // `Back it up. Then drop it.`
    if points(words) {
        return true;
    }
    let act = last.text.rsplit([',', ':', '?']).next().unwrap_or("").trim_start().to_lowercase();
    let gets = ["approval", "permission", "consent", "confirmation", "sign-off", "review", "ticket"]
        .iter()
        .any(|leave| act.contains(leave));
    act.split(' ').next().is_some_and(|verb| WAITING.contains(&verb) || verb == "get" && gets)
}

/// Joins `If it does not, take it off.` to the norm before it, without which nobody knows what it does not.
pub(super) fn answers_last(book: &mut Book<'_>, at: Placed<'_, '_>) -> bool {
    let Placed { prose, sentence, before, .. } = at;
    let ordered =
        book.drafts.last().is_some_and(|last| !last.level.is_prohibition() && !last.text.contains(": "));
    if !ordered || !leans_on_last(at.words()) || !follows(book, prose, sentence, before) {
        return false;
    }
    book.go_on(&prose.condensed(sentence.clone()), prose.span(sentence), prose.literals(sentence.clone()));
    true
}

/// `If it does not, …`, `If they can't, …`: a case that is one only of what was said before.
fn leans_on_last(words: &[Word]) -> bool {
    const ABLE: &[&str] = &["does", "do", "can", "is", "are", "has", "have"];
    const UNABLE: &[&str] = &["doesn't", "don't", "can't", "cannot", "isn't", "aren't", "won't"];
    let [first, it, verb, rest @ ..] = words else { return false };
    let case = match rest {
        [not, comma, ..] if verb.any(ABLE) => not.is("not") && comma.mark(","),
        [comma, ..] => verb.any(UNABLE) && comma.mark(","),
        [] => false,
    };
    let said = mood_of(words);
    case && first.any(&["if", "when"])
        && it.any(&["it", "they", "this", "that", "one"])
        && said.mood == IMPERATIVE
}
