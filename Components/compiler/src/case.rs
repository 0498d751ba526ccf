//! Lessons before they are resolved: each once, with all its places, and how far it is trusted.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{Lesson, LessonId, LessonStatus, Omission, OmissionReason, SourceSpan};
use mentci_source::{Code, Finding, Source};

use crate::against::speaks_of_rules;
use crate::cover::{omit, place};
use crate::gather::conflict;
use crate::lessons::{FileLesson, LessonFile, near_duplicates, opposed, says_nearly};
use crate::skill::SkillInput;
use crate::unframed::unframed;

/// A lesson that may be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Case {
    /// The lesson; `sessions` are those of all its places.
    pub(crate) lesson: Lesson,
    /// The lesson's id and those of its near-duplicates.
    pub(crate) ids: Vec<LessonId>,
    /// Where it stands.
    pub(crate) spans: Vec<SourceSpan>,
    /// Whether a person accepted this content.
    pub(crate) is_accepted: bool,
    /// Whether its file says that somebody promoted it: on this machine a claim, and yet more than a lesson that was only told.
    pub(crate) is_promoted: bool,
    /// A finding when its file says that it was accepted and no acceptance is recorded.
    pub(crate) claim: Option<Finding>,
}

/// Of two lessons that say the opposite of each other, the one that stands lower waits. In a clone nothing is accepted yet: there the
/// promoted one stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Told,
    Promoted,
    Accepted,
}

/// The lessons of a skill, sorted out.
#[derive(Debug, Default)]
pub(crate) struct Docket {
    /// Those that may be compiled: accepted first, then those told in more sessions, then by id.
    pub(crate) cases: Vec<Case>,
    /// The places of the others.
    pub(crate) omitted: Vec<Omission>,
    /// What was odd.
    pub(crate) findings: Vec<Finding>,
}

/// Sorts out the lessons of both files. A lesson in both counts once.
pub(crate) fn docket(input: &SkillInput) -> Docket {
    let mut docket = Docket::default();
    let mut cases: BTreeMap<LessonId, Case> = BTreeMap::new();
    let refused = refused(input);
    let promoted = input.promoted.iter().map(|file| (file, true));
    for (file, is_promoted) in promoted.chain(input.runtime.iter().map(|file| (file, false))) {
        docket.omitted.extend(file.omitted.iter().cloned());
        for there in &file.lessons {
            if refused.contains(&there.lesson.id) {
                docket.omitted.push(omit(&file.source, there.span, OmissionReason::Description));
                continue;
            }
            let is_accepted = input.acceptances.contains(&there.lesson.id);
            if there.lesson.status == LessonStatus::Pending && !is_accepted {
                docket.wait(file, there);
                continue;
            }
            let case = cases.entry(there.lesson.id.clone()).or_insert_with(|| Case::of(there, is_accepted));
            case.add_place(file, there);
            let claims = is_promoted || there.lesson.status == LessonStatus::Promoted;
            case.is_promoted |= claims;
            if claims && !is_accepted && case.claim.is_none() {
                case.claim = Some(claim(file, there));
            }
        }
    }
    docket.cases = cases.into_values().collect();
    docket.cases.sort_by_key(Case::rank);
    docket.merge_near_duplicates();
    docket.hold_back(input);
    docket.find_opposed();
    docket
}

impl Case {
    fn of(there: &FileLesson, is_accepted: bool) -> Self {
        Self {
            lesson: there.lesson.clone(),
            ids: vec![there.lesson.id.clone()],
            spans: Vec::new(),
            is_accepted,
            is_promoted: false,
            claim: None,
        }
    }

    fn add_place(&mut self, file: &LessonFile, there: &FileLesson) {
        self.spans.push(place(&file.source, there.span));
        self.lesson.sessions.extend(there.lesson.sessions.iter().cloned());
    }

    /// A promotion moves no line.
    fn rank(&self) -> (bool, Reverse<usize>, LessonId) {
        (!self.is_accepted, Reverse(self.lesson.sessions.len()), self.lesson.id.clone())
    }

