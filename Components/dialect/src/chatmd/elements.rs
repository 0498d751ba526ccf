//! Elements as trees: attributes by what they hold, bodies of text and of JSON.

use mentci_chatmd::{Attribute, Block, Node};
use mentci_source::{Code, Span, did_you_mean};
use serde_json::Value as Json;

use super::prose;
use crate::fields::{File, listed};
use crate::tree::{Entry, Tree, Value, shown};

/// What an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// `true`, `false`, or nothing for true.
    Flag,
    /// Texts with commas between them, or a JSON list.
    List,
    /// A name or pattern; a JSON list or map of them.
    Pattern,
    /// Read elsewhere.
    Other,
}

/// An attribute: its name, the field that it is, what it holds.
pub(crate) type Row = (&'static str, &'static str, Kind);

/// The attributes of `block` as fields. One that is not in `table`, or that stands twice, is a finding.
pub(crate) fn entries(file: &mut File<'_>, block: &Block, table: &[Row]) -> Vec<Entry> {
    let mut seen: Vec<&str> = Vec::new();
    let mut entries = Vec::new();
    for attribute in block.attributes() {
        if seen.contains(&attribute.name.as_str()) {
            let message =
                format!("`{}` stands twice in this `<{}>`", shown(&attribute.name), shown(block.name()));
            file.advise(Code::RULE_KEY, attribute.name_span, message, "keep one of them");
            continue;
        }
        seen.push(&attribute.name);
        match table.iter().find(|(name, ..)| *name == attribute.name) {
            Some((_, _, Kind::Other)) => {}
            Some((_, key, kind)) => entries.push(entry(key, attribute, *kind)),
            None => unknown_attribute(file, block, attribute, table),
        }
    }
    entries
}

fn unknown_attribute(file: &mut File<'_>, block: &Block, attribute: &Attribute, table: &[Row]) {
    let known: Vec<&str> = table.iter().map(|(name, ..)| *name).collect();
    let help = match did_you_mean(&attribute.name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "it takes none".to_owned(),
        None => format!("it has {}", listed(&known)),
    };
    let message = format!("`<{}>` has no attribute `{}`", shown(block.name()), shown(&attribute.name));
    file.advise(Code::RULE_KEY, attribute.name_span, message, help);
}

/// Fields of attributes that are already known to be right.
pub(crate) fn entry(key: &str, attribute: &Attribute, kind: Kind) -> Entry {
    let text = attribute.text();
    let value = match kind {
        Kind::Text | Kind::Other => Value::Text(text.to_owned()),
        Kind::Int => text.trim().parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Int),
        Kind::Number => number(text),
        Kind::Flag => text.trim().parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Bool),
        Kind::List => list(text, attribute.value_span),
        Kind::Pattern => pattern(text, attribute.value_span),
    };
    Entry {
        key: key.to_owned(),
        key_span: attribute.name_span,
        value: Tree::new(value, attribute.value_span),
    }
}

/// A field that no attribute says, at the bytes of what says it instead.
pub(crate) fn made(key: &str, value: Value, span: Span) -> Entry {
    Entry { key: key.to_owned(), key_span: span, value: Tree::new(value, span) }
}

fn number(text: &str) -> Value {
    let text = text.trim();
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(whole), _) => Value::Int(whole),
        (Err(_), Ok(number)) if number.is_finite() => Value::Float(number),
        _ => Value::Text(text.to_owned()),
    }
}

fn list(text: &str, span: Span) -> Value {
    if let Some(json @ Value::List(_)) = json(text, span) {
        return json;
    }
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    Value::List(parts.map(|part| Tree::new(Value::Text(part.to_owned()), span)).collect())
}

/// A text that starts like JSON and is none, such as `[a-z]+`, is a pattern.
fn pattern(text: &str, span: Span) -> Value {
    match json(text, span) {
        Some(json @ (Value::List(_) | Value::Map(_))) => json,
        _ => Value::Text(text.trim().to_owned()),
    }
}

fn json(text: &str, span: Span) -> Option<Value> {
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    serde_json::from_str(text).ok().map(|json: Json| of_json(json, span))
}

/// A JSON value as a tree, all of it at the same bytes. `serde_json` bounds its depth.
pub(crate) fn of_json(json: Json, span: Span) -> Value {
    let tree = |json| Tree::new(of_json(json, span), span);
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text),
        Json::Array(items) => Value::List(items.into_iter().map(tree).collect()),
        Json::Object(map) => Value::Map(
            map.into_iter().map(|(key, value)| Entry { key, key_span: span, value: tree(value) }).collect(),
        ),
    }
}

/// The body as JSON; `None` where it is empty, or none, with a finding.
pub(crate) fn json_body(file: &mut File<'_>, block: &Block) -> Option<Json> {
    let text = prose::text(block);
    if text.trim().is_empty() {
        return None;
    }
    match serde_json::from_str(&text) {
        Ok(json) => Some(json),
        Err(error) => {
            let message = format!("what stands in this `<{}>` is no JSON: {error}", shown(block.name()));
            file.advise(
                Code::RULE_VALUE,
                block.inner_span(),
                message,
                "write JSON, such as `{\"key\": \"value\"}`",
            );
            None
        }
    }
}

/// The elements within a block; text between them is a finding.
pub(crate) fn children<'b>(file: &mut File<'_>, block: &'b Block) -> Vec<&'b Block> {
    for node in block.nodes() {
        let (Node::Text(passage) | Node::Raw(passage)) = node else { continue };
        let text = passage.as_str();
        if text.trim().is_empty() {
            continue;
        }
        let start = passage.span().start as usize + text.len() - text.trim_start().len();
        let word: String = text.trim().lines().next().unwrap_or("").chars().take(40).collect();
        let message =
            format!("`{}` is no element, and `<{}>` holds no text", shown(&word), shown(block.name()));
        let help = "put remarks into a comment `<!-- … -->`";
        file.advise(Code::RULE_SYNTAX, Span::new(start, start + word.len()), message, help);
    }
    block.children().collect()
}

/// A finding for an element that is not known where it stands.
pub(crate) fn unknown_element(file: &mut File<'_>, within: &Block, block: &Block, known: &[&'static str]) {
    let help = match did_you_mean(block.name(), known.iter().copied()) {
        Some(near) if near != block.name() => format!("did you mean `<{near}>`?"),
        _ => format!("it holds {}", listed(known)),
    };
    let message = format!("`<{}>` cannot stand in `<{}>`", shown(block.name()), shown(within.name()));
    file.advise(Code::RULE_KEY, name_span(block), message, help);
}

/// An element that holds nothing; what stands in it is a finding.
pub(crate) fn expect_empty(file: &mut File<'_>, block: &Block) {
    for child in children(file, block) {
        let message = format!("`<{}>` cannot stand in `<{}>`", shown(child.name()), shown(block.name()));
        file.advise(
            Code::RULE_KEY,
            name_span(child),
            message,
            format!("`<{}>` holds nothing", shown(block.name())),
        );
    }
}

/// The bytes of `<name`.
pub(crate) fn name_span(block: &Block) -> Span {
    let start = block.span().start as usize;
    Span::new(start, start + 1 + block.name().len())
}
