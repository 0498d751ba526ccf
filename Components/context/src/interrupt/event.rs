//! What happens to a call.

use mentci_authority::NewArtifact;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{SessionEvent, SessionEventKind};

/// What happened to a call: it began, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ToolEventKind {
    /// It began.
    #[serde(rename = "tool_call")]
    Call,
    /// The tool answered, and its answer is what its schema says.
    #[serde(rename = "tool_success")]
    Success,
    /// The tool failed, panicked, or gave an answer that its schema does not allow.
    #[serde(rename = "tool_error")]
    Error,
    /// The tool took longer than it may, and was stopped by us.
    #[serde(rename = "tool_timeout")]
    Timeout,
    /// Whoever waited for the answer gave it up.
    #[serde(rename = "tool_cancelled")]
    Cancelled,
    /// The call was refused: its tool never ran.
    #[serde(rename = "tool_denied")]
    Denied,
}

impl ToolEventKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Call, Self::Success, Self::Error, Self::Timeout, Self::Cancelled, Self::Denied];

    /// Whether it ends its call.
    pub fn is_end(self) -> bool {
        self != Self::Call
    }

    /// The kind of the session's event.
    pub fn session_kind(self) -> SessionEventKind {
        match self {
            Self::Call => SessionEventKind::ToolCall,
            Self::Success => SessionEventKind::ToolSuccess,
            Self::Error => SessionEventKind::ToolError,
            Self::Timeout => SessionEventKind::ToolTimeout,
            Self::Cancelled => SessionEventKind::ToolCancelled,
            Self::Denied => SessionEventKind::ToolDenied,
        }
    }
}

/// One event of a call. Nothing of it is raw: arguments, answers and errors are redacted before they come here.
///
/// `data` holds `call_id` and `tool`, and by kind: `tool_call` has `args` as they were asked for, and `changed_args` when the
/// gate changed them; `tool_success` has `status: "ok"` and either `value`, or `artifact` (its handle) and `summary`;
/// `tool_error` has `error`, and for an answer that its schema does not allow `status: "invalid"`, `errors` and what a success
/// has; `tool_timeout` has `error` and `timeout_ms`; `tool_cancelled` has `error`; `tool_denied` has `error` and, when a
/// person may still allow it, `approval: true`. `redactions` (where and what) stands beside what was redacted.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolEvent {
    /// What happened.
    pub kind: ToolEventKind,
    /// Ties the end to the call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// What is kept of it.
    pub data: Map<String, Value>,
    /// The answer, when it is large: to be stored before the event is. Its handle stands in `data.artifact`.
    pub artifact: Option<NewArtifact>,
}

impl ToolEvent {
    pub(super) fn new(kind: ToolEventKind, call_id: &str, tool: &str) -> Self {
        let data = [("call_id", call_id), ("tool", tool)];
        let data = data.into_iter().map(|(key, text)| (key.to_owned(), Value::from(text))).collect();
        Self { kind, call_id: call_id.to_owned(), tool: tool.to_owned(), data, artifact: None }
    }

    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.data.insert(key.to_owned(), value.into());
        self
    }

    /// The event as a session keeps it, without its artifact's content.
    pub fn session_event(&self, event_id: String, timestamp: f64, token_estimate: u64) -> SessionEvent {
        let (kind, data) = (self.kind.session_kind(), self.data.clone());
        SessionEvent { event_id, timestamp, kind, data, token_estimate }
    }
}

/// Whoever keeps the events of calls. Events of one call arrive in order; events of calls that run at the same time arrive
/// from any thread. `record` must not panic: it is also called when a call is given up.
pub trait ToolEvents: Send + Sync {
    /// Keeps an event.
    fn record(&self, event: &ToolEvent);
}
