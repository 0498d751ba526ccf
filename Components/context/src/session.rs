//! What a session is made of.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an event of a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEventKind {
    /// Something was said to the model: by the user, or in another role that `data.role` names.
    UserInput,
    /// Something was remembered.
    MemoryHit,
    /// A tool was called.
    ToolCall,
    /// A tool answered.
    ToolSuccess,
    /// A tool failed.
    ToolError,
    /// A tool took longer than it may.
    ToolTimeout,
    /// A call was given up before its tool answered.
    ToolCancelled,
    /// A call was refused: its tool never ran.
    ToolDenied,
    /// Policy decided.
    GuardDecision,
    /// A phase ended: the model answered, a turn began or ended.
    PhaseResult,
    /// Large content was moved out of the log.
    ArtifactStored,
    /// Older events are shown shortened from here on.
    Compaction,
}

/// One event of a session.
///
/// `data` by kind: `user_input` and `phase_result` have `role` and `text`; `tool_call` has `call_id`, `tool` and `args`; each
/// end of a call has `call_id`, `tool` and either `value`, or `artifact` (a handle) and `summary`, or `error`; `guard_decision`
/// has `decision`, `rules` and `call_id`; `memory_hit` has `text` and `source`; `artifact_stored` is the handle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// Sorts by time, and within a millisecond by order: 32 hexadecimal digits.
    pub event_id: String,
    /// When, in seconds since 1970 UTC.
    pub timestamp: f64,
    /// What it is.
    pub kind: SessionEventKind,
    /// What it says.
    #[serde(default)]
    pub data: Map<String, Value>,
    /// The tokens of what it says; exact where they were counted.
    #[serde(default)]
    pub token_estimate: u64,
}
