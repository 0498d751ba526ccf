//! The writing verbs of lessons. Every edit is a splice under a lock: what stands in a file is never rewritten, and a
//! lesson that moves stands in its new file before it leaves the old one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{Lesson, LessonId, LessonStatus, LessonText, SkillName, check_lesson_text};
use mentci_compiler::lessons::{
    Outcome as Told, add_lessons, add_sessions, copy_lesson, move_lesson, read_lessons, set_status,
};
use mentci_compiler::{
    Elsewhere, ExplicitLaw, FixedInventory, SchemaSource, SkillInput, SkillOptions, compile_skill, may_touch,
    read_law,
};
use mentci_disk::{
    Edit, EditError, Found, Sidecar, WriteOptions, discover, edit_locked, edit_many_locked, exists,
    read_optional, read_source,
};
use mentci_host::{
    LessonAnswer, LessonList, LessonRequest, LessonView, Outcome, Response, TaughtAnswer, Teaching,
    find_lesson, unknown_skill,
};
use mentci_ledger::{Change, Deed};
use mentci_reader::{capnp, edn};
use mentci_source::{Code, Finding, Severity, Source};

use crate::book::{effective, why_it_waits};
use crate::consent::Consent;
use crate::engine::{Mode, retired, waiting};
use crate::layout::{LessonPlace, skill_folder};
use crate::parallel::map_parallel;
use crate::source_set::{SourceKind, SourceSet};
use crate::workspace::{Inner, Workspace};

impl Workspace {
    pub(crate) fn teach(&self, request: LessonRequest, who: &str) -> Response {
        let done = match request {
            LessonRequest::Add(teaching) => return self.add(&teaching),
            LessonRequest::Import { skill, path } => return self.import(&skill, &path),
            LessonRequest::Accept { id } => self.accept(&id, who),
            LessonRequest::Reject { id, reason } => self.reject(&id, reason.as_deref(), who),
            LessonRequest::Archive { id, reason } => self.archive(&id, &reason, who),
            LessonRequest::Promote { id } => self.promote(&id, who),
            LessonRequest::List { .. } | LessonRequest::Show { .. } => return Response::bad([]),
        };
        done.unwrap_or_else(|finding| Response::bad([finding]))
    }

    /// Teaches one lesson.
    fn add(&self, teaching: &Teaching) -> Response {
        let texts = [
            (LessonText::Condition, Some(&teaching.condition)),
            (LessonText::Resolution, Some(&teaching.resolution)),
            (LessonText::Context, teaching.context.as_ref()),
        ];
        let mut findings: Vec<Finding> =
            texts.into_iter().filter_map(|(which, text)| check_lesson_text(which, text?)).collect();
        let skill = match self.known_skill(&teaching.skill) {
            Ok(skill) if findings.is_empty() => skill,
            Ok(_) => return Response::bad(findings),
            Err(finding) => {
                findings.insert(0, finding);
                return Response::bad(findings);
            }
        };
        let lesson = self.lesson(&skill, teaching);
        match self.append(&skill, std::slice::from_ref(&lesson)) {
            Ok(told) => Response::ok(self.taught(&skill, &lesson, told[0])),
            Err(finding) => Response::bad([finding]),
        }
    }

    fn lesson(&self, skill: &SkillName, teaching: &Teaching) -> Lesson {
        let name = |text: &Option<String>| text.as_deref().map(clean_name).filter(|text| !text.is_empty());
        Lesson {
            id: LessonId::of(skill.as_str(), &teaching.condition, &teaching.resolution),
            condition: teaching.condition.trim().to_owned(),
            resolution: teaching.resolution.trim().to_owned(),
            context: teaching.context.as_ref().map(|text| text.trim().to_owned()),
            at: Some(self.clock.now()),
            author: name(&teaching.author),
            source: name(&teaching.source),
            sessions: name(&teaching.session).into_iter().collect(),
            status: LessonStatus::Active,
        }
    }

