//! The API boundary: every verb once, as a [`Request`] that is answered by a [`Response`].
//!
//! Command line, MCP and harness doors all hold one [`Ask`] and know nothing of what stands behind it. Reading verbs are
//! answered here from an immutable [`Snapshot`]; writing verbs are carried out by the workspace.
//!
//! Knows nothing about files, the clock or the environment.

mod answer;
mod ask;
pub mod chatmd;
mod coverage;
mod digest;
mod explain;
mod harness;
mod history;
mod hook;
mod hook_command;
mod install;
mod log;
pub mod model;
pub mod policy;
mod remind;
mod request;
mod response;
pub mod session;
mod snapshot;
mod stats;
pub mod transcript;
mod unambiguous;

pub use answer::{
    Check, CodeAnswer, CompileAnswer, CompiledRow, CondenseAnswer, CondensedRow, ConfigAnswer, ConfigRow,
    Counters, CoverageAnswer, CoverageRow, DigestAnswer, DoctorAnswer, EvalAnswer, EvalLoss, EvalRow,
    EvalShare, EvalTokens, InitAnswer, InitRow, InjectAnswer, InjectMode, LessonAnswer, LessonList,
    LessonView, RuleAnswer, RuleSource, SectionStats, SkillStats, SourceRow, SourcesAnswer, StatsAnswer,
    StatusAnswer, TaughtAnswer, TrustAnswer,
};
pub use ask::{Ask, Published};
pub use digest::{count_rules, injection};
pub use explain::explain_code;
pub use harness::Harness;
pub use history::{DigestDiff, DigestVersion, HistoryAnswer, HistoryRequest};
pub use hook::{Asker, HookAnswer, HookCall, ShownRules};
pub use hook_command::{HookCommand, HookForm};
pub use install::{InstallAnswer, InstallRow, Installation, InstalledFile, InstalledHook, Want, Wish};
pub use log::{AuditAnswer, LogAnswer, LogFormat, LogRequest, LogRow, asker};
pub use mentci_authority::mended;
pub use mentci_compiler::scope_of;
pub use remind::{FAR, Moment, PULSE_BYTES, Part, Reminded, Standing, pulse, remind};
pub use request::{Asset, LessonRequest, Request, ServersRequest, Teaching};
pub use response::{Answer, Outcome, Response};
pub use snapshot::{Snapshot, find_lesson, unknown_skill};
pub use unambiguous::Unambiguous;
