//! What checking an answer gives.

use jsonschema::{ValidationError, Validator};
use serde::Serialize;
use serde_json::Value;

use super::steps;

/// The most errors that are told of one answer.
const MOST_ERRORS: usize = 16;
/// The longest place or message that is told, in bytes.
const LONGEST: usize = 240;
/// The steps that an answer has, and those for each of its values.
const STEPS: (u64, u64) = (100_000, 64);

/// Whether an answer is what its schema says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Validation {
    /// Whether it is.
    pub valid: bool,
    /// Where it is not, at most 16 places.
    pub errors: Vec<SchemaError>,
    /// Whether there are more errors than are told.
    pub has_more: bool,
}

impl Default for Validation {
    /// Nothing is violated.
    fn default() -> Self {
        Self { valid: true, errors: Vec::new(), has_more: false }
    }
}

/// One way in which an answer is not what its schema says. It never quotes the answer, except for names of properties that
/// the schema does not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaError {
    /// Where in the answer: a JSON pointer (RFC 6901), cut to 240 bytes.
    pub path: String,
    /// The keyword of the schema: `type`, `required`.
    pub keyword: String,
    /// What is wrong, cut to 240 bytes.
    pub message: String,
}

impl std::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.path.is_empty() { "/" } else { &self.path };
        write!(f, "{place}: {} ({})", self.message, self.keyword)
    }
}

impl SchemaError {
    /// An error of the answer as a whole.
    pub(crate) fn whole(keyword: &str, message: impl Into<String>) -> Self {
        Self { path: String::new(), keyword: keyword.to_owned(), message: message.into() }
    }

    fn of(error: &ValidationError<'_>) -> Self {
        Self {
            path: short(error.instance_path().as_str()),
            keyword: short(error.kind().keyword()),
            message: short(&error.masked().to_string()),
        }
    }
}

/// Checks an answer within its steps.
pub(super) fn check(validator: &Validator, data: &Value) -> Validation {
    let steps = STEPS.0.saturating_add(STEPS.1.saturating_mul(values(data)));
    let checked = steps::within(steps, || {
        if validator.is_valid(data) {
            return Validation::default();
        }
        let mut errors: Vec<SchemaError> =
            validator.iter_errors(data).take(MOST_ERRORS + 1).map(|error| SchemaError::of(&error)).collect();
        let has_more = errors.len() > MOST_ERRORS;
        errors.truncate(MOST_ERRORS);
        Validation { valid: false, errors, has_more }
    });
    checked.unwrap_or_else(|| {
        let error = SchemaError::whole("$ref", "checking the answer takes more steps than one answer has");
        Validation { valid: false, errors: vec![error], has_more: false }
    })
}

/// How many values an answer holds.
fn values(data: &Value) -> u64 {
    let (mut count, mut waiting) = (0, vec![data]);
    while let Some(value) = waiting.pop() {
        count += 1;
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(map) => waiting.extend(map.values()),
            _ => {}
        }
    }
    count
}

/// The text as it is told.
pub(super) fn short(text: &str) -> String {
    crate::summary::cut(text, LONGEST)
}
