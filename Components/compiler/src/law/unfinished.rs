//! Rules and lead-ins that the items below them end: `Row only` above `- in daylight`, `False alarms` above `Fog on the lens: ignore`.

use mentci_reader::markdown::Block;
use mentci_source::Span;

use super::draft::Book;
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;
use super::speech::mood::{Mood, mood_of};
use super::speech::prose::Prose;

/// `Row only` above `- in daylight`, `Stop the crane` above `- unless it is empty`: items that open with a preposition end the sentence
/// that stands right above them, colon or not.
pub(super) fn unfinished(book: &Book<'_>, list: &Block, here: &Setting) -> Option<LeadIn> {
    const OPENING: &[&str] = &[
        "on", "in", "at", "for", "from", "with", "without", "during", "after", "before", "when", "if",
        "unless", "except", "until", "under", "to", "by", "over", "above", "near", "inside", "outside",
        "beside", "across", "into", "onto", "through", "behind", "between", "while",
    ];
    let at = book.drafts.len().checked_sub(1)?;
    let rule = &book.drafts[at];
    let ends = rule.spans.iter().map(|span| span.end).filter(|end| *end <= list.span.start).max()?;
    let between = book.source.slice(Span { start: ends, end: list.span.start });
    let stops = between.contains(|c: char| c.is_alphanumeric() || matches!(c, '.' | '!' | '?' | ':'));
    let goes_on = |item: &Block| {
        item.children.first().is_some_and(|first| {
            let prose = Prose::new(&first.text);
            let opens = prose.words.first().is_some_and(|word| word.any(OPENING) && !word.capital);
            opens && matches!(mood_of(&prose.words).mood, Mood::Fragment | Mood::Statement)
        })
    };
    (rule.heading == here.heading && !stops && list.children.iter().all(goes_on)).then(|| LeadIn {
        lead: Lead::Order(rule.level),
        text: rule.text.clone(),
        span: rule.spans.first().copied().unwrap_or_default(),
        draft: Some(at),
        when: None,
    })
}

/// `False alarms` above `Fog on the lens: ignore`, `Drills are fine`: items that say themselves what is done with them.
pub(super) fn says_itself(lead: &LeadIn, list: &Block) -> bool {
    const SETTLED: &[&str] = &["ok", "okay", "acceptable", "fine", "allowed", "ignore", "safe", "permitted"];
    const DEALING: &[&str] = &["ignore", "skip", "exclude", "leave", "don't", "do", "never", "treat", "keep"];
    let alarms = lead.text.to_lowercase().contains("false positive");
    let settles = |item: &Block| {
        item.children.first().is_some_and(|first| {
            let prose = Prose::new(&first.text);
            let orders = prose.words.first().is_some_and(|word| word.any(DEALING));
            orders || prose.words.iter().any(|word| word.any(SETTLED))
        })
    };
    alarms && list.children.iter().filter(|item| settles(item)).count() * 2 >= list.children.len()
}
