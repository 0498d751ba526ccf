//! Digests on disk: read as they stand, written when their bytes move.

use mentci_authority::{RuleLock, SkillName};
use mentci_compiler::{
    DigestFiles, SkillCompiled, WorkspaceCompiled, check_digest_format, check_map_format, is_known_map,
    read_lock, split_seal, write_lock,
};
use mentci_disk::{LockGuard, Sidecar, WriteOptions, publish, read_head, read_optional};
use mentci_source::{Code, Finding, Source};

use super::{Cycle, Engine};
use crate::layout::DigestPaths;

/// As many bytes as hold a format number.
const HEAD: u64 = 256;

impl Engine {
    /// The numbers that were given, when none of the three files is of a newer version. `known` are those that were published last.
    pub(super) fn numbers(&self, paths: &DigestPaths, known: Option<&RuleLock>) -> Result<RuleLock, Finding> {
        if self.head(&paths.map).is_some_and(|head| !is_known_map(&head)) {
            self.standing(&paths.map).map_or(Ok(()), |text| check_map_format(&paths.map, &text))?;
        }
        self.head(&paths.digest).map_or(Ok(()), |head| check_digest_format(&paths.digest, &head))?;
        self.read_lock(&paths.lock, known)
    }

    /// How a file begins: its format number stands there.
    fn head(&self, path: &str) -> Option<String> {
        let bytes = read_head(self.fs.as_ref(), &self.root.join(path), HEAD)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// None when there is no lock yet. One that stands as `known` was written is that one, which takes no reading.
    fn read_lock(&self, path: &str, known: Option<&RuleLock>) -> Result<RuleLock, Finding> {
        let bytes = read_optional(self.fs.as_ref(), &self.root.join(path))
            .map_err(|error| error.finding(Code::LOCK_DAMAGED).in_file(path))?;
        let Some(bytes) = bytes else { return Ok(RuleLock::default()) };
        match known.filter(|known| write_lock(known).as_bytes() == bytes) {
            Some(known) => Ok(known.clone()),
            None => read_lock(&Source::decode(path, &bytes).value),
        }
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

    /// What was published last, for whoever shows it: this side of it where a merge is not finished, and the digest alone where its map
    /// or lock cannot be read.
    pub(crate) fn last_good_files(&self, paths: &DigestPaths) -> Option<DigestFiles> {
        let alone = || {
            let digest = self.standing(&paths.digest)?;
            let files = DigestFiles { digest, map: String::new(), lock: String::new() }.ours();
            split_seal(&files.digest).0.is_some().then_some(files)
        };
        self.standing_files(paths).map(|files| files.ours()).or_else(alone)
    }

    /// Puts the files of a skill in place.
    pub(super) fn publish_skill(&self, compiled: &SkillCompiled, guard: &LockGuard) -> Written {
        let paths = DigestPaths::skill(&compiled.name);
        self.publish_files(Some(&compiled.name), &paths, &compiled.files(), guard)
    }

    pub(super) fn publish_workspace(
        &mut self,
        compiled: &WorkspaceCompiled,
        guard: &LockGuard,
        cycle: &mut Cycle,
    ) {
        match self.publish_files(None, &DigestPaths::workspace(), &compiled.files, guard) {
            Ok(moved) => {
                self.workspace_published = true;
                cycle.workspace = moved.is_some().then_some(compiled.digest.hash);
                self.tell(moved, cycle);
            }
            Err(finding) => {
                cycle.impaired = true;
                self.workspace_findings.push(finding);
            }
        }
    }

    /// Puts only the lock in place.
    pub(super) fn publish_lock(&self, paths: &DigestPaths, files: &DigestFiles) -> Result<(), Finding> {
        let list = [(paths.lock.as_str(), files.lock.as_bytes())];
        let guard = Sidecar::publishing(&self.root).lock(self.fs.as_ref());
        let written = guard
            .and_then(|guard| publish(self.fs.as_ref(), &guard, &list, WriteOptions::default()).map(drop));
        written.map_err(|error| error.finding(Code::NOT_PUBLISHED).help("the last good digest stays"))
    }

    /// Counts and tells what was written.
    pub(super) fn tell(&mut self, moved: Option<DigestChange>, cycle: &mut Cycle) {
        self.counters.published += u64::from(moved.is_some());
        cycle.digests.extend(moved);
    }

    /// Lock, map, digest: the digest is the commit point. Bytes that stand already are not written. Says what changed.
    fn publish_files(
        &self,
        skill: Option<&SkillName>,
        paths: &DigestPaths,
        files: &DigestFiles,
        guard: &LockGuard,
    ) -> Written {
        let before = self.standing(&paths.digest);
        let list = [
            (paths.lock.as_str(), files.lock.as_bytes()),
            (paths.map.as_str(), files.map.as_bytes()),
            (paths.digest.as_str(), files.digest.as_bytes()),
        ];
        let published = publish(self.fs.as_ref(), guard, &list, WriteOptions::default())
            .map_err(|error| error.finding(Code::NOT_PUBLISHED).help("the last good digest stays"))?;
        if published.written.is_empty() {
            return Ok(None);
        }
        Ok(Some(DigestChange { skill: skill.cloned(), before: before.as_deref().map(body) }))
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

/// The digest that moved by writing, if its bytes did.
pub(super) type Written = Result<Option<DigestChange>, Finding>;

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
