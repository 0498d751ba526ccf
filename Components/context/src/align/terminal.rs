//! What a command printed, told as an object: `{"stdout": text, "stderr": text, …}`.

use std::fmt::Write;

use serde_json::Value;

/// The text that a command printed, as its lines are meant to be read: first what it printed, then what went to its standard error,
/// then whatever else is told of it and says something. None where a value is no such thing.
pub(super) fn printed(value: &Value) -> Option<String> {
    let map = value.as_object()?;
    let stdout = map.get("stdout")?.as_str()?;
    let stderr = match map.get("stderr") {
        None | Some(Value::Null) => "",
        Some(stderr) => stderr.as_str()?,
    };
    let mut text = stdout.to_owned();
    if !stderr.is_empty() {
        begin(&mut text, "[stderr]");
        text.push_str(stderr);
    }
    let more = map.iter().filter(|(key, value)| *key != "stdout" && *key != "stderr" && says(value));
    for (key, value) in more {
        begin(&mut text, "");
        // OK because writing into a string cannot fail.
        let _ = write!(text, "[{key}] {value}");
    }
    Some(text)
}

/// A line of its own behind the text.
fn begin(text: &mut String, title: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !title.is_empty() {
        text.push_str(title);
        text.push('\n');
    }
}

/// Whether a value is more than that there is nothing.
fn says(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(told) => *told,
        Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}
