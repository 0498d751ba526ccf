//! Writing blocks, so that what they hold cannot pose as anything else.

use std::fmt::Write as _;
use std::sync::Arc;

use mentci_source::Span;

use crate::block::{Block, Body, Node, Passage};
use crate::{Attribute, Decoded, Element, Quote, entity, fence};

/// INVARIANT (nothing forges): between the tags there is no `<`, and no end of a fence or a comment, but what the writer
/// itself put there.
pub(crate) fn block<'a>(
    element: Element,
    attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    body: Option<&str>,
) -> Block {
    let mut text = format!("<{}", element.name());
    let attributes: Vec<Attribute> = attributes
        .into_iter()
        .filter(|(name, _)| is_name(name))
        .map(|(name, value)| attribute(name, value, &mut text))
        .collect();
    let Some(body) = body else {
        text.push_str("/>");
        let inner = Span::at(text.len());
        return finish(element, attributes, text, inner, None);
    };
    text.push_str(">\n");
    let start = text.len();
    let fenced = write_body(body, &mut text);
    let inner = Span::new(start - 1, text.len() + 1);
    let _ = write!(text, "\n</{}>", element.name());
    finish(element, attributes, text, inner, Some(fenced))
}

/// A value between quotes, as it stands in a tag: double ones, or single ones where only they spare an entity.
///
/// ```
/// assert_eq!(mentci_chatmd::quoted("a < b"), "\"a &lt; b\"");
/// assert_eq!(mentci_chatmd::quoted("arg(\"x\")"), "'arg(\"x\")'");
/// ```
pub fn quoted(value: &str) -> String {
    let quote = if value.contains('"') && !value.contains('\'') { '\'' } else { '"' };
    let mut text = String::from(quote);
    entity::escape_attribute(value, quote, &mut text);
    text.push(quote);
    text
}

/// A body as it may stand between tags: as it is, in a fence, or with entities. Space at its ends is kept only with a line
/// break before and after it, which the reader takes off.
pub fn body_text(body: &str) -> String {
    let mut text = String::new();
    write_body(body, &mut text);
    text
}

fn finish(
    element: Element,
    attributes: Vec<Attribute>,
    text: String,
    inner: Span,
    fenced: Option<bool>,
) -> Block {
    let text: Arc<str> = text.into();
    let (start, end) = (inner.start as usize, inner.end as usize);
    let body = match fenced {
        None => Body::SelfClosing,
        Some(false) => Body::Nodes(vec![Node::Text(Passage::new(&text, start, end))]),
        Some(true) => Body::Nodes(vec![
            Node::Text(Passage::new(&text, start, start + 1)),
            Node::Raw(Passage::new(&text, start + 1, end - 1)),
            Node::Text(Passage::new(&text, end - 1, end)),
        ]),
    };
    let written = Passage::new(&text, 0, text.len());
    Block { name: element.name().to_owned(), element: Some(element), attributes, body, inner, written }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte))
}

fn attribute(name: &str, value: &str, text: &mut String) -> Attribute {
    let start = text.len() + 1;
    let _ = write!(text, " {name}=\"");
    let value_start = text.len();
    entity::escape_attribute(value, '"', text);
    let value_end = text.len();
    text.push('"');
    Attribute {
        name: name.to_owned(),
        value: Some(Decoded::entities(&text[value_start..value_end], value_start)),
        quote: Quote::Double,
        span: Span::new(start, text.len()),
        name_span: Span::new(start, start + name.len()),
        value_span: Span::new(value_start, value_end),
    }
}

/// Writes a body as it stands, in a fence, or with entities: the first of these that holds it. Whether it is fenced.
pub(crate) fn write_body(body: &str, text: &mut String) -> bool {
    let ends_a_fence = body.contains(fence::OPEN) || body.contains(fence::CLOSE) || body.contains("-->");
    if !ends_a_fence && !body.contains(['<', '&']) && !body.ends_with('\r') {
        text.push_str(body);
        return false;
    }
    if !ends_a_fence && !body.starts_with("RAW") && !body.ends_with("RAW") {
        let _ = write!(text, "{}{body}{}", fence::OPEN, fence::CLOSE);
        return true;
    }
    entity::escape_body(body, text);
    false
}
