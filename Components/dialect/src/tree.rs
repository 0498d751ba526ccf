//! The tree that every syntax is read into: plain values, each with its bytes.

use mentci_reader::edn;
use mentci_source::Span;
use serde_json::{Map, Number, Value as Json};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// What a file can hold, whatever its syntax. EDN's keywords and symbols are texts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<Entry>),
    /// `(and …)`: only EDN has such.
    Form(edn::Node),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Tree,
}

impl Tree {
    pub(crate) fn new(value: Value, span: Span) -> Self {
        Self { value, span }
    }

    /// As in ``must be text, not the number `5` ``.
    pub(crate) fn described(&self) -> String {
        match &self.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(value) => format!("`{value}`"),
            Value::Int(number) => format!("the number `{number}`"),
            Value::Float(number) => format!("the number `{number}`"),
            Value::Text(text) => format!("the text `{}`", shown(text)),
            Value::List(items) if items.is_empty() => "an empty list".to_owned(),
            Value::Map(entries) if entries.is_empty() => "an empty map".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a map".to_owned(),
            Value::Form(_) => "an expression".to_owned(),
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// The same value as JSON; the first expression in it where it holds one.
    pub(crate) fn to_json(&self) -> Result<Json, Span> {
        Ok(match &self.value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Int(number) => Json::from(*number),
            Value::Float(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(items) => Json::Array(items.iter().map(Self::to_json).collect::<Result<_, _>>()?),
            Value::Map(entries) => {
                let entries = entries.iter().map(|entry| Ok((entry.key.clone(), entry.value.to_json()?)));
                Json::Object(entries.collect::<Result<Map<_, _>, Span>>()?)
            }
            Value::Form(_) => return Err(self.span),
        })
    }
}

/// A user's word in a message: escaped, and cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown.replace('`', "'")
}
