//! The name of a skill.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A skill's name: an identifier, never a path.
///
/// It can never be empty, start with `.` or `-`, hold a separator, or be longer than 128 bytes.
///
/// ```
/// use mentci_authority::SkillName;
/// assert!(SkillName::parse("sema-programmer").is_ok());
/// assert!(SkillName::parse("../victim").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SkillName(Arc<str>);

/// Why a text is not a skill's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillNameError {
    /// What was given, shortened.
    pub given: String,
}

impl SkillName {
    /// Checks a name.
    ///
    /// # Errors
    /// - anything but ASCII letters, digits, `-`, `_`, `.`; a first character that is not a letter or a digit;
    ///   `..` inside; more than 128 bytes.
    pub fn parse(text: &str) -> Result<Self, SkillNameError> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let sound = text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.len() <= 128
            && text.chars().all(allowed)
            && !text.contains("..");
        if sound {
            Ok(Self(text.into()))
        } else {
            Err(SkillNameError { given: text.chars().take(64).collect() })
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for SkillNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a skill name", self.given.escape_debug())
    }
}

impl std::error::Error for SkillNameError {}

impl TryFrom<String> for SkillName {
    type Error = SkillNameError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<SkillName> for String {
    fn from(name: SkillName) -> Self {
        name.0.as_ref().to_owned()
    }
}
