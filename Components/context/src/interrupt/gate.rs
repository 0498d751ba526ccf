//! Whether a call may run.

use mentci_authority::ToolCall;
use serde_json::Value;

/// What a gate says of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum GateAnswer {
    /// It runs.
    Allowed,
    /// It runs with other arguments.
    Changed(Value),
    /// It does not run.
    Denied {
        /// Why, for the model to read.
        reason: String,
    },
    /// It does not run unless a person allows it.
    Approve {
        /// Why, for the model to read.
        reason: String,
    },
}

/// Whoever decides whether a call may run; any function from a call to a [`GateAnswer`] is one. A gate that panics denies.
pub trait ToolGate: Send + Sync {
    /// Decides.
    fn decide(&self, call: &ToolCall) -> GateAnswer;
}

impl<F: Fn(&ToolCall) -> GateAnswer + Send + Sync> ToolGate for F {
    fn decide(&self, call: &ToolCall) -> GateAnswer {
        self(call)
    }
}