    /// Appends lessons to `runtime.edn`, all or none, and says of each where it stands. One that was promoted is told to its entry in
    /// `promoted.edn`. One that was rejected before is rejected at once, also when the file was cleared.
    fn append(&self, skill: &SkillName, lessons: &[Lesson]) -> Result<Vec<(Told, LessonPlace)>, Finding> {
        let rejected = self.rejected(skill);
        let standing = |lesson: &Lesson| {
            if rejected.contains(&lesson.id) { LessonStatus::Rejected } else { lesson.status }
        };
        let lessons: Vec<Lesson> =
            lessons.iter().map(|lesson| Lesson { status: standing(lesson), ..lesson.clone() }).collect();
        let (runtime, promoted) = (LessonPlace::Runtime.path(skill), LessonPlace::Promoted.path(skill));
        let mut paths = vec![runtime.as_str()];
        // One that cannot be read keeps nobody from telling: a lesson in both files counts once.
        if read_optional(self.fs.as_ref(), &self.root.join(&promoted)).is_ok() {
            paths.push(&promoted);
        }
        let mut told = Vec::new();
        let sidecar = Sidecar::editing(&self.root);
        let edited = edit_many_locked(self.fs.as_ref(), &sidecar, &paths, WriteOptions::LASTING, |bytes| {
            let folded = bytes.get(1).and_then(Option::as_deref);
            let folded = folded.and_then(|bytes| as_text(&promoted, bytes).ok());
            let learned = || bytes[0].as_deref().map(|bytes| as_text(&runtime, bytes)).transpose();
            let telling = tell(learned, folded.as_ref(), &lessons)?;
            told = telling.told;
            Ok(telling.edits)
        });
        edited.map_err(|error| finding_of(error, &runtime))?;
        Ok(told)
    }

    /// The lessons of a skill whose rejection stands in its archive.
    fn rejected(&self, skill: &SkillName) -> BTreeSet<LessonId> {
        let retired = retired(self.fs.as_ref(), &self.root, skill).into_iter();
        let rejected = retired.filter(|lesson| lesson.status == LessonStatus::Rejected);
        rejected.map(|lesson| lesson.id).collect()
    }

    fn edit(
        &self,
        path: &str,
        change: impl FnOnce(Option<&Source>) -> Result<String, Finding>,
    ) -> Result<(), Finding> {
        let edited = edit_locked(
            self.fs.as_ref(),
            &Sidecar::editing(&self.root),
            path,
            WriteOptions::LASTING,
            |bytes| {
                let source = bytes.map(|bytes| as_text(path, bytes)).transpose()?;
                change(source.as_ref()).map(|text| Edit::Replace(text.into_bytes()))
            },
        );
        edited.map(drop).map_err(|error| finding_of(error, path))
    }

    fn taught(&self, skill: &SkillName, lesson: &Lesson, (told, place): (Told, LessonPlace)) -> TaughtAnswer {
        let (status, why) = self.status_of(skill, &lesson.id);
        let again = match told {
            Told::Added => "the lesson is kept",
            Told::SessionAdded => "the lesson was known already; this session was added to it",
            Told::Unchanged => "the lesson was known already",
        };
        let force = match status {
            LessonStatus::Pending => waits_because(why.as_deref()),
            LessonStatus::Rejected => "a person rejected it, so it is not followed".to_owned(),
            LessonStatus::Promoted => "it is promoted and part of the rules".to_owned(),
            _ if !self.has_room(&lesson.id) => FULL.to_owned(),
            _ => "it is part of the rules from the next turn on".to_owned(),
        };
        TaughtAnswer {
            id: lesson.id.clone(),
            status,
            path: place.path(skill),
            message: format!("{again}; {force}"),
        }
    }

    /// Whether the workspace's digest states a lesson. Where it cannot be compiled, nothing is known to be wrong.
    fn has_room(&self, id: &LessonId) -> bool {
        let mut inner = self.lock();
        self.refresh(&mut inner, Mode::Check);
        let Some(whole) = &inner.engine.workspace else { return true };
        whole.digest.lines.iter().any(|line| line.provenance.lessons.contains(id))
    }

