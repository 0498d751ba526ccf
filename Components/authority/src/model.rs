//! Language models as whoever reaches them hands them in.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChatCall, ChatMessage, ToolSpec};

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelRequest {
    /// The conversation, the system prompt first.
    pub messages: Vec<ChatMessage>,
    /// The pictures that the user's messages name.
    pub pictures: Vec<Picture>,
    /// The tools that it may call.
    pub tools: Vec<ToolSpec>,
    /// How many replies of the model stand in the whole conversation before the one that is asked for, where the asker knows:
    /// what was compacted is not among the messages, and what rules inserted is. A script goes on at this step.
    pub turn: Option<u64>,
    /// The most tokens that it may answer.
    pub max_tokens: Option<u64>,
    /// From 0 to 2.
    pub temperature: Option<f64>,
    /// `low`, `medium`, `high`: for models that reason.
    pub reasoning_effort: Option<String>,
    /// The JSON Schema that the answer's text must follow, where the provider can hold it to one.
    pub answer_schema: Option<Value>,
    /// Asks for that schema as servers know it that have JSON mode alone, such as llama-cpp-python's.
    pub json_mode: bool,
}

/// A picture in what the user says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What stands for it in the text.
    pub mark: String,
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub mime: String,
    /// Its file.
    pub bytes: Arc<[u8]>,
}

/// A piece of an answer, as it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelPiece<'a> {
    /// Of the text.
    Text(&'a str),
    /// Of what it thinks.
    Reasoning(&'a str),
    /// It begins to call this tool.
    Call(&'a str),
    /// What came so far is void: the request is made again, for this reason.
    Again(&'a str),
}

/// Whoever hears the pieces of an answer.
pub type ModelEar<'a> = dyn FnMut(ModelPiece<'_>) + Send + 'a;

/// What a model answered, whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelReply {
    /// What it says; empty when it only calls.
    pub text: String,
    /// What it thought, where the provider tells.
    pub reasoning: String,
    /// The tools that it calls, in order. Names and arguments are the model's words: the tool may not exist, and the
    /// arguments may not be JSON.
    pub calls: Vec<ChatCall>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What it took.
    pub usage: ModelUsage,
    /// What the tries before it took at most, which gave no answer.
    pub lost: ModelUsage,
    /// How many these tries were.
    pub retries: u32,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was done.
    #[default]
    End,
    /// It waits for its calls.
    Calls,
    /// It ran into the most tokens that it may answer.
    Length,
    /// The provider held something back.
    Filtered,
}

/// The tokens of a request, as the provider counted them; 0 where it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelUsage {
    /// Of what was sent.
    pub input: u64,
    /// Of these, read from the provider's cache.
    #[serde(default)]
    pub cached: u64,
    /// Of the answer.
    pub output: u64,
}

impl ModelUsage {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
        }
    }

    /// What was sent and what was answered. A provider may count what it likes: no sum of its numbers overflows.
    #[must_use]
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFailure {
    /// What kind of failure it is.
    pub kind: ModelFailureKind,
    /// In words, without secrets.
    pub message: String,
    /// How many times it was tried.
    pub tries: u32,
    /// What the tries took at most.
    pub lost: ModelUsage,
}

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelFailureKind {
    /// Nobody answers there.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// The key is missing or refused.
    Unauthorized,
    /// Too many requests, after all tries.
    Limited,
    /// The request is refused: too long, or an unknown model.
    Refused,
    /// The provider failed, after all tries.
    Failed,
    /// What came is no answer.
    Garbled,
    /// The cap on tokens or money is reached: nothing was sent.
    Capped,
}

impl fmt::Display for ModelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelFailure {}

/// An answer on its way. Dropping it gives the request up.
pub type ModelAnswer<'a> = Pin<Box<dyn Future<Output = Result<ModelReply, ModelFailure>> + Send + 'a>>;

/// A language model.
pub trait Model: Send + Sync {
    /// Its name, as transcripts and requests say it.
    fn name(&self) -> &str;

    /// Asks it. `ear` hears the answer as it comes; what counts is the reply.
    fn ask<'a>(&'a self, request: &'a ModelRequest, ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a>;
}
