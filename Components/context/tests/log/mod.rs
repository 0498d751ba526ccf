//! Sessions for tests.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    clippy::format_collect,
    reason = "helpers of tests"
)]

use std::sync::Arc;

use mentci_authority::{At, ChatMessage};
use mentci_context::{Counts, Session, SessionEventKind};
use mentci_tokens::{Bytes, Tokenizer};
use serde_json::{Map, Value, json};

pub(crate) fn session() -> Session {
    Session::new("s1", Arc::new(Counts::new(Bytes)))
}

pub(crate) fn data(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// Appends an event one second after the last.
pub(crate) fn say(session: &mut Session, kind: SessionEventKind, value: Value) -> String {
    let at = At::utc(session.log().last_at().ms + 1_000);
    session.record(kind, data(value), at).event_id.clone()
}

pub(crate) fn user(session: &mut Session, text: &str) -> String {
    say(session, SessionEventKind::UserInput, json!({"role": "user", "text": text}))
}

pub(crate) fn assistant(session: &mut Session, text: &str) -> String {
    say(session, SessionEventKind::PhaseResult, json!({"role": "assistant", "text": text}))
}

pub(crate) fn call(session: &mut Session, id: &str) -> String {
    let value = json!({"call_id": id, "tool": "exec", "args": {"command": "ls"}});
    say(session, SessionEventKind::ToolCall, value)
}

pub(crate) fn answer(session: &mut Session, id: &str, value: &str) -> String {
    let value = json!({"call_id": id, "tool": "exec", "value": value});
    say(session, SessionEventKind::ToolSuccess, value)
}

/// What messages take, counted anew from what is sent.
pub(crate) fn recount(messages: &[ChatMessage], tokenizer: &dyn Tokenizer) -> u64 {
    let count = |text: &str| tokenizer.count(text) as u64;
    let one = |message: &ChatMessage| {
        let calls = message.tool_calls.iter();
        let calls = calls.map(|call| 8 + count(&call.id) + count(&call.name) + count(&call.arguments));
        let content = message.content.as_deref().map_or(0, count);
        4 + content + message.tool_call_id.as_deref().map_or(0, count) + calls.sum::<u64>()
    };
    3 + messages.iter().map(one).sum::<u64>()
}

/// Messages as lines: the role, what is said, the calls, the call that is answered.
pub(crate) fn lines(messages: &[ChatMessage]) -> String {
    let line = |message: &ChatMessage| {
        let calls: String =
            message.tool_calls.iter().map(|call| format!(" {}({})", call.id, call.arguments)).collect();
        let id = message.tool_call_id.as_deref().map_or(String::new(), |id| format!(" [{id}]"));
        format!("{}{id}{calls}: {}\n", message.role, message.content.as_deref().unwrap_or("-"))
    };
    messages.iter().map(line).collect()
}
