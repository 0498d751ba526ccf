//! Boxes that hold what is done: `│ Step 1: Sound │` above `│ • Lower the lead │`, or `│ 2. SOUND │` above `│ Lower the lead │`. A drawing
//! whose lines mostly name is none.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::fence::{command_draft, orders, placed};
use super::setting::Setting;
use super::speech::number::Numbered;
use super::speech::stance::Stance;

/// Reads the steps in a drawing of boxes; false where it holds none.
pub(super) fn boxes(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const FEWEST: usize = 3;
    let source = book.source.clone();
    let text = source.slice(body);
    if !text.contains(['│', '└']) || here.section == Stance::Describe || says_bad(text) {
        return false;
    }
    if !text.contains('•') {
        return stations(book, (text, body), here);
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

/// Whether a drawing or a list says at its head that what stands in it is forbidden, or wrong.
pub(super) fn says_bad(text: &str) -> bool {
    const BAD: &[&str] = &[
        "never",
        "forbidden",
        "do not",
        "don't",
        "avoid",
        "wrong",
        "bad",
        "anti-pattern",
        "prohibited",
        "not allowed",
        "banned",
        "❌",
        "🚫",
        "⛔",
    ];
    let head = text.lines().map(|line| line.trim_matches(drawn)).find(|line| !line.is_empty());
    let head = head.unwrap_or_default().to_lowercase();
    BAD.iter()
        .any(|cue| head.starts_with(cue) || head.trim_end_matches(':').ends_with(cue) || head.contains('❌'))
}

/// A box by its number: `│ 2. SOUND │`, and what stands under that.
struct Station<'t> {
    title: &'t str,
    said: Vec<String>,
    span: Span,
}

/// Reads boxes that count what is done; false where they only name.
fn stations(book: &mut Book<'_>, (text, body): (&str, Span), here: &Setting) -> bool {
    const FEWEST: usize = 2;
    let mut stations: Vec<Station<'_>> = Vec::new();
    for (line, at) in placed(text, body) {
        let said = line.trim_matches(drawn);
        let Some(start) = line.find(said).filter(|_| !said.is_empty()) else { continue };
        let span = Span::new(at + start, at + start + said.len());
        match (numbered(said), stations.last_mut()) {
            (Some(title), _) => stations.push(Station { title, said: Vec::new(), span }),
            (None, Some(station)) => {
                station.span = station.span.join(span);
                // What stands in boxes side by side is named beside each other.
                let said = said
                    .split('│')
                    .map(|said| said.trim().trim_end_matches([' ', '/']))
                    .filter(|said| !said.is_empty());
                let said = said.collect::<Vec<_>>().join(", ");
                match station.said.last_mut().filter(|_| said.starts_with(char::is_lowercase)) {
                    Some(last) => *last = format!("{last} {said}"),
                    None => station.said.push(said),
                }
            }
            (None, None) => {}
        }
    }
    let acts = |station: &&Station<'_>| {
        station.said.iter().any(|said| orders(said)) || orders(&station.title.to_lowercase())
    };
    if stations.len() < FEWEST || stations.iter().filter(acts).count() * 2 < stations.len() {
        return false;
    }
    for Station { title, said, span } in stations {
        let said = said.join("; ");
        let text = if said.is_empty() { title.to_owned() } else { format!("{title}: {said}") };
        let draft = command_draft(text, Level::Must, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// `2. SOUND`: what stands behind the number.
pub(super) fn numbered(said: &str) -> Option<&str> {
    let item = Numbered::item(said).filter(|item| item.number.len() <= 2)?;
    let title = item.said.trim_end();
    title.starts_with(char::is_uppercase).then_some(title)
}

/// What is drawn, and what stands around it.
pub(super) fn drawn(c: char) -> bool {
    c.is_whitespace() || ('\u{2500}'..='\u{257f}').contains(&c)
}

/// What stands behind the dot of `│ • Lower the lead │`, and where.
fn item(line: &str, at: usize) -> Option<(&str, Span)> {
    let said = line.trim_matches(drawn).strip_prefix('•')?.trim();
    let start = at + line.find(said)?;
    (!said.is_empty()).then(|| (said, Span::new(start, start + said.len())))
}
