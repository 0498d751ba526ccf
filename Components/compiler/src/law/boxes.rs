//! Boxes that hold what is done: `│ Step 1: Sound │` above `│ • Lower the lead │`. A drawing whose lines mostly name is none.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::fence::{command_draft, orders, placed};
use super::setting::Setting;
use super::stance::Stance;

/// Reads the steps in a drawing of boxes; false where it holds none.
pub(super) fn boxes(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    let source = book.source.clone();
    let text = source.slice(body);
    if !text.contains('│') || !text.contains('•') || here.section == Stance::Describe {
        return false;
    }
    let done: Vec<(&str, Span)> = placed(text, body).filter_map(|(line, at)| item(line, at)).collect();
    let ordered = done.iter().filter(|(said, _)| orders(said)).count();
    if done.len() < FEWEST || ordered * 2 <= done.len() {
        return false;
    }
    for (said, span) in done {
        let draft = command_draft(said.to_owned(), Level::Must, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// What stands behind the dot of `│ • Lower the lead │`, and where.
fn item(line: &str, at: usize) -> Option<(&str, Span)> {
    let drawn = |c: char| c.is_whitespace() || ('\u{2500}'..='\u{257f}').contains(&c);
    let said = line.trim_matches(drawn).strip_prefix('•')?.trim();
    let start = at + line.find(said)?;
    (!said.is_empty()).then(|| (said, Span::new(start, start + said.len())))
}
