//! Sentences that begin above their items, which end them: `Stop when:`, `When NOT to use`.

use std::ops::Range;

use mentci_authority::{Force, Level};
use mentci_source::Span;

use super::composed::draft_of;
use super::draft::Book;
use super::row::row_draft;
use super::setting::{LeadIn, Setting};
use super::speech::contrast::{Remedied, is_order, remedied};
use super::speech::judgement::says_no;
use super::speech::lead::Lead;
use super::speech::mood::{IMPERATIVE, Mood, mood_of};
use super::speech::prose::Prose;
use super::speech::refusal::refusal;
use super::speech::stance::allows_only;
use super::speech::word::WordKind;

/// An item that ends the sentence of its lead-in. All items of one lead-in are one norm: `Stop when: a; b`.
pub(crate) fn stem(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    sentence: Range<usize>,
    here: &Setting,
    (level, lead, lead_span): (Level, &str, Span),
) {
    let refused = refusal(lead).is_some_and(Level::is_prohibition);
    let parted = if refused { remedied_in_case(prose, &sentence) } else { None };
    let parted = parted.or_else(|| level.is_prohibition().then(|| remedied(prose, &sentence)).flatten());
    let parted = parted.or_else(|| refused.then(|| remedied_by_label(prose, &sentence)).flatten());
    let parted =
        parted.unwrap_or_else(|| Remedied { name: sentence.clone(), case: None, remedies: Vec::new() });
    let item = parted.named(&prose.lowered(parted.name.clone()));
    let Remedied { name, remedies, .. } = parted;
    begin_or_go_on(book, prose, (name, item), here, (level, lead, lead_span));
    for (words, text) in remedies {
        book.add(draft_of(prose, words, text, (Level::Must, Force::Implied), here, &sentence));
    }
}

/// `The mate only needs a sail; set it, or call the crew`, `A short trip — skip the plan` under `When not to use`: what is done in the case.
fn remedied_in_case(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Remedied> {
    let words = &prose.words;
    let parts = |at: usize| words[at].depth == 0 && (words[at].mark(";") || words[at].mark("—"));
    let turn = sentence.clone().find(|&at| parts(at)).filter(|&turn| turn > sentence.start)?;
    let begins = (turn + 1..sentence.end).find(|&at| words[at].kind != WordKind::Mark)?;
    let told = !matches!(mood_of(&words[sentence.start..turn]).mood, Mood::Order(..));
    let ordered = is_order(&words[begins..sentence.end])
        || begins + 1 < sentence.end && mood_of(&words[begins..sentence.end]).mood == IMPERATIVE;
    if !told || !ordered {
        return None;
    }
    let (name, remedy) = (sentence.start..turn, begins..sentence.end);
    let line = format!("{}: {}", prose.condensed(name.clone()), prose.lowered(remedy.clone()));
    Some(Remedied { name, case: None, remedies: vec![(remedy, line)] })
}

/// `**Full moon**: Use the long chart` under `When not to use`: what is used then in its place.
fn remedied_by_label(prose: &Prose<'_>, sentence: &Range<usize>) -> Option<Remedied> {
    const INSTEAD: &[&str] = &["use", "call", "run", "see", "try", "prefer", "ask"];
    let words = &prose.words;
    let colon = sentence.clone().find(|&at| words[at].mark(":")).filter(|&colon| colon > sentence.start)?;
    let begins = (colon + 1..sentence.end).find(|&at| words[at].kind != WordKind::Mark)?;
    // `Only want a short trip: Use the ferry`
    let wished = words[sentence.start].any(&["only", "don't", "want", "need", "just"]);
    let named = wished || mood_of(&words[sentence.start..colon]).mood == Mood::Fragment;
    if !(named && words[begins].any(INSTEAD) && begins + 1 < sentence.end) {
        return None;
    }
    let (name, remedy) = (sentence.start..colon, begins..sentence.end);
    let line = format!("{}: {}", prose.condensed(name.clone()), prose.lowered(remedy.clone()));
    Some(Remedied { name, case: None, remedies: vec![(remedy, line)] })
}

/// A row of a table that ends the sentence of its lead-in: `Delete it if:` above criteria.
pub(crate) fn stem_row(
    book: &mut Book<'_>,
    (item, literals): (String, Vec<String>),
    span: Span,
    here: &Setting,
    (level, lead): (Level, &LeadIn),
) {
    let open = book.drafts.iter().rposition(|draft| {
        draft.completions > 0 && draft.spans.iter().take(4).any(|known| *known == lead.span)
    });
    let at = open.unwrap_or_else(|| {
        let text = lead.text.trim_end_matches([':', ' ']).to_owned();
        book.add(row_draft(text, (level, force_of(&lead.text)), Vec::new(), span, here))
    });
    if open.is_none() {
        book.drafts[at].spans.push(lead.span);
    }
    book.complete(at, &item, span, literals);
}

/// How openly a lead-in binds.
fn force_of(lead: &str) -> Force {
    if allows_only(lead) || ends_in_must(lead) { Force::Explicit } else { Force::Implied }
}

/// `Every report must`, `The log must never`.
pub(super) fn ends_in_must(lead: &str) -> bool {
    let lower = lead.trim_end_matches([':', ' ']).to_lowercase();
    let mut words = lower.rsplit(' ').skip_while(|word| matches!(*word, "not" | "never" | "always"));
    words.next() == Some("must")
}

/// Begins the norm of a lead-in with its first item, or adds one.
fn begin_or_go_on(
    book: &mut Book<'_>,
    prose: &Prose<'_>,
    (sentence, item): (Range<usize>, String),
    here: &Setting,
    (level, lead, lead_span): (Level, &str, Span),
) {
    let (span, literals) = (prose.span(&sentence), prose.literals(sentence.clone()));
    let open = book.drafts.iter().rposition(|draft| {
        draft.completions > 0 && draft.spans.iter().take(4).any(|span| *span == lead_span)
    });
    if let Some(open) = open {
        if waits(lead) {
            book.or_condition(open, &item);
        }
        return book.complete(open, &item, span, literals);
    }
    // `There are three ways to sink her: …`
    let lead = match lead.trim_end_matches(':') {
        lead if level.is_prohibition() && !says_no(lead) && !lead.to_lowercase().contains("not") => {
            format!("NEVER: {lead}")
        }
        lead => lead.to_owned(),
    };
    let lead = lead.as_str();
    let mut draft =
        draft_of(prose, sentence.clone(), lead.to_owned(), (level, force_of(lead)), here, &sentence);
    draft.spans.push(lead_span);
    if waits(lead) {
        draft.condition = Some(item.clone());
    }
    let at = book.add(draft);
    book.complete(at, &item, span, Vec::new());
}

/// `Stop when`, `When NOT to use`: its items are the cases.
fn waits(lead: &str) -> bool {
    const LAST: &[&str] = &["when", "if", "unless", "where", "whenever", "until", "before"];
    let last = lead.trim_end_matches([':', ' ']).rsplit(' ').next().unwrap_or_default().to_lowercase();
    refusal(lead).is_some() || LAST.contains(&last.as_str())
}

/// The heading `When NOT to use`, as the lead-in of what stands under it.
pub(crate) fn refusing_heading(book: &Book<'_>, here: &Setting) -> Option<LeadIn> {
    let heading = &book.headings[here.heading?];
    let lead = Lead::Stem(heading.refuses?);
    Some(LeadIn { lead, text: heading.text.clone(), span: heading.span, draft: None, when: None })
}
