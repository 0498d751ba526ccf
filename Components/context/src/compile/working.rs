//! What a model is sent.

use mentci_authority::{ArtifactHandle, ChatMessage};
use serde::{Deserialize, Serialize};

use super::Showing;

/// What a model is sent: a session inside a budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkingContext {
    /// What stands first, in the system's role; empty when none is configured.
    pub system_prompt: String,
    /// The conversation, in order, with calls and their answers.
    pub history: Vec<ChatMessage>,
    /// What was remembered; stands last, so that what stands before keeps its bytes.
    pub memory_hits: Vec<MemoryHit>,
    /// The artifacts that the conversation refers to, in order, each once.
    pub artifact_refs: Vec<ArtifactHandle>,
    /// The results in the conversation, and how each is shown.
    pub tool_results: Vec<ShownResult>,
    /// The tokens of all that is sent, as they were counted.
    pub token_count: u64,
    /// The most tokens that may be sent.
    pub budget: u64,
    /// How many messages of the history stay as they are, byte for byte, when events are appended, until something is cleared
    /// or dropped.
    pub stable: usize,
}

impl WorkingContext {
    /// Whether it fits. What a compile gives always does.
    pub fn is_within_budget(&self) -> bool {
        self.token_count <= self.budget
    }

    /// By how many tokens it is over.
    pub fn overflow(&self) -> u64 {
        self.token_count.saturating_sub(self.budget)
    }

    /// The messages of a chat request: system, history, memory. What tools, memory and artifacts say stands in the role of
    /// the tool or the user, between `<data …>` and `</data>`.
    pub fn to_messages(&self) -> Vec<ChatMessage> {
        let system = Some(&self.system_prompt).filter(|prompt| !prompt.is_empty());
        let system = system.map(|prompt| ChatMessage::said("system", prompt.clone()));
        let memory = self.memory_hits.iter().map(|hit| ChatMessage::said("user", hit.content.clone()));
        system.into_iter().chain(self.history.iter().cloned()).chain(memory).collect()
    }
}

/// Something that was remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryHit {
    /// Where it is from.
    pub source: String,
    /// The message: what it says, between fences.
    pub content: String,
    /// How well it fits what the user said last.
    pub score: f64,
    /// Its tokens, with its frame.
    pub tokens: u64,
}

/// A result in the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownResult {
    /// The event that ended the call; none while the call is open.
    pub event_id: Option<String>,
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// How it is shown.
    pub showing: Showing,
    /// The tokens that stand for it.
    pub tokens: u64,
}
