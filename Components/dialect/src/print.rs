//! Printing: a rule set as a dialect's canonical text.

mod action;
mod condition;
mod doc;
mod edn;
mod rule;
mod set;
mod sexpr;
mod sugar;
mod toml;
mod yaml;

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
/// ```
/// use mentci_authority::{Effect, Hook, Origin, Rule, RuleId, RuleSet, ToolMatch, Trust};
/// use mentci_dialect::{Dialect, print};
/// # use mentci_source::Span;
/// # let origin = Origin { dialect: Dialect::Edn, path: "a.edn".into(), line: 1, column: 1, span: Span::default(),
/// #     pack: "a".into(), trust: Trust::User };
/// let mut rule = Rule::new(RuleId::new("no-exec")?, Hook::PreToolCall, origin);
/// rule.tools = ToolMatch::exact("exec");
/// rule.effect = Some(Effect::Block);
/// let mut set = RuleSet::new("mine");
/// set.rules.push(rule);
/// assert_eq!(print(&set, Dialect::Yaml).unwrap(), "\
/// shield_name: mine
/// rules:
///   - id: no-exec
///     when:
///       tool: exec
///     then: block
/// ");
/// # Ok::<(), &'static str>(())
/// ```
///
/// # Errors
/// Everything that `dialect` cannot say, with the rule that says it.
pub fn print(set: &RuleSet, dialect: Dialect) -> Result<String, Vec<Unsayable>> {
    print_named(set, dialect, true)
}

/// The same; without the set's name where whoever reads it gives it that name anyway.
pub(crate) fn print_named(set: &RuleSet, dialect: Dialect, named: bool) -> Result<String, Vec<Unsayable>> {
    if dialect == Dialect::Chatmd {
        return chatmd::print(set);
    }
    let laid = set::lay_out(set, dialect, named)?;
    Ok(match dialect {
        Dialect::Toml => toml::write(&laid),
        Dialect::Edn => edn::write(&laid),
        Dialect::Yaml | Dialect::Chatmd => yaml::write(&laid),
    })
}
