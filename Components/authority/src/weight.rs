//! How large a value is.

use serde_json::Value;

/// About how many bytes a value has as JSON: its texts and names, and a few for each number. Nothing is written for it.
///
/// ```
/// use mentci_authority::about_bytes;
/// assert_eq!(about_bytes(&serde_json::json!({"path": "a.rs", "lines": [1, 2]})), 4 + 4 + 5 + 2 * 4);
/// ```
pub fn about_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(about_bytes).sum(),
        Value::Object(values) => values.iter().map(|(key, value)| key.len() + about_bytes(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
    }
}
