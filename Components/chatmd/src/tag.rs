//! Tags: `<name attribute="value" …>`, aware of quotes.

use mentci_source::Span;

use crate::{Attribute, Decoded, Element, Quote};

/// An opening tag.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) self_closing: bool,
    pub(crate) start: usize,
    /// One past `>`.
    pub(crate) end: usize,
}

/// Why `<name` is no tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TagFault {
    pub(crate) at: usize,
    pub(crate) kind: TagFaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagFaultKind {
    /// The quote that starts here is never closed.
    Quote,
    /// There is no `>`.
    NoEnd,
    /// This character cannot stand in a tag.
    Character,
}

impl TagFaultKind {
    pub(crate) fn message(self, name: &str) -> String {
        match self {
            Self::Quote => format!("a quote in `<{name}` is never closed"),
            Self::NoEnd => format!("`<{name}` has no `>`"),
            Self::Character => format!("`<{name}` holds a character that no tag may hold here"),
        }
    }
}

/// The name that starts at `at`: letters, digits, `_`, `-`, from a letter or `_`. Empty where there is none.
pub(crate) fn name_at(text: &str, at: usize) -> &str {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    if !rest.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_') {
        return "";
    }
    let end = rest.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || b"_-".contains(&byte)));
    &text[at..at + end.unwrap_or(rest.len())]
}

/// The element whose opening or closing tag starts at `at`, where a `<` stands.
pub(crate) fn element_at(text: &str, at: usize) -> Option<Element> {
    let start = if text.as_bytes().get(at + 1) == Some(&b'/') { at + 2 } else { at + 1 };
    let name = name_at(text, start);
    let after = text.as_bytes().get(start + name.len()).copied();
    let ends = after.is_none_or(|byte| byte.is_ascii_whitespace() || byte == b'>' || byte == b'/');
    Element::find(name).filter(|_| ends)
}

/// The end of the closing tag `</name>` that starts at `at`; `None` where none does.
pub(crate) fn closing_end(text: &str, at: usize, name: &str) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix("</")?.strip_prefix(name)?;
    let rest = rest.trim_start_matches([' ', '\t', '\r', '\n']).strip_prefix('>')?;
    Some(text.len() - rest.len())
}

/// Reads the opening tag whose `<` stands at `at`, within `text[..limit]`.
///
/// People write `\"` for a quote within quotes, as in JSON. A tag that reads no other way is read so.
pub(crate) fn read(text: &str, at: usize, limit: usize) -> Result<Tag, TagFault> {
    let text = &text[..limit];
    read_with(text, at, Backslash::Stands).or_else(|fault| match fault.kind {
        TagFaultKind::Character => read_with(text, at, Backslash::SparesQuotes).map_err(|_| fault),
        _ => Err(fault),
    })
}

/// What a backslash before a quote is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backslash {
    /// A backslash.
    Stands,
    /// With the quote after it, that quote as text.
    SparesQuotes,
}

fn read_with(text: &str, at: usize, backslash: Backslash) -> Result<Tag, TagFault> {
    let name = name_at(text, at + 1);
    let mut tag = Tag {
        name: name.to_owned(),
        attributes: Vec::new(),
        self_closing: false,
        start: at,
        end: at + 1 + name.len(),
    };
    loop {
        let here = skip_space(text, tag.end);
        match text.as_bytes().get(here) {
            None | Some(b'<') => return Err(TagFault { at: here, kind: TagFaultKind::NoEnd }),
            Some(b'>') => return Ok(Tag { end: here + 1, ..tag }),
            Some(b'/') if text.as_bytes().get(here + 1) == Some(&b'>') => {
                return Ok(Tag { end: here + 2, self_closing: true, ..tag });
            }
            Some(b'/' | b'=' | b'"' | b'\'') => {
                return Err(TagFault { at: here, kind: TagFaultKind::Character });
            }
            Some(_) => {
                let attribute = attribute(text, here, backslash)?;
                tag.end = attribute.span.end as usize;
                tag.attributes.push(attribute);
            }
        }
    }
}

fn skip_space(text: &str, at: usize) -> usize {
    let space = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    at + space
}

fn attribute(text: &str, at: usize, backslash: Backslash) -> Result<Attribute, TagFault> {
    let length = text.as_bytes()[at..]
        .iter()
        .position(|&byte| byte.is_ascii_whitespace() || b"=/<>\"'".contains(&byte))
        .unwrap_or(text.len() - at);
    let name_end = at + length;
    let equals = skip_space(text, name_end);
    let name_span = Span::new(at, name_end);
    let bare = Attribute {
        name: text[at..name_end].to_owned(),
        value: None,
        quote: Quote::None,
        span: name_span,
        name_span,
        value_span: Span::at(name_end),
    };
    if text.as_bytes().get(equals) != Some(&b'=') {
        return Ok(bare);
    }
    let (quote, value_span, end) = value(text, skip_space(text, equals + 1), backslash)?;
    let raw = &text[value_span.range()];
    let decoded = match backslash {
        Backslash::Stands => Decoded::entities(raw, value_span.start as usize),
        Backslash::SparesQuotes => Decoded::without_backslashes(raw, value_span.start as usize),
    };
    Ok(Attribute { value: Some(decoded), quote, span: Span::new(at, end), value_span, ..bare })
}

/// The value at `at`: its quote, its bytes without quotes, and where it ends.
fn value(text: &str, at: usize, backslash: Backslash) -> Result<(Quote, Span, usize), TagFault> {
    let quote = match text.as_bytes().get(at) {
        Some(b'"') => Quote::Double,
        Some(b'\'') => Quote::Single,
        _ => return Ok(unquoted(text, at)),
    };
    let fault = TagFault { at, kind: TagFaultKind::Quote };
    let spared = |end: usize| backslash == Backslash::SparesQuotes && text.as_bytes()[end - 1] == b'\\';
    let quotes = memchr::memchr_iter(text.as_bytes()[at], &text.as_bytes()[at + 1..]);
    let length = quotes.into_iter().find(|length| !spared(at + 1 + length)).ok_or(fault)?;
    let span = Span::new(at + 1, at + 1 + length);
    if holds_element_line(&text[span.range()]) { Err(fault) } else { Ok((quote, span, at + length + 2)) }
}

fn unquoted(text: &str, at: usize) -> (Quote, Span, usize) {
    let rest = &text.as_bytes()[at..];
    let length = rest
        .iter()
        .enumerate()
        .position(|(index, &byte)| {
            byte.is_ascii_whitespace() || b"<>\"'".contains(&byte) || rest[index..].starts_with(b"/>")
        })
        .unwrap_or(rest.len());
    (Quote::None, Span::new(at, at + length), at + length)
}

/// Whether a line of a quoted value starts with an element: then its quote was never meant to reach so far.
///
/// INVARIANT (no quote over a block): a quote that was never closed cannot swallow a block that starts a line.
fn holds_element_line(value: &str) -> bool {
    memchr::memchr_iter(b'\n', value.as_bytes()).any(|line_break| {
        let at = skip_space(value, line_break + 1);
        value.as_bytes().get(at) == Some(&b'<') && element_at(value, at).is_some_and(Element::stands_alone)
    })
}
