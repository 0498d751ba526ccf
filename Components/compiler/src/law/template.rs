//! Templates of documents: their headings and labels, and what a form says must stand under each.

use mentci_authority::OmissionReason;
use mentci_source::Span;

use super::annotation::{fresh_heading, norm_of_lead};
use super::command::led_by;
use super::draft::Book;
use super::fence::{orders, placed};
use super::roster::of_each;
use super::sample::{is_checklist, led_norm, said, says, speech};
use super::setting::{LeadIn, Setting};
use super::speech::judgement::verdict;
use super::speech::lead::Lead;
use super::speech::stance::Stance;
use super::steps::named_step;

/// More labels are left out.
const MOST: usize = 40;

/// Behind so many bytes no more labels are taken.
const MOST_BYTES: usize = 1_000;

/// Whether a text that does not say what it is has headings or bold labels as a document has.
pub(crate) fn is_document(body: &str) -> bool {
    let titles = |line: &&str| {
        let marked = line.starts_with("# ") || line.starts_with("## ") || line.starts_with("### ");
        marked || line.starts_with('*') && label(line).is_some()
    };
    let headed =
        || body.lines().any(|line| line.starts_with("## ") || line.starts_with('*') && label(line).is_some());
    body.lines().filter(titles).take(2).count() > 1 && headed()
}

/// A template under an order, or under its name: its headings and labels are part of the order.
pub(crate) fn template(book: &mut Book<'_>, body: Span, here: &Setting) {
    let source = book.source.clone();
    let parts = parts(source.slice(body));
    let begun =
        here.lead.as_ref().is_some_and(|lead| lead.draft.is_none() && matches!(lead.lead, Lead::Stem(_)));
    // A list that is presented shows what one looks like.
    let checks = is_checks(source.slice(body)) && !says(here);
    let named = checks && is_checklist(book, body, here)
        || (parts.len() > 1 || parts.is_empty() && is_form(source.slice(body)))
            && (is_named(book, body, here) || is_to_make(book, body, here));
    let led = led_norm(book, here).or_else(|| named.then(|| norm_of_lead(book, here)));
    let Some(draft) = led.or_else(|| written_above(book, here).filter(|_| parts.len() > 1)) else {
        return book.omit(body, OmissionReason::Example);
    };
    if checks {
        return tick(book, draft, body);
    }
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

/// The words behind a box to tick: `- [ ] The lamps burn`.
pub(crate) fn boxed(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(['>', '#', ' ', '\t']);
    let text = text.strip_prefix(['-', '*', '+', '•']).unwrap_or(text).trim_start();
    let marks = ["[ ]", "[x]", "[X]", "[]", "☐", "□", "☑"];
    let said = marks.iter().find_map(|mark| text.strip_prefix(mark))?.trim();
    said.contains(char::is_alphanumeric).then_some(said)
}

/// Whether a text is made of boxes to tick, and of the names above them.
pub(crate) fn is_checks(body: &str) -> bool {
    if !body.contains("[ ]") && !body.contains(['☐', '□']) {
        return false;
    }
    let lines = || body.lines().filter(|line| line.contains(char::is_alphanumeric));
    let others = lines().filter(|line| boxed(line).is_none() && !line.trim_start().starts_with('#'));
    let boxes = lines().filter_map(boxed).count();
    // `- [ ] <name> -- [what it does]`: a form to fill in.
    let open = lines().filter_map(boxed).filter(|said| has_blank(said)).count();
    boxes > 1 && others.count() < boxes && open * 2 < boxes
}

/// What is to be ticked completes the norm, name by name: a long list goes on in norms of its own.
fn tick(book: &mut Book<'_>, draft: usize, body: Span) {
    let source = book.source.clone();
    let mut told: Vec<(String, Span, Vec<String>)> = Vec::new();
    let mut name: Option<(&str, Span)> = None;
    for (line, at) in placed(source.slice(body), body) {
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, start + line.trim().len());
        match (boxed(line), told.last_mut()) {
            (Some(said), Some((text, all, literals))) if name.is_none() => {
                text.push_str(", ");
                text.push_str(said);
                *all = all.join(span);
                literals.extend(code_in(said));
            }
            (Some(said), _) => {
                let (text, all) = match name.take() {
                    Some((name, above)) => (format!("{name}: {said}"), above.join(span)),
                    None => (said.to_owned(), span),
                };
                told.push((text, all, code_in(said)));
            }
            // Of several names above a box, the last is its own.
            (None, _) if line.contains(char::is_alphanumeric) => {
                name = Some((line.trim_matches(|c: char| c.is_whitespace() || "#*_:>".contains(c)), span));
            }
            (None, _) => {}
        }
    }
    for (text, span, literals) in told {
        book.complete(draft, &text, span, literals);
    }
    book.omit(body, OmissionReason::Heading);
}

