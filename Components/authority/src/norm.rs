//! One thing that the agent must, must not, should, should not or may do.

use std::fmt;

use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::{EntryKind, Force, Level, Provenance, SkillName, Tier};

/// Names a norm by its content: 16 hexadecimal digits over level, text, condition and exceptions. Where it stands in a
/// file does not matter, so a moved norm keeps its id and with it its number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NormId(String);

impl NormId {
    /// The id of this content.
    pub fn of(level: Option<Level>, text: &str, condition: Option<&str>, scope: &str) -> Self {
        let level = level.map_or("fact", Level::name);
        let parts = [level, text, condition.unwrap_or(""), scope];
        Self(Hash::of("mentci norm 1", parts.map(str::as_bytes)).short(16))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for NormId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NormId({})", self.0)
    }
}

/// Where a norm applies: a skill, or the whole workspace (`AGENTS.md`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// While the skill's work is done.
    Skill(SkillName),
    /// Always.
    Workspace,
}

/// The place of a norm in a procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// The procedure's heading.
    pub procedure: String,
    /// Its number as the law prints it, from 1.
    pub number: u32,
}

/// One norm, condensed, with all that its meaning hangs on.
///
/// `text` is one line without a final period that already carries its own polarity and its condition: it can be read
/// alone. It never holds a line break, and every one of `literals` stands in it verbatim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Norm {
    /// Content-derived id.
    pub id: NormId,
    /// `norm` or `procedure` from law, `case` from lessons.
    pub kind: EntryKind,
    /// Level and polarity.
    pub level: Level,
    /// Where its force comes from.
    pub force: Force,
    /// The condensed line.
    pub text: String,
    /// A still shorter form, when there is one: the terse level of detail.
    pub terse: Option<String>,
    /// Only when this holds, as it stands in `text`.
    pub condition: Option<String>,
    /// `unless …`, as they stand in `text`.
    pub exceptions: Vec<String>,
    /// What must survive verbatim: backticked text, commands, paths, numbers, names.
    pub literals: Vec<String>,
    /// What the sentence looked like before condensing, for matching lessons and for `explain`.
    pub original: String,
    /// The heading that it stands under, without markers.
    pub section: String,
    /// Core or adaptive.
    pub tier: Tier,
    /// Where it applies.
    pub scope: Scope,
    /// When it is a step of a procedure.
    pub step: Option<Step>,
    /// Where it stands.
    pub provenance: Provenance,
}
