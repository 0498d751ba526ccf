//! Findings with the lines that they are about.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_disk::{RealFs, read_optional};
use mentci_source::{Finding, Severity, Source, Span};
use owo_colors::OwoColorize;

use crate::paint::{line, plain, severity};

/// Longer lines are cut around the place.
const MAX_WIDTH: usize = 160;

/// Renders findings. Those of one file come one behind another, so one file is kept.
pub(crate) struct Snippets {
    root: PathBuf,
    last: Option<(Arc<str>, Option<Source>)>,
}

impl Snippets {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), last: None }
    }

    /// Head, place, snippet, help; ends without a line break.
    pub(crate) fn render(&mut self, finding: &Finding) -> String {
        let name = match finding.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let head = severity(finding.severity, &format!("{name}[{}]", finding.code.id()));
        let mut text = format!("{head}: {}", line(&finding.message).bold());
        let snippet = self.snippet(finding);
        let margin = snippet.as_ref().map_or(1, |snippet| snippet.margin);
        let arrow = margin.saturating_sub(1).max(1);
        if let Some(place) = place(finding) {
            let _ = write!(text, "\n{:arrow$}{} {place}", "", "-->".blue());
        }
        if let Some(snippet) = snippet {
            text.push_str(&snippet.text);
        }
        if let Some(help) = &finding.help {
            let _ = write!(text, "\n{:margin$}{} help: {}", "", "=".blue(), line(help));
        }
        text
    }

    fn snippet(&mut self, finding: &Finding) -> Option<Snippet> {
        let (path, span, number) = (finding.path.as_ref()?, finding.span?, finding.line?);
        if self.last.as_ref().is_none_or(|(last, _)| last != path) {
            self.last = Some((path.clone(), read(&self.root, path)));
        }
        let (_, source) = self.last.as_ref()?;
        snippet(source.as_ref()?, span, number)
    }
}

struct Snippet {
    text: String,
    /// The width of the line number and a space.
    margin: usize,
}

fn read(root: &Path, path: &str) -> Option<Source> {
    let bytes = read_optional(&RealFs, &root.join(path)).ok()??;
    Some(Source::decode(path, &bytes).value)
}

fn place(finding: &Finding) -> Option<String> {
    let path = line(finding.path.as_ref()?);
    Some(match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{path}:{line}:{column}"),
        _ => path,
    })
}

/// The line of a place, with a mark under what it is about. The file may have changed meanwhile: then there is none.
fn snippet(source: &Source, span: Span, number: u32) -> Option<Snippet> {
    let whole = source.span_of_line(number);
    if !(whole.start..=whole.end).contains(&span.start) {
        return None;
    }
    let end = span.end.min(whole.end).max(span.start);
    let before = source.slice(Span { start: whole.start, end: span.start });
    let inside = source.slice(Span { start: span.start, end });
    let after = source.slice(Span { start: end, end: whole.end });
    let (before, inside, after) = cut(&shown(last(before)), &shown(first(inside)), &shown(first(after)));
    let marks = inside.chars().count().max(1);
    let margin = number.to_string().len() + 1;
    let bar = "|".blue().to_string();
    let gap = " ".repeat(before.chars().count());
    let text = format!(
        "\n{:margin$}{bar}\n{} {bar} {before}{inside}{after}\n{:margin$}{bar} {gap}{}",
        "",
        number.blue(),
        "",
        "^".repeat(marks).yellow()
    );
    Some(Snippet { text, margin })
}

/// As much of a text's beginning as can show, and one character that tells whether it went on: a line may be megabytes long.
fn first(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_WIDTH + 1).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// As much of its end.
fn last(text: &str) -> &str {
    let start = text.char_indices().nth_back(MAX_WIDTH).map_or(0, |(at, _)| at);
    &text[start..]
}

fn shown(text: &str) -> String {
    plain(text).replace('\t', "    ").replace('\n', " ")
}

/// Cuts a long line to what lies around the place.
fn cut(before: &str, inside: &str, after: &str) -> (String, String, String) {
    let chars: Vec<char> = before.chars().collect();
    let lead = chars.len().saturating_sub(60);
    let before = if chars.len() + inside.chars().count() > MAX_WIDTH && lead > 0 {
        format!("…{}", chars[lead..].iter().collect::<String>())
    } else {
        before.to_owned()
    };
    let room = MAX_WIDTH.saturating_sub(before.chars().count());
    let inside: String = inside.chars().take(room.max(20)).collect();
    let room = room.saturating_sub(inside.chars().count());
    let after: String = after.chars().take(room).collect();
    (before, inside, after)
}
