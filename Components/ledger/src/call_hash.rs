//! The name of a call: its tool and its arguments, whatever the order of their keys.

use std::fmt::Write;

use mentci_source::Hash;
use serde_json::Value;

/// The hash of a call: what an approval is bound to. Arguments that differ only in the order of their keys are the same.
///
/// ```
/// use mentci_ledger::call_hash;
/// use serde_json::json;
/// assert_eq!(call_hash("exec", &json!({"a": 1, "b": 2})), call_hash("exec", &json!({"b": 2, "a": 1})));
/// assert_ne!(call_hash("exec", &json!({"a": 1})), call_hash("exec", &json!({"a": "1"})));
/// ```
pub fn call_hash(tool: &str, args: &Value) -> Hash {
    Hash::of("mentci call", [tool.as_bytes(), canonical_json(args).as_bytes()])
}

/// JSON with sorted keys and without spaces.
///
/// Values nested deeper than 128 levels, which no reader of ours lets through, end there as `null`.
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text, 0);
    text
}

const MAX_DEPTH: usize = 128;

fn write_value(value: &Value, out: &mut String, depth: usize) {
    match value {
        _ if depth > MAX_DEPTH => out.push_str("null"),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_value(item, out, depth + 1);
            }
            out.push(']');
        }
        Value::Object(map) => {
            // Sorted here: whether a map keeps its keys in order depends on a feature that any crate may switch.
            let mut fields: Vec<_> = map.iter().collect();
            fields.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, item)) in fields.into_iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_scalar(&Value::String(key.clone()), out);
                out.push(':');
                write_value(item, out, depth + 1);
            }
            out.push('}');
        }
        scalar => write_scalar(scalar, out),
    }
}

fn write_scalar(value: &Value, out: &mut String) {
    // OK because a `String` takes whatever is written to it.
    let _ = write!(out, "{value}");
}
