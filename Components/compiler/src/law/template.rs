//! Templates of documents: their headings and labels, and what a form says must stand under each.

use mentci_authority::OmissionReason;
use mentci_source::Span;

use super::annotation::{fresh_heading, norm_of_lead, verdict};
use super::draft::Book;
use super::sample::{led_norm, speech};
use super::setting::{LeadIn, Setting};
use super::stance::{Lead, Stance};

/// More labels, or more words under one, are left out.
const MOST: usize = 16;

/// A template under an order, or under its name: its headings and labels are part of the order.
pub(crate) fn template(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let parts = parts(source.slice(body));
    let begun =
        here.lead.as_ref().is_some_and(|lead| lead.draft.is_none() && matches!(lead.lead, Lead::Stem(_)));
    let named = (parts.len() > 1 || parts.is_empty() && is_form(source.slice(body))) && is_named(book, here);
    let Some(draft) = led_norm(book, here).or_else(|| named.then(|| norm_of_lead(book, here))) else {
        return book.omit(body, OmissionReason::Example);
    };
    if parts.is_empty() && begun {
        return speech(book, body, &Setting { lead: None, parent: Some(draft), ..here.clone() });
    }
    if parts.is_empty() && is_form(source.slice(body)) {
        return complete_with_lines(book, draft, body);
    }
    if parts.is_empty() {
        return book.omit(body, OmissionReason::Example);
    }
    let labels = parts.iter().map(|part| part.label.clone()).collect();
    let said: Vec<String> = parts.iter().map(Part::text).collect();
    book.complete(draft, &said.join("; "), body, labels);
}

/// `<type>: <what changed>` right under `Commit format`: a form to fill in, or what it looks like. False for anything else.
pub(crate) fn form(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    // `Log format` is the tool's.
    const FOREIGN: &[&str] =
        &["log", "input", "file", "wire", "config", "api", "supported", "data", "request", "default"];
    let text = book.source.slice(body);
    let told = matches!(here.section, Stance::Example | Stance::Describe);
    if here.lead.is_some() || here.parent.is_some() || told {
        return false;
    }
    let heading = here.heading.map_or("", |heading| book.headings[heading].text.as_str());
    let shown = heading.to_lowercase().ends_with(" format") && is_short(text);
    let last = heading.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    let first = heading.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let named = !FOREIGN.contains(&first.as_str())
        && last.is_some_and(|last| names_template(last) || last.eq_ignore_ascii_case("naming"));
    if !named || !(shown || is_form(text)) || fresh_heading(book, body, here).is_none() {
        return false;
    }
    let norm = norm_of_lead(book, here);
    complete_with_lines(book, norm, body);
    true
}

fn complete_with_lines(book: &mut Book<'_>, draft: usize, body: Span) {
    let source = book.source.clone();
    let lines: Vec<&str> = filled(source.slice(body)).collect();
    book.complete(draft, &lines.join(" / "), body, Vec::new());
}

fn filled(body: &str) -> impl Iterator<Item = &str> {
    body.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn is_short(body: &str) -> bool {
    const MOST: usize = 8;
    const LONGEST: usize = 320;
    body.len() <= LONGEST && (1..=MOST).contains(&filled(body).count())
}

/// A few lines, at least half of which hold a blank to fill in: `<scope>`, `[what changed]`, `{name}`.
fn is_form(body: &str) -> bool {
    let blanks = |line: &&str| {
        [('<', '>'), ('[', ']'), ('{', '}')].iter().any(|(open, close)| {
            let inner = line.split_once(*open).and_then(|(_, rest)| rest.split_once(*close));
            inner.is_some_and(|(inner, _)| inner.len() > 2 && inner.starts_with(char::is_alphabetic))
        })
    };
    is_short(body) && filled(body).filter(blanks).count() * 2 >= filled(body).count()
}

/// Whether the lead-in or the heading names a template: `Report template`, `Structure:`.
fn is_named(book: &Book<'_>, here: &Setting) -> bool {
    let heading = || here.heading.map(|heading| book.headings[heading].text.as_str());
    let text = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(Stance::Neutral | Stance::Order, _), text, .. }) => {
            Some(text.as_str())
        }
        Some(_) => None,
        None => heading(),
    };
    here.section != Stance::Example && text.is_some_and(names_template)
}

