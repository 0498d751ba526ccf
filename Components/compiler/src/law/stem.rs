//! Sentences that begin above their items, which end them: `Stop when:`, `When NOT to use`.

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_source::Span;

use super::clause::clauses;
use super::condense::flat;
use super::draft::Book;
use super::mood::{Mood, mood_of};
use super::norm::{draft_of, write_clauses};
use super::prose::Prose;
use super::sentence::split_sentences;
use super::setting::{LeadIn, Setting};
use super::stance::{Lead, allows_only};
use super::trigger::refusal;

/// An item that ends the sentence of its lead-in. All items of one lead-in are one norm: `Stop when: a; b`.
pub(crate) fn stem(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    (level, lead, lead_span): (Level, &str, Span),
) {
    let whole = sentence;
    let sentence = if level.is_prohibition() { case_alone(prose, &whole) } else { whole.clone() };
    remedies(book, prose, &sentence, whole.end, here);
    let item = prose.lowered(sentence.clone());
    let (span, literals) = (prose.span(&sentence), prose.literals(sentence.clone()));
    let open = book.drafts.iter().rposition(|draft| {
        draft.completions > 0 && draft.spans.iter().take(4).any(|span| *span == lead_span)
    });
    if let Some(open) = open {
        book.or_condition(open, &item);
        return book.complete(open, &item, span, literals);
    }
    let mut draft = draft_of(
        prose,
        sentence.clone(),
        lead.trim_end_matches(':').to_owned(),
        (level, if allows_only(lead) { Force::Explicit } else { Force::Implied }),
        here,
        &sentence,
    );
    draft.spans.push(lead_span);
    let waits = refusal(lead).is_some()
        || lead.trim_end_matches([':', ' ']).rsplit(' ').next().is_some_and(|last| {
            ["when", "if", "unless", "where", "whenever", "until", "before"]
                .contains(&last.to_lowercase().as_str())
        });
    if waits {
        draft.condition = Some(item.clone());
    }
    let at = book.add(draft);
    book.complete(at, &item, span, Vec::new());
}

/// Of `Reference material → tables`, `Linked failures — look at them together`, `Mechanical rules (automate them)` under a prohibition, the words of the case.
fn case_alone(prose: &Prose<'_>, item: &Range<usize>) -> Range<usize> {
    let words = &prose.words[item.clone()];
    let acts = |at: usize| matches!(mood_of(&words[at + 1..]).mood, Mood::Order(Level::Must, Force::Implied));
    // `Other lamps → not supported` says only why.
    let denied = |at: usize| words[at + 1].any(&["not", "no", "never", "unsupported"]);
    let turns = |at: &usize| words[*at].mark("→") && !denied(*at) || words[*at].mark("—") && acts(*at);
    let arrow = (1..words.len().saturating_sub(1)).find(turns);
    let closed = words.last().is_some_and(|last| last.lower == ")");
    let open =
        words.iter().rposition(|word| word.lower == "(" && word.depth == 0).filter(|&at| closed && at > 0);
    let orders = |open: &usize| {
        let inner = flat(&words[open + 1..words.len() - 1]);
        matches!(mood_of(&inner).mood, Mood::Order(level, Force::Implied) if !level.is_prohibition())
            || matches!(mood_of(&inner).mood, Mood::Order(Level::Must, _)) && mood_of(&inner).main > 0
    };
    let end = arrow.or_else(|| open.filter(orders)).map_or(item.end, |at| item.start + at);
    item.start..end
}

/// What stands behind the case says what to do in it.
fn remedies(book: &mut Book<'_>, prose: &Prose<'_>, case: &Range<usize>, end: usize, here: &Setting) {
    let Some(turn) = prose.words.get(case.end).filter(|_| case.end < end) else { return };
    if turn.lower != "(" {
        let text = prose.condensed(case.start..end);
        let rest = case.end..end;
        let draft = draft_of(prose, rest.clone(), text, (Level::Must, Force::Implied), here, &rest);
        book.add(draft);
        return;
    }
    let inner = Prose { text: prose.text, words: flat(&prose.words[case.end + 1..end - 1]) };
    let mut under = here.clone();
    under.conditions.push((prose.condensed(case.clone()), prose.span(case)));
    for sentence in split_sentences(&inner.words) {
        let found = clauses(&inner.words, sentence.clone());
        write_clauses(book, &inner, &sentence, &found, &under);
    }
}

/// The heading `When NOT to use`, as the lead-in of what stands under it.
pub(crate) fn refusing_heading(book: &Book<'_>, here: &Setting) -> Option<LeadIn> {
    let heading = &book.headings[here.heading?];
    let lead = Lead::Stem(heading.refuses?);
    Some(LeadIn { lead, text: heading.text.clone(), span: heading.span, draft: None, when: None })
}
