//! Lesson files: `runtime.edn`, `promoted.edn`, `archive.edn`, read into lessons and edited by splicing.
//!
//! A file is a vector of maps. An edit gives new text in which only the bytes that must change are changed: comments,
//! order, unknown keys and layout stay.

mod edit;
mod file;
mod opposed;
mod similar;

pub use edit::{
    MovedLesson, Outcome, add_lesson, add_lessons, add_sessions, copy_lesson, move_lesson, set_status,
};
pub use file::{FileLesson, LessonFile, read_lessons};
pub use opposed::opposed;
pub(crate) use similar::as_seen;
pub use similar::{NearDuplicate, near_duplicates, says_nearly};
