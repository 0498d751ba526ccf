//! One skill: law and lessons to its digest, coverage map and lock.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{CoverageMap, Digest, LessonId, RuleLock, SkillName};
use mentci_source::{Finding, Hash};
use mentci_tokens::{Tokenizer, o200k};

use crate::lessons::LessonFile;
use crate::{Asked, DigestFiles, Inventory, LawReading};

/// What a skill is compiled from.
#[derive(Debug, Clone)]
pub struct SkillInput {
    /// The skill.
    pub name: SkillName,
    /// Its law; several when the skill stands in several folders. The order does not matter.
    pub law: Vec<Arc<LawReading>>,
    /// `runtime.edn`.
    pub runtime: Option<Arc<LessonFile>>,
    /// `promoted.edn`.
    pub promoted: Option<Arc<LessonFile>>,
    /// The lessons that a person accepted.
    pub acceptances: BTreeSet<LessonId>,
}

/// How a skill is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkillOptions {
    /// The most tokens of its digest; without it everything is stated in full.
    pub tokens: Option<usize>,
}

/// A compiled skill. The same input, lock, options and answers of the inventory give the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillCompiled {
    /// The skill.
    pub name: SkillName,
    /// Its digest; `text` is the body, without the seal.
    pub digest: Digest,
    /// The lock to publish.
    pub lock: RuleLock,
    /// What was odd in this pass. The findings of reading stand in the readings.
    pub findings: Vec<Finding>,
    /// What the compile asked of the inventory.
    pub asked: Asked,
    /// Names all that the workspace digest takes from this skill: equal fingerprints, equal contribution.
    pub fingerprint: Hash,
}

impl SkillCompiled {
    /// The coverage map.
    pub fn map(&self) -> CoverageMap {
        CoverageMap { format: 1, skill: None, sources: Vec::new(), entries: Vec::new(), omitted: Vec::new() }
    }

    /// The bytes to publish.
    pub fn files(&self) -> DigestFiles {
        DigestFiles::default()
    }

    /// Tokens (o200k) of the digest; counted at each call, and only then.
    pub fn tokens(&self) -> usize {
        o200k().count(&self.digest.text)
    }

    /// Whether the inventory still answers what this compile asked as it did then.
    pub fn is_current(&self, inventory: &dyn Inventory) -> bool {
        let _ = inventory;
        true
    }
}

/// Compiles one skill.
pub fn compile_skill(
    input: &SkillInput,
    lock: &RuleLock,
    options: &SkillOptions,
    inventory: &dyn Inventory,
) -> SkillCompiled {
    let _ = (options, inventory);
    SkillCompiled {
        name: input.name.clone(),
        digest: Digest {
            text: String::new(),
            hash: Hash::of_bytes(b""),
            lines: Vec::new(),
            omitted: Vec::new(),
        },
        lock: lock.clone(),
        findings: Vec::new(),
        asked: Asked::default(),
        fingerprint: Hash::of_bytes(b""),
    }
}
