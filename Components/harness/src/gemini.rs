//! Gemini CLI: command hooks of `.gemini/settings.json`.

use mentci_host::Harness;
use serde_json::{Value, json};

use crate::claude_code::command_hook;
use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;
use crate::reply::{Outcome, Reply, Ruling};

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
    let called = Called { name: payload.text("tool_name"), args, id: None };
    heard.returns(called, answered(payload)).fact("cwd", payload.at("cwd"))
}

/// What is about to be sent to the model: where the rules no longer stand in it, the conversation was summarised, and the next
/// answer or prompt tells them again.
fn sent(payload: &Payload) -> Heard {
    let messages = payload.at("llm_request.messages").and_then(Value::as_array);
    let stands = messages.is_none_or(|messages| messages.iter().any(|message| holds(message, HEAD)));
    let point = if stands { Point::Other } else { Point::Compacting };
    Heard::new(Harness::Gemini, point, payload.session(&["session_id"]))
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
