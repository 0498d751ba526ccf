//! How much of a long text or value is kept.

use serde_json::Value;

use crate::call_hash::canonical_json;

/// The most bytes of an argument, a result or a message in the recent history.
pub const EXCERPT_BYTES: usize = 1024;
/// The most bytes of the last text of a role.
pub const TEXT_BYTES: usize = 64 * 1024;

/// The start of `text`, at most `bytes` long, cut between characters.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// `value` when it is short; the start of its text otherwise.
pub(crate) fn short_value(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() <= EXCERPT_BYTES => value.clone(),
        Value::String(text) => Value::String(cut(text, EXCERPT_BYTES).to_owned()),
        Value::Array(_) | Value::Object(_) => {
            let text = canonical_json(value);
            if text.len() <= EXCERPT_BYTES {
                value.clone()
            } else {
                Value::String(cut(&text, EXCERPT_BYTES).to_owned())
            }
        }
        scalar => scalar.clone(),
    }
}
