//! What a scalar means: YAML 1.2's core schema, so that `no` and `on` are texts.

use std::borrow::Cow;

use crate::tree::Value;

/// The value of a scalar. `tag` is the core schema's name for a type, where one is written.
///
/// # Errors
/// What is wrong: a number that does not fit, or a text that is not what its tag says.
pub(super) fn read(text: Cow<'_, str>, plain: bool, tag: Option<&str>) -> Result<Value, String> {
    match tag {
        Some("str") => return Ok(Value::Text(text.into_owned())),
        None if !plain => return Ok(Value::Text(text.into_owned())),
        _ => {}
    }
    let value = resolved(&text)?;
    let fits = match (tag, &value) {
        (None, _) => true,
        (Some("null"), value) => *value == Value::Null,
        (Some("bool"), value) => matches!(value, Value::Bool(_)),
        (Some("int"), value) => matches!(value, Value::Int(_)),
        (Some("float"), value) => matches!(value, Value::Int(_) | Value::Float(_)),
        (Some(_), _) => false,
    };
    if fits { Ok(value) } else { Err(format!("`{}` is not what its tag says", crate::tree::shown(&text))) }
}

fn resolved(text: &str) -> Result<Value, String> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => number(text)?,
        _ => Value::Text(text.to_owned()),
    })
}

fn number(text: &str) -> Result<Value, String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(number) = based(digits, "0x", 16).or_else(|| based(digits, "0o", 8)) {
        return number.map(Value::Int);
    }
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map(Value::Int).map_err(|_| beyond());
    }
    let shape = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_float = shape.starts_with(['.', 'e', 'E']) && digits.bytes().any(|byte| byte.is_ascii_digit());
    let ascii = digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    match text.parse::<f64>() {
        Ok(number) if is_float && ascii && number.is_finite() => Ok(Value::Float(number)),
        _ => Ok(Value::Text(text.to_owned())),
    }
}

/// A whole number of another base; none where it is written otherwise.
fn based(digits: &str, prefix: &str, radix: u32) -> Option<Result<i64, String>> {
    let digits = digits.strip_prefix(prefix)?;
    let whole = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    whole.then(|| i64::from_str_radix(digits, radix).map_err(|_| beyond()))
}

fn beyond() -> String {
    "a whole number is beyond 64 bits".to_owned()
}
