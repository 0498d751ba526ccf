//! Why one try gave no answer.

use std::time::Duration;

use mentci_authority::{ModelFailure, ModelFailureKind};

use crate::ApiKey;

/// Why one try gave no answer, and whether another may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of failure it is.
    pub kind: ModelFailureKind,
    /// In words.
    pub message: String,
    /// Whether asking again may help.
    pub may_pass: bool,
    /// For how long the provider wants to be left alone.
    pub wait: Option<Duration>,
}

impl Fault {
    /// What came is no answer; another try may bring one.
    pub(crate) fn garbled(message: impl Into<String>) -> Self {
        Self { kind: ModelFailureKind::Garbled, message: message.into(), may_pass: true, wait: None }
    }

    pub(crate) fn late(what: &str, after: Duration) -> Self {
        let message = format!("{what} within {} s", after.as_secs_f64());
        Self { kind: ModelFailureKind::TimedOut, message, may_pass: true, wait: None }
    }

    pub(crate) fn unreachable(message: impl Into<String>) -> Self {
        Self { kind: ModelFailureKind::Unreachable, message: message.into(), may_pass: true, wait: None }
    }

    /// As the failure of whoever asks, without the key.
    pub(crate) fn failure(self, tries: u32, key: Option<&ApiKey>) -> ModelFailure {
        let message = key.map_or(self.message.clone(), |key| key.redact(&self.message));
        ModelFailure { kind: self.kind, message, tries }
    }
}
