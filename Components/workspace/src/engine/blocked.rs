//! What stands in the way of publishing.

use mentci_authority::SkillName;
use mentci_source::Finding;

use super::{Engine, State, is_unreadable};

impl Engine {
    /// Why a skill's digest must not be published now: a source of it is damaged or cannot be read, and nothing good is
    /// known of it.
    pub(super) fn block(&self, skill: &SkillName) -> bool {
        let slot = self.skills.get(skill);
        slot.is_some_and(|slot| {
            slot.paths.iter().any(|path| self.held.get(path).is_some_and(|held| held.state == State::Damaged))
        }) || self.unread().any(|(path, _)| self.skill_at(path).as_ref() == Some(skill))
    }

    /// Sources that cannot be read and of which nothing is known: the workspace's digest would miss them.
    pub(super) fn unread(&self) -> impl Iterator<Item = (&str, &Finding)> {
        self.disk_findings.iter().filter(|(path, _)| !self.held.contains_key(*path)).flat_map(
            |(path, findings)| {
                findings
                    .iter()
                    .filter(|finding| is_unreadable(finding))
                    .map(move |finding| (&**path, finding))
            },
        )
    }

    /// Whether something of the workspace itself is damaged beyond what is remembered.
    pub(super) fn damaged(&self) -> bool {
        self.held.values().any(|held| {
            held.state == State::Damaged && held.kind.skill().is_none() && held.kind.name() == "law"
        }) || self.unread().next().is_some()
    }

    /// Whether a source is damaged or unreadable, even where the last good reading stands in.
    pub(crate) fn is_impaired(&self) -> bool {
        let damaged =
            self.held.values().any(|held| held.state != State::Sound && held.kind.name() != "manifest");
        let unreadable = self.disk_findings.values().flatten().any(is_unreadable);
        damaged
            || unreadable
            || !self.workspace_findings.is_empty()
            || self.skills.values().any(|slot| !slot.blocked.is_empty())
    }

    pub(super) fn skill_at(&self, path: &str) -> Option<SkillName> {
        self.set.kind(path)?.ok()?.skill().cloned()
    }
}