/// What stands in backticks.
fn code_in(text: &str) -> Vec<String> {
    let even = text.matches('`').count().is_multiple_of(2);
    text.split('`').skip(1).step_by(2).filter(|code| even && !code.is_empty()).map(str::to_owned).collect()
}

/// `<type>: <what changed>` right under `Commit format`: a form to fill in, or what it looks like. False for anything else.
pub(crate) fn form(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const GIVEN: &[&str] = &["output", "report", "response", "summary", "review"];
    // `Log format` is the tool's.
    const FOREIGN: &[&str] =
        &["log", "input", "file", "wire", "config", "api", "supported", "data", "request", "default"];
    const MOST: usize = 24;
    let text = book.source.slice(body);
    let sheet = is_sheet(text);
    let heading = here.heading.map_or("", |heading| book.headings[heading].text.as_str());
    let first = heading.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let given = GIVEN.contains(&first.as_str());
    let told = here.section == Stance::Example || here.section == Stance::Describe && !(sheet || given);
    if here.lead.is_some() || here.parent.is_some() || told {
        return false;
    }
    let lower = heading.to_lowercase();
    let naming = lower.contains("naming convention") || lower.ends_with("naming");
    let blanks = || filled(text).filter(|line| has_blank(line)).count();
    let shown = (lower.ends_with(" format") || naming) && is_short(text)
        || [" template", " structure", " layout"].iter().any(|end| lower.ends_with(end))
            && filled(text).count() <= MOST
            && blanks() > 1;
    let last = heading.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    let named = !FOREIGN.contains(&first.as_str())
        && (naming || last.is_some_and(names_template) || given && lower.ends_with(" contract"));
    // `Format: [verb] + [object]` above what is good and bad.
    let labelled =
        ["Format:", "Pattern:", "Template:"].iter().any(|start| text.trim_start().starts_with(start))
            && is_short(text)
            && has_blank(text);
    if fresh_heading(book, body, here).is_none() {
        return false;
    }
    let report = filled(text).filter(|line| has_blank(line)).count() > 1 && !is_document(text);
    if labelled || report && under_output(book, here) || named && (shown || sheet || is_form(text)) {
        let norm = norm_of_lead(book, here);
        complete_with_lines(book, norm, body);
        return true;
    }
    // `Output template` above a filled-in report: that it says `no leaks` forbids none.
    let reports = named && given && !text.lines().any(|line| line.starts_with('#'));
    if reports {
        said(book, body, here);
    }
    reports
}

/// `Extract what is known:` above `- Place: [where]`: a form under an order. False for anything else.
pub(crate) fn led_form(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let text = book.source.slice(body);
    let each = here.lead.as_ref().is_some_and(|lead| lead.draft.is_none() && of_each(lead));
    let led = (each || here.lead.as_ref().is_some_and(|lead| lead.draft.is_some()))
        && (is_form(text) || is_report(text) || is_labelled(text) || is_account(text))
        && filled(text).count() > 1;
    let norm = led.then(|| if each { Some(norm_of_lead(book, here)) } else { led_norm(book, here) });
    let Some(norm) = norm.flatten() else { return false };
    if book.drafts[norm].level.is_prohibition() {
        return false;
    }
    complete_with_lines(book, norm, body);
    true
}

