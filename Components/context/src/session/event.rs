//! One event of a session.

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

impl SessionEventKind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::UserInput,
        Self::MemoryHit,
        Self::ToolCall,
        Self::ToolSuccess,
        Self::ToolError,
        Self::ToolTimeout,
        Self::ToolCancelled,
        Self::ToolDenied,
        Self::GuardDecision,
        Self::PhaseResult,
        Self::ArtifactStored,
        Self::Compaction,
    ];

    /// `tool_call`.
    pub fn name(self) -> &'static str {
        match self {
            Self::UserInput => "user_input",
            Self::MemoryHit => "memory_hit",
            Self::ToolCall => "tool_call",
            Self::ToolSuccess => "tool_success",
            Self::ToolError => "tool_error",
            Self::ToolTimeout => "tool_timeout",
            Self::ToolCancelled => "tool_cancelled",
            Self::ToolDenied => "tool_denied",
            Self::GuardDecision => "guard_decision",
            Self::PhaseResult => "phase_result",
            Self::ArtifactStored => "artifact_stored",
            Self::Compaction => "compaction",
        }
    }

    /// Whether it ends a call.
    pub fn ends_a_call(self) -> bool {
        matches!(
            self,
            Self::ToolSuccess | Self::ToolError | Self::ToolTimeout | Self::ToolCancelled | Self::ToolDenied
        )
    }
}

/// One event of a session.
///
/// `data` by kind: `user_input` and `phase_result` have `role` and `text` (or `content`, as messages of providers have it), or `phase` alone; `tool_call` has `call_id`, `tool`
/// and `args`; each end of a call has `call_id`, `tool` and either `value`, or `artifact` (a handle) and `summary`, or `error`;
/// `guard_decision` has `decision`, `rules` and `call_id`; `memory_hit` has `text` and `source`; `artifact_stored` is the
/// handle; `compaction` has `events` (the ids of those that are shown shortened) and maybe `summary`, and `pinned` when it means also what
/// the system and the developer say.
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
    /// The tokens of what it says to a model; exact where they were counted.
    #[serde(default)]
    pub token_estimate: u64,
}

impl SessionEvent {
    /// A part of what it says that is text; empty when there is none.
    pub(crate) fn text(&self, part: &str) -> &str {
        self.data.get(part).and_then(Value::as_str).unwrap_or("")
    }
}
