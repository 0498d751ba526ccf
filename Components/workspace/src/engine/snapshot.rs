//! The engine's state as an immutable snapshot.

use mentci_host::{LessonView, Snapshot, SourceRow};

use super::Engine;
use crate::settings::Settings;

impl Engine {
    pub(crate) fn snapshot(&self, settings: &Settings, lessons: Vec<LessonView>) -> Snapshot {
        let sources = self.held.iter().map(|(path, held)| {
            let row = SourceRow {
                path: path.to_string(),
                kind: held.kind.name(),
                skill: held.kind.skill().cloned(),
                hash: Some(held.hash),
                bytes: held.bytes,
            };
            (row, held.content.source().clone())
        });
        let mut findings = settings.findings.clone();
        findings.extend(self.findings());
        Snapshot {
            mode: self.config.inject_mode(),
            budget: self.config.tokens(),
            config: self.config.answer(),
            sources: sources.collect(),
            skills: self.skills.values().filter_map(|slot| slot.standing().cloned()).collect(),
            workspace: self.workspace.clone(),
            lessons,
            findings,
        }
    }
}