    /// What a lesson that was just told counts for, and why it waits. Only this skill is compiled.
    fn status_of(&self, skill: &SkillName, id: &LessonId) -> (LessonStatus, Option<String>) {
        let input = self.read_skill(skill, id);
        let compiled = compile_skill(
            &input,
            &mentci_authority::RuleLock::default(),
            &SkillOptions::default(),
            &FixedInventory::default(),
        );
        let places = [(LessonPlace::Promoted, &input.promoted), (LessonPlace::Runtime, &input.runtime)];
        let found = places.into_iter().find_map(|(place, file)| {
            let file = file.as_ref()?;
            let entry = file.lessons.iter().find(|entry| entry.lesson.id == *id)?;
            Some(effective(place, entry, Some(&compiled), &place.path(skill)))
        });
        (found.unwrap_or_default(), why_it_waits(&compiled, id))
    }

    fn read_skill(&self, skill: &SkillName, id: &LessonId) -> SkillInput {
        let (set, consent) = {
            let inner = self.lock();
            (SourceSet::new(&inner.engine.config, &[], &[]).0, inner.engine.consent.clone())
        };
        let mut input = SkillInput {
            name: skill.clone(),
            law: Vec::new(),
            runtime: None,
            promoted: None,
            acceptances: BTreeSet::new(),
            waiting: BTreeMap::new(),
        };
        let walked = discover(self.fs.as_ref(), &self.root, &set.law_patterns()).value;
        for found in &walked.found {
            let Some(Ok(kind)) = set.kind(&found.path) else { continue };
            if kind.skill() != Some(skill) {
                continue;
            }
            let Some(bytes) = read_source(self.fs.as_ref(), &self.root, found).value else { continue };
            let source = Source::decode(&bytes.path, &bytes.bytes).value;
            match kind {
                SourceKind::Law(kind) => input.law.push(Arc::new(read_law(&source, &kind))),
                SourceKind::Lessons(_, LessonPlace::Promoted) => {
                    input.promoted = Some(Arc::new(read_lessons(&source, skill).value));
                }
                _ => input.runtime = Some(Arc::new(read_lessons(&source, skill).value)),
            }
        }
        let files = [&input.runtime, &input.promoted].into_iter().flatten();
        let accepted = files.flat_map(|file| &file.lessons).map(|entry| &entry.lesson);
        input.acceptances = accepted
            .filter(|lesson| consent.accepts(skill, lesson))
            .map(|lesson| lesson.id.clone())
            .collect();
        input.waiting = self.waiting_for(&set, &walked.found, &input, id);
        input
    }

    /// Whether the lesson `id` waits because of law elsewhere. Only sources that share a word with it are read as law.
    fn waiting_for(
        &self,
        set: &SourceSet,
        found: &[Found],
        input: &SkillInput,
        id: &LessonId,
    ) -> BTreeMap<LessonId, String> {
        let files = [&input.runtime, &input.promoted].into_iter().flatten();
        let mut told = files.flat_map(|file| &file.lessons).map(|entry| &entry.lesson);
        let Some(lesson) =
            told.find(|lesson| lesson.id == *id).filter(|lesson| !input.acceptances.contains(&lesson.id))
        else {
            return BTreeMap::new();
        };
        let law = map_parallel(found, |found| {
            let Some(Ok(kind @ (SourceKind::Law(_) | SourceKind::Schema))) = set.kind(&found.path) else {
                return None;
            };
            let bytes = read_source(self.fs.as_ref(), &self.root, found).value?;
            let source = Source::decode(&bytes.path, &bytes.bytes).value;
            let law = || match &kind {
                SourceKind::Law(kind) => ExplicitLaw::of(&read_law(&source, kind)),
                _ => ExplicitLaw::of(
                    &SchemaSource::new(source.clone(), Arc::new(capnp::read(&source).value)).law,
                ),
            };
            may_touch(lesson, source.text()).then(law)
        });
        let law: Vec<ExplicitLaw> = law.into_iter().flatten().collect();
        waiting(self.fs.as_ref(), &self.root, &input.name, std::iter::once(lesson), &Elsewhere::of(&law))
    }

