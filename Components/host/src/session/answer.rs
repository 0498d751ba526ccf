//! What is answered about sessions.

use mentci_authority::{ArtifactHandle, ArtifactHit, ChatMessage};
use mentci_context::{DropLedger, SessionEvent, WorkingContext};
use serde::Serialize;
use serde_json::Value;

/// Sessions of the log, the last used first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionsAnswer {
    /// One each.
    pub sessions: Vec<SessionTotals>,
}

/// A session at a glance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionTotals {
    /// Its id.
    pub session: String,
    /// How many lines of the log it has.
    pub events: u64,
    /// When its first line was written, RFC 3339; empty when no line says.
    pub first: String,
    /// When its last line was written.
    pub last: String,
    /// Why its calls are stopped, when they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionEvents {
    /// Whose.
    pub session: String,
    /// In order.
    pub events: Vec<SessionEvent>,
    /// Their tokens, without those that are left out here.
    pub tokens: u64,
    /// How many earlier ones are left out here.
    pub left_out: usize,
}

/// Whether a session is as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionVerified {
    /// Whose.
    pub session: String,
    /// How many entries were looked at.
    pub entries: u64,
    /// The Merkle root over them.
    pub root: String,
    /// Whether all is as it was written.
    pub holds: bool,
    /// Whether anything states what was written; nothing can be said of a file that states nothing.
    pub is_proved: bool,
    /// What is not as it was written, or why nothing can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A session as messages that fit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextAnswer {
    /// Whose.
    pub session: String,
    /// What is sent, in the shape of chat completions.
    pub messages: Vec<ChatMessage>,
    /// Its parts, by what they are, with their tokens and the budget.
    #[serde(flatten)]
    pub context: WorkingContext,
    /// What counted the tokens.
    pub tokenizer: String,
}

/// What became of each event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextExplained {
    /// Whose.
    pub session: String,
    /// What counted the tokens.
    pub tokenizer: String,
    /// Every event and every token, with the budget and the tokens of what is sent.
    pub ledger: DropLedger,
}

/// A large output, outside of the context and back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DemoAnswer {
    /// The session that it happened in.
    pub session: String,
    /// How large the tool's output was, in bytes.
    pub output_bytes: u64,
    /// What stands in its place.
    pub handle: ArtifactHandle,
    /// What is sent.
    pub messages: Vec<ChatMessage>,
    /// Tokens of what is sent.
    pub token_count: u64,
    /// The budget in tokens.
    pub budget: u64,
    /// Whether the artifact came back whole by its handle.
    pub retrieved: bool,
    /// The first line of what came back.
    pub first_line: String,
}

/// A tool's output as a session would keep it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignedAnswer {
    /// The tool.
    pub tool: String,
    /// `ok`, `invalid`, or `error` when the tool says that it failed.
    pub status: &'static str,
    /// How it breaks its schema.
    pub errors: Vec<String>,
    /// What was taken out, by place and kind.
    pub redactions: Vec<String>,
    /// What it says, in short.
    pub summary: String,
    /// What stands in its place when it is large; otherwise itself, redacted.
    pub value: Value,
}

/// Artifacts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactsAnswer {
    /// One each.
    pub artifacts: Vec<ArtifactRow>,
}

/// An artifact at a glance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactRow {
    /// What stands in its place.
    #[serde(flatten)]
    pub handle: ArtifactHandle,
    /// Whether it is kept whatever becomes of its sessions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// An artifact, or a part of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactContent {
    /// What stands in its place.
    #[serde(flatten)]
    pub handle: ArtifactHandle,
    /// Where the part begins, in bytes from 0. One that was to begin or end inside of a character begins and ends before it.
    pub from: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// The range to ask for next; absent when the content ends here, or when as much as there is was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The text of the part; absent when it is none. Bytes of it that are no UTF-8 are U+FFFD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The bytes of a part that is not what its text says, or no text, as base64; absent where they are more than 1 MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// The bytes that were asked for, as they are.
    #[serde(skip)]
    pub content: Vec<u8>,
}

/// Where words were found, the best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactHits {
    /// The places.
    pub hits: Vec<ArtifactHit>,
}

/// What was deleted, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CollectedAnswer {
    /// Whether it was only looked at.
    pub dry_run: bool,
    /// How many artifacts.
    pub artifacts: u64,
    /// How many bytes.
    pub bytes: u64,
    /// How many stay.
    pub kept: u64,
}