/// A form right under `Completion response`: what is answered then is written like it. False for anything else.
pub(crate) fn headed_form(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    const ANSWERS: &[&str] = &["response", "report", "reply", "summary"];
    let text = book.source.slice(body);
    let free = here.lead.is_none() && !matches!(here.section, Stance::Example | Stance::Describe);
    let heading = fresh_heading(book, body, here).filter(|_| free && filled(text).count() > 1);
    let answers = heading.is_some_and(|heading| {
        let lower = book.headings[heading].text.to_lowercase();
        lower.split(' ').next_back().is_some_and(|last| ANSWERS.contains(&last))
    });
    if !answers || filled(text).filter(|line| has_blank(line)).count() < 2 {
        return false;
    }
    let norm = norm_of_lead(book, here);
    complete_with_lines(book, norm, body);
    true
}

fn complete_with_lines(book: &mut Book<'_>, draft: usize, body: Span) {
    let source = book.source.clone();
    let text = source.slice(body);
    let whole = text.len() <= MOST_BYTES && !is_account(text);
    let name = |line: &str| line.split_once(':').map_or(line, |(name, _)| name).to_owned();
    let lines = filled(text).map(|line| if whole { line.to_owned() } else { name(line) });
    let lines = lines.filter(|line| line.contains(char::is_alphanumeric));
    let lines: Vec<String> = lines.take(MOST).collect();
    book.complete(draft, &lines.join(" / "), body, Vec::new());
}

/// `Tally:` above `- Crates stowed: 12`: points under labels, each with a value of its own, which is a sample.
fn is_account(body: &str) -> bool {
    const FEWEST: usize = 4;
    const MOST: usize = 14;
    let mut lines: Vec<&str> = filled(body).collect();
    if lines.first().is_some_and(|head| head.ends_with(':') && !head.starts_with('-')) {
        lines.remove(0);
    }
    let labelled = |line: &str| {
        let said = line.strip_prefix("- ").and_then(|said| said.split_once(": "));
        said.is_some_and(|(name, value)| !value.is_empty() && name.split(' ').count() <= 6)
    };
    let counts = lines.iter().filter(|line| line.contains(|c: char| c.is_ascii_digit())).count();
    (FEWEST..=MOST).contains(&lines.len())
        && lines.iter().all(|line| labelled(line))
        && counts * 2 >= lines.len()
}

/// `End with a report that the next mate can read.` right above: what that is written like.
fn written_above(book: &Book<'_>, here: &Setting) -> Option<usize> {
    const MADE: &[&str] = &[
        "report",
        "summary",
        "message",
        "comment",
        "description",
        "response",
        "handoff",
        "note",
        "table",
        "brief",
    ];
    let free = here.lead.is_none() && here.parent.is_none();
    let order =
        led_by(book, here).filter(|_| free && !matches!(here.section, Stance::Example | Stance::Describe))?;
    let lower = book.drafts[order].text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| MADE.contains(&word)).then_some(order)
}

