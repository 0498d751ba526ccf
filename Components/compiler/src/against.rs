//! Whether a lesson goes against a rule: recommends what it forbids, makes light of what it demands, or speaks of rules themselves.
//!
//! INVARIANT (contradiction): what a must-not names outright, in its sentence or from `Never:` above it, no lesson recommends before a
//! person accepted it.
//!
//! To share words with a rule is not to go against it: `the hook fails` -> `run cargo fmt` helps to keep `Always run cargo fmt`. So a
//! [`Stake`] says two things of an [`Advice`]: whether it opposes the rule outright, and whether it would loosen it, given that it
//! speaks of what the rule speaks of.

mod advice;
mod ban;
mod demand;
mod gate;
mod grant;
mod haste;
mod limit;
mod measure;
mod option;
mod place;
mod rules;
mod said;
mod tone;

use std::collections::BTreeSet;

use mentci_authority::{Force, Level, Norm};

pub(crate) use advice::Advice;
use ban::Ban;
use demand::Demand;
pub(crate) use rules::speaks_of_rules;

/// What a rule forbids or demands, ready to be looked for in lessons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stake {
    /// A must-not.
    Ban(Ban),
    /// An explicit must.
    Demand(Demand),
}

impl Stake {
    /// What `norm` forbids, or demands in so many words; none for all other norms.
    pub(crate) fn of(norm: &Norm) -> Option<Self> {
        match (norm.level, norm.force) {
            (Level::MustNot, _) => Ban::of(norm).map(Self::Ban),
            (Level::Must, Force::Explicit) => Some(Self::Demand(Demand::of(norm))),
            _ => None,
        }
    }

    /// Whether `advice` goes against it, whatever else it speaks of.
    pub(crate) fn is_opposed(&self, advice: &Advice) -> bool {
        match self {
            Self::Ban(ban) => ban.is_recommended(advice),
            Self::Demand(demand) => demand.is_taken_away(advice),
        }
    }

    /// Whether `advice`, which speaks of what the rule speaks of, would loosen it or make an exception of it.
    pub(crate) fn is_loosened(&self, advice: &Advice) -> bool {
        match self {
            Self::Ban(ban) => ban.is_recommended(advice) || ban.is_permitted(advice),
            Self::Demand(demand) => demand.is_taken_away(advice) || demand.is_loosened(advice),
        }
    }

    /// Its words: a lesson that has none of them is not opposed.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        match self {
            Self::Ban(ban) => ban.all_words(),
            Self::Demand(demand) => demand.all_words(),
        }
    }
}

#[cfg(test)]
mod tests;
