//! The workspace: the core of every skill, its own law and facts, inside a hard budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{CoverageMap, Digest, RuleLock, SkillName};
use mentci_reader::capnp::Schema;
use mentci_reader::cargo::WorkspaceFacts;
use mentci_source::{Finding, Hash, Source};

use crate::{Asked, DigestFiles, Inventory, LawReading, SkillCompiled};

/// What the workspace digest is compiled from. The order of nothing here matters.
#[derive(Debug, Clone, Copy)]
pub struct WorkspaceInput<'a> {
    /// Every skill.
    pub skills: &'a [Arc<SkillCompiled>],
    /// `AGENTS.md`, `CLAUDE.md` and kin.
    pub law: &'a [Arc<LawReading>],
    /// Every schema.
    pub schemas: &'a [SchemaSource],
    /// The Cargo manifests, if there are any.
    pub manifests: Option<&'a ManifestSources>,
}

/// A schema and its text.
#[derive(Debug, Clone)]
pub struct SchemaSource {
    /// The text.
    pub source: Source,
    /// What it declares.
    pub schema: Arc<Schema>,
}

/// Manifests and what they say together.
#[derive(Debug, Clone)]
pub struct ManifestSources {
    /// The root's and the members' manifests.
    pub sources: Vec<Source>,
    /// What they say.
    pub facts: Arc<WorkspaceFacts>,
}

/// How the workspace digest is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceOptions {
    /// The most tokens (o200k) of the digest; never more than `cap_tokens` hold.
    pub tokens: usize,
    /// The hard cap in tokens.
    pub cap_tokens: usize,
    /// The hard cap in characters.
    pub cap_chars: usize,
    /// Percent of the budget that schema facts may take.
    pub schema_share: usize,
    /// Percent of the budget that facts of the Cargo workspace may take.
    pub facts_share: usize,
    /// Percent of the budget that lessons no person has accepted may take.
    pub unreviewed_share: usize,
}

impl Default for WorkspaceOptions {
    fn default() -> Self {
        Self {
            tokens: 1_500,
            cap_tokens: 2_400,
            cap_chars: 9_500,
            schema_share: 20,
            facts_share: 10,
            unreviewed_share: 15,
        }
    }
}

/// The compiled workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceCompiled {
    /// The digest; `text` is the body, without the seal.
    pub digest: Digest,
    /// Its tokens (o200k).
    pub tokens: usize,
    /// The lock to publish.
    pub lock: RuleLock,
    /// What was odd in this pass; the findings of skills stand in [`SkillCompiled`].
    pub findings: Vec<Finding>,
    /// What the compile asked of the inventory for the workspace's own law.
    pub asked: Asked,
    /// One stable section a skill, for the skills active in a session.
    pub sections: BTreeMap<SkillName, Arc<str>>,
    /// The bytes to publish.
    pub files: DigestFiles,
}

impl WorkspaceCompiled {
    /// The coverage map.
    pub fn map(&self) -> CoverageMap {
        CoverageMap { format: 1, skill: None, sources: Vec::new(), entries: Vec::new(), omitted: Vec::new() }
    }
}

/// Compiles the workspace's digest from compiled skills.
pub fn compile_workspace(
    input: &WorkspaceInput<'_>,
    lock: &RuleLock,
    options: &WorkspaceOptions,
    inventory: &dyn Inventory,
) -> WorkspaceCompiled {
    let _ = (input, options, inventory);
    WorkspaceCompiled {
        digest: Digest {
            text: String::new(),
            hash: Hash::of_bytes(b""),
            lines: Vec::new(),
            omitted: Vec::new(),
        },
        tokens: 0,
        lock: lock.clone(),
        findings: Vec::new(),
        asked: Asked::default(),
        sections: BTreeMap::new(),
        files: DigestFiles::default(),
    }
}
