//! Edits of a text that leave every other byte alone.
//!
//! Each takes a text and what was read from that same text without an `E0501` finding, and gives the edited text, or
//! none when the place does not fit the text.

use mentci_source::Span;

use super::token::{is_blank, is_delimiter};
use super::{Node, Value};

/// The text with `entries` spliced in before the closing bracket of `vector`, each on a line of its own: every byte that stands there
/// stays, in order. None when `vector` is not a vector that stands, closed, in this text.
///
/// ```
/// use mentci_reader::edn;
/// use mentci_source::Source;
///
/// let text = "[{:id 1} ; the first\n]\n";
/// let document = edn::read(&Source::new("a.edn", text)).value;
/// let edited = edn::append_to_vector(text, &document.forms[0], &["{:id 2}", "{:id 3}"]);
/// assert_eq!(edited.as_deref(), Some("[{:id 1} ; the first\n {:id 2}\n {:id 3}\n]\n"));
/// ```
pub fn append_to_vector(text: &str, vector: &Node, entries: &[impl AsRef<str>]) -> Option<String> {
    let Value::Vector(items) = &vector.value else { return None };
    let body = inside(text, vector.span, '[', ']')?;
    let end = body.start as usize + text[body.range()].trim_end().len();
    let on_one_line = items.is_empty() && text[body.range()].trim_matches(' ').is_empty();
    let first = items.first().map_or(body, |item| item.span);
    let new_line = new_line(text, first.start as usize);
    let mut added: String = entries.iter().flat_map(|entry| [new_line.as_str(), entry.as_ref()]).collect();
    if on_one_line {
        added.drain(..new_line.len().min(added.len()));
    }
    Some(spliced(text, Span::at(end), &added))
}

/// The text with the bytes of `span` replaced by `value`. None when `span` does not lie in the text.
pub fn replace_value(text: &str, span: Span, value: &str) -> Option<String> {
    text.get(span.range())?;
    Some(spliced(text, span, value))
}

/// The text with `value` under `key` (as `":status"`) of `map`: its old value replaced, else the entry put behind the
/// last one, set apart as that one is. None when `map` is not a map that stands in this text.
///
/// ```
/// use mentci_reader::edn;
/// use mentci_source::Source;
///
/// let text = "{:id 1, :status :active}";
/// let map = &edn::read(&Source::new("a.edn", text)).value.forms[0];
/// assert_eq!(edn::set_key(text, map, ":status", ":promoted").unwrap(), "{:id 1, :status :promoted}");
/// assert_eq!(edn::set_key(text, map, ":source", ":pi").unwrap(), "{:id 1, :status :active, :source :pi}");
/// ```
pub fn set_key(text: &str, map: &Node, key: &str, value: &str) -> Option<String> {
    let entries = map.as_map()?.entries();
    let body = inside(text, map.span, '{', '}')?;
    if let Some(old) = map.get(key) {
        return replace_value(text, old.span, value);
    }
    let Some((_, last)) = entries.last() else {
        return Some(spliced(text, Span::at(body.start as usize), &format!("{key} {value}")));
    };
    let gap = gap_before_last(text, entries);
    Some(spliced(text, Span::at(last.span.end as usize), &format!("{gap}{key} {value}")))
}

/// The text without `key` and its value in `map`; the same text where `map` has no such key. None when `map` is not a map that stands in
/// this text.
///
/// ```
/// use mentci_reader::edn;
/// use mentci_source::Source;
///
/// let text = "{:id 1, :reason \"late\", :source :pi}";
/// let map = &edn::read(&Source::new("a.edn", text)).value.forms[0];
/// assert_eq!(edn::remove_key(text, map, ":reason").unwrap(), "{:id 1, :source :pi}");
/// assert_eq!(edn::remove_key(text, map, ":status").unwrap(), text);
/// ```
pub fn remove_key(text: &str, map: &Node, key: &str) -> Option<String> {
    let entries = map.as_map()?.entries();
    inside(text, map.span, '{', '}')?;
    let found = entries
        .iter()
        .find(|(name, _)| name.as_keyword().is_some_and(|name| key.strip_prefix(":") == Some(name)));
    found.map_or_else(
        || Some(text.to_owned()),
        |(name, value)| remove_entry(text, Span::new(name.span.start as usize, value.span.end as usize)),
    )
}

