//! How strongly something is said: the levels of RFC 2119 and RFC 8174.

use serde::{Deserialize, Serialize};

/// The level of a norm, the most binding first.
///
/// ```
/// use mentci_authority::Level;
/// assert!(Level::MustNot < Level::Should);
/// assert_eq!(Level::MustNot.name(), "must_not");
/// assert!(Level::ShouldNot.is_prohibition());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Absolute prohibition.
    MustNot,
    /// Absolute requirement.
    Must,
    /// Advice against.
    ShouldNot,
    /// Advice.
    Should,
    /// Permission.
    May,
}

impl Level {
    /// `must_not`: the name in maps.
    pub fn name(self) -> &'static str {
        match self {
            Self::MustNot => "must_not",
            Self::Must => "must",
            Self::ShouldNot => "should_not",
            Self::Should => "should",
            Self::May => "may",
        }
    }

    /// Whether it forbids or advises against.
    pub fn is_prohibition(self) -> bool {
        matches!(self, Self::MustNot | Self::ShouldNot)
    }

    /// Whether it binds absolutely: the budget moves such norms out last, and never silently.
    pub fn is_binding(self) -> bool {
        matches!(self, Self::MustNot | Self::Must)
    }

    /// The same strength with the other polarity; `May` becomes `MustNot`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Must | Self::May => Self::MustNot,
            Self::MustNot => Self::Must,
            Self::Should => Self::ShouldNot,
            Self::ShouldNot => Self::Should,
        }
    }
}

/// Where the force of a norm comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Force {
    /// A deontic word or a negator stands in the norm itself: `must`, `never`, `do not`, `should`.
    Explicit,
    /// Imperative mood, or the force of a heading, a lead-in or a table's column.
    Implied,
}

/// The three tiers of authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Tier 1, the constitution: what people wrote.
    Core,
    /// Tier 2, the compiled law.
    Absolute,
    /// Tier 3, case law: what agents learned.
    Adaptive,
}
