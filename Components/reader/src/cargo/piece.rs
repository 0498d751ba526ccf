//! What each stretch of a manifest belongs to, for a coverage map.

use mentci_source::{Source, Span};
use toml::de::{DeTable, DeValue};

use super::manifest::{Manifest, Spot, span};

/// A stretch of a manifest. Pieces stand in order, do not overlap, and cover every byte that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes.
    pub span: Span,
    /// What it belongs to.
    pub subject: Subject,
}

/// What a stretch of a manifest belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A table's header: its dotted path, as in `workspace.package`.
    Header(String),
    /// A key and its value, with the table's path: `workspace.package.edition`.
    Entry(String),
    /// A comment, from `#` to the end of its line.
    Comment,
    /// Text that is not TOML.
    Unread,
}

/// Accounts for every byte of a manifest that is not blank. A comment inside a value belongs to its entry.
///
/// ```
/// use mentci_reader::cargo::{Subject, pieces};
/// use mentci_source::Source;
///
/// let found = pieces(&Source::new("Cargo.toml", "[package] # ours\nname = \"a\"\n"));
/// let subjects: Vec<Subject> = found.into_iter().map(|piece| piece.subject).collect();
/// let entry = Subject::Entry("package.name".to_owned());
/// assert_eq!(subjects, [Subject::Header("package".to_owned()), Subject::Comment, entry]);
/// ```
pub fn pieces(source: &Source) -> Vec<Piece> {
    let manifest = Manifest::read(source, &mut Vec::new());
    let mut entries = Vec::new();
    collect(source, manifest.root(), "", &mut entries);
    entries.sort_by_key(|piece: &Piece| piece.span);
    let mut laid = Vec::new();
    let mut at = 0;
    for entry in entries {
        if entry.span.start as usize >= at {
            between(source, Span::new(at, entry.span.start as usize), &mut laid);
            at = entry.span.end as usize;
            laid.push(entry);
        }
    }
    between(source, Span::new(at, source.text().len()), &mut laid);
    laid
}

/// The entries of a table and of the tables under it that have headers or dotted keys of their own.
fn collect(source: &Source, table: &DeTable<'_>, around: &str, entries: &mut Vec<Piece>) {
    for (key, spot) in table {
        let name =
            if around.is_empty() { key.get_ref().to_string() } else { format!("{around}.{}", key.get_ref()) };
        match spot.get_ref() {
            DeValue::Table(inner) if !is_inline(source, spot) => collect(source, inner, &name, entries),
            DeValue::Array(items) if items.iter().next().is_some_and(|item| has_header(source, item)) => {
                for inner in items.iter().filter_map(|item| item.get_ref().as_table()) {
                    collect(source, inner, &name, entries);
                }
            }
            _ => {
                let start = line_start(source, key.span().start);
                let end = spot.span().end.max(key.span().end);
                entries.push(Piece { span: Span::new(start, end), subject: Subject::Entry(name) });
            }
        }
    }
}

fn is_inline(source: &Source, spot: &Spot<'_>) -> bool {
    source.slice(span(spot)).starts_with('{')
}

/// Whether a value is a table under `[[…]]`.
fn has_header(source: &Source, spot: &Spot<'_>) -> bool {
    spot.get_ref().is_table() && !is_inline(source, spot)
}

/// The first byte that is not blank on the line of byte `at`: a dotted key starts there.
fn line_start(source: &Source, at: usize) -> usize {
    let before = source.slice(Span::new(0, at));
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    start + (before[start..].len() - before[start..].trim_start().len())
}

/// Headers, comments and what is not TOML, line by line.
fn between(source: &Source, gap: Span, laid: &mut Vec<Piece>) {
    let mut at = gap.range().start;
    for line in source.slice(gap).split_inclusive('\n') {
        let text = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if text.is_empty() {
            continue;
        }
        let header = header_length(text);
        if header > 0 {
            let subject = Subject::Header(header_path(&text[..header]));
            laid.push(Piece { span: Span::new(start, start + header), subject });
        }
        let rest = text[header..].trim_start();
        let start = start + text.len() - rest.len();
        let subject = if rest.starts_with('#') { Subject::Comment } else { Subject::Unread };
        if !rest.is_empty() {
            laid.push(Piece { span: Span::new(start, start + rest.len()), subject });
        }
    }
}

/// How long the header is that the line starts with: to the last `]` outside quotes before a comment; 0 without one.
fn header_length(line: &str) -> usize {
    if !line.starts_with('[') {
        return 0;
    }
    let (mut quote, mut end) = (None, 0);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (None, ']') => end = at + 1,
            (None, '#') => break,
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    end
}

/// The dotted path of a header, without the quotes of its keys; the header itself where it is not TOML.
fn header_path(header: &str) -> String {
    let Ok(root) = DeTable::parse(header) else { return header.to_owned() };
    let mut keys: Vec<String> = Vec::new();
    let mut table = Some(root.get_ref());
    while let Some((key, spot)) = table.and_then(|table| table.iter().next()) {
        keys.push(key.get_ref().to_string());
        table = spot.get_ref().as_table();
    }
    keys.join(".")
}
