//! What a harness writes into a hook's standard input.

use mentci_source::is_hidden;
use serde_json::{Map, Value};

use crate::outline::outline;
use mentci_host::{Unambiguous, mended};

/// The most bytes of a payload that are read.
pub const MAX_PAYLOAD: usize = 32 << 20;

/// A payload: an object whose fields are looked up by name. What is not there, or is something else, is absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Payload {
    fields: Map<String, Value>,
    /// Which key stands twice in one object of it, in words.
    twice: Option<String>,
    /// The text that was read.
    text: String,
}

impl Payload {
    /// Reads a payload. Nothing at all is an empty one: some harnesses tell nothing at some hooks. Half a pair of UTF-16, as
    /// Node writes where a text was cut, is U+FFFD.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    ///
    /// ```
    /// use mentci_harness::Payload;
    /// let read = Payload::read(br#"{"tool_name": "Bash", "from the future": 1}"#)?;
    /// assert_eq!(read.text("tool_name"), Some("Bash"));
    /// assert!(Payload::read(br#"{"tool_name": "Ba"#).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > MAX_PAYLOAD {
            return Err(format!("it is longer than {} MiB", MAX_PAYLOAD >> 20));
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if bytes.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        let bytes = mended(bytes);
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => {
                // OK because what was read as a value is JSON: all that is left to be wrong is a key that stands twice.
                let twice = serde_json::from_slice::<Unambiguous>(&bytes).err();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Ok(Self { fields, twice: twice.map(|error| error.to_string()), text })
            }
            Ok(_) => Err("it is no JSON object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// What can be told of a payload that is longer than that is read: all but its long texts. Empty where that cannot be
    /// read either.
    pub fn outline(bytes: &[u8]) -> Self {
        match outline(&mended(bytes)) {
            Some(Value::Object(fields)) => Self { fields, ..Self::default() },
            _ => Self::default(),
        }
    }

    /// Which key stands twice in one object, in words: one reader takes its first value and the next one its last.
    ///
    /// ```
    /// use mentci_harness::Payload;
    /// let read = Payload::read(br#"{"tool_input": {"command": "ls", "command": "shred x"}}"#)?;
    /// assert_eq!(read.twice(), Some("the key `command` stands twice at line 1 column 42"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn twice(&self) -> Option<&str> {
        self.twice.as_deref()
    }

    /// The value at a path of names: `input.args`.
    pub fn at(&self, path: &str) -> Option<&Value> {
        let mut names = path.split('.');
        let first = self.fields.get(names.next()?)?;
        names.try_fold(first, |value, name| value.get(name)).filter(|value| !value.is_null())
    }

    /// The text of the value at a path as it came, where another one would be written of what was read of it.
    pub(crate) fn told(&self, path: &str) -> Option<String> {
        let value = self.at(path).filter(|value| value.is_object() || value.is_array())?;
        let names: Vec<&str> = path.split('.').collect();
        mentci_authority::told_text(mentci_authority::json_text(&self.text, &names)?, value)
    }

    /// The text at a path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.at(path)?.as_str()
    }

    /// The first text among these paths that holds something.
    pub(crate) fn any_text(&self, paths: &[&str]) -> Option<&str> {
        paths.iter().filter_map(|path| self.text(path)).find(|text| !text.is_empty())
    }

    /// The name of the session: one line that can be shown, of bounded length.
    pub(crate) fn session(&self, paths: &[&str]) -> String {
        let name = self.any_text(paths).unwrap_or_default();
        name.chars().filter(|&c| !is_hidden(c)).take(200).collect()
    }
}
