//! Reading the law: one Markdown source -> norms, and all that is no norm.

use mentci_authority::{Norm, Omission, SkillName};
use mentci_source::{Finding, Source};

/// What kind of law a source is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LawKind {
    /// `SKILL.md` of this skill.
    Skill(SkillName),
    /// `AGENTS.md`, `CLAUDE.md` and kin: holds for the whole workspace.
    Workspace,
}

/// What one source of law says. Every non-blank line of the source lies in the provenance of a norm or in `omitted`.
#[derive(Debug, Clone, PartialEq)]
pub struct LawReading {
    /// The source itself (path, text, hash).
    pub source: Source,
    /// Whose law it is.
    pub kind: LawKind,
    /// The norms in the order of the source. Two norms of one source never have the same id: a repeated norm is one norm
    /// with several spans.
    pub norms: Vec<Norm>,
    /// What is no norm, with its reason; ordered.
    pub omitted: Vec<Omission>,
    /// What was odd.
    pub findings: Vec<Finding>,
}

/// Reads one source of law. Never fails: odd input gives findings beside what could be read.
pub fn read_law(source: &Source, kind: &LawKind) -> LawReading {
    LawReading {
        source: source.clone(),
        kind: kind.clone(),
        norms: Vec::new(),
        omitted: Vec::new(),
        findings: Vec::new(),
    }
}
