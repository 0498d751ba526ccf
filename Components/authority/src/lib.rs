//! The one vocabulary, as plain data: who says what, how strongly, and where it stands.
//!
//! Law is read into [`Norm`]s, agents teach [`Lesson`]s, and both compile into a [`Digest`] whose every line has a
//! [`Provenance`]. A [`CoverageMap`] accounts for every line of every source, and a [`RuleLock`] keeps the numbers.
//!
//! Knows no format, no file and no clock.

mod coverage;
mod digest;
mod lesson;
mod level;
mod lock;
mod norm;
mod provenance;
mod skill;

pub use coverage::{CoverageMap, MAP_FORMAT, MapEntry, MapOmission, MapSource};
pub use digest::{Digest, DigestLine, EntryKind, Omission, OmissionReason, RuleNo};
pub use lesson::{
    Lesson, LessonId, LessonStatus, LessonText, MAX_CONTEXT_CHARS, MAX_LESSON_CHARS, check_lesson_text,
    near_harness_tag,
};
pub use level::{Force, Level, Tier};
pub use lock::{LOCK_FORMAT, RuleLock};
pub use norm::{Norm, NormId, Scope, Step};
pub use provenance::{Provenance, SourceSpan};
pub use skill::{SkillName, SkillNameError};
