//! Digests that another hand changed or took away, put back.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::SkillName;
use mentci_disk::{Change, SourcePattern};
use mentci_source::{Code, Finding, Severity};

use super::{Cycle, Engine, Mode};
use crate::layout::DigestPaths;

/// Where digests, maps and locks stand.
const OUTPUTS: [&str; 2] =
    [".pi/absolute_rules.{md,map.json,lock}", ".pi/skills/*/absolute_rules.{md,map.json,lock}"];

/// The patterns of what is published.
pub(super) fn outputs() -> impl Iterator<Item = SourcePattern> {
    // OK because both patterns are sound.
    OUTPUTS.into_iter().filter_map(|pattern| pattern.parse().ok())
}

/// Takes the files that are published out of a change.
pub(crate) fn split_outputs(change: &mut Change) -> BTreeSet<Arc<str>> {
    let patterns: Vec<SourcePattern> = outputs().collect();
    let is_output = |path: &Arc<str>| patterns.iter().any(|pattern| pattern.matches(path));
    let (written, others) = std::mem::take(&mut change.paths).into_iter().partition(is_output);
    change.paths = others;
    written
}

impl Engine {
    /// Puts back what no longer stands as it was published, of `moved` or of all; a finding for each such digest. What the
    /// engine wrote itself stands as it was published: nothing is done then.
    pub(crate) fn restore(&mut self, moved: Option<&BTreeSet<Arc<str>>>) -> (Cycle, Vec<Finding>) {
        let lost: Vec<Option<SkillName>> = self.lost(moved);
        if lost.is_empty() {
            return (Cycle::default(), Vec::new());
        }
        let mut findings = Vec::new();
        for skill in lost {
            let paths = skill.as_ref().map_or_else(DigestPaths::workspace, DigestPaths::skill);
            findings.extend(self.put_back_lock(skill.as_ref(), &paths));
            match &skill {
                Some(skill) => self.skills.entry(skill.clone()).or_default().published = false,
                None => self.workspace_published = false,
            }
            let message = "the digest was changed or taken away by another hand, and is made anew";
            let finding = Finding::new(Code::OUT_OF_DATE, message).severity(Severity::Note);
            findings.push(
                finding
                    .help("change the sources: what is written into a digest does not stay")
                    .in_file(&paths.digest),
            );
        }
        (self.cycle(Some(&Change::default()), Mode::Publish), findings)
    }

    /// Whose files do not stand as they were published.
    fn lost(&self, moved: Option<&BTreeSet<Arc<str>>>) -> Vec<Option<SkillName>> {
        let concerns = |paths: &DigestPaths| {
            moved.is_none_or(|moved| {
                [&paths.digest, &paths.map, &paths.lock].into_iter().any(|path| moved.contains(path.as_str()))
            })
        };
        let skills = self.skills.iter().filter(|(_, slot)| slot.published);
        let skills = skills.filter_map(|(name, slot)| {
            let compiled = slot.compiled.as_ref()?;
            let paths = DigestPaths::skill(name);
            let stands = !concerns(&paths) || self.standing_files(&paths) == Some(compiled.files());
            (!stands).then(|| Some(name.clone()))
        });
        let whole = self.workspace.iter().filter(|_| self.workspace_published);
        let whole = whole.filter_map(|whole| {
            let paths = DigestPaths::workspace();
            let stands = !concerns(&paths) || self.standing_files(&paths).as_ref() == Some(&whole.files);
            (!stands).then_some(None)
        });
        skills.chain(whole).collect()
    }

    /// Rule numbers live in the lock: where it is gone, the one that was published is put back before anything is numbered. One
    /// that another hand changed is read as it is.
    fn put_back_lock(&self, skill: Option<&SkillName>, paths: &DigestPaths) -> Option<Finding> {
        if self.standing(&paths.lock).is_some() {
            return None;
        }
        let files = match skill {
            Some(skill) => self.skills.get(skill)?.compiled.as_ref()?.files(),
            None => self.workspace.as_ref()?.files.clone(),
        };
        self.publish_lock(paths, &files).err()
    }
}