    /// A skill that stands in the workspace: as law, or as a folder.
    pub(crate) fn known_skill(&self, name: &str) -> Result<SkillName, Finding> {
        let skill = SkillName::parse(name).map_err(|error| {
            Finding::new(Code::SKILL_NAME, error.to_string())
                .help("give the name of a skill, such as `sema-programmer`")
        })?;
        if exists(self.fs.as_ref(), &self.root.join(skill_folder(&skill))) {
            return Ok(skill);
        }
        let set = SourceSet::new(&self.lock().engine.config, &[], &[]).0;
        let walked = discover(self.fs.as_ref(), &self.root, &set.skill_patterns()).value;
        let known: BTreeSet<SkillName> =
            walked.found.iter().filter_map(|found| set.kind(&found.path)?.ok()?.skill().cloned()).collect();
        if known.contains(&skill) { Ok(skill) } else { Err(unknown_skill(name, &known)) }
    }

    /// Teaches every lesson of another file.
    fn import(&self, skill: &str, path: &str) -> Response {
        let skill = match self.known_skill(skill) {
            Ok(skill) => skill,
            Err(finding) => return Response::bad([finding]),
        };
        let read = match read_optional(self.fs.as_ref(), &self.root.join(path)) {
            Ok(Some(bytes)) => read_lessons(&Source::decode(path, &bytes).value, &skill),
            Ok(None) => {
                let finding = Finding::new(Code::UNREADABLE, format!("there is no file `{path}`"));
                return Response::bad([finding.in_file(path)]);
            }
            Err(error) => return Response::bad([error.finding(Code::UNREADABLE)]),
        };
        if !read.value.is_sound {
            return Response::bad(read.findings);
        }
        let lessons: Vec<Lesson> = read.value.lessons.into_iter().map(|entry| entry.lesson).collect();
        if let Err(finding) = self.append(&skill, &lessons) {
            return Response::bad([finding]);
        }
        let ids: BTreeSet<LessonId> = lessons.into_iter().map(|lesson| lesson.id).collect();
        let mut views = self.current_views();
        let archive = LessonPlace::Archive.path(&skill);
        views.retain(|view| ids.contains(&view.id) && view.skill == skill && view.path != archive);
        let refused = read.findings.iter().any(|finding| finding.severity == Severity::Error);
        let outcome = if refused { Outcome::Findings } else { Outcome::Ok };
        Response::ok(LessonList { lessons: views }).with(read.findings).at_least(outcome)
    }

    /// A person lets a lesson into the digest. The acceptance is recorded first: without it the file's status is a claim.
    fn accept(&self, id: &str, who: &str) -> Result<Response, Finding> {
        let (view, place) = self.find(id)?;
        self.consent(&view, true)?;
        if place == LessonPlace::Archive && view.status == LessonStatus::Archived {
            self.shift(&view, LessonPlace::Runtime, LessonStatus::Active, None)?;
        }
        self.take_back(&view, place)?;
        for copy in self.copies_of(&view).iter().filter(|copy| copy.status != LessonStatus::Promoted) {
            self.edit(&copy.path, |source| {
                set_status(found(source, copy)?, &copy.skill, &copy.id, LessonStatus::Active)
            })?;
        }
        let told = self.tell_of(Deed::LessonAccepted, &view, None, who);
        Ok(self.done(&view, "accepted: it is in force from the next compile on").with(told))
    }

    fn reject(&self, id: &str, reason: Option<&str>, who: &str) -> Result<Response, Finding> {
        let (view, place) = self.find(id)?;
        reason.and_then(|reason| check_lesson_text(LessonText::Context, reason)).map_or(Ok(()), Err)?;
        self.consent(&view, false)?;
        let paths: BTreeSet<String> = self.copies_of(&view).into_iter().map(|copy| copy.path).collect();
        for path in paths {
            self.edit(&path, |source| {
                let text = set_status(found(source, &view)?, &view.skill, &view.id, LessonStatus::Rejected)?;
                Ok(reason.map_or(text.clone(), |reason| with_reason(&text, &view, reason)))
            })?;
        }
        if place != LessonPlace::Archive {
            self.keep_rejection(&view, reason)?;
        }
        let told = self.tell_of(Deed::LessonRejected, &view, reason, who);
        Ok(self.done(&view, "rejected: it is not followed, and telling it again changes nothing").with(told))
    }

