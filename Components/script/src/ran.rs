//! What a run of a script came to.

use serde_json::{Map, Value};

/// What a run of a script came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// What it returned.
    pub outcome: ScriptOutcome,
    /// What it asked for by functions, in order. They stand whatever it returned.
    pub calls: Vec<ScriptAction>,
    /// The steps it took, as [`crate::Limits::steps`] counts them.
    pub steps: u64,
}

/// What a script returned.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptOutcome {
    /// `false`, `nil` or nothing: the rule does not match.
    NoMatch,
    /// `true`: the rule's own actions.
    Match,
    /// A table or a list of tables, each with a `type`: these actions, in order.
    Actions(Vec<Map<String, Value>>),
}

/// What a script asked for by a function.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptAction {
    /// `notify(message)`, `notify{message = …, …}`: the fields, `message` among them.
    Notify(Map<String, Value>),
    /// `log(message)`, `log(level, message)`.
    Log {
        /// How loud; `info` where none was given.
        level: LogLevel,
        /// The line.
        message: String,
    },
    /// `set_state(key, value)`; null forgets the key.
    SetState {
        /// The key, not empty.
        key: String,
        /// The value.
        value: Value,
    },
    /// `emit(event, payload)`.
    Emit {
        /// The event's name, not empty.
        event: String,
        /// What it carries; null where none was given.
        payload: Value,
    },
}

/// How loud a line of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// `trace`
    Trace,
    /// `debug`
    Debug,
    /// `info`
    Info,
    /// `warn` or `warning`
    Warn,
    /// `error`
    Error,
}

impl LogLevel {
    /// Reads a level.
    pub fn read(text: &str) -> Option<Self> {
        Some(match text {
            "trace" => Self::Trace,
            "debug" => Self::Debug,
            "info" => Self::Info,
            "warn" | "warning" => Self::Warn,
            "error" => Self::Error,
            _ => return None,
        })
    }

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}
