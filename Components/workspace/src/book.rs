//! The book of lessons: what is in the files, and what it counts for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mentci_authority::{Lesson, LessonId, LessonStatus, OmissionReason, SkillName};
use mentci_compiler::SkillCompiled;
use mentci_compiler::lessons::{FileLesson, LessonFile, near_duplicates, opposed, read_lessons};
use mentci_disk::read_optional;
use mentci_host::LessonView;
use mentci_source::{Code, Source};

use crate::engine::Engine;
use crate::held::Content;
use crate::layout::LessonPlace;
use crate::teach::lesson_of;
use crate::workspace::{Inner, Workspace};

impl Workspace {
    /// Every lesson, by skill: learned, promoted, retired. One that stands in two files is shown once, as it counts.
    pub(crate) fn views(&self, inner: &Inner) -> Vec<LessonView> {
        let mut views = each_once(self.copies(inner));
        oppose(&mut views);
        views
    }

    /// Every entry of every file, by skill.
    pub(crate) fn copies(&self, inner: &Inner) -> Vec<LessonView> {
        let mut views = Vec::new();
        for skill in inner.engine.skills.keys() {
            let first = views.len();
            for place in LessonPlace::ALL {
                if let Some(file) = self.lesson_file(&inner.engine, skill, place) {
                    let told = inner.engine.views_of(skill, place, &file);
                    // A retired lesson that is told again is the one that was told.
                    let is_again = |view: &LessonView| {
                        views[first..].iter().any(|other: &LessonView| other.id == view.id)
                    };
                    let again = place == LessonPlace::Archive;
                    let told: Vec<LessonView> =
                        told.into_iter().filter(|view| !(again && is_again(view))).collect();
                    views.extend(told);
                }
            }
        }
        reject_everywhere(&mut views);
        views
    }

    fn lesson_file(&self, engine: &Engine, skill: &SkillName, place: LessonPlace) -> Option<LessonFile> {
        let path = place.path(skill);
        if place == LessonPlace::Archive {
            let bytes = read_optional(self.fs.as_ref(), &self.root.join(&path)).ok().flatten()?;
            return Some(read_lessons(&Source::decode(&path, &bytes).value, skill).value);
        }
        match &engine.held.get(path.as_str())?.content {
            Content::Lessons(file) => Some((**file).clone()),
            _ => None,
        }
    }
}

impl Engine {
    fn views_of(&self, skill: &SkillName, place: LessonPlace, file: &LessonFile) -> Vec<LessonView> {
        let near = near_duplicates(file.lessons.iter().map(|entry| &entry.lesson));
        let near_to = |id: &LessonId| {
            let pairs = near.iter().filter(|pair| pair.kept == *id || pair.merged == *id);
            pairs.map(|pair| if pair.kept == *id { pair.merged.clone() } else { pair.kept.clone() }).collect()
        };
        let compiled = self.skills.get(skill).and_then(|slot| slot.standing()).map(|compiled| &**compiled);
        let view = |entry: &FileLesson| {
            let lesson = entry.lesson.clone();
            LessonView {
                skill: skill.clone(),
                status: effective(place, entry, compiled, &place.path(skill)),
                accepted: self.consent.accepts(skill, &lesson),
                path: place.path(skill),
                rule: compiled
                    .filter(|_| place != LessonPlace::Archive)
                    .and_then(|compiled| rule_of(compiled, &lesson.id)),
                near: near_to(&lesson.id),
                opposed: Vec::new(),
                waits: compiled.and_then(|compiled| why_it_waits(compiled, &lesson.id)),
                reason: entry.reason.clone(),
                id: lesson.id,
                condition: lesson.condition,
                resolution: lesson.resolution,
                context: lesson.context,
                at: lesson.at,
                author: lesson.author,
                source: lesson.source,
                sessions: lesson.sessions.into_iter().collect(),
            }
        };
        file.lessons.iter().map(view).collect()
    }
}

