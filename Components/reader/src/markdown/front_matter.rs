//! The `---` block at the very start of a file: `key: value` lines, read without a YAML parser.

use std::ops::Range;

use mentci_source::{Code, Finding, Source, Span};

/// The front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter {
    /// All its bytes, both rulers included.
    pub span: Span,
    /// Its top-level keys.
    pub entries: Vec<FrontMatterEntry>,
}

/// One key of the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatterEntry {
    /// The key.
    pub key: String,
    /// Its value: unquoted, folded lines joined by a space.
    pub value: String,
    /// The bytes of key and value.
    pub span: Span,
}

impl FrontMatter {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str())
    }
}

/// Reads front matter, only at offset 0. One that is never closed is a finding, and its keys end where the text begins: what stands
/// below is no part of it.
pub(super) fn read(source: &Source, findings: &mut Vec<Finding>) -> Option<FrontMatter> {
    let text = source.text();
    if !is_ruler(first_line(text)) {
        return None;
    }
    let end = closing_ruler(text).or_else(|| {
        let finding = Finding::new(Code::FRONT_MATTER, "the front matter is never closed")
            .help("end it with `---` on a line of its own")
            .at(source, Span::at(0));
        findings.push(finding);
        end_of_keys(text)
    })?;
    let mut entries: Vec<FrontMatterEntry> = Vec::new();
    let mut at = first_line(text).len();
    for line in text[at..end.start].split_inclusive('\n') {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        read_line(source, line, span, &mut entries, findings);
    }
    for entry in &mut entries {
        entry.value = unquote(entry.value.trim());
    }
    Some(FrontMatter { span: Span::new(0, end.end), entries })
}

fn read_line(
    source: &Source,
    line: &str,
    span: Span,
    entries: &mut Vec<FrontMatterEntry>,
    findings: &mut Vec<Finding>,
) {
    let body = line.trim();
    if body.is_empty() || body.starts_with('#') {
        return;
    }
    let nested = line.starts_with([' ', '\t', '-']);
    match (nested, body.split_once(':'), entries.last_mut()) {
        (true, _, Some(entry)) => {
            entry.value = format!("{} {body}", entry.value.trim_start_matches(['>', '|', '-', '+']).trim());
            entry.span = entry.span.join(span);
        }
        (false, Some((key, value)), _) if is_key(key) => {
            entries.push(FrontMatterEntry {
                key: key.trim().to_owned(),
                value: value.trim().to_owned(),
                span,
            });
        }
        _ => findings.push(
            Finding::new(Code::FRONT_MATTER, "this line of the front matter is not `key: value`")
                .help("indent a line that goes on, or quote it")
                .at(source, span),
        ),
    }
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn is_ruler(line: &str) -> bool {
    line.trim_end() == "---"
}

fn first_line(text: &str) -> &str {
    text.split_inclusive('\n').next().unwrap_or("")
}

/// The ruler that closes. One below text of the body parts that text.
fn closing_ruler(text: &str) -> Option<Range<usize>> {
    let mut at = first_line(text).len();
    let mut is_parted = false;
    for line in text[at..].split_inclusive('\n') {
        if is_ruler(line) {
            return Some(at..at + line.len());
        }
        let is_blank = line.trim().is_empty();
        if is_parted && !(is_blank || goes_on(line) || line.starts_with('#') || opens_entry(line)) {
            return None;
        }
        is_parted |= is_blank;
        at += line.len();
    }
    None
}

/// Where the leading run of keys ends; none without a key.
fn end_of_keys(text: &str) -> Option<Range<usize>> {
    let start = first_line(text).len();
    let lines = text[start..].split_inclusive('\n');
    let run = lines.take_while(|line| !line.trim().is_empty() && (goes_on(line) || opens_entry(line)));
    let end = start + run.map(str::len).sum::<usize>();
    (end > start).then_some(end..end)
}

/// Whether a line goes on with the value above it.
fn goes_on(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// `name: value`. Keys are written small; `Note: …` is text.
fn opens_entry(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| is_key(key) && key.starts_with(char::is_lowercase))
}

fn unquote(value: &str) -> String {
    let inner = |quote| value.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value).to_owned()
}
