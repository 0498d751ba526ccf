//! One moment of a workspace, from which reading verbs are answered.

use std::sync::Arc;

use mentci_authority::{LessonId, SkillName};
use mentci_compiler::{SkillCompiled, WorkspaceCompiled};
use mentci_source::{Code, Finding, Source, did_you_mean};

use crate::answer::{ConfigAnswer, InjectMode, LessonList, LessonView, SourceRow, SourcesAnswer};
use crate::{LessonRequest, Request, Response};

/// All that the reading verbs need. It never changes; the workspace makes another one.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// How the digest reaches the model.
    pub mode: InjectMode,
    /// The budget of the workspace's digest, in tokens.
    pub budget: usize,
    /// The effective configuration.
    pub config: ConfigAnswer,
    /// The sources, ordered by path, with their texts.
    pub sources: Vec<(SourceRow, Source)>,
    /// The compiled skills, ordered by name.
    pub skills: Vec<Arc<SkillCompiled>>,
    /// The compiled workspace; none when it could not be compiled.
    pub workspace: Option<Arc<WorkspaceCompiled>>,
    /// The lessons of all files, archives too.
    pub lessons: Vec<LessonView>,
    /// Everything that is odd.
    pub findings: Vec<Finding>,
}

impl Snapshot {
    /// Answers a reading verb; `None` for a verb that the workspace carries out itself.
    pub fn answer(&self, request: &Request) -> Option<Response> {
        let response = match request {
            Request::Digest { skill: None } => self.workspace_digest(),
            Request::Digest { skill: Some(skill) } => self.skill_digest(skill),
            Request::Inject { harness, active, .. } => self.inject(*harness, active),
            Request::Explain { what } => self.explain(what),
            Request::Coverage { skill } => self.coverage(skill.as_deref()),
            Request::Stats => Response::ok(self.stats()),
            Request::Sources => Response::ok(SourcesAnswer {
                sources: self.sources.iter().map(|(row, _)| row.clone()).collect(),
            }),
            Request::Config => Response::ok(self.config.clone()),
            Request::Lessons(LessonRequest::List { skill, status }) => {
                let wanted = |lesson: &&LessonView| {
                    skill.as_deref().is_none_or(|skill| lesson.skill.as_str() == skill)
                        && status.is_none_or(|status| lesson.status == status)
                };
                Response::ok(LessonList { lessons: self.lessons.iter().filter(wanted).cloned().collect() })
            }
            Request::Lessons(LessonRequest::Show { id }) => match self.lesson(id) {
                Ok(lesson) => {
                    Response::ok(crate::LessonAnswer { lesson: lesson.clone(), message: String::new() })
                }
                Err(finding) => Response::bad([finding]),
            },
            _ => return None,
        };
        Some(response)
    }

    /// The compiled skill of this name.
    ///
    /// # Errors
    /// `UNKNOWN_SKILL`, with the nearest name.
    pub fn skill(&self, name: &str) -> Result<&Arc<SkillCompiled>, Finding> {
        let found = self.skills.iter().find(|skill| skill.name.as_str() == name);
        found.ok_or_else(|| unknown_skill(name, self.skills.iter().map(|skill| &skill.name)))
    }

    /// The lesson with this id, or the only one whose id starts so (at least 4 digits).
    ///
    /// # Errors
    /// `LESSON_UNKNOWN`.
    pub fn lesson(&self, id: &str) -> Result<&LessonView, Finding> {
        find_lesson(&self.lessons, id)
    }

    pub(crate) fn source(&self, path: &str) -> Option<&Source> {
        let at = self.sources.binary_search_by(|(row, _)| row.path.as_str().cmp(path)).ok()?;
        Some(&self.sources[at].1)
    }

    pub(crate) fn sources_of<'a>(&'a self, skill: &'a SkillName) -> impl Iterator<Item = &'a Source> {
        self.sources.iter().filter(|(row, _)| row.skill.as_ref() == Some(skill)).map(|(_, source)| source)
    }

    pub(crate) fn views<'a>(&'a self, ids: &'a [LessonId]) -> impl Iterator<Item = &'a LessonView> {
        self.lessons.iter().filter(|lesson| ids.contains(&lesson.id))
    }
}

/// ``no skill is named `x` ``
pub fn unknown_skill<'a>(name: &str, known: impl IntoIterator<Item = &'a SkillName>) -> Finding {
    let given: String = name.chars().take(64).collect();
    let near = did_you_mean(&given, known.into_iter().map(SkillName::as_str));
    let help = near.map_or_else(
        || "`policy-engine stats` lists the skills".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Finding::new(Code::UNKNOWN_SKILL, format!("no skill is named `{}`", given.escape_debug())).help(help)
}

/// The lesson with this id, or the only one whose id starts so (at least 4 digits). A lesson that stands in several files
/// is found in the first.
///
/// # Errors
/// `LESSON_UNKNOWN`.
pub fn find_lesson<'a>(lessons: &'a [LessonView], id: &str) -> Result<&'a LessonView, Finding> {
    let given: String = id.chars().take(64).collect();
    let fits = |lesson: &&LessonView| {
        lesson.id.as_str() == id || (id.len() >= 4 && lesson.id.as_str().starts_with(id))
    };
    let mut found: Vec<&LessonView> = lessons.iter().filter(fits).collect();
    found.dedup_by(|a, b| a.id == b.id);
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Finding::new(Code::LESSON_UNKNOWN, format!("no lesson has the id `{given}`"))
            .help("`policy-engine lessons list` shows the ids")),
        [first, ..] if found.iter().all(|lesson| lesson.id == first.id) => Ok(first),
        _ => Err(Finding::new(Code::LESSON_UNKNOWN, format!("several lessons start with `{given}`"))
            .help("give more digits")),
    }
}