/// A lesson that was rejected in one file is rejected in the other, as it is compiled.
fn reject_everywhere(views: &mut [LessonView]) {
    let rejected: BTreeSet<(SkillName, LessonId)> = views
        .iter()
        .filter(|view| view.status == LessonStatus::Rejected)
        .map(|view| (view.skill.clone(), view.id.clone()))
        .collect();
    for view in views.iter_mut().filter(|view| view.status == LessonStatus::Promoted) {
        if rejected.contains(&(view.skill.clone(), view.id.clone())) {
            view.status = LessonStatus::Rejected;
        }
    }
}

/// Each lesson once, with the sessions of all its entries. Promoted counts for more than told: where it stands in both
/// files, it is the promoted one.
fn each_once(copies: Vec<LessonView>) -> Vec<LessonView> {
    let mut views: Vec<LessonView> = Vec::with_capacity(copies.len());
    let mut places: HashMap<(SkillName, LessonId), usize> = HashMap::new();
    for mut copy in copies {
        let place = *places.entry((copy.skill.clone(), copy.id.clone())).or_insert(views.len());
        let Some(view) = views.get_mut(place) else {
            views.push(copy);
            continue;
        };
        let told: BTreeSet<String> = view.sessions.drain(..).chain(copy.sessions.drain(..)).collect();
        if copy.path == LessonPlace::Promoted.path(&copy.skill) {
            *view = copy;
        }
        view.sessions = told.into_iter().collect();
    }
    views
}

/// Tells each lesson that may be in force of those of its skill that say the opposite, in whichever file they stand.
fn oppose(views: &mut [LessonView]) {
    let mut skills: BTreeMap<SkillName, Vec<usize>> = BTreeMap::new();
    let may_hold = |view: &LessonView| {
        matches!(view.status, LessonStatus::Pending | LessonStatus::Active | LessonStatus::Promoted)
    };
    for (at, view) in views.iter().enumerate().filter(|(_, view)| may_hold(view)) {
        skills.entry(view.skill.clone()).or_default().push(at);
    }
    for places in skills.values() {
        let lessons: Vec<Lesson> = places.iter().map(|at| lesson_of(&views[*at])).collect();
        for (one, other) in opposed(&lessons.iter().collect::<Vec<_>>()) {
            let (one, other) = (places[one], places[other]);
            let ids = (views[one].id.clone(), views[other].id.clone());
            views[one].opposed.push(ids.1);
            views[other].opposed.push(ids.0);
        }
    }
}

/// What a lesson counts for: where it stands, what the law makes of it, and only then what it says of itself.
pub(crate) fn effective(
    place: LessonPlace,
    entry: &FileLesson,
    compiled: Option<&SkillCompiled>,
    path: &str,
) -> LessonStatus {
    let rejected = entry.lesson.status == LessonStatus::Rejected;
    match place {
        _ if rejected => LessonStatus::Rejected,
        LessonPlace::Archive => LessonStatus::Archived,
        _ if compiled.is_some_and(|compiled| is_pending(compiled, entry, path)) => LessonStatus::Pending,
        LessonPlace::Promoted => LessonStatus::Promoted,
        LessonPlace::Runtime => LessonStatus::Active,
    }
}

fn is_pending(compiled: &SkillCompiled, entry: &FileLesson, path: &str) -> bool {
    compiled.digest.omitted.iter().any(|omission| {
        omission.reason == OmissionReason::Pending
            && &*omission.span.path == path
            && omission.span.span.overlaps(entry.span)
    })
}

/// What the compiler said of a lesson that waits, without the lesson's name.
pub(crate) fn why_it_waits(compiled: &SkillCompiled, id: &LessonId) -> Option<String> {
    let named = format!("the lesson `{id}` ");
    let mut waiting = compiled.findings.iter().filter(|finding| finding.code == Code::LESSON_PENDING);
    waiting.find_map(|finding| finding.message.strip_prefix(&named)).map(str::to_owned)
}

fn rule_of(compiled: &SkillCompiled, id: &LessonId) -> Option<mentci_authority::RuleNo> {
    let line = compiled.digest.lines.iter().find(|line| line.provenance.lessons.contains(id));
    line.and_then(|line| line.rule.clone())
}
