//! Values that nest deeper than anything may be that recurses over them.

use serde_json::Value;

/// The deepest value that is kept: what `serde_json` reads.
pub(super) const MOST: usize = 128;

/// Drops a value without recursion.
pub(super) fn take_apart(value: Value) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(map) => waiting.extend(map.into_iter().map(|(_, item)| item)),
            _ => {}
        }
    }
}

/// Whether a value nests deeper than [`MOST`] levels; without recursion.
pub(super) fn is_too_deep(value: &Value) -> bool {
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > MOST {
            return true;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => waiting.extend(map.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    false
}
