//! Digests on disk: read as they stand, written when their bytes move.

use mentci_authority::{RuleLock, SkillName};
use mentci_compiler::{
    DigestFiles, SkillCompiled, WorkspaceCompiled, check_digest_format, check_map_format, read_lock,
    split_seal,
};
use mentci_disk::{LockGuard, WriteOptions, publish, read_optional};
use mentci_source::{Code, Finding, Source};

use super::{Cycle, Engine};
use crate::layout::DigestPaths;

impl Engine {
    /// The numbers that were given, when none of the three files is of a newer version.
    pub(super) fn numbers(&self, paths: &DigestPaths) -> Result<RuleLock, Finding> {
        let checks = [
            (&paths.map, check_map_format as fn(&str, &str) -> Result<(), Finding>),
            (&paths.digest, check_digest_format),
        ];
        for (path, check) in checks {
            self.standing(path).map_or(Ok(()), |text| check(path, &text))?;
        }
        self.read_lock(&paths.lock)
    }

    /// None when there is no lock yet.
    fn read_lock(&self, path: &str) -> Result<RuleLock, Finding> {
        let bytes = read_optional(self.fs.as_ref(), &self.root.join(path))
            .map_err(|error| error.finding(Code::LOCK_DAMAGED).in_file(path))?;
        bytes.map_or_else(|| Ok(RuleLock::default()), |bytes| read_lock(&Source::decode(path, &bytes).value))
    }

    /// What stands on disk as a digest's text, with its seal.
    pub(crate) fn standing(&self, path: &str) -> Option<String> {
        let bytes = read_optional(self.fs.as_ref(), &self.root.join(path)).ok().flatten()?;
        String::from_utf8(bytes).ok()
    }

    /// The three files as they stand on disk; `None` when one is missing.
    pub(crate) fn standing_files(&self, paths: &DigestPaths) -> Option<DigestFiles> {
        Some(DigestFiles {
            digest: self.standing(&paths.digest)?,
            map: self.standing(&paths.map)?,
            lock: self.standing(&paths.lock)?,
        })
    }

    pub(super) fn publish_skill(
        &mut self,
        name: &SkillName,
        compiled: &SkillCompiled,
        guard: &LockGuard,
        cycle: &mut Cycle,
    ) {
        let done = self.publish_files(Some(name), &DigestPaths::skill(name), &compiled.files(), guard, cycle);
        let Some(slot) = self.skills.get_mut(name) else { return };
        slot.published = done.is_ok();
        slot.blocked.extend(done.err());
    }

    pub(super) fn publish_workspace(
        &mut self,
        compiled: &WorkspaceCompiled,
        guard: &LockGuard,
        cycle: &mut Cycle,
    ) {
        match self.publish_files(None, &DigestPaths::workspace(), &compiled.files, guard, cycle) {
            Ok(moved) => {
                self.workspace_published = true;
                cycle.workspace = moved.then_some(compiled.digest.hash);
            }
            Err(finding) => {
                cycle.impaired = true;
                self.workspace_findings.push(finding);
            }
        }
    }

    /// Lock, map, digest: the digest is the commit point. Bytes that stand already are not written. Says whether any were.
    fn publish_files(
        &mut self,
        skill: Option<&SkillName>,
        paths: &DigestPaths,
        files: &DigestFiles,
        guard: &LockGuard,
        cycle: &mut Cycle,
    ) -> Result<bool, Finding> {
        let before = self.standing(&paths.digest);
        let list = [
            (paths.lock.as_str(), files.lock.as_bytes()),
            (paths.map.as_str(), files.map.as_bytes()),
            (paths.digest.as_str(), files.digest.as_bytes()),
        ];
        let published = publish(self.fs.as_ref(), guard, &list, WriteOptions::default())
            .map_err(|error| error.finding(Code::NOT_PUBLISHED).help("the last good digest stays"))?;
        if published.written.is_empty() {
            return Ok(false);
        }
        self.counters.published += 1;
        cycle.digests.push(DigestChange { skill: skill.cloned(), before: before.as_deref().map(body) });
        Ok(true)
    }

    /// The compiled digests that do not stand on disk, byte for byte.
    pub(crate) fn stale(&self) -> Vec<DigestChange> {
        let skills = self.skills.iter().filter_map(|(name, slot)| {
            slot.compiled
                .as_ref()
                .map(|compiled| (Some(name.clone()), DigestPaths::skill(name), compiled.files()))
        });
        let whole = self.workspace.iter().map(|whole| (None, DigestPaths::workspace(), whole.files.clone()));
        let differs = |(skill, paths, files): (Option<SkillName>, DigestPaths, DigestFiles)| {
            let stands = self.standing_files(&paths).as_ref() == Some(&files);
            let before = || self.standing(&paths.digest).as_deref().map(body);
            (!stands).then(|| DigestChange { skill, before: before() })
        };
        whole.chain(skills).filter_map(differs).collect()
    }
}

/// A digest whose bytes moved, or would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DigestChange {
    /// `None`: the workspace's.
    pub(crate) skill: Option<SkillName>,
    /// What stood there before, without the seal.
    pub(crate) before: Option<String>,
}

fn body(text: &str) -> String {
    split_seal(text).1.to_owned()
}
