//! A result that nobody could look at: a notice in its place, in its own shape.

use mentci_host::Harness;
use serde_json::Value;

/// Fields whose words say what a result is, and hold nothing of it.
const SHAPE: [&str; 5] = ["filePath", "file_path", "mimeType", "status", "type"];
/// The longest of such words.
const LONGEST: usize = 256;

/// The notice in the place of a result, as this harness takes it.
pub(crate) fn withheld(harness: Harness, result: &Value, why: &str) -> Value {
    let notice = format!(
        "[withheld by mentci: {why}; the result was not looked at, and may hold what must not be read]"
    );
    if harness != Harness::ClaudeCode {
        return Value::String(notice);
    }
    let (mut shaped, mut notice) = (result.clone(), Some(notice));
    blank(&mut shaped, "", &mut notice);
    // A result without any text.
    notice.map_or(shaped, Value::String)
}

/// Empties all texts; the first one becomes the notice.
fn blank(value: &mut Value, key: &str, notice: &mut Option<String>) {
    match value {
        Value::String(text) if SHAPE.contains(&key) && text.len() <= LONGEST => {}
        Value::String(text) => *text = notice.take().unwrap_or_default(),
        Value::Array(items) => items.iter_mut().for_each(|item| blank(item, key, notice)),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, item)| blank(item, name, notice)),
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
            blank(&mut told, "", &mut None);
            assert_eq!(told, shaped);
        }
        assert!(withheld(Harness::ClaudeCode, &Value::Null, "no time").is_string());
        assert!(withheld(Harness::Codex, &json!({"a": "b"}), "no time").is_string());
    }
}
