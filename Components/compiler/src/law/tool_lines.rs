//! Fences that say what to look for: `# Find all lamps` above `Grep: lamp\(`. Each remark with what is run under it is a norm.

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::fence::{command_draft, placed};
use super::setting::{LeadIn, Setting};
use super::speech::lead::Lead;

/// Reads such a fence; false for any other.
pub(super) fn tool_lines(book: &mut Book<'_>, body: Span, here: &Setting) -> bool {
    let source = book.source.clone();
    let text = source.slice(body);
    let lines = || placed(text, body).filter(|(line, _)| !line.trim().is_empty());
    let by_means = here.lead.as_ref().is_some_and(|lead| names_means(&lead.text));
    let is_run = |line: &str| is_run(line) || by_means && is_call(line);
    let runs = lines().filter(|(line, _)| is_run(line) && !line.starts_with([' ', '\t'])).count();
    let forbids = here.lead.as_ref().is_some_and(LeadIn::forbids);
    if runs == 0 || forbids || !lines().all(|(line, _)| is_run(line) || remark(line).is_some()) {
        return false;
    }
    let names = |lead: &&LeadIn| by_means || matches!(lead.lead, Lead::Stance(..));
    let lead = here.lead.as_ref().filter(|lead| lead.draft.is_none()).filter(names);
    let name = lead.map(|lead| lead.text.trim_end_matches([':', ' ']));
    let mut open: Option<(String, Span)> = None;
    let mut run_before = false;
    for (line, at) in lines() {
        let start = at + line.len() - line.trim_start().len();
        let span = Span::new(start, start + line.trim().len());
        match (remark(line), &mut open) {
            (Some(_), Some(_)) if run_before => write(book, open.take(), (name, lead), here),
            (None, Some((said, all))) => {
                let listed = line.starts_with([' ', '\t']);
                said.push_str(match () {
                    () if said.ends_with(':') => " ",
                    () if listed => ", ",
                    () if run_before => "; ",
                    () => ": ",
                });
                said.push_str(line.trim().trim_start_matches(['-', '*', ' ']));
                *all = all.join(span);
            }
            _ => {}
        }
        match (remark(line), &mut open) {
            (Some(remark), Some((said, all))) => {
                said.push_str(", ");
                said.push_str(remark);
                *all = all.join(span);
            }
            (Some(remark), open @ None) => *open = Some((remark.to_owned(), span)),
            (None, open @ None) => *open = Some((line.trim().to_owned(), span)),
            (None, Some(_)) => {}
        }
        run_before = is_run(line);
    }
    write(book, open, (name, lead), here);
    book.omit(body, OmissionReason::Separator);
    true
}

/// Adds what a remark and the lines under it say.
fn write(
    book: &mut Book<'_>,
    said: Option<(String, Span)>,
    (name, lead): (Option<&str>, Option<&LeadIn>),
    here: &Setting,
) {
    let Some((said, span)) = said else { return };
    let text = name.map_or(said.clone(), |name| format!("{name}: {said}"));
    let draft = command_draft(text, Level::Must, Vec::new(), (span, span), here);
    let mut spans = vec![span];
    spans.extend(lead.map(|lead| lead.span));
    book.add(Draft { spans, completions: 0, ..draft });
}

/// `Grep: lamp\(`: what is run, with the name of the tool in front.
fn is_run(line: &str) -> bool {
    const TOOLS: &[&str] = &["Grep", "Glob", "Search", "Ripgrep", "Find", "Bash", "Query"];
    // `Grep for:` above a list of what is looked for.
    let opens = line.trim().strip_suffix(':').is_some_and(|lead| {
        lead.split(' ').next().is_some_and(|tool| TOOLS.contains(&tool)) && lead.split(' ').count() <= 4
    });
    let listed = line.starts_with([' ', '\t']) && line.trim_start().starts_with(['-', '*']);
    opens
        || listed
        || line
            .trim()
            .split_once(": ")
            .is_some_and(|(tool, rest)| TOOLS.contains(&tool) && !rest.trim().is_empty())
}

/// `With the chart:`, `Using two lamps:`.
fn names_means(lead: &str) -> bool {
    const LONGEST: usize = 5;
    let opens = ["With ", "Using ", "Via "].iter().any(|opens| lead.trim_start().starts_with(opens));
    opens && lead.split(' ').count() <= LONGEST
}

/// `chart_search(query: "…")`: a tool that is called.
fn is_call(line: &str) -> bool {
    let line = line.trim();
    let named = |name: &str| {
        name.contains('_') && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
    };
    line.split_once('(').is_some_and(|(name, _)| named(name)) && line.ends_with([')', ';'])
}

/// `# Find all lamps`.
fn remark(line: &str) -> Option<&str> {
    let said = line.trim().strip_prefix("# ").or_else(|| line.trim().strip_prefix("// "))?.trim();
    said.contains(char::is_alphanumeric).then_some(said)
}
