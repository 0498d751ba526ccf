//! What a person changed: the acts that the audit tells and that no fold of a session reads.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change of what holds, with who made it. What is changed is kept elsewhere, in settings, files of lessons or the user's
/// state: the line of the log says that it was, by whom, and to what.
///
/// ```
/// use mentci_ledger::{Change, Deed};
/// let change = Change::new(Deed::RuleSwitched, "git/no-push", "ada").to(false.into());
/// assert_eq!(serde_json::to_string(&change)?, r#"{"deed":"rule_switched","of":"git/no-push","to":false,"by":"ada"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What was done.
    pub deed: Deed,
    /// To what: a rule's full name, a plugin's id, a lesson's id, a token's name; empty where it concerns all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// What it is now; absent where a value was taken back, or there is none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub to: Value,
    /// Why, in that person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Who.
    pub by: String,
}

impl Change {
    /// A change by somebody, without a value.
    pub fn new(deed: Deed, of: &str, by: &str) -> Self {
        Self { deed, of: of.to_owned(), to: Value::Null, why: None, by: by.to_owned() }
    }

    /// The same with what it is now.
    #[must_use]
    pub fn to(self, to: Value) -> Self {
        Self { to, ..self }
    }

    /// The same with why.
    #[must_use]
    pub fn why(self, why: Option<&str>) -> Self {
        Self { why: why.map(str::to_owned), ..self }
    }
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// A rule was switched on or off.
    RuleSwitched,
    /// A parameter of a rule was set, or taken back.
    RuleSet,
    /// A plugin was switched on or off.
    PluginSwitched,
    /// A setting of a plugin was set, or taken back.
    PluginSet,
    /// A plugin was copied into its place, or begun.
    PluginInstalled,
    /// A lesson was let into the rules.
    LessonAccepted,
    /// A lesson was refused.
    LessonRejected,
    /// A lesson was retired.
    LessonArchived,
    /// A lesson was made law of its own.
    LessonPromoted,
    /// The workspace's configuration and rules were trusted as they stood.
    Trusted,
    /// That was taken back.
    TrustRevoked,
    /// A token was made.
    TokenMade,
    /// A token was taken back.
    TokenRevoked,
    /// Every call of every workspace of the user was stopped.
    Killed,
}

impl Deed {
    /// Every deed.
    pub const ALL: [Self; 14] = [
        Self::RuleSwitched,
        Self::RuleSet,
        Self::PluginSwitched,
        Self::PluginSet,
        Self::PluginInstalled,
        Self::LessonAccepted,
        Self::LessonRejected,
        Self::LessonArchived,
        Self::LessonPromoted,
        Self::Trusted,
        Self::TrustRevoked,
        Self::TokenMade,
        Self::TokenRevoked,
        Self::Killed,
    ];

    /// What is done where a setting of this key changes, and to what; none where no deed changes such a setting.
    ///
    /// ```
    /// use mentci_ledger::Deed;
    /// assert_eq!(Deed::of_setting("rules/git/no-push/enabled"), Some((Deed::RuleSwitched, "git/no-push".into())));
    /// assert_eq!(Deed::of_setting("plugins/tidy/settings/depth"), Some((Deed::PluginSet, "tidy/depth".into())));
    /// assert_eq!(Deed::of_setting("colour"), None);
    /// ```
    pub fn of_setting(key: &str) -> Option<(Self, String)> {
        if let Some(rule) = key.strip_prefix("rules/") {
            if let Some((rule, name)) = rule.rsplit_once("/parameters/") {
                return Some((Self::RuleSet, format!("{rule}/{name}")));
            }
            return Some((Self::RuleSwitched, rule.strip_suffix("/enabled")?.to_owned()));
        }
        let plugin = key.strip_prefix("plugins/")?;
        if let Some((plugin, name)) = plugin.split_once("/settings/") {
            return Some((Self::PluginSet, format!("{plugin}/{name}")));
        }
        Some((Self::PluginSwitched, plugin.strip_suffix("/enabled")?.to_owned()))
    }

    /// `rule_switched`.
    pub fn name(self) -> &'static str {
        match self {
            Self::RuleSwitched => "rule_switched",
            Self::RuleSet => "rule_set",
            Self::PluginSwitched => "plugin_switched",
            Self::PluginSet => "plugin_set",
            Self::PluginInstalled => "plugin_installed",
            Self::LessonAccepted => "lesson_accepted",
            Self::LessonRejected => "lesson_rejected",
            Self::LessonArchived => "lesson_archived",
            Self::LessonPromoted => "lesson_promoted",
            Self::Trusted => "trusted",
            Self::TrustRevoked => "trust_revoked",
            Self::TokenMade => "token_made",
            Self::TokenRevoked => "token_revoked",
            Self::Killed => "killed",
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::Deed;

    #[test]
    fn a_deed_is_called_as_it_is_written() {
        for deed in Deed::ALL {
            assert_eq!(serde_json::to_value(deed).unwrap(), deed.name());
        }
    }
}
