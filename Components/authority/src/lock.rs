//! The lock: what must not change from one compile to the next.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use mentci_source::Hash;

use crate::{Level, NormId};

/// The newest format of `absolute_rules.lock` that is read. A lock is written in the oldest format that holds what it holds: 1 without
/// condensed lines, 2 with them, 3 with a lesson that a model put on a norm's line.
pub const LOCK_FORMAT: u32 = 3;

/// Names what a line states by its content: 16 hexadecimal digits over level, deterministic line and literals. Equal statements of
/// two skills have one id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StatementId(String);

impl StatementId {
    /// The id of this statement.
    pub fn of(level: Option<Level>, text: &str, literals: &[String]) -> Self {
        let level = level.map_or("lesson", Level::name);
        let parts = [level, text].into_iter().chain(literals.iter().map(String::as_str));
        Self(Hash::of("mentci statement 1", parts.map(str::as_bytes)).short(16))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a model made of a statement: a shorter line, or the reason why it was refused.
///
/// It is a claim: a line counts only where the verifier accepts it, at every compile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CondensedLine {
    /// The line; none when it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Why it was refused: such a statement is asked about again only with another model or another prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The norm that this lesson stands on as an exception. It counts only where the lesson concerns that norm as well as any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excepts: Option<NormId>,
    /// Who said it.
    pub model: String,
    /// The prompt that it was asked with: its version and the digits of its hash.
    pub prompt: String,
}

/// `absolute_rules.lock`: the numbers of the rules, kept in version control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct RuleLock {
    /// Number by norm.
    #[serde(default)]
    pub numbers: BTreeMap<NormId, u32>,
    /// Numbers that were given once and state nothing today.
    #[serde(default)]
    pub retired: BTreeSet<u32>,
    /// Names in the law that the workspace once had, so that their loss is noticed.
    #[serde(default)]
    pub names: BTreeSet<String>,
    /// What a model made of the statements, by what they state.
    #[serde(default)]
    pub lines: BTreeMap<StatementId, CondensedLine>,
}

impl RuleLock {
    /// The format that it is written in: the oldest that holds what it holds.
    pub fn format(&self) -> u32 {
        match self.lines.values().map(|line| line.excepts.is_some()).max() {
            None => 1,
            Some(false) => 2,
            Some(true) => LOCK_FORMAT,
        }
    }
}
