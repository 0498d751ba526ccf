//! The pi coding agent: one extension, loaded as it is.

use mentci_authority::{Hook, Role, Usage};
use mentci_host::{Asset, Harness, Moment};
use serde_json::Value;

use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;

/// The extension's place, relative to the workspace.
pub const EXTENSION_PATH: &str = ".pi/extensions/mentci-workspace.ts";

/// The extension's text.
pub const EXTENSION: &str = include_str!("../assets/mentci-workspace.ts");

/// The extension as a file for `init` to write and `doctor` to look for.
///
/// ```
/// let asset = mentci_harness::pi::extension();
/// assert_eq!(asset.path, ".pi/extensions/mentci-workspace.ts");
/// assert!(asset.text.contains("before_agent_start"));
/// ```
pub fn extension() -> Asset {
    Asset { path: EXTENSION_PATH.into(), text: EXTENSION.into(), unless: None }
}

/// What pi's own events say, as `{"event": …, "session": …}`. The extension above tells a prompt with its question for the
/// rules (`inject`), and everything else here.
pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = match event {
        "session_start" => Point::Begin { remembers: true },
        "before_agent_start" => Point::Prompt,
        "context" => Point::Turn,
        "message_end" if said(payload).is_some() => Point::Turn,
        "tool_call" => Point::Gate,
        "tool_result" => Point::Result,
        "session_before_compact" => Point::Compacting,
        "turn_end" => Point::TurnEnd,
        "session_shutdown" => Point::End,
        _ => Point::Other,
    };
    let mut heard = Heard::new(Harness::Pi, point, payload.session(&["session", "sessionId"]));
    heard.can_ask = true;
    // The whole text stands in the system prompt of each run, and nowhere else.
    heard.call.moment = (point == Point::Prompt).then_some(Moment::Sent);
    let called = || Called {
        name: payload.text("event.toolName").map(Into::into),
        args: value(payload, "event.input"),
        told: payload.told("event.input"),
        id: payload.text("event.toolCallId"),
    };
    match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => {
            heard.says(Hook::QueryStart, Role::User, payload.text("event.prompt").unwrap_or_default())
        }
        Point::Turn => turn(heard, payload),
        Point::Gate => heard.calls(called()),
        Point::Result => heard.returns(called(), answered(payload)),
        Point::Compacting => {
            let context_tokens = payload.at("event.preparation.tokensBefore").and_then(Value::as_u64);
            heard.happens(Hook::PreCompact).used(Usage { context_tokens, ..Usage::default() })
        }
        Point::TurnEnd => heard.happens(Hook::TurnEnd),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Other => heard,
    }
}

/// What was said, or else a request that is about to be sent: its number, and what has been used up.
fn turn(heard: Heard, payload: &Payload) -> Heard {
    if let Some((role, text)) = said(payload) {
        return heard.says(Hook::MessageAppended, role, &text);
    }
    let usage = value(payload, "event.usage");
    let mut heard = heard.happens(Hook::TurnStart).used(serde_json::from_value(usage).unwrap_or_default());
    if let Some(event) = heard.call.events.last_mut() {
        event.turn = payload.at("event.turn").and_then(Value::as_u64);
    }
    heard
}

/// What the user or the model said; results of tools and our own reminders are told elsewhere.
fn said(payload: &Payload) -> Option<(Role, String)> {
    let role = match payload.text("event.message.role")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let content = payload.at("event.message.content")?;
    let text = content.as_str().map_or_else(|| texts(content), str::to_owned);
    (!text.trim().is_empty()).then_some((role, text))
}

fn answered(payload: &Payload) -> Answered {
    let failed = payload.at("event.isError").and_then(Value::as_bool).unwrap_or(false);
    let value = payload.at("event.content").map(texts).unwrap_or_default();
    Answered {
        error: failed.then(|| value.lines().next().unwrap_or_default().to_owned()),
        timed_out: failed && value.to_ascii_lowercase().contains("timed out"),
        duration_ms: payload.at("event.durationMs").and_then(Value::as_f64),
        count: payload.at("event.count").and_then(Value::as_i64),
        value: value.into(),
        told: None,
    }
}

/// The texts among the parts of a message, a line each.
fn texts(parts: &Value) -> String {
    let parts = parts.as_array().into_iter().flatten();
    parts.filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
}
