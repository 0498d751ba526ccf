//! Values in a plain fence, each with what it is for: `Title: 32px - Page heads`.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::caption::is_grade;
use super::draft::{Book, Draft};
use super::fence::{command_draft, placed};
use super::setting::{LeadIn, Setting};
use super::speech::guard::plain_in;
use super::speech::lead::Lead;
use super::speech::stance::Stance;

/// Reads such values; false where a line is none.
pub(crate) fn scale(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let text = source.slice(body);
    if !binds(here) || !is_scale(text) {
        return false;
    }
    let mut at = body.start as usize;
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, start + line.trim().len());
        at += line.len();
        let Some((_, value)) = step(line) else { continue };
        let draft =
            command_draft(line.trim().to_owned(), Level::Must, vec![value.to_owned()], (span, span), here);
        book.add(Draft { spans: vec![span], completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// Reads `Critical = she sinks` under `Severity rubric`: when something is of that grade. False for anything else.
pub(super) fn rubric(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const NAMES: &[&str] = &[
        "severity",
        "severities",
        "rubric",
        "priority",
        "priorities",
        "rating",
        "ratings",
        "grades",
        "levels",
    ];
    const FEWEST: usize = 3;
    let source = book.source.clone();
    let lines: Vec<(&str, usize)> =
        placed(source.slice(body), body).filter(|(line, _)| !line.trim().is_empty()).collect();
    let titled = here.heading.is_some_and(|heading| {
        let lower = book.headings[heading].text.to_lowercase();
        plain_in(&lower).iter().any(|word| NAMES.contains(word))
    });
    let all = lines.iter().all(|(line, _)| grade(line).is_some());
    if !titled || !binds(here) || here.lead.is_some() || lines.len() < FEWEST || !all {
        return false;
    }
    for (line, at) in lines {
        let Some((name, said)) = grade(line) else { continue };
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, at + line.trim_end().len());
        let draft = command_draft(format!("{name}: {said}"), Level::Must, Vec::new(), (span, span), here);
        book.add(Draft { spans: vec![span], completions: 0, ..draft });
    }
    true
}

/// `Critical` and `she sinks` of `Critical = she sinks`.
fn grade(line: &str) -> Option<(&str, &str)> {
    let (name, said) = line.split_once(" = ").or_else(|| line.split_once(": "))?;
    let (name, said) = (name.trim(), said.trim());
    (is_grade(name) && said.contains(' ')).then_some((name, said))
}

/// Whether nothing above says that it only tells or shows.
fn binds(here: &Setting) -> bool {
    let led = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(stance, _), .. }) => {
            matches!(stance, Stance::Neutral | Stance::Order)
        }
        Some(_) => false,
        None => true,
    };
    led && matches!(here.section, Stance::Neutral | Stance::Order | Stance::Advise)
}

/// At least three values, and nothing else.
fn is_scale(text: &str) -> bool {
    const LEAST: usize = 3;
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    lines().count() >= LEAST && lines().all(|line| step(line).is_some())
}

/// `Title: 32px - Page heads`: the name and the value, which has a unit of design.
fn step(line: &str) -> Option<(&str, &str)> {
    const UNITS: &[&str] = &["px", "rem", "em", "pt", "ms", "vh", "vw", "%"];
    let (name, rest) = line.trim().split_once(": ")?;
    let (value, purpose) = [" - ", " – ", " — "].iter().find_map(|mark| rest.split_once(mark))?;
    let value = value.trim();
    let color = value.strip_prefix('#').is_some_and(|hex| hex.chars().all(|c| c.is_ascii_hexdigit()));
    let sized =
        value.starts_with(|c: char| c.is_ascii_digit()) && UNITS.iter().any(|unit| value.ends_with(unit));
    let named = name.starts_with(char::is_alphabetic) && purpose.contains(char::is_alphabetic);
    (named && (color || sized)).then_some((name, value))
}
