//! Lessons that wait whatever their own skill's law says: law elsewhere is explicit against them, or they were retired.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mentci_authority::{Lesson, LessonId, LessonStatus, SkillName};
use mentci_compiler::lessons::{LessonFile, read_lessons, says_nearly};
use mentci_compiler::{Elsewhere, ExplicitLaw};
use mentci_disk::{Fs, read_optional};
use mentci_source::{Hash, Source};

use super::{Content, Engine, State, map_parallel};
use crate::layout::LessonPlace;

/// What waits, as it was found under the explicit law of that hash.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    law: Option<Hash>,
    skills: BTreeMap<SkillName, BTreeMap<LessonId, String>>,
}

impl Waiting {
    pub(super) fn of(&self, skill: &SkillName) -> BTreeMap<LessonId, String> {
        self.skills.get(skill).cloned().unwrap_or_default()
    }
}

impl Engine {
    /// Finds what waits in the affected skills, and in all that have lessons when explicit law moved; skills in which it is
    /// something else than before are affected, too.
    pub(super) fn look_elsewhere(&mut self, affected: &mut BTreeSet<SkillName>) {
        let files = self.held.values().filter(|held| matches!(held.content, Content::Lessons(_)));
        let told = files.filter_map(|held| held.kind.skill());
        let teaching: BTreeSet<&SkillName> =
            told.filter(|skill| self.untrusted(skill).next().is_some()).collect();
        let law: Vec<&ExplicitLaw> = if teaching.is_empty() { Vec::new() } else { self.explicit_law() };
        let hashes: Vec<Hash> = law.iter().map(|law| law.hash()).collect();
        let hash = Hash::of("mentci law elsewhere 1", hashes.iter().map(|hash| hash.as_bytes().as_slice()));
        let all = self.waiting.law != Some(hash);
        let names: Vec<SkillName> = teaching
            .iter()
            .filter(|name| all || affected.contains(**name))
            .map(|&name| name.clone())
            .collect();
        let index = Elsewhere::of(if names.is_empty() { Vec::new() } else { law });
        let found = map_parallel(&names, |name| self.waiting_in(name, &index));
        self.waiting.skills.retain(|name, _| self.skills.contains_key(name));
        self.waiting.law = Some(hash);
        for (name, waiting) in names.into_iter().zip(found) {
            if self.waiting.of(&name) != waiting {
                affected.insert(name.clone());
                self.waiting.skills.insert(name, waiting);
            }
        }
    }

    /// The lessons of a skill that no person accepted.
    fn untrusted(&self, skill: &SkillName) -> impl Iterator<Item = &Lesson> {
        let paths = self.skills.get(skill).into_iter().flat_map(|slot| &slot.paths);
        let paths = paths.filter(|path| path.ends_with(".edn"));
        let files = paths.filter_map(|path| match self.held.get(path) {
            Some(held) if held.state != State::Damaged => match &held.content {
                Content::Lessons(file) => Some(&**file),
                _ => None,
            },
            _ => None,
        });
        let lessons = files.flat_map(|file: &LessonFile| &file.lessons).map(|entry| &entry.lesson);
        let consent = &self.consent;
        let skill = skill.clone();
        lessons.filter(move |lesson| !consent.accepts(&skill, lesson))
    }

    fn explicit_law(&self) -> Vec<&ExplicitLaw> {
        let law = self.held.values().filter_map(|held| match &held.content {
            Content::Law(law) => Some(held.explicit.get_or_init(|| ExplicitLaw::of(law))),
            Content::Schema(schema) if !schema.law.norms.is_empty() => {
                Some(held.explicit.get_or_init(|| ExplicitLaw::of(&schema.law)))
            }
            _ => None,
        });
        law.collect()
    }

    fn waiting_in(&self, skill: &SkillName, elsewhere: &Elsewhere<'_>) -> BTreeMap<LessonId, String> {
        waiting(self.fs.as_ref(), &self.root, skill, self.untrusted(skill), elsewhere)
    }
}

/// Which of these lessons wait, and why.
pub(crate) fn waiting<'a>(
    fs: &dyn Fs,
    root: &Path,
    skill: &SkillName,
    lessons: impl Iterator<Item = &'a Lesson>,
    elsewhere: &Elsewhere<'_>,
) -> BTreeMap<LessonId, String> {
    let mut lessons = lessons.peekable();
    if lessons.peek().is_none() {
        return BTreeMap::new();
    }
    let retired = retired(fs, root, skill);
    let why = |lesson: &Lesson| {
        let same = retired.iter().find(|other| other.id == lesson.id);
        let again = same.map(|other| format!("was {} before and is told again", fate(other)));
        let near = || retired.iter().find(|other| says_nearly(lesson, other));
        let again = again.or_else(|| {
            near().map(|other| format!("says nearly what `{}` said, which was {}", other.id, fate(other)))
        });
        again.or_else(|| elsewhere.opposed(skill, lesson))
    };
    lessons.filter_map(|lesson| Some((lesson.id.clone(), why(lesson)?))).collect()
}

/// What a person did with a lesson of the archive.
fn fate(lesson: &Lesson) -> &'static str {
    if lesson.status == LessonStatus::Rejected { "rejected" } else { "retired" }
}

/// The lessons in a skill's archive: those that were retired, and those that were rejected.
pub(crate) fn retired(fs: &dyn Fs, root: &Path, skill: &SkillName) -> Vec<Lesson> {
    let path = LessonPlace::Archive.path(skill);
    let Some(bytes) = read_optional(fs, &root.join(&path)).ok().flatten() else { return Vec::new() };
    let archive = read_lessons(&Source::decode(&path, &bytes).value, skill).value;
    archive.lessons.into_iter().map(|entry| entry.lesson).collect()
}
