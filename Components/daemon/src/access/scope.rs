//! What somebody may.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What somebody may; each may what those before it may.
///
/// ```
/// use mentci_daemon::Scope;
/// assert!(Scope::Agent < Scope::Operator && Scope::Operator < Scope::Admin);
/// assert_eq!(Scope::parse("operator"), Some(Scope::Operator));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Asks what may happen, and reads the Absolute Rules.
    Agent,
    /// Reads everything, answers requests for approval, stops and resumes, switches rules, accepts lessons.
    Operator,
    /// Also trusts what a workspace says, and installs plugins.
    Admin,
}

impl Scope {
    /// Every scope, from the least to the most.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Operator, Self::Admin];

    /// `operator`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// The scope with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == text)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
