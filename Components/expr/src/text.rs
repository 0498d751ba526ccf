//! Texts of values, and their normal form.

use std::borrow::Cow;
use std::fmt::Write;

use mentci_source::is_invisible;
use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use crate::{Budget, Fault, FaultKind, Value};

/// How deep a value of an event may nest to be looked at.
const MAX_NESTING: usize = 256;

/// The form in which look-alikes are compared: NFKC, case-folded, without zero-width characters, whitespace collapsed
/// to single spaces and cut at the ends.
///
/// ```
/// assert_eq!(mentci_expr::normalize(" RM\u{200b}  \u{ff0d}rf\t/ "), "rm -rf /");
/// ```
pub fn normalize(text: &str) -> String {
    if text.is_ascii() {
        return collapse(text.to_ascii_lowercase().chars());
    }
    let folded: String = text.nfkc().filter(|c| !is_invisible(*c)).flat_map(char::to_lowercase).collect();
    // Folding can leave what NFKC would compose.
    collapse(folded.nfkc())
}

fn collapse(text: impl Iterator<Item = char>) -> String {
    let mut collapsed = String::new();
    let mut space = false;
    for c in text {
        if c.is_whitespace() {
            space = !collapsed.is_empty();
            continue;
        }
        if space {
            collapsed.push(' ');
            space = false;
        }
        collapsed.push(c);
    }
    collapsed
}

/// The text of a value: a string is itself, a number or a boolean its JSON, a list or a map its canonical JSON with
/// sorted keys. None of null.
pub(crate) fn text_of<'a>(value: Value<'a>, budget: &mut Budget) -> Result<Option<Cow<'a, str>>, Fault> {
    Ok(Some(match value {
        Value::Null => return Ok(None),
        Value::Text(text) => {
            budget.read(text.len())?;
            text
        }
        Value::Bool(value) => Cow::Borrowed(if value { "true" } else { "false" }),
        Value::Int(number) => Cow::Owned(number.to_string()),
        other => {
            let mut text = String::new();
            json(&other, &mut text, budget, 0)?;
            Cow::Owned(text)
        }
    }))
}

fn json(value: &Value<'_>, out: &mut String, budget: &mut Budget, depth: usize) -> Result<(), Fault> {
    budget.spend(1)?;
    too_nested(depth)?;
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(number) => drop(write!(out, "{number}")),
        Value::Float(number) => out.push_str(&Json::from(*number).to_string()),
        Value::Text(text) => quoted(text, out, budget)?,
        Value::Json(Json::Array(items)) => list(items.iter().map(Value::from), out, budget, depth)?,
        Value::List(items) => list(items.iter().cloned(), out, budget, depth)?,
        Value::Json(Json::Object(map)) => {
            let mut entries: Vec<_> =
                map.iter().map(|(key, value)| (key.as_str(), Value::from(value))).collect();
            entries.sort_by_key(|(key, _)| *key);
            object(entries.into_iter(), out, budget, depth)?;
        }
        Value::Map(entries) => {
            object(entries.iter().map(|(key, value)| (&**key, value.clone())), out, budget, depth)?;
        }
        Value::Json(scalar) => json(&Value::from(*scalar), out, budget, depth + 1)?,
    }
    Ok(())
}

fn quoted(text: &str, out: &mut String, budget: &mut Budget) -> Result<(), Fault> {
    budget.write(out.len() + text.len())?;
    // OK because a string always serialises.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
    Ok(())
}

fn list<'v>(
    items: impl Iterator<Item = Value<'v>>,
    out: &mut String,
    budget: &mut Budget,
    depth: usize,
) -> Result<(), Fault> {
    out.push('[');
    for (at, item) in items.enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        json(&item, out, budget, depth + 1)?;
    }
    out.push(']');
    Ok(())
}

fn object<'v>(
    entries: impl Iterator<Item = (&'v str, Value<'v>)>,
    out: &mut String,
    budget: &mut Budget,
    depth: usize,
) -> Result<(), Fault> {
    out.push('{');
    for (at, (key, value)) in entries.enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        quoted(key, out, budget)?;
        out.push(':');
        json(&value, out, budget, depth + 1)?;
    }
    out.push('}');
    Ok(())
}

/// Values of events may be built by hand, deeper than any parser reads them.
pub(crate) fn too_nested(depth: usize) -> Result<(), Fault> {
    if depth <= MAX_NESTING {
        return Ok(());
    }
    Err(Fault::new(FaultKind::Budget, format!("a value nests deeper than {MAX_NESTING} levels")))
}
