//! What an agent hands to a tool, read leniently and refused with a sentence that says what to hand instead.

use std::collections::BTreeMap;

use mentci_source::did_you_mean;
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::tool::{Parameter, ToolRow};

/// Arguments that fit their tool: each parameter's value, none empty where it is required.
#[derive(Debug)]
pub(crate) struct Arguments(BTreeMap<&'static str, String>);

impl Arguments {
    /// Reads the arguments of one call. `null` and empty text stand for an optional argument that is not given.
    ///
    /// # Errors
    /// A sentence for the agent: an unknown, missing or doubled argument, or one that is no text or not among the values.
    pub(crate) fn read(row: &'static ToolRow, given: Option<JsonObject>) -> Result<Self, String> {
        let mut values = BTreeMap::new();
        let mut faults = Vec::new();
        let mut unfit = Vec::new();
        let given = given.unwrap_or_default();
        let empty: Vec<String> =
            given.iter().filter(|(_, value)| value.is_string()).map(|(name, _)| name.clone()).collect();
        for (name, value) in given {
            match one(row, &name, value) {
                Ok(None) => {}
                Ok(Some((name, value))) => {
                    if values.insert(name, value).is_some() {
                        faults.push(format!("`{name}` is given twice"));
                    }
                }
                Err(fault) => {
                    faults.push(fault);
                    unfit.push(name);
                }
            }
        }
        let missing = row.parameters.iter().filter(|parameter| parameter.required);
        let is_given = |parameter: &Parameter| {
            values.contains_key(parameter.name) || unfit.iter().any(|name| parameter.is_named(name))
        };
        let missing = missing.filter(|parameter| !is_given(parameter));
        faults.extend(missing.map(|parameter| {
            let is_empty = empty.iter().any(|name| parameter.is_named(name));
            format!("`{}` is {}", parameter.name, if is_empty { "empty" } else { "missing" })
        }));
        if faults.is_empty() { Ok(Self(values)) } else { Err(refusal(row, &faults)) }
    }

    /// Takes out one argument.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }
}

fn one(row: &'static ToolRow, name: &str, value: Value) -> Result<Option<(&'static str, String)>, String> {
    let Some(parameter) = row.parameters.iter().find(|parameter| parameter.is_named(name)) else {
        return Err(unknown(row, name));
    };
    let text = match value {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::String(text) if parameter.number && text.trim().parse::<u64>().is_ok() => {
            text.trim().to_owned()
        }
        Value::Number(number) if parameter.number && number.is_u64() => number.to_string(),
        Value::Number(other) if parameter.number => {
            return Err(format!("`{}` must be a whole number of at least 0, not {other}", parameter.name));
        }
        other if parameter.number => {
            return Err(format!("`{}` must be a whole number, not {}", parameter.name, kind(&other)));
        }
        Value::String(text) if !parameter.json || is_object(&text) => text,
        object @ Value::Object(_) if parameter.json => object.to_string(),
        other if parameter.json => {
            return Err(format!("`{}` must be an object, not {}", parameter.name, kind(&other)));
        }
        other => return Err(format!("`{}` must be text, not {}", parameter.name, kind(&other))),
    };
    if parameter.values.is_empty() {
        return Ok(Some((parameter.name, text)));
    }
    let wanted = text.trim().to_ascii_lowercase();
    match parameter.values.iter().find(|value| **value == wanted) {
        Some(value) => Ok(Some((parameter.name, (*value).to_owned()))),
        None => {
            Err(format!("`{}` must be one of {}", parameter.name, names(parameter.values.iter().copied())))
        }
    }
}

fn is_object(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
}

fn unknown(row: &ToolRow, name: &str) -> String {
    let shown: String = name.chars().take(64).collect();
    let near = did_you_mean(&shown, row.parameters.iter().map(|parameter| parameter.name));
    let hint = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
    format!("there is no argument `{}`{hint}", shown.escape_debug())
}

fn refusal(row: &ToolRow, faults: &[String]) -> String {
    let named = |required: bool| {
        let fitting =
            row.parameters.iter().filter(move |parameter: &&Parameter| parameter.required == required);
        names(fitting.map(|parameter| parameter.name))
    };
    let (required, optional) = (named(true), named(false));
    let takes = match (required.as_str(), optional.as_str()) {
        ("", optional) => format!("at most {optional}"),
        (required, "") => required.to_owned(),
        (required, optional) => format!("{required} and, if you like, {optional}"),
    };
    format!("nothing was done: {}\n  help: call `{}` again with {takes}", faults.join("; "), row.name)
}

fn names(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What a value is, in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
