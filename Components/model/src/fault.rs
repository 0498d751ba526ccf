//! Why one try gave no answer.

use std::time::Duration;

use mentci_authority::{ModelFailure, ModelFailureKind};

use crate::ApiKey;
use crate::spending::Tried;

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
    /// What the try took all the same.
    pub took: Took,
}

/// What a try takes that gives no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    /// Nothing: nobody was reached, or the request was refused.
    Nothing,
    /// The request: the provider failed before it answered.
    Request,
    /// The request and an answer, of which nobody knows how long it grew.
    Answer,
}

impl Fault {
    /// What came is no answer; another try may bring one.
    pub(crate) fn garbled(message: impl Into<String>) -> Self {
        Self {
            kind: ModelFailureKind::Garbled,
            message: message.into(),
            may_pass: true,
            wait: None,
            took: Took::Answer,
        }
    }

    pub(crate) fn late(what: &str, after: Duration) -> Self {
        let message = format!("{what} within {} s", after.as_secs_f64());
        Self { kind: ModelFailureKind::TimedOut, message, may_pass: true, wait: None, took: Took::Answer }
    }

    pub(crate) fn unreachable(message: impl Into<String>) -> Self {
        let kind = ModelFailureKind::Unreachable;
        Self { kind, message: message.into(), may_pass: true, wait: None, took: Took::Answer }
    }

    /// Before anything was sent.
    pub(crate) fn free(self) -> Self {
        Self { took: Took::Nothing, ..self }
    }

    /// As the failure of whoever asks, without the key.
    pub(crate) fn failure(self, tried: Tried, key: Option<&ApiKey>) -> ModelFailure {
        let message = key.map_or(self.message.clone(), |key| key.redact(&self.message));
        ModelFailure { kind: self.kind, message, tries: tried.times, lost: tried.lost }
    }
}