fn filled(body: &str) -> impl Iterator<Item = &str> {
    body.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn is_short(body: &str) -> bool {
    const MOST: usize = 8;
    const LONGEST: usize = 320;
    body.len() <= LONGEST && (1..=MOST).contains(&filled(body).count())
}

/// `CARGO` above `- what is stowed where`: names in capitals, and under each what stands there.
fn is_sheet(body: &str) -> bool {
    const MOST: usize = 30;
    let point = |line: &str| line.starts_with(['-', '*', '•']);
    let shouts = |line: &str| {
        !line.contains(|c: char| c.is_lowercase() || matches!(c, '=' | '(' | '{'))
            && line.chars().filter(|c| c.is_alphabetic()).count() > 2
    };
    let names = filled(body).filter(|line| !point(line)).count();
    names > 1
        && filled(body).count() > names
        && filled(body).count() <= MOST
        && filled(body).all(|line| point(line) || shouts(line))
}

/// A few lines, at least half of which hold a blank to fill in: `<scope>`, `[what changed]`, `{name}`.
fn is_form(body: &str) -> bool {
    is_short(body) && filled(body).filter(|line| has_blank(line)).count() * 2 >= filled(body).count()
}

/// `Change: what changed`, `Risk: LOW/HIGH`: a few lines, most of them under a label, and no heading above them.
pub(crate) fn is_labelled(body: &str) -> bool {
    const FEWEST: usize = 3;
    let labels =
        filled(body).filter(|line| plain_label(line).is_some_and(|(_, rest)| !rest.is_empty())).count();
    let heads = filled(body).any(|line| line.starts_with(['#', '|', '-', '*', '`']));
    is_short(body) && labels >= FEWEST && labels * 3 >= filled(body).count() * 2 && !heads
}

/// Labels at least half of which hold a blank, or words to choose from: `- STATE: MOORED | ADRIFT`.
fn is_report(body: &str) -> bool {
    let chooses = |line: &str| {
        line.split_once(": ").is_some_and(|(_, said)| {
            said.contains(" | ")
                && said.split(" | ").all(|word| word.starts_with(|c: char| c.is_uppercase() || c == '<'))
        })
    };
    let labels = || filled(body).filter(|line| !line.starts_with('#'));
    let blanks = labels().filter(|line| chooses(line) || line.contains(": ") && has_blank(line)).count();
    labels().count() <= MOST && labels().any(chooses) && blanks * 2 >= labels().count()
}

pub(super) fn has_blank(line: &str) -> bool {
    [('<', '>'), ('[', ']'), ('{', '}')].iter().any(|(open, close)| {
        let inner = line.split_once(*open).and_then(|(_, rest)| rest.split_once(*close));
        inner.is_some_and(|(inner, _)| inner.len() > 2 && inner.starts_with(char::is_alphabetic))
    })
}

/// Whether the lead-in or the heading names a template: `Report template`, `Structure:`.
fn is_named(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    let heading = || here.heading.map(|heading| book.headings[heading].text.as_str());
    if here.lead.is_none() && under_output(book, here) && !book.source.slice(body).contains("**") {
        return true;
    }
    let text = match &here.lead {
        Some(LeadIn { lead: Lead::Stance(Stance::Neutral | Stance::Order, _), text, .. }) => {
            Some(text.as_str())
        }
        Some(_) => None,
        None => heading(),
    };
    let checks = |text: &str| text.trim_end_matches([':', ' ']).to_lowercase().ends_with(" checklist");
    here.section != Stance::Example
        && text.is_some_and(|text| names_template(text) || checks(text) || is_contract(text))
}

/// `### Short trip` under `## Output description`: how it is written then.
fn under_output(book: &Book<'_>, here: &Setting) -> bool {
    const SHAPES: &[&str] = &["description", "format", "formats", "template", "templates", "contract"];
    let shapes = |heading: &&usize| {
        let lower = book.headings[**heading].text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.next() == Some("output") && words.next().is_some_and(|shape| SHAPES.contains(&shape))
    };
    here.section != Stance::Example
        && book.open.iter().find(shapes).is_some_and(|open| Some(*open) != here.heading)
}

/// `### Step 4: Write the summary` right above.
pub(crate) fn is_to_make(book: &Book<'_>, body: Span, here: &Setting) -> bool {
    const MADE: &[&str] = &["report", "summary", "output", "deliverable", "handoff", "reporting"];
    let free = here.lead.is_none() && here.parent.is_none();
    if !free || matches!(here.section, Stance::Example | Stance::Describe) {
        return false;
    }
    let heading = fresh_heading(book, body, here).map(|heading| book.headings[heading].text.as_str());
    // `Phase 7: Report`.
    let makes = |act: &str| MADE.iter().any(|made| act.trim().eq_ignore_ascii_case(made));
    heading.is_some_and(|heading| {
        orders(named_step(heading).unwrap_or(heading)) || named_step(heading).is_some_and(makes)
    })
}

/// `Output contract`: what is handed over looks like it.
fn is_contract(heading: &str) -> bool {
    const GIVEN: &[&str] = &["output", "response", "report", "reply", "result", "handoff", "deliverable"];
    let lower = heading.trim_end_matches([':', ' ']).to_lowercase();
    lower.strip_suffix(" contract").is_some_and(|given| GIVEN.contains(&given))
}

/// `Report structure`, `The outline to follow`.
pub(crate) fn names_template(text: &str) -> bool {
    const NAMES: &[&str] = &[
        "structure",
        "skeleton",
        "template",
        "layout",
        "boilerplate",
        "scaffold",
        "outline",
        "format",
        "shape",
    ];
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word))
}

