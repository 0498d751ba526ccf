//! Numbers that no two readers read alike.

use serde_json::{Number, Value};

/// The first number beyond what 64 bits hold as a whole number: read as a fraction it has lost digits, so that two calls which
/// a tool tells apart would look the same to a rule, an approval and whoever answers it.
///
/// ```
/// use mentci_authority::inexact;
/// let read = |text: &str| inexact(&serde_json::from_str(text).unwrap()).is_some();
/// assert!(read(r#"{"n": [123456789012345678901234567890]}"#) && read("18446744073709551616"));
/// assert!(!read("18446744073709551615") && !read("-9223372036854775808") && !read("0.1"));
/// ```
pub fn inexact(value: &Value) -> Option<&Number> {
    match value {
        Value::Number(number) => {
            let told = number.as_f64().filter(|_| number.is_f64())?;
            (!(BELOW..ABOVE).contains(&told)).then_some(number)
        }
        Value::Array(items) => items.iter().find_map(inexact),
        Value::Object(map) => map.values().find_map(inexact),
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}

/// 2^64, and -2^63.
const ABOVE: f64 = 18_446_744_073_709_551_616.0;
const BELOW: f64 = -9_223_372_036_854_775_808.0;