    /// Puts a rejection into the archive as well, where it lasts: anybody may clear `runtime.edn`.
    fn keep_rejection(&self, view: &LessonView, reason: Option<&str>) -> Result<(), Finding> {
        let archive = LessonPlace::Archive.path(&view.skill);
        let paths = [archive.as_str(), view.path.as_str()];
        let sidecar = Sidecar::editing(&self.root);
        let edited = edit_many_locked(self.fs.as_ref(), &sidecar, &paths, WriteOptions::LASTING, |bytes| {
            let to = bytes[0].as_deref().map(|bytes| as_text(&archive, bytes)).transpose()?;
            let from = bytes[1].as_deref().map(|bytes| as_text(&view.path, bytes)).transpose()?;
            let (from, status) = (found(from.as_ref(), view)?, LessonStatus::Rejected);
            let text = copy_lesson(from, to.as_ref(), &view.skill, &view.id, status)?;
            let text = reason.map_or(text.clone(), |reason| with_reason(&text, view, reason));
            Ok(vec![(0, Edit::Replace(text.into_bytes()))])
        });
        edited.map(drop).map_err(|error| finding_of(error, &archive))
    }

    /// Takes a rejection out of the archive again: the lesson stands where it was told.
    fn take_back(&self, view: &LessonView, place: LessonPlace) -> Result<(), Finding> {
        if !self.rejected(&view.skill).contains(&view.id) {
            return Ok(());
        }
        let to = if place == LessonPlace::Archive { LessonPlace::Runtime } else { place };
        let kept = LessonView { path: LessonPlace::Archive.path(&view.skill), ..view.clone() };
        self.shift(&kept, to, LessonStatus::Active, None)
    }

    /// Every entry of a lesson. It may stand in two files: a promotion was interrupted, or two branches were merged.
    fn copies_of(&self, view: &LessonView) -> Vec<LessonView> {
        let mut copies = self.current_copies();
        copies.retain(|copy| copy.id == view.id && copy.skill == view.skill);
        copies
    }

    fn archive(&self, id: &str, reason: &str, who: &str) -> Result<Response, Finding> {
        check_lesson_text(LessonText::Context, reason).map_or(Ok(()), Err)?;
        let (view, place) = self.find(id)?;
        if place == LessonPlace::Archive {
            return Ok(self.done(&view, "it was archived already"));
        }
        let copies = self.copies_of(&view);
        if copies.iter().any(|copy| copy.accepted) {
            self.consent(&view, false)?;
        }
        for copy in &copies {
            self.shift(copy, LessonPlace::Archive, LessonStatus::Archived, Some(reason))?;
        }
        let told = self.tell_of(Deed::LessonArchived, &view, Some(reason), who);
        Ok(self.done(&view, "archived: it leaves the rules at the next compile").with(told))
    }

    /// A person folds a lesson into the digest's own file; that is an acceptance too.
    fn promote(&self, id: &str, who: &str) -> Result<Response, Finding> {
        let (view, place) = self.find(id)?;
        self.consent(&view, true)?;
        if place == LessonPlace::Promoted {
            return Ok(self.done(&view, "it was promoted already"));
        }
        if place == LessonPlace::Runtime {
            self.take_back(&view, place)?;
        }
        self.shift(&view, LessonPlace::Promoted, LessonStatus::Promoted, None)?;
        let told = self.tell_of(Deed::LessonPromoted, &view, None, who);
        Ok(self.done(&view, "promoted: it stays in the rules when `runtime.edn` is cleared").with(told))
    }

    /// Tells the log what a person said of a lesson.
    fn tell_of(&self, deed: Deed, view: &LessonView, why: Option<&str>, who: &str) -> Vec<Finding> {
        let of = format!("{}/{}", view.skill, view.id);
        let lesson = format!("{} -> {}", view.condition, view.resolution);
        self.tell(Change::new(deed, &of, who).to(lesson.into()).why(why))
    }