    fn standing(&self) -> Standing {
        match (self.is_accepted, self.is_promoted) {
            (true, _) => Standing::Accepted,
            (false, true) => Standing::Promoted,
            (false, false) => Standing::Told,
        }
    }

    /// The finding while it waits; what its file claims weighs more.
    pub(crate) fn why_it_waits(&self, why: &str) -> Finding {
        self.claim.clone().unwrap_or_else(|| at_first(pending(&self.lesson.id, why), &self.spans))
    }

    /// Its places while it waits.
    pub(crate) fn omissions(&self) -> impl Iterator<Item = Omission> {
        self.spans.iter().map(|span| Omission { span: span.clone(), reason: OmissionReason::Pending })
    }

    /// `structural_edit fails on module include macros: use text edit`, on one line.
    pub(crate) fn statement(&self) -> String {
        format!("{}: {}", clause(&self.lesson.condition), clause(&self.lesson.resolution))
    }

    /// `When structural_edit fails on module include macros: use text edit`, on one line.
    pub(crate) fn standing_alone(&self) -> String {
        let statement = self.statement();
        let opening = statement.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        if matches!(
            opening.as_str(),
            "when" | "if" | "while" | "before" | "after" | "until" | "on" | "in" | "for"
        ) {
            statement
        } else {
            format!("When {statement}")
        }
    }
}

impl Docket {
    /// Says that a lesson waits for a person.
    pub(crate) fn wait(&mut self, file: &LessonFile, there: &FileLesson) {
        self.omitted.push(omit(&file.source, there.span, OmissionReason::Pending));
        self.findings.push(pending(&there.lesson.id, "waits for a person").at(&file.source, there.span));
    }

    /// Lessons that no person accepted wait when they speak of rules, say again what was rejected, or say the opposite of what a
    /// person accepted or promoted.
    fn hold_back(&mut self, input: &SkillInput) {
        let files = input.promoted.iter().chain(&input.runtime).flat_map(|file| &file.lessons);
        let rejected: Vec<&Lesson> =
            files.filter(|there| is_refused(there)).map(|there| &there.lesson).collect();
        let opposed = self.opposed_to_higher();
        let why = |case: &Case| {
            let lesson = &case.lesson;
            let again = || rejected.iter().find(|other| says_nearly(lesson, other));
            if speaks_of_rules(input.name.as_str(), lesson) {
                return Some("speaks of rules, and would set one aside".to_owned());
            }
            let again =
                again().map(|other| format!("says nearly what `{}` said, which was rejected", other.id));
            again.or_else(|| {
                opposed.get(&lesson.id).map(|(other, by)| format!("contradicts the {by} lesson `{other}`"))
            })
        };
        let (waiting, standing): (Vec<_>, Vec<_>) = std::mem::take(&mut self.cases)
            .into_iter()
            .map(|case| (if case.is_accepted { None } else { why(&case) }, case))
            .partition(|(why, _)| why.is_some());
        self.cases = standing.into_iter().map(|(_, case)| case).collect();
        for (why, case) in waiting {
            self.findings.push(case.why_it_waits(&why.unwrap_or_default()));
            self.omitted.extend(case.omissions());
        }
    }

    /// The lessons that say the opposite of one that stands higher, that one, and how it stands.
    fn opposed_to_higher(&self) -> BTreeMap<LessonId, (LessonId, &'static str)> {
        let mut cases: Vec<&Case> = self.cases.iter().collect();
        cases.sort_by_key(|case| Reverse(case.standing()));
        let lessons: Vec<&Lesson> = cases.iter().map(|case| &case.lesson).collect();
        let pairs = opposed(&lessons).into_iter().map(|(one, other)| (cases[one], cases[other]));
        let told = pairs.filter(|(one, other)| one.standing() > other.standing());
        let by = |case: &Case| if case.is_accepted { "accepted" } else { "promoted" };
        told.map(|(one, other)| (other.lesson.id.clone(), (one.lesson.id.clone(), by(one)))).collect()
    }

