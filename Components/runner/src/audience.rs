//! Who watches a run, answers its questions, and types.

use std::future::Future;
use std::pin::Pin;

use serde::Serialize;
use serde_json::Value;

use crate::RunEvent;

/// Something that is waited for.
pub type Waiting<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A question: may this call run?
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    /// The rule that asks.
    pub rule: String,
    /// Why, in the rule's words.
    pub reason: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, as the tool would receive them.
    pub args: Value,
}

/// What a person says next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// A message.
    Message(String),
    /// Nothing more: the session is over.
    End,
}

/// Who watches a run, answers its questions, and types. Nobody, where the run is headless.
pub trait Audience: Send + Sync {
    /// Something happened.
    fn hear(&self, event: &RunEvent<'_>);

    /// May this call run? `None` where there is nobody to ask.
    fn approve<'a>(&'a self, question: &'a Question) -> Waiting<'a, Option<bool>>;

    /// What comes next from the user; `None` where nobody types.
    fn next(&self) -> Waiting<'_, Option<Reading>>;
}
