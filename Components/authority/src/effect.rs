//! What a rule says about a call, and how a decision adds up.

use serde::{Deserialize, Serialize};

/// Whether a call may run. The strictest wins: `allow < approve < block`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// It runs.
    #[default]
    Allow,
    /// It runs once a person said so.
    Approve,
    /// It does not run.
    Block,
}

/// What one rule wants: a permission, or an obligation that rides on one and never permits.
///
/// ```
/// use mentci_authority::{Effect, Permission};
/// assert_eq!(Effect::Block.permission(), Some(Permission::Block));
/// assert_eq!(Effect::Redact.permission(), None);
/// assert_eq!(Effect::parse("BLOCK"), Some(Effect::Block));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Permits.
    Allow,
    /// Obliges to tell the agent.
    Warn,
    /// Obliges to take secrets and personal data out.
    Redact,
    /// Asks a person first.
    Approve,
    /// Forbids.
    Block,
}

impl Effect {
    /// Every effect, the mildest first.
    pub const ALL: [Self; 5] = [Self::Allow, Self::Warn, Self::Redact, Self::Approve, Self::Block];

    /// `block`: the name in every dialect.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Redact => "redact",
            Self::Approve => "approve",
            Self::Block => "block",
        }
    }

    /// The effect with this name, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name().eq_ignore_ascii_case(text.trim()))
    }

    /// What it says about permission; `None` for obligations.
    pub fn permission(self) -> Option<Permission> {
        match self {
            Self::Allow => Some(Permission::Allow),
            Self::Approve => Some(Permission::Approve),
            Self::Block => Some(Permission::Block),
            Self::Warn | Self::Redact => None,
        }
    }

    /// Whether a fault in such a rule closes the gate instead of leaving the rule unfired.
    pub fn closes_on_fault(self) -> bool {
        matches!(self, Self::Block | Self::Approve | Self::Redact)
    }
}

impl From<Permission> for Effect {
    fn from(permission: Permission) -> Self {
        match permission {
            Permission::Allow => Self::Allow,
            Permission::Approve => Self::Approve,
            Permission::Block => Self::Block,
        }
    }
}

/// How much a rule matters to its author. It orders reasons and reports and never decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSeverity {
    /// `low`.
    #[default]
    Low,
    /// `medium`.
    Medium,
    /// `high`.
    High,
    /// `critical`.
    Critical,
}

impl RuleSeverity {
    /// Every severity, the mildest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// `critical`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The severity with this name, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name().eq_ignore_ascii_case(text.trim()))
    }
}

/// Whether a rule binds or is only tried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Enforcement {
    /// It binds.
    #[default]
    Enforce,
    /// It is decided and recorded, and changes nothing.
    Shadow,
}