/// The text without the bytes of `span` and the blanks that set it apart; a line that held nothing else goes with it.
/// Comments stay. None when `span` does not lie in the text.
///
/// ```
/// use mentci_reader::edn;
/// use mentci_source::Source;
///
/// let text = "[{:id 1} ; the first\n {:id 2}\n {:id 3}]\n";
/// let document = edn::read(&Source::new("a.edn", text)).value;
/// let entries = document.forms[0].items().unwrap();
/// let edited = edn::remove_entry(text, entries[1].span);
/// assert_eq!(edited.as_deref(), Some("[{:id 1} ; the first\n {:id 3}]\n"));
/// ```
pub fn remove_entry(text: &str, span: Span) -> Option<String> {
    text.get(span.range())?;
    let (before, after) = (&text[..span.range().start], &text[span.range().end..]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = after.find('\n').map_or(text.len(), |at| span.range().end + at + 1);
    let starts_line = before[line_start..].trim().is_empty();
    let ends_line = text[span.range().end..line_end].trim().is_empty();
    if starts_line && ends_line {
        return Some(spliced(text, Span::new(line_start, line_end), ""));
    }
    let (start, behind) =
        if starts_line { cut_at_line_start(before, after) } else { cut_in_line(before, after) };
    let cut = Span::new(start, span.range().end + behind);
    Some(spliced(text, cut, between(text, cut)))
}

/// The bytes between the brackets of a collection; none when `span` does not start and end with them.
fn inside(text: &str, span: Span, open: char, close: char) -> Option<Span> {
    let body = text.get(span.range())?.strip_prefix(open)?.strip_suffix(close)?;
    let start = span.range().start + 1;
    Some(Span::new(start, start + body.len()))
}

fn spliced(text: &str, cut: Span, new: &str) -> String {
    [&text[..cut.range().start], new, &text[cut.range().end..]].concat()
}

/// A line break as the text has them, and blanks up to the column of byte `at`.
fn new_line(text: &str, at: usize) -> String {
    let line_start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let indent = text[line_start..at].chars().map(|c| if c == '\t' { '\t' } else { ' ' });
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let deep = text[line_start..at].len() > 64;
    if deep { format!("{line_break} ") } else { line_break.chars().chain(indent).collect() }
}

/// What sets the last entry apart from the one before it; a line of its own where a comment stands between.
fn gap_before_last(text: &str, entries: &[(Node, Node)]) -> String {
    let [.., (_, before), (key, _)] = entries else { return " ".to_owned() };
    match text.get(before.span.range().end..key.span.range().start) {
        Some("") | None => " ".to_owned(),
        Some(gap) if gap.chars().all(is_blank) => gap.to_owned(),
        Some(_) => new_line(text, key.span.range().start),
    }
}

/// An entry that starts its line: what stands behind it takes its place. The line break before it goes when a bracket
/// follows, unless the line above may end in a comment, which would swallow the bracket.
fn cut_at_line_start(before: &str, after: &str) -> (usize, usize) {
    let behind = after.trim_start_matches([' ', '\t']);
    let above = before.trim_end();
    let line_above = above.rfind('\n').map_or(above, |at| &above[at + 1..]);
    let pull_up = behind.starts_with([')', ']', '}']) && !line_above.contains(';');
    (if pull_up { above.len() } else { before.len() }, after.len() - behind.len())
}

/// An entry behind something else on its line: the blanks before it go with it; behind an opening bracket, those after.
fn cut_in_line(before: &str, after: &str) -> (usize, usize) {
    let kept = before.trim_end_matches([' ', '\t', ',']);
    let behind = after.trim_start_matches([' ', '\t', ',']);
    let first = kept.ends_with(['(', '[', '{']);
    (kept.len(), if first { after.len() - behind.len() } else { 0 })
}

/// A blank where the cut would make two tokens one.
fn between(text: &str, cut: Span) -> &'static str {
    let before = text[..cut.range().start].chars().next_back();
    let after = text[cut.range().end..].chars().next();
    let joins = |c: Option<char>| c.is_some_and(|c| !is_delimiter(c) || c == '"');
    if joins(before) && joins(after) { " " } else { "" }
}