    fn consent(&self, view: &LessonView, accepted: bool) -> Result<(), Finding> {
        let lesson = lesson_of(view);
        self.consent.edit(self.fs.as_ref(), |consent| {
            if accepted {
                consent.accepted.insert(view.id.clone(), Consent::hash_of(&view.skill, &lesson));
            } else {
                consent.accepted.remove(&view.id);
            }
        })
    }

    /// Moves a lesson to another file, which receives it before the old one loses it.
    fn shift(
        &self,
        view: &LessonView,
        to: LessonPlace,
        status: LessonStatus,
        reason: Option<&str>,
    ) -> Result<(), Finding> {
        let to_path = to.path(&view.skill);
        let paths = [to_path.as_str(), view.path.as_str()];
        let sidecar = Sidecar::editing(&self.root);
        let edited = edit_many_locked(self.fs.as_ref(), &sidecar, &paths, WriteOptions::LASTING, |bytes| {
            let to = bytes[0].as_deref().map(|bytes| as_text(&to_path, bytes)).transpose()?;
            let from = bytes[1].as_deref().map(|bytes| as_text(&view.path, bytes)).transpose()?;
            let moved =
                move_lesson(found(from.as_ref(), view)?, to.as_ref(), &view.skill, &view.id, status, reason)?;
            Ok(vec![(0, Edit::Replace(moved.to.into_bytes())), (1, Edit::Replace(moved.from.into_bytes()))])
        });
        edited.map(drop).map_err(|error| finding_of(error, &view.path))
    }

    /// Lessons that `compile-rules` promotes by itself: told in enough sessions, and loosening nothing explicit.
    pub(crate) fn due(&self, inner: &Inner) -> Vec<(LessonView, LessonId)> {
        let config = &inner.engine.config;
        if !config.promotes() {
            return Vec::new();
        }
        let due = |view: &LessonView| {
            view.status == LessonStatus::Active && view.sessions.len() >= config.promote_sessions()
        };
        let views = self.copies(inner).into_iter().filter(due);
        views.map(|view| (view.clone(), view.id)).collect()
    }

    /// Promotes what is due; what could not be moved is a finding and stays where it is.
    pub(crate) fn promote_due(&self, inner: &mut Inner) -> (Vec<LessonId>, Vec<Finding>) {
        if !inner.engine.config.promotes() {
            return (Vec::new(), Vec::new());
        }
        self.refresh(inner, Mode::Check);
        let (mut promoted, mut refused) = (Vec::new(), Vec::new());
        for (view, id) in self.due(inner) {
            match self.shift(&view, LessonPlace::Promoted, LessonStatus::Promoted, None) {
                Ok(()) => promoted.push(id),
                Err(finding) => refused.push(finding),
            }
        }
        (promoted, refused)
    }

    fn current_views(&self) -> Vec<LessonView> {
        let mut inner = self.lock();
        self.refresh(&mut inner, Mode::Check);
        self.views(&inner)
    }

    fn current_copies(&self) -> Vec<LessonView> {
        let mut inner = self.lock();
        self.refresh(&mut inner, Mode::Check);
        self.copies(&inner)
    }

    fn find(&self, id: &str) -> Result<(LessonView, LessonPlace), Finding> {
        let views = self.current_copies();
        let view = find_lesson(&views, id)?.clone();
        let place = LessonPlace::ALL.into_iter().find(|place| view.path.ends_with(place.file()));
        Ok((view, place.unwrap_or(LessonPlace::Runtime)))
    }

    fn done(&self, view: &LessonView, message: &str) -> Response {
        let views = self.current_views();
        let now = views.iter().find(|now| now.id == view.id && now.skill == view.skill).unwrap_or(view);
        Response::ok(LessonAnswer { lesson: now.clone(), message: message.to_owned() })
    }
}

const FULL: &str = "the share of the rules for lessons that no person accepted is full, so it waits until it is promoted or others are archived";

/// What telling makes of `runtime.edn` and `promoted.edn`.
struct Telling {
    /// Which to replace: 0 is `runtime.edn`, 1 `promoted.edn`.
    edits: Vec<(usize, Edit)>,
    /// What came of each lesson, and where it stands then.
    told: Vec<(Told, LessonPlace)>,
}

