//! Edits of a text that leave every other byte alone.

use mentci_source::Span;

use super::Node;

/// The text with `entry` spliced in before the closing bracket of `vector`: comments, order and bytes stay.
/// None when `vector` is not a vector that stands in this text.
pub fn append_to_vector(text: &str, vector: &Node, entry: &str) -> Option<String> {
    let _ = (text, vector, entry);
    None
}

/// The text with the bytes of `span` replaced by `value`. None when `span` does not lie in the text.
pub fn replace_value(text: &str, span: Span, value: &str) -> Option<String> {
    let _ = (text, span, value);
    None
}

/// The text with `value` under `key` (as `":status"`) of `map`: its old value replaced, else the entry put behind
/// the last one. None when `map` is not a map that stands in this text.
pub fn set_key(text: &str, map: &Node, key: &str, value: &str) -> Option<String> {
    let _ = (text, map, key, value);
    None
}

/// The text without the bytes of `span`; a line that held nothing else goes with it. None when `span` does not lie
/// in the text.
pub fn remove_entry(text: &str, span: Span) -> Option<String> {
    let _ = (text, span);
    None
}
