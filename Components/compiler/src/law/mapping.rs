//! Tables drawn with arrows under an order: `Map the flags to their meanings:` above `red → stop`. What leads where completes the order.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::annotation::{fresh_heading, norm_of_lead};
use super::draft::Book;
use super::fence::{one_line, placed};
use super::setting::Setting;
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::stance::Stance;
use super::standing::names_rules;

/// Reads such a table; false for any other fence.
pub(super) fn mapping(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    const MOST: usize = 40;
    let order = here.lead.as_ref().and_then(|lead| match (&lead.lead, lead.draft) {
        (Lead::Order(Level::Must | Level::Should), Some(draft)) => Some(draft),
        _ => None,
    });
    // Right under `Towing rules`.
    let ruled_by_heading = || {
        here.lead.is_none()
            && !matches!(here.section, Stance::Example | Stance::Describe)
            && fresh_heading(book, body, here)
                .is_some_and(|heading| names_rules(&book.headings[heading].text) || chooses(book, heading))
    };
    if order.is_none() && !ruled_by_heading() {
        return false;
    }
    let source = book.source.clone();
    let text = source.slice(body);
    let worded = |line: &str| line.contains(char::is_alphanumeric);
    let lines: Vec<(&str, usize)> = placed(text, body).filter(|(line, _)| worded(line)).collect();
    let ruled = text.lines().nth(1).is_some_and(|line| !line.trim().is_empty() && !worded(line));
    let maps = |line: &str| {
        line.split_once('→').is_some_and(|(from, to)| worded(from) && worded(to))
            && !line.starts_with([' ', '\t'])
    };
    if !(FEWEST..=MOST).contains(&lines.len()) || !lines.iter().all(|(line, _)| maps(line)) {
        return false;
    }
    let order = order.unwrap_or_else(|| norm_of_lead(book, here));
    for (line, at) in lines.iter().skip(usize::from(ruled)) {
        let said = one_line(line);
        let span = Span::new(*at, at + line.trim_end().len());
        book.complete(order, &said, span, Vec::new());
    }
    book.omit(body, OmissionReason::Separator);
    true
}

/// `Quick guide` under `Which rope to take`, `Rope selection`: what leads where is a choice.
fn chooses(book: &Book<'_>, heading: usize) -> bool {
    const CHOOSING: &[&str] =
        &["decision", "selection", "choosing", "choose", "choice", "routing", "which", "triage", "select"];
    let names = |heading: usize| {
        let lower = book.headings[heading].text.to_lowercase();
        plain_in(&lower).iter().any(|word| CHOOSING.contains(word))
    };
    let above =
        book.open.iter().rev().find(|open| book.headings[**open].depth < book.headings[heading].depth);
    names(heading) || above.is_some_and(|above| names(*above))
}
