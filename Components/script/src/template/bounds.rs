//! Bounds of what one step of a template makes: fuel counts steps, and one of them may make a list or a text of any size.

use std::fmt::Write;

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters, functions};

use super::MAX_TEXT_BYTES;

/// The most elements of a list that a template makes.
const MOST_ELEMENTS: usize = 50_000;

/// The widest column, and the deepest indent, that a template asks for.
const WIDEST: usize = 1_000;

/// The filter `format` as it is, which no template can name.
const FORMAT: &str = "__format";

/// Puts what is bounded in the place of what is not.
pub(super) fn bound(environment: &mut Environment<'static>) {
    environment.add_filter("replace", replace);
    environment.add_filter("join", join);
    environment.add_filter("slice", slice);
    environment.add_filter("batch", batch);
    environment.add_filter(FORMAT, filters::format);
    environment.add_filter("format", format);
    environment.add_filter("tojson", tojson);
    environment.add_function("range", range);
    environment.add_function(super::operators::TIMES, times);
    environment.add_function(super::operators::PLUS, plus);
    environment.add_function(super::operators::JOINED, joined);
}

/// `*`: numbers as ever; lists and texts as far as they fit.
fn times(one: &Value, other: &Value) -> Result<Value, Error> {
    let (repeated, count) = if is_long(one) { (one, other) } else { (other, one) };
    if is_long(repeated) {
        let count = count.as_usize().ok_or_else(|| refused("*", one, other))?;
        if let Some(text) = repeated.as_str() {
            fits(text.len().saturating_mul(count))?;
            return Ok(text.repeat(count).into());
        }
        elements(repeated.len().unwrap_or(usize::MAX).saturating_mul(count))?;
        let items: Vec<Value> = repeated.try_iter()?.collect();
        return Ok(std::iter::repeat_n(items, count).flatten().collect());
    }
    calculated("*", one, other, i128::checked_mul, |one, other| one * other)
}

/// `+`: numbers as ever; lists and texts as far as they fit.
fn plus(one: &Value, other: &Value) -> Result<Value, Error> {
    if let (Some(one), Some(other)) = (one.as_str(), other.as_str()) {
        fits(one.len().saturating_add(other.len()))?;
        return Ok([one, other].concat().into());
    }
    if is_long(one) && is_long(other) && one.as_str().is_none() && other.as_str().is_none() {
        let length = |list: &Value| list.len().unwrap_or(usize::MAX);
        elements(length(one).saturating_add(length(other)))?;
        return Ok(one.try_iter()?.chain(other.try_iter()?).collect());
    }
    calculated("+", one, other, i128::checked_add, |one, other| one + other)
}

/// `~`: both as text.
fn joined(one: &Value, other: &Value) -> Result<String, Error> {
    let mut text = Text(String::new());
    for value in [one, other] {
        write!(text, "{value}").map_err(|_| too_long())?;
    }
    Ok(text.0)
}

fn is_long(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::String | ValueKind::Seq | ValueKind::Iterable | ValueKind::Bytes)
}

fn calculated(
    sign: &str,
    one: &Value,
    other: &Value,
    whole: fn(i128, i128) -> Option<i128>,
    broken: fn(f64, f64) -> f64,
) -> Result<Value, Error> {
    let is_number = |value: &Value| matches!(value.kind(), ValueKind::Number | ValueKind::Bool);
    let refused = || refused(sign, one, other);
    if !is_number(one) || !is_number(other) {
        return Err(refused());
    }
    let integer = |value: &Value| i128::try_from(value.clone()).ok().filter(|_| !is_float(value));
    if let (Some(one), Some(other)) = (integer(one), integer(other)) {
        return whole(one, other).map(Value::from).ok_or_else(refused);
    }
    let float = |value: &Value| f64::try_from(value.clone()).map_err(|_| refused());
    Ok(broken(float(one)?, float(other)?).into())
}

fn is_float(value: &Value) -> bool {
    value.kind() == ValueKind::Number && !value.is_integer()
}

fn refused(sign: &str, one: &Value, other: &Value) -> Error {
    let message = format!("`{sign}` takes no {} and {}", one.kind(), other.kind());
    Error::new(ErrorKind::InvalidOperation, message)
}

fn range(lower: isize, upper: Option<isize>, step: Option<isize>) -> Result<Value, Error> {
    let numbers = functions::range(lower, upper, step)?;
    elements(numbers.len().unwrap_or(usize::MAX))?;
    Ok(numbers)
}

fn slice(state: &State<'_, '_>, value: Value, count: usize, fill: Option<Value>) -> Result<Value, Error> {
    elements(count)?;
    filters::slice(state, value, count, fill)
}

fn batch(state: &State<'_, '_>, value: Value, count: usize, fill: Option<Value>) -> Result<Value, Error> {
    elements(count)?;
    filters::batch(state, value, count, fill)
}

/// Widths stand in the text: none is wider than a column.
#[expect(clippy::needless_pass_by_value, reason = "the shape of a filter")]
fn format(state: &mut State<'_, '_>, text: &Value, args: Rest<Value>) -> Result<Value, Error> {
    let is_wide =
        |digits: &str| !digits.is_empty() && digits.parse().map_or(true, |width: usize| width > WIDEST);
    let pattern = text.as_str().unwrap_or_default();
    if pattern.contains('*') || pattern.split(|c: char| !c.is_ascii_digit()).any(is_wide) {
        return Err(too_long());
    }
    let mut all = vec![text.clone()];
    all.extend(args.iter().cloned());
    state.apply_filter(FORMAT, &all)
}

fn tojson(value: &Value, indent: Option<Value>, args: Kwargs) -> Result<Value, Error> {
    let stated = match &indent {
        Some(indent) => Some(indent.clone()),
        None => args.get::<Option<Value>>("indent")?,
    };
    if stated.and_then(|indent| indent.as_usize()).is_some_and(|indent| indent > WIDEST) {
        return Err(too_long());
    }
    filters::tojson(value, indent, args)
}

fn replace(text: &str, from: &str, to: &str) -> Result<String, Error> {
    let found = text.matches(from).count();
    fits(found.saturating_mul(to.len()).saturating_add(text.len()))?;
    Ok(text.replace(from, to))
}

fn join(values: &Value, between: Option<&str>) -> Result<String, Error> {
    let (between, mut text) = (between.unwrap_or_default(), Text(String::new()));
    for (index, value) in values.try_iter()?.enumerate() {
        let before = if index > 0 { between } else { "" };
        write!(text, "{before}{value}").map_err(|_| too_long())?;
    }
    Ok(text.0)
}

fn elements(count: usize) -> Result<(), Error> {
    if count > MOST_ELEMENTS {
        let message = format!("a list of more than {MOST_ELEMENTS} elements");
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    Ok(())
}

fn fits(bytes: usize) -> Result<(), Error> {
    if bytes > MAX_TEXT_BYTES { Err(too_long()) } else { Ok(()) }
}

fn too_long() -> Error {
    let message = format!("the text is longer than {MAX_TEXT_BYTES} bytes");
    Error::new(ErrorKind::InvalidOperation, message)
}

/// A text that is written no further than it fits.
struct Text(String);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        if self.0.len().saturating_add(text.len()) > MAX_TEXT_BYTES {
            return Err(std::fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}
