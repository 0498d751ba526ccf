//! What an expression gives.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value as Json;

/// A value: borrowed from the event where it can be, owned where an expression made it.
///
/// INVARIANT (one form): [`Value::Json`] holds an array or an object, never a scalar; `Value::from(&json)` keeps it.
/// A whole number that does not fit 64 signed bits is a float.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// Not there.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite float.
    Float(f64),
    /// A string.
    Text(Cow<'a, str>),
    /// A list or a map of the event.
    Json(&'a Json),
    /// A list that was made.
    List(Vec<Value<'a>>),
    /// A map that was made, in order of its keys.
    Map(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// The types, as messages name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not known before it is evaluated.
    Any,
    /// `null`.
    Null,
    /// true or false.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A list.
    List,
    /// A map.
    Map,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "a value",
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::Int => "a whole number",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Map => "a map",
        })
    }
}

impl<'a> Value<'a> {
    /// Its type.
    pub fn kind(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Float(_) => Type::Number,
            Self::Text(_) => Type::Text,
            Self::Json(Json::Array(_)) | Self::List(_) => Type::List,
            Self::Json(_) | Self::Map(_) => Type::Map,
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The string, where it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The whole number, where it is one.
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(number) = self { Some(*number) } else { None }
    }

    /// The number as a float, where it is one.
    #[expect(clippy::cast_precision_loss, reason = "the caller asks for a float")]
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it holds as an operand of `and`, `or`, `not`, `if`, `any` and `all`: all but null, false, zero and what
    /// is empty.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(number) => *number != 0,
            Self::Float(number) => *number != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::Json(Json::Array(items)) => !items.is_empty(),
            Self::Json(Json::Object(map)) => !map.is_empty(),
            Self::Json(_) => true,
            Self::List(items) => !items.is_empty(),
            Self::Map(entries) => !entries.is_empty(),
        }
    }

    /// The value of a key of a map; null where there is none, or where it is no map.
    #[must_use]
    pub fn get(&self, key: &str) -> Value<'a> {
        match self {
            Self::Json(json) => json.get(key).map_or(Self::Null, Self::from),
            Self::Map(entries) => {
                entries.iter().find(|(own, _)| own == key).map_or(Self::Null, |(_, value)| value.clone())
            }
            _ => Self::Null,
        }
    }

    /// The item of a list, from the end where `at` is negative; null past the ends, or where it is no list.
    #[must_use]
    pub fn item(&self, at: i64) -> Value<'a> {
        let len = match self {
            Self::Json(Json::Array(items)) => items.len(),
            Self::List(items) => items.len(),
            _ => return Self::Null,
        };
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let at = if at < 0 { at.saturating_add(len) } else { at };
        let Ok(at) = usize::try_from(at) else { return Self::Null };
        match self {
            Self::Json(json) => json.get(at).map_or(Self::Null, Self::from),
            Self::List(items) => items.get(at).cloned().unwrap_or(Self::Null),
            _ => Self::Null,
        }
    }

    /// As JSON of its own.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(*value),
            Self::Int(number) => Json::from(*number),
            Self::Float(number) => Json::from(*number),
            Self::Text(text) => Json::String(text.clone().into_owned()),
            Self::Json(json) => (*json).clone(),
            Self::List(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            Self::Map(entries) => Json::Object(
                entries.iter().map(|(key, value)| (key.clone().into_owned(), value.to_json())).collect(),
            ),
        }
    }
}

impl<'a> From<&'a Json> for Value<'a> {
    fn from(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => Self::Int(whole),
                (None, Some(float)) => Self::Float(float),
                (None, None) => Self::Null,
            },
            Json::String(text) => Self::Text(Cow::Borrowed(text)),
            Json::Array(_) | Json::Object(_) => Self::Json(json),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Float(number) } else { Self::Null }
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
