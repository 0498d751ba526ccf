//! Gemini CLI: command hooks of `.gemini/settings.json`.

use std::borrow::Cow;

use mentci_host::{Harness, Moment};
use serde_json::{Value, json};

use crate::claude_code::command_hook;
use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;
use crate::reply::{Outcome, Reply, Ruling};
use crate::server_tool::{by_two_lines, named};

/// How every digest begins.
const HEAD: &str = "# Absolute Rules";

pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    if event == "BeforeModel" {
        return sent(payload);
    }
    let point = match event {
        // What hooks told is not part of the conversation that is resumed.
        "SessionStart" => Point::Begin { remembers: false },
        "BeforeAgent" => Point::Prompt,
        "BeforeTool" => Point::Gate,
        "AfterTool" => Point::Result,
        "AfterAgent" => Point::TurnEnd,
        "SessionEnd" => Point::End,
        // `PreCompress` comes before each request, whether or not anything is summarised: what is sent tells it.
        _ => Point::Other,
    };
    if point != Point::Result {
        return command_hook(Harness::Gemini, point, payload);
    }
    let heard = Heard::new(Harness::Gemini, point, payload.session(&["session_id"]));
    let args = value(payload, "tool_input");
    let name = payload.text("tool_name").map(|name| tool_name(name, payload));
    let called = Called { name, args, told: payload.told("tool_input"), id: None };
    heard.returns(called, answered(payload)).fact("cwd", payload.at("cwd"))
}

/// A tool's name. Of a server's tool the payload says the server; where it does not, the name does: `mcp_server_tool`, in
/// which Gemini CLI itself takes the server to end at the first `_`, and `server__tool` in older versions.
pub(crate) fn tool_name<'p>(name: &'p str, payload: &Payload) -> Cow<'p, str> {
    let (server, tool) = (payload.text("mcp_context.server_name"), payload.text("mcp_context.tool_name"));
    if let Some((server, tool)) = server.zip(tool) {
        return named(server, tool).into();
    }
    let behind = name.strip_prefix("mcp_").filter(|rest| !rest.starts_with('_'));
    match behind.and_then(|rest| rest.split_once('_')).filter(|(_, tool)| !tool.is_empty()) {
        Some((server, tool)) => named(server, tool.trim_start_matches('_')).into(),
        None => by_two_lines(name),
    }
}

/// What is about to be sent to the model: where the rules do not stand in it, the conversation was summarised, or another agent
/// sends it. They are put into this one request, and the next prompt tells them again for good.
fn sent(payload: &Payload) -> Heard {
    let messages = payload.at("llm_request.messages").filter(|messages| messages.is_array());
    let missing = messages.filter(|messages| !holds(messages, HEAD));
    let point = if missing.is_some() { Point::Compacting } else { Point::Other };
    let mut heard = Heard::new(Harness::Gemini, point, payload.session(&["session_id"]));
    heard.call.moment = missing.map(|_| Moment::Missing);
    heard.args = missing.cloned().unwrap_or_default();
    heard
}

/// The same messages, the first of them with a text before its own. Gemini CLI puts their texts back where it took them from, and
/// keeps what is no text.
fn with_context(messages: &Value, context: &str) -> Value {
    let mut messages = messages.clone();
    let first = messages.pointer_mut("/0/content");
    let told = format!("<hook_context>{context}</hook_context>\n\n");
    match first {
        Some(Value::String(said)) => said.insert_str(0, &told),
        _ => return Value::Null,
    }
    json!({"messages": messages})
}

/// Whether a text stands anywhere in a value.
fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(said) => said.contains(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(fields) => fields.values().any(|field| holds(field, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// What the model is shown of an answer, without the frame around it.
fn answered(payload: &Payload) -> Answered {
    let content = payload.at("tool_response.llmContent").or_else(|| payload.at("tool_response"));
    let error = payload.text("tool_response.error.message").or_else(|| payload.text("tool_response.error"));
    Answered {
        value: content.cloned().unwrap_or_default(),
        error: error.map(str::to_owned),
        ..Answered::default()
    }
}

pub(crate) fn reply(heard: &Heard, event: &str, outcome: &Outcome) -> Reply {
    if let (Point::Gate | Point::Prompt, Ruling::Deny(reason) | Ruling::Ask(reason)) =
        (heard.point, &outcome.ruling)
    {
        return Reply::json(&json!({"decision": "deny", "reason": reason}));
    }
    match (heard.point, &outcome.args, &outcome.result) {
        (Point::Compacting, ..) if !outcome.context.is_empty() => {
            match with_context(&heard.args, &outcome.context) {
                Value::Null => Reply::default(),
                request => specific(event, "llm_request", request),
            }
        }
        (Point::Gate, Some(args), _) => specific(event, "tool_input", args.clone()),
        // The reason of a denied result stands in the result's place.
        (Point::Result, _, Some(result)) => {
            let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
            let told =
                if outcome.context.is_empty() { text } else { format!("{text}\n\n{}", outcome.context) };
            Reply::json(&json!({"decision": "deny", "reason": told}))
        }
        (Point::Begin { .. } | Point::Prompt | Point::Result, ..) if !outcome.context.is_empty() => {
            specific(event, "additionalContext", outcome.context.as_str().into())
        }
        _ => Reply::default(),
    }
}

fn specific(event: &str, key: &str, value: Value) -> Reply {
    let mut specific = json!({"hookEventName": event});
    specific[key] = value;
    Reply::json(&json!({"hookSpecificOutput": specific}))
}