    /// Lessons that say the opposite of each other under one condition.
    fn find_opposed(&mut self) {
        let lessons: Vec<&Lesson> = self.cases.iter().map(|case| &case.lesson).collect();
        for (earlier, later) in opposed(&lessons) {
            let (earlier, later) = (&self.cases[earlier], &self.cases[later]);
            let texts = (earlier.statement(), later.statement());
            self.findings.push(conflict((&texts.0, &texts.1), &earlier.spans, &later.spans));
        }
    }

    fn merge_near_duplicates(&mut self) {
        for near in near_duplicates(self.cases.iter().map(|case| &case.lesson)) {
            let Some(at) = self.cases.iter().position(|case| case.lesson.id == near.merged) else { continue };
            let merged = self.cases.remove(at);
            let message = format!("the lessons `{}` and `{}` say nearly the same", near.kept, near.merged);
            let finding = Finding::new(Code::LESSON_DUPLICATE, message).help(format!(
                "the first stands; `policy-engine lessons archive {}` retires the other",
                near.merged
            ));
            self.findings.push(at_first(finding, &merged.spans));
            if let Some(kept) = self.cases.iter_mut().find(|case| case.lesson.id == near.kept) {
                kept.ids.extend(merged.ids);
                kept.spans.extend(merged.spans);
            }
        }
    }
}

/// The finding for a lesson that waits.
pub(crate) fn pending(id: &LessonId, why: &str) -> Finding {
    Finding::new(Code::LESSON_PENDING, format!("the lesson `{id}` {why}")).help(format!(
        "`policy-engine lessons accept {id}` puts it in force, `lessons reject {id}` refuses it"
    ))
}

/// Sets the columns of findings that [`at_first`] placed without their source at hand. `sources` stand by their paths.
pub(crate) fn set_columns(findings: &mut [Finding], sources: &[&Source]) {
    let known = |path: &str| {
        let at = sources.binary_search_by(|source| (**source.path()).cmp(path)).ok()?;
        Some(sources[at])
    };
    for finding in findings {
        set_column(finding, known);
    }
}

/// Finds the column of one finding.
pub(crate) fn set_column<'s>(finding: &mut Finding, source: impl Fn(&str) -> Option<&'s Source>) {
    if finding.column != Some(1) {
        return;
    }
    if let (Some(path), Some(span)) = (&finding.path, finding.span)
        && let Some(source) = source(path)
    {
        finding.column = Some(source.place(span.start as usize).column);
    }
}

/// Sets a finding's place to the first of `spans`: its path and line; [`set_columns`] finds the column.
pub(crate) fn at_first(mut finding: Finding, spans: &[SourceSpan]) -> Finding {
    if let Some(span) = spans.first() {
        finding.path = Some(span.path.clone());
        (finding.line, finding.span) = (Some(span.start_line), Some(span.span));
        finding.column = Some(1);
    }
    finding
}

/// Lessons that a person refused or that were retired: never compiled, whatever the other file says.
fn refused(input: &SkillInput) -> BTreeSet<LessonId> {
    let files = input.promoted.iter().chain(&input.runtime);
    files
        .flat_map(|file| &file.lessons)
        .filter(|there| is_refused(there))
        .map(|there| there.lesson.id.clone())
        .collect()
}

fn is_refused(there: &FileLesson) -> bool {
    matches!(there.lesson.status, LessonStatus::Rejected | LessonStatus::Archived)
}

fn claim(file: &LessonFile, there: &FileLesson) -> Finding {
    let id = &there.lesson.id;
    Finding::new(
        Code::LESSON_CLAIM,
        format!("the file says that the lesson `{id}` was accepted, no acceptance is recorded"),
    )
    .help(format!("`policy-engine lessons accept {id}` records it for this user"))
    .at(&file.source, there.span)
}

/// One line, without a final period and without the digest's own marks.
fn clause(text: &str) -> String {
    let folded = unframed(text);
    let ends_in_ellipsis = folded.ends_with("..");
    if ends_in_ellipsis { folded } else { folded.strip_suffix('.').map_or(folded.clone(), str::to_owned) }
}
