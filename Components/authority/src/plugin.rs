//! A plugin: rules, scripts and settings that come together in one folder, as its manifest says.

use std::fmt;
use std::sync::Arc;

use mentci_source::Span;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// A plugin's name, which is its folder's name: 1 to 64 characters, words of `a` to `z` and digits with `-` between them, so
/// that it is never a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PluginId(Arc<str>);

impl PluginId {
    /// The most characters of an id.
    pub const MAX_CHARS: usize = 64;

    /// Checks a name.
    ///
    /// # Errors
    /// What is wrong with it, for a message.
    ///
    /// ```
    /// use mentci_authority::PluginId;
    /// assert_eq!(PluginId::new("deep-research")?.as_str(), "deep-research");
    /// assert!(PluginId::new("../deep").is_err() && PluginId::new("Deep").is_err() && PluginId::new("").is_err());
    /// # Ok::<(), &'static str>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, &'static str> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        if text.is_empty() {
            Err("an id is empty")
        } else if text.len() > Self::MAX_CHARS {
            Err("an id is longer than 64 characters")
        } else if !text.split('-').all(is_word) {
            Err("an id is words of `a` to `z` and digits, with `-` between them")
        } else {
            Ok(Self(text.into()))
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PluginId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<PluginId> for String {
    fn from(id: PluginId) -> Self {
        id.0.as_ref().to_owned()
    }
}

impl fmt::Display for PluginId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a plugin's manifest, `plugin.toml`, says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plugin {
    /// Its name.
    pub id: PluginId,
    /// A name for people.
    pub name: String,
    /// Its version: `1.2.3`.
    pub version: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The capabilities without which it is not loaded.
    #[serde(default)]
    pub requires: Vec<Stated>,
    /// Its files of rules: paths and patterns below its folder.
    #[serde(default)]
    pub include: Vec<Stated>,
    /// What a person may set, in the order of the manifest.
    #[serde(default)]
    pub settings: Vec<PluginSetting>,
}

impl Plugin {
    /// The setting of a name.
    pub fn setting(&self, key: &str) -> Option<&PluginSetting> {
        self.settings.iter().find(|setting| setting.key == key)
    }
}

/// A text of the manifest with its place.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// What it says.
    pub text: String,
    /// Where.
    #[serde(skip)]
    pub span: Span,
}

impl PartialEq for Stated {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Something about a plugin that a person may set; rules read it as `plugin.settings.KEY`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PluginSetting {
    /// Its name in rules.
    pub key: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it can be.
    #[serde(rename = "type")]
    pub kind: SettingKind,
    /// What it is until somebody sets it. It is always something that the setting accepts.
    pub default: Value,
    /// The least number, or the least characters of a string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number, or the most characters of a string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The words of an `enum`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// The types of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingKind {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// Any number.
    Float,
    /// A text.
    String,
    /// One of some words.
    Enum,
}

impl SettingKind {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Bool, Self::Int, Self::Float, Self::String, Self::Enum];

    /// `bool`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::String => "string",
            Self::Enum => "enum",
        }
    }

    fn wanted(self) -> &'static str {
        match self {
            Self::Bool => "`true` or `false`",
            Self::Int => "a whole number",
            Self::Float => "a number",
            Self::String => "text",
            Self::Enum => "one of its words",
        }
    }

    fn holds(self, value: &Value) -> bool {
        match self {
            Self::Bool => value.is_boolean(),
            Self::Int => value.is_i64(),
            Self::Float => value.as_f64().is_some_and(f64::is_finite),
            Self::String | Self::Enum => value.is_string(),
        }
    }
}

impl PluginSetting {
    /// The value as it is kept; a whole number for a `float` is that number.
    ///
    /// # Errors
    /// What is wrong with it, for a message: ``must be a number from 0 to 1, not `5` ``.
    ///
    /// ```
    /// use mentci_authority::{PluginSetting, SettingKind};
    /// use serde_json::json;
    /// let share = PluginSetting { min: Some(0.0), max: Some(1.0), ..PluginSetting::new("share", SettingKind::Float, json!(0.5)) };
    /// assert_eq!(share.accept(&json!(1)), Ok(json!(1.0)));
    /// assert_eq!(share.accept(&json!(5)).unwrap_err(), "must be a number from 0 to 1, not `5`");
    /// ```
    pub fn accept(&self, value: &Value) -> Result<Value, String> {
        let fits = self.kind.holds(value) && self.is_within(value) && self.is_option(value);
        if !fits {
            // A text that reads as a value of another kind looks right without this.
            let is_worded = matches!(self.kind, SettingKind::String | SettingKind::Enum);
            let reads = value.as_str().is_some_and(|text| serde_json::from_str::<Value>(text).is_ok());
            let kind = if reads && !is_worded { "the text " } else { "" };
            return Err(format!("must be {}, not {kind}`{}`", self.wanted(), shown(value)));
        }
        let float = value.as_f64().filter(|_| self.kind == SettingKind::Float).and_then(Number::from_f64);
        Ok(float.map_or_else(|| value.clone(), Value::Number))
    }

    /// A setting without a name for people, bounds and words.
    pub fn new(key: &str, kind: SettingKind, default: Value) -> Self {
        Self {
            key: key.to_owned(),
            name: None,
            description: None,
            kind,
            default,
            min: None,
            max: None,
            options: Vec::new(),
        }
    }

    /// What it takes, in words: `a number from 0 to 1`.
    pub fn wanted(&self) -> String {
        if self.kind == SettingKind::Enum {
            let words: Vec<String> = self.options.iter().map(|word| format!("`{word}`")).collect();
            return format!("one of {}", words.join(", "));
        }
        let unit = if self.kind == SettingKind::String { " characters" } else { "" };
        let joint = if self.kind == SettingKind::String { " of" } else { "" };
        let bounds = match (self.min, self.max) {
            (None, None) => String::new(),
            (Some(min), None) => format!("{joint} from {min}{unit}"),
            (None, Some(max)) => format!("{joint} up to {max}{unit}"),
            (Some(min), Some(max)) => format!("{joint} from {min} to {max}{unit}"),
        };
        format!("{}{bounds}", self.kind.wanted())
    }

    #[expect(clippy::cast_precision_loss, reason = "no text has 2^53 characters")]
    fn is_within(&self, value: &Value) -> bool {
        let size = value.as_str().map(|text| text.chars().count() as f64).or_else(|| value.as_f64());
        let Some(size) = size else { return true };
        self.min.is_none_or(|min| size >= min) && self.max.is_none_or(|max| size <= max)
    }

    fn is_option(&self, value: &Value) -> bool {
        self.kind != SettingKind::Enum
            || value.as_str().is_some_and(|word| self.options.iter().any(|known| known == word))
    }
}

/// A value in a message: on one line and no longer than is read.
fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() { format!("{short}…") } else { short }
}