/// A heading or a label of a template, and what stands under it.
#[derive(Debug)]
struct Part {
    /// As it must be written: `## Findings`, `**Owner:**`.
    label: String,
    said: Vec<String>,
}

impl Part {
    /// `## Quick start: three commands at most`
    fn text(&self) -> String {
        let parted = self.label.trim_end_matches(['*', '_']).ends_with(':') || self.said.is_empty();
        let said = self.said.join(", ");
        let colon = if parted { "" } else { ":" };
        format!("{}{colon} {said}", self.label).trim_end().to_owned()
    }

    fn size(&self) -> usize {
        self.label.len() + self.said.iter().map(|said| said.len() + 2).sum::<usize>()
    }
}

/// The lines of a template that are its own: those of code in it are not, and a blank of several lines is one.
fn own_lines(body: &str) -> Vec<String> {
    const LONGEST: usize = 6;
    let mut lines: Vec<String> = Vec::new();
    let (mut in_code, mut open) = (false, 0);
    for line in body.lines() {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        if fence || in_code {
            continue;
        }
        let goes_on = (1..LONGEST).contains(&open) && !line.trim().is_empty();
        if let Some(last) = lines.last_mut().filter(|_| goes_on) {
            last.push(' ');
            last.push_str(line.trim());
            open = if line.contains([']', '>']) { 0 } else { open + 1 };
        } else {
            let begins = |(open, close): (char, char)| {
                line.rfind(open).is_some_and(|at| {
                    !line[at..].contains(close) && line[at + 1..].starts_with(char::is_alphanumeric)
                })
            };
            open = usize::from(begins(('[', ']')) || begins(('<', '>')));
            lines.push(line.to_owned());
        }
    }
    lines
}

/// Headings and bold labels of a template, in order. A form with blanks to fill in says what must stand under them; what stands
/// in a filled-in one is a sample.
fn parts(body: &str) -> Vec<Part> {
    const SHORT: usize = 16;
    const LONG: usize = 48;
    const WHOLE: usize = 240;
    const FEWEST_EMPTY: usize = 3;
    let mut parts: Vec<Part> = Vec::new();
    let mut size = 0;
    let short = body.len() <= WHOLE;
    let lines = own_lines(body);
    let asks = |line: &&String| {
        label(bare(line)).or_else(|| plain_label(bare(line))).is_some_and(|(_, rest)| blank(rest).is_some())
    };
    let form = lines.iter().any(|line| blank(line).is_some()) || lines.iter().any(|line| asks(&line));
    let labels = || lines.iter().filter_map(|line| plain_label(bare(line)));
    // `- Port:` above `- Cargo:`: what stands behind them is left to fill in.
    let empty = labels().filter(|(_, rest)| rest.is_empty()).count();
    let empty = empty >= FEWEST_EMPTY && empty * 3 >= labels().count() * 2;
    let open = empty || labels().any(|(_, rest)| is_open(rest));
    let front = lines.first().is_some_and(|line| line.trim() == "---");
    let mut in_front = front;
    for (at, line) in lines.iter().enumerate() {
        if parts.len() > MOST || size > MOST_BYTES {
            break;
        }
        let text = line.trim().trim_start_matches(['>', '-', '*', ' ']);
        if front && at > 0 && line.trim() == "---" {
            in_front = false;
        }
        if in_front && is_field(line)
            || heads_table(line, lines.get(at + 1))
            || is_tag(line)
            || at == 0 && is_title(line.trim())
        {
            size += line.len();
            parts.push(Part { label: line.trim().to_owned(), said: Vec::new() });
            continue;
        }
        let found = label(bare(line)).or_else(|| plain_label(bare(line)).filter(|_| open));
        match found {
            Some((label, _))
                if verdict(plain(label)).is_some() || parts.iter().any(|part| part.label == label) => {}
            Some((label, rest)) => {
                let told = short || form && tells(rest, SHORT);
                let filled =
                    Some(rest).filter(|rest| (open || told) && !rest.is_empty() || form && is_choice(rest));
                let said = blank(rest)
                    .filter(|_| form)
                    .or(filled)
                    .filter(|said| tells(said, LONG) || is_choice(said));
                let said = said.map(str::to_owned);
                parts.push(Part { label: label.to_owned(), said: said.into_iter().collect() });
            }
            None => {
                let (said, most) = blank(text).map_or((text, SHORT), |said| (said, LONG));
                let opens = most == LONG || said.starts_with(char::is_alphabetic);
                let asks = form && opens && tells(said, most);
                if let Some(part) = parts.last_mut().filter(|part| asks && part.said.len() < 4) {
                    part.said.push(said.to_owned());
                }
            }
        }
        size = parts.iter().map(Part::size).sum();
    }
    parts.truncate(MOST);
    parts
}