/// `Report structure`, `The outline to follow`.
pub(crate) fn names_template(text: &str) -> bool {
    const NAMES: &[&str] =
        &["structure", "skeleton", "template", "layout", "boilerplate", "scaffold", "outline", "format"];
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word))
}

/// A heading or a label of a template, and what stands under it.
#[derive(Debug)]
struct Part {
    label: String,
    said: Vec<String>,
}

impl Part {
    /// `Quick start: three commands at most`.
    fn text(&self) -> String {
        if self.label.ends_with(':') && !self.said.is_empty() {
            format!("{} {}", self.label, self.said.join(", "))
        } else if self.said.is_empty() {
            self.label.clone()
        } else {
            format!("{}: {}", self.label, self.said.join(", "))
        }
    }
}

/// Headings and bold labels of a template, in order. A form with blanks to fill in says what must stand under them; what stands
/// in a filled-in one is a sample.
fn parts(body: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let form = body.lines().any(|line| blank(line).is_some());
    let open = body.lines().filter_map(plain_label).any(|(_, rest)| is_open(rest));
    for line in body.lines() {
        if parts.len() > MOST {
            break;
        }
        let text = line.trim().trim_start_matches(['>', '-', '*', ' ']);
        let bold = line.trim().trim_start_matches(['>', '-', ' ']);
        match label(bold).or_else(|| plain_label(bold).filter(|_| open)) {
            Some((label, _)) if verdict(label).is_some() || parts.iter().any(|part| part.label == label) => {}
            Some((label, rest)) => {
                let filled = Some(rest).filter(|_| open && !label.is_empty());
                let said = blank(rest).filter(|_| form).or(filled).filter(|said| tells(said));
                let said = said.map(str::to_owned);
                parts.push(Part { label: label.to_owned(), said: said.into_iter().collect() });
            }
            None => {
                let said = blank(text).unwrap_or(text);
                if let Some(part) = parts.last_mut().filter(|part| form && tells(said) && part.said.len() < 4)
                {
                    part.said.push(said.to_owned());
                }
            }
        }
    }
    parts.truncate(MOST);
    parts
}

/// `## Findings`, `**Impact:** [who is hit]`: the label, and what stands behind it.
fn label(text: &str) -> Option<(&str, &str)> {
    let heading = text.starts_with('#').then(|| (text.trim_start_matches('#').trim(), ""));
    let bold = || {
        let (label, rest) = text.strip_prefix("**")?.split_once("**")?;
        Some((label.trim_end_matches(':'), rest.trim_start_matches(':').trim()))
    };
    heading.or_else(bold).filter(|(label, _)| !label.is_empty())
}

/// `What broke: ...` in a form that leaves its labels open.
fn plain_label(text: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 6;
    let (label, rest) = text.split_at(text.find(':')? + 1);
    let name = label.trim_end_matches(':');
    let named = name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= LONGEST;
    let worded = name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '/'));
    (named && worded && (rest.is_empty() || rest.starts_with(' '))).then_some((label, rest.trim()))
}

/// `...`: left to whoever fills it in.
fn is_open(rest: &str) -> bool {
    matches!(rest, "..." | "…") || blank(rest).is_some()
}

/// `[what goes wrong]`, `<two sentences>`: the words of a blank to fill in. A link or a box to tick is none.
fn blank(text: &str) -> Option<&str> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.or_else(|| text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')));
    let inner = inner.or_else(|| text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')));
    inner.filter(|inner| inner.len() > 2 && !inner.contains(['[', ']', '<', '>', '{', '}', '/']))
}

/// Whether words under a label say what must stand there, and not only name it: `Table or bullets for scanning`.
fn tells(said: &str) -> bool {
    let words = said.split_whitespace().count();
    (2..=16).contains(&words)
        && said.starts_with(char::is_alphabetic)
        && !said.contains(['|', '`', '='])
        && said.chars().filter(|c| matches!(c, '[' | '<' | '{' | '$')).count() < 2
}
