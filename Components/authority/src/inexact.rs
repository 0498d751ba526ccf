//! Numbers that no two readers read alike, and the text that says them.

use std::ops::Range;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Deserializer, Number, Value};

/// The first number beyond what 64 bits hold as a whole number: read as a fraction it has lost digits, so that two calls which
/// a tool tells apart would look the same to a rule, an approval and whoever answers it.
///
/// ```
/// use mentci_authority::inexact;
/// let read = |text: &str| inexact(&serde_json::from_str(text).unwrap()).is_some();
/// assert!(read(r#"{"n": [123456789012345678901234567890]}"#) && read("18446744073709551616"));
/// assert!(read("-9223372036854775809") && read("-9223372036854775900"));
/// assert!(!read("18446744073709551615") && !read("-9223372036854775808") && !read("0.1"));
/// ```
pub fn inexact(value: &Value) -> Option<&Number> {
    match value {
        Value::Number(number) => {
            let told = number.as_f64().filter(|_| number.is_f64())?;
            // What is written as -2^63 is read as a whole number: one that is read as a fraction was rounded to it.
            (told <= BELOW || told >= ABOVE).then_some(number)
        }
        Value::Array(items) => items.iter().find_map(inexact),
        Value::Object(map) => map.values().find_map(inexact),
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}

/// 2^64, and -2^63.
const ABOVE: f64 = 18_446_744_073_709_551_616.0;
const BELOW: f64 = -9_223_372_036_854_775_808.0;

/// The text of the value under these keys, as it stands in a JSON text: with every digit, and with keys that stand twice. Of those
/// the last one is meant.
///
/// ```
/// use mentci_authority::json_text;
/// let line = r#"{"a": 1, "result": {"value" : [1.10, 123456789012345678901234567890]} }"#;
/// assert_eq!(json_text(line, &["result", "value"]), Some("[1.10, 123456789012345678901234567890]"));
/// assert_eq!(json_text(line, &["result", "text"]), None);
/// ```
pub fn json_text<'t>(text: &'t str, path: &[&str]) -> Option<&'t str> {
    path.iter().try_fold(text.trim(), |text, key| under(text, key))
}

/// The text under one key of an object.
fn under<'t>(object: &'t str, wanted: &str) -> Option<&'t str> {
    let mut rest = object.strip_prefix('{')?.trim_start();
    let mut found = None;
    while !rest.starts_with('}') {
        let (key, behind): (String, _) = next(rest)?;
        let value = behind.trim_start().strip_prefix(':')?.trim_start();
        let (_, behind): (IgnoredAny, _) = next(value)?;
        if key == wanted {
            found = value.get(..value.len() - behind.len());
        }
        let behind = behind.trim_start();
        rest = behind.strip_prefix(',').unwrap_or(behind).trim_start();
    }
    found
}

/// Whether a number of a JSON text is written otherwise once it was read: with digits that it lost, or with those that say nothing.
///
/// ```
/// use mentci_authority::is_respelled;
/// assert!(is_respelled("[1.10]") && is_respelled("1e3") && is_respelled("123456789012345678901234567890"));
/// assert!(!is_respelled(r#"{"n": [7, -0.5, 1.1], "s": "1.10"}"#));
/// ```
pub fn is_respelled(text: &str) -> bool {
    respelled(text).next().is_some()
}

/// Where the numbers of a JSON text stand that are written otherwise once they were read, in order.
///
/// ```
/// use mentci_authority::respelled;
/// let text = r#"{"1.10": [1.10, 7, 1e3]}"#;
/// let numbers: Vec<&str> = respelled(text).map(|place| &text[place]).collect();
/// assert_eq!(numbers, ["1.10", "1e3"]);
/// ```
pub fn respelled(text: &str) -> impl Iterator<Item = Range<usize>> {
    let (bytes, mut at) = (text.as_bytes(), 0);
    std::iter::from_fn(move || {
        while let Some(&first) = bytes.get(at) {
            let rest = &bytes[at..];
            let is_number = matches!(first, b'-' | b'0'..=b'9');
            let length = match first {
                b'"' => string_length(rest),
                _ if is_number => rest.iter().position(|byte| !is_of_number(*byte)).unwrap_or(rest.len()),
                _ => 1,
            };
            let place = at..(at + length).min(bytes.len());
            at = place.end;
            if is_number && !is_read_as_written(&bytes[place.clone()]) {
                return Some(place);
            }
        }
        None
    })
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'e' | b'E')
}

fn is_read_as_written(number: &[u8]) -> bool {
    // Of most numbers it is plain.
    let is_short = number.len() <= SHORT && number.iter().all(u8::is_ascii_digit);
    if is_short && (number[0] != b'0' || number.len() == 1) {
        return true;
    }
    let written = serde_json::from_slice::<Value>(number).map(|value| value.to_string());
    written.is_ok_and(|written| written.as_bytes() == number)
}

/// Whole numbers of so many digits are held by 64 bits.
const SHORT: usize = 18;

/// The length of the string that a JSON text begins with, with its quotes.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// The value that a text begins with, and what stands behind it.
fn next<T: DeserializeOwned>(text: &str) -> Option<(T, &str)> {
    let mut values = Deserializer::from_str(text).into_iter();
    let value = values.next()?.ok()?;
    Some((value, text.get(values.byte_offset()..)?))
}

#[cfg(test)]
mod tests {
    use super::json_text;

    #[test]
    fn the_text_of_a_value_is_found_as_it_stands() {
        for (text, path, expected) in [
            (r#"{"r":1}"#, &["r"][..], Some("1")),
            (r#" { "r" : { "v" : "a,}" , "w": [ ] } } "#, &["r"], Some(r#"{ "v" : "a,}" , "w": [ ] }"#)),
            (r#"{"r":{"v":"a\"}","v":-1.10e3}}"#, &["r", "v"], Some("-1.10e3")),
            (r#"{"\u0072":true}"#, &["r"], Some("true")),
            ("[1]", &[], Some("[1]")),
            ("[1]", &["r"], None),
            ("{}", &["r"], None),
            ("", &["r"], None),
            (r#"{"r""#, &["r"], None),
            (r#"{"r":"#, &["r"], None),
            (r#"{"r" 1}"#, &["r"], None),
            ("{1:2}", &["r"], None),
        ] {
            assert_eq!(json_text(text, path), expected, "{text}");
        }
    }
}
