//! What bodies and queries look like, for the `OpenAPI` document.

use mentci_host::policy::MOST_SESSION;
use mentci_source::is_hidden;
use serde_json::{Value, json};

/// A text.
pub(super) fn text() -> Value {
    json!({"type": "string"})
}

/// Yes or no.
pub(super) fn yes_or_no() -> Value {
    json!({"type": "boolean"})
}

/// A number that is not negative.
pub(super) fn count() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32})
}

/// A number of a line of the log.
pub(super) fn line_number() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": u64::MAX})
}

/// A text with something in it.
pub(super) fn words() -> Value {
    json!({"type": "string", "minLength": 1, "pattern": r"\S"})
}

/// A text as lessons hold it: something in it, not too long, and no character that cannot be seen.
pub(super) fn said(most: usize) -> Value {
    let odd = hidden(|c| !matches!(c, '\n' | '\t' | '\r'));
    let pattern = format!("^[^{odd}]*[^{odd}\\s][^{odd}]*$");
    json!({"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern})
}

/// The name of a session, by whatever route it is told; an empty one where none is needed.
pub(crate) fn session() -> Value {
    let mut name = session_name();
    name["pattern"] = format!("^[^{}]*$", hidden(|_| true)).into();
    name
}

/// The name of a session, which is none when it is empty.
pub(crate) fn session_name() -> Value {
    let odd = hidden(|_| true);
    let pattern = format!("^[^{odd}]*[^{odd}\\s][^{odd}]*$");
    json!({"type": "string", "maxLength": MOST_SESSION, "pattern": pattern, "description": "at most 1,024 bytes of UTF-8"})
}

/// Characters that do not show and are refused, as the ranges of a class of characters.
fn hidden(refused: impl Fn(char) -> bool) -> String {
    let refused = |c: &char| is_hidden(*c) && refused(*c);
    let mut ranges: Vec<(char, char)> = Vec::new();
    for c in ('\0'..=char::MAX).filter(refused) {
        match ranges.last_mut() {
            Some((_, last)) if u32::from(*last) + 1 == u32::from(c) => *last = c,
            _ => ranges.push((c, c)),
        }
    }
    ranges.iter().flat_map(|(first, last)| [spelt(*first), "-".to_owned(), spelt(*last)]).collect()
}

/// A character as patterns of every language write it; those above four digits stand for themselves.
fn spelt(c: char) -> String {
    let number = u32::from(c);
    if number <= 0xffff { format!("\\u{number:04x}") } else { c.to_string() }
}

/// The name of a skill.
pub(super) fn skill() -> Value {
    json!({"type": "string", "maxLength": 128, "pattern": r"^[A-Za-z0-9]([A-Za-z0-9_-]|\.[A-Za-z0-9_-])*\.?$"})
}

/// A hash, as it is printed.
pub(super) fn hash() -> Value {
    json!({"type": "string", "pattern": "^[0-9a-fA-F]{64}$"})
}

/// The same, or nothing.
pub(crate) fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"], "null"]);
    schema
}

/// An object of exactly these fields.
pub(crate) fn object(required: &[&str], fields: &[(&str, Value)]) -> Value {
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}
