//! What is to be written, before it is known in which syntax.

use serde_json::Value as Json;

/// How deep a file nests at the most. Every reader reads deeper.
pub(super) const MAX_DEPTH: usize = 24;

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doc {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// A word of ours: a keyword in EDN, a text elsewhere.
    Word(&'static str),
    List(Vec<Doc>),
    /// Fields of ours.
    Map(Vec<(&'static str, Doc)>),
    /// A map with the user's keys.
    Data(Vec<(String, Doc)>),
    /// EDN as it stands.
    Form(String),
    /// What cannot be written, by its feature.
    Unsayable(&'static str),
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn texts(texts: &[String]) -> Self {
        Self::List(texts.iter().map(Self::text).collect())
    }

    pub(super) fn count(number: u64) -> Self {
        i64::try_from(number).map_or(Self::Unsayable("a number beyond 64 bits"), Self::Int)
    }

    /// Milliseconds as seconds.
    #[expect(clippy::cast_precision_loss, reason = "windows are bounded far below 2^53 ms")]
    pub(super) fn seconds(ms: u64) -> Self {
        if ms.is_multiple_of(1_000) { Self::count(ms / 1_000) } else { Self::Float(ms as f64 / 1_000.0) }
    }

    /// A version is a number where it looks like one.
    pub(super) fn version(version: &str) -> Self {
        match version.parse::<i64>() {
            Ok(number) if number.to_string() == version => Self::Int(number),
            _ => Self::text(version),
        }
    }

    pub(super) fn json(value: &Json) -> Self {
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(whole), ..) => Self::Int(whole),
                (None, Some(_), _) | (None, None, None) => Self::Unsayable("a number beyond 64 bits"),
                (None, None, Some(number)) => Self::Float(number),
            },
            Json::String(text) => Self::text(text),
            Json::Array(items) => Self::List(items.iter().map(Self::json).collect()),
            Json::Object(map) => {
                Self::Data(map.iter().map(|(key, value)| (key.clone(), Self::json(value))).collect())
            }
        }
    }

    /// Whether it is written without a line of its own for each part.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
            Self::Data(entries) => entries.is_empty(),
            _ => true,
        }
    }

    /// Calls `say` with each feature in it that `refuses` or that cannot be written at all.
    pub(super) fn unsayable(&self, null: bool, depth: usize, say: &mut dyn FnMut(&str)) {
        if depth == 0 {
            return say("nesting deeper than 24");
        }
        match self {
            Self::Unsayable(feature) => say(feature),
            Self::Null if !null => say("null"),
            Self::List(items) => items.iter().for_each(|item| item.unsayable(null, depth - 1, say)),
            Self::Map(entries) => entries.iter().for_each(|(_, value)| value.unsayable(null, depth - 1, say)),
            Self::Data(entries) => entries.iter().for_each(|(key, value)| {
                if key.chars().count() > 500 {
                    say("a key longer than 500 characters");
                }
                value.unsayable(null, depth - 1, say);
            }),
            _ => {}
        }
    }
}

/// The shortest digits that read back the same, always with a point or an exponent.
pub(super) fn float(number: f64) -> String {
    format!("{number:?}")
}

/// `\u0007`: a character of the first plane that cannot stand as it is.
pub(super) fn escape(c: char) -> String {
    format!("\\u{:04x}", u32::from(c))
}

/// Writes a text in double quotes, as YAML and TOML both read it: what `is_special` names is escaped.
pub(super) fn quoted(out: &mut String, text: &str, is_special: impl Fn(char) -> bool) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_special(c) => out.push_str(&escape(c)),
            c => out.push(c),
        }
    }
    out.push('"');
}
