//! A result that nobody could look at: a notice in its place, in its own shape.

use mentci_host::Harness;
use serde_json::Value;

/// Fields whose words say what a result is, and hold nothing of it.
const SHAPE: [&str; 5] = ["filePath", "file_path", "mimeType", "status", "type"];
/// Fields that hold what a model reads, the first that there is.
const READ: [&str; 5] = ["stdout", "content", "text", "output", "result"];
/// The longest of such words.
const LONGEST: usize = 256;

/// The notice in the place of a result, as this harness takes it.
pub(crate) fn withheld(harness: Harness, result: &Value, why: &str) -> Value {
    let notice = notice(why);
    if harness != Harness::ClaudeCode {
        return Value::String(notice);
    }
    let (mut shaped, mut notice) = (result.clone(), Some(notice));
    let read = READ.iter().find(|key| holds(&shaped, key)).copied();
    blank(&mut shaped, "", read, &mut notice);
    // A result without any text.
    notice.map_or(shaped, Value::String)
}

/// What the model reads instead.
pub(crate) fn notice(why: &str) -> String {
    format!("[withheld by mentci: {why}; the result was not looked at, and may hold what must not be read]")
}

/// Whether a field of this name holds a text, at any depth.
fn holds(value: &Value, key: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| holds(item, key)),
        Value::Object(fields) => {
            fields.get(key).is_some_and(Value::is_string) || fields.values().any(|item| holds(item, key))
        }
        _ => false,
    }
}

/// Empties all texts; the first one, of these fields where they are named, becomes the notice.
fn blank(value: &mut Value, key: &str, read: Option<&str>, notice: &mut Option<String>) {
    match value {
        Value::String(text) if SHAPE.contains(&key) && text.len() <= LONGEST => {}
        Value::String(text) if read.is_none_or(|read| read == key) => {
            *text = notice.take().unwrap_or_default();
        }
        Value::String(text) => text.clear(),
        Value::Array(items) => items.iter_mut().for_each(|item| blank(item, key, read, notice)),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, item)| blank(item, name, read, notice)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_of_a_result_is_left_but_its_shape() {
        for (result, shaped) in [
            (
                json!({"stdout": "a", "stderr": "b", "interrupted": false}),
                json!({"interrupted": false, "stderr": "", "stdout": ""}),
            ),
            (
                json!({"type": "text", "file": {"filePath": "/x", "content": "c", "numLines": 3}}),
                json!({"file": {"content": "", "filePath": "/x", "numLines": 3}, "type": "text"}),
            ),
        ] {
            let mut told = withheld(Harness::ClaudeCode, &result, "no time");
            let text = told.to_string();
            assert_eq!(text.matches("withheld by mentci: no time").count(), 1, "{text}");
            assert!(
                !["stderr", "type"]
                    .iter()
                    .any(|key| told[*key].as_str().is_some_and(|text| text.contains("mentci")))
            );
            blank(&mut told, "", None, &mut None);
            assert_eq!(told, shaped);
        }
        assert!(withheld(Harness::ClaudeCode, &Value::Null, "no time").is_string());
        assert!(withheld(Harness::Codex, &json!({"a": "b"}), "no time").is_string());
    }
}