/// A line without the marks of a quotation or a list.
fn bare(line: &str) -> &str {
    line.trim().trim_start_matches(['>', '-', ' '])
}

/// A label without its marks.
fn plain(label: &str) -> &str {
    label.trim_matches(['#', '*', '_', ':', ' '])
}

/// `<!-- Port: {port} -->`: metadata in a remark.
fn is_tag(line: &str) -> bool {
    const LONGEST: usize = 90;
    let inner = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    line.len() <= LONGEST && inner.is_some_and(|inner| is_field(inner.trim()))
}

/// `status: draft`, among the metadata in front of a template.
fn is_field(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    })
}

/// `| Who | What |` above `|---|---|`.
fn heads_table(line: &str, next: Option<&String>) -> bool {
    let rules = |next: &String| {
        next.contains("--") && next.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
    };
    line.trim_start().starts_with('|') && next.is_some_and(rules)
}

/// `open | closed`, `LOW/HIGH`, `1-5 (5 is best)`, `<start> to <end>`: what to choose from, or to fill in.
fn is_choice(rest: &str) -> bool {
    const LONGEST: usize = 80;
    let first = rest.split(' ').next().unwrap_or_default();
    let shouted = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let grades = first.contains('/') && first.split('/').all(shouted);
    let range = first.split_once('-').is_some_and(|(from, to)| {
        let number =
            |part: &str| !part.is_empty() && part.len() < 4 && part.chars().all(|c| c.is_ascii_digit());
        number(from) && number(to)
    });
    rest.len() <= LONGEST
        && !rest.contains('`')
        && (grades
            || range
            || rest.contains(" | ")
            || rest.contains('<') && rest.contains('>') && blank(rest).is_none())
}

/// `[REVIEW NEEDED]` alone: a title of the text, and no blank.
fn is_title(line: &str) -> bool {
    let inner = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| {
        inner.contains(' ') && inner.chars().all(|c| c.is_ascii_uppercase() || matches!(c, ' ' | '-'))
    })
}

/// `## Findings`, `**Impact:** [who is hit]`, `*Check:* a command`: the label, and what stands behind it.
fn label(text: &str) -> Option<(&str, &str)> {
    if text.starts_with('#') {
        return text.contains(char::is_alphanumeric).then_some((text.trim_end(), ""));
    }
    let mark = ["**", "*", "_"].into_iter().find(|mark| text.starts_with(mark))?;
    let inner = text[mark.len()..].find(mark).filter(|&end| end > 0)?;
    let mut end = mark.len() + inner + mark.len();
    let named = text[mark.len()..mark.len() + inner].ends_with(':');
    if text[end..].starts_with(':') && !named {
        end += 1;
    }
    (mark == "**" || named || text[..end].ends_with(':')).then(|| (&text[..end], text[end..].trim()))
}

/// `What broke: ...` in a form that leaves its labels open.
fn plain_label(text: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 6;
    let (label, rest) = text.split_at(text.find(':')? + 1);
    let name = label.trim_end_matches(':');
    let named = name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= LONGEST;
    let worded = name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '/' | '_'));
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
fn tells(said: &str, most: usize) -> bool {
    let words = said.split_whitespace().count();
    (2..=most).contains(&words)
        && said.starts_with(char::is_alphanumeric)
        && !said.contains(['|', '`', '='])
        && said.chars().filter(|c| matches!(c, '[' | '<' | '{' | '$')).count() < 2
}
