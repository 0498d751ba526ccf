//! The one vocabulary, as plain data: who says what, how strongly, and where it stands.
//!
//! Law is read into [`Norm`]s, agents teach [`Lesson`]s, and both compile into a [`Digest`] whose every line has a
//! [`Provenance`]. A [`CoverageMap`] accounts for every line of every source, and a [`RuleLock`] keeps the numbers.
//! Policy is read, from four dialects, into [`Rule`]s; an [`Event`] is decided by them, and the answer is a [`Verdict`].
//!
//! Knows no format, no file and no clock.

mod action;
mod artifact;
mod artifact_keeper;
mod at;
mod bounds;
mod chat;
mod coverage;
mod digest;
mod effect;
mod event;
mod event_line;
mod guard;
mod heard_at;
mod hook;
mod inexact;
mod lesson;
mod level;
mod lock;
mod lookalike;
mod model;
mod norm;
mod plainly;
mod plugin;
mod provenance;
mod rule;
mod skill;
mod surrogates;
mod tool;
mod tool_match;
mod verdict;
mod weight;

pub use action::{Action, Assigned, DeliverAt, NotifyPriority, StateScope};
pub use artifact::{ArtifactError, ArtifactHandle, ArtifactId, ArtifactIdError, ArtifactStore, NewArtifact};
pub use artifact_keeper::{
    ArtifactExcerpt, ArtifactExtent, ArtifactHit, ArtifactKeeper, ArtifactNote, ArtifactPart, ArtifactScope,
    Collected, GcPolicy,
};
pub use at::At;
pub use bounds::Bounds;
pub use chat::{ChatCall, ChatMessage};
pub use coverage::{CoverageMap, MAP_FORMAT, MapEntry, MapOmission, MapSource};
pub use digest::{Digest, DigestLine, EntryKind, Omission, OmissionReason, RuleNo};
pub use effect::{Effect, Enforcement, Permission, RuleSeverity};
pub use event::{Event, Message, Role, ToolCall, ToolResult, Usage, told_text};
pub use guard::{Admission, Chain, ChainStep, Guard, Quota, ScriptId};
pub use heard_at::HeardAt;
pub use hook::{Hook, HookName, ToolStatus};
pub use inexact::{inexact, is_respelled, json_text, respelled};
pub use lesson::{
    Lesson, LessonId, LessonStatus, LessonText, MAX_CONTEXT_CHARS, MAX_LESSON_CHARS, check_lesson_text,
    near_harness_tag,
};
pub use level::{Force, Level, Tier};
pub use lock::{CondensedLine, LOCK_FORMAT, RuleLock, StatementId};
pub use lookalike::seen;
pub use model::{
    Model, ModelAnswer, ModelEar, ModelFailure, ModelFailureKind, ModelPiece, ModelReply, ModelRequest,
    ModelUsage, Picture, StopReason,
};
pub use norm::{Norm, NormId, Scope, Step};
pub use plainly::plainly;
pub use plugin::{Plugin, PluginId, PluginSetting, SettingKind, Stated};
pub use provenance::{Provenance, SourceSpan};
pub use rule::{
    Cooldown, Dialect, Honeypot, OnFault, Origin, Redaction, RedactionPattern, Rule, RuleId, RuleSet,
    RuleTest, Trust,
};
pub use skill::{SkillName, SkillNameError};
pub use surrogates::{halves, mended};
pub use tool::{ToolAnswer, ToolFailure, ToolProvider, ToolSpec};
pub use tool_match::{NamePattern, ToolMatch};
pub use verdict::{Notification, Reason, RedactedPlace, RuleFault, SuppressedRule, Verdict};
pub use weight::about_bytes;
