//! How far back the loaded rules look.

use mentci_authority::{Guard, Rule};
use serde::{Deserialize, Serialize};

/// How long calls are kept for chains: the longest window of any loaded rule. Calls are dropped by age only, never by a
/// count, so that noise cannot push one out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Windows {
    /// Milliseconds. A call of exactly this age is still there.
    pub longest_ms: u64,
}

impl Windows {
    /// What the chains of `rules` need.
    pub fn of<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Self {
        let mut longest_ms = 0;
        for rule in rules {
            rule.guard.walk(&mut |guard| {
                if let Guard::Chain(chain) = guard {
                    longest_ms = chain.steps.iter().map(|step| step.within_ms).fold(longest_ms, u64::max);
                }
            });
        }
        Self { longest_ms }
    }

    /// The longer of the two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.max(other)
    }

    /// Whether what is kept for `self` also serves `other`.
    pub fn covers(self, other: Self) -> bool {
        self >= other
    }
}