fn tell(
    runtime: impl FnOnce() -> Result<Option<Source>, Finding>,
    promoted: Option<&Source>,
    lessons: &[Lesson],
) -> Result<Telling, Finding> {
    // A damaged file holds no lesson that we know of, and is not edited.
    let known = promoted.and_then(|promoted| add_sessions(promoted, lessons).ok());
    let (promoted, known) =
        known.map_or((None, vec![None; lessons.len()]), |(text, known)| (Some(text), known));
    let mut edits: Vec<(usize, Edit)> =
        promoted.into_iter().map(|text| (1, Edit::Replace(text.into_bytes()))).collect();
    let others = lessons.iter().zip(&known).filter(|(_, known)| known.is_none());
    let others: Vec<Lesson> = others.map(|(lesson, _)| lesson.clone()).collect();
    let mut added = Vec::new();
    if !others.is_empty() {
        let (text, outcomes) = add_lessons(runtime()?.as_ref(), &others)?;
        edits.push((0, Edit::Replace(text.into_bytes())));
        added = outcomes;
    }
    let mut added = added.into_iter();
    let place = |known: Option<Told>| match known {
        Some(told) => Some((told, LessonPlace::Promoted)),
        None => added.next().map(|told| (told, LessonPlace::Runtime)),
    };
    Ok(Telling { edits, told: known.into_iter().filter_map(place).collect() })
}

/// What is told of a lesson that waits: ``would loosen or contradict `Never unwrap` ``, or whatever else the compiler said of it.
fn waits_because(why: Option<&str>) -> String {
    let why = why.unwrap_or("waits for a person");
    format!("it {why}, so it stays outside the rules until a person accepts it")
}

/// A name of an agent, a door or a session: one short line.
fn clean_name(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !matches!(c, '<' | '>'))
        .take(128)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Lesson files are never rewritten by guesswork: bytes that are not UTF-8 are refused.
fn as_text(path: &str, bytes: &[u8]) -> Result<Source, Finding> {
    let decoded = Source::decode(path, bytes);
    match decoded.findings.into_iter().find(|finding| finding.code == Code::NOT_UTF8) {
        Some(finding) => Err(finding.severity(Severity::Error)),
        None => Ok(decoded.value),
    }
}

fn found<'a>(source: Option<&'a Source>, view: &LessonView) -> Result<&'a Source, Finding> {
    source.ok_or_else(|| {
        Finding::new(Code::LESSON_UNKNOWN, format!("the lesson `{}` is no longer in its file", view.id))
            .in_file(&view.path)
    })
}

/// The text with `:reason` in the lesson's entry.
fn with_reason(text: &str, view: &LessonView, reason: &str) -> String {
    let source = Source::new(&view.path, text);
    let file = read_lessons(&source, &view.skill).value;
    let Some(span) = file.lessons.iter().find(|entry| entry.lesson.id == view.id).map(|entry| entry.span)
    else {
        return text.to_owned();
    };
    let document = edn::read(&source).value;
    let items = document.forms.first().and_then(|form| form.items()).unwrap_or_default();
    let entry = items.iter().find(|item| item.span == span);
    entry
        .and_then(|entry| edn::set_key(text, entry, ":reason", &edn::quoted(reason)))
        .unwrap_or_else(|| text.to_owned())
}

pub(crate) fn lesson_of(view: &LessonView) -> Lesson {
    Lesson {
        id: view.id.clone(),
        condition: view.condition.clone(),
        resolution: view.resolution.clone(),
        context: view.context.clone(),
        at: None,
        author: None,
        source: None,
        sessions: BTreeSet::new(),
        status: view.status,
    }
}

fn finding_of(error: EditError<Finding>, path: &str) -> Finding {
    match error {
        EditError::Refused(finding) => finding,
        EditError::Disk(error) => {
            let finding = error.finding(Code::NOT_PUBLISHED);
            // The file that the disk refused may be another one: the lock, or the one that receives a lesson.
            let finding = if error.path.is_relative() { finding } else { finding.in_file(path) };
            finding.help("nothing was changed; try again when the disk allows it")
        }
    }
}
