//! The lock: what must not change from one compile to the next.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::NormId;

/// The format number of `absolute_rules.lock`.
pub const LOCK_FORMAT: u32 = 1;

/// `absolute_rules.lock`: the numbers of the rules, kept in version control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleLock {
    /// [`LOCK_FORMAT`].
    pub format: u32,
    /// Number by norm.
    #[serde(default)]
    pub numbers: BTreeMap<NormId, u32>,
    /// Numbers that were given once and state nothing today.
    #[serde(default)]
    pub retired: BTreeSet<u32>,
    /// Names in the law that the workspace once had, so that their loss is noticed.
    #[serde(default)]
    pub names: BTreeSet<String>,
}

impl Default for RuleLock {
    fn default() -> Self {
        Self {
            format: LOCK_FORMAT,
            numbers: BTreeMap::new(),
            retired: BTreeSet::new(),
            names: BTreeSet::new(),
        }
    }
}
