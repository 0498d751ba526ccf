//! Cline: executable files in `.clinerules/hooks`, one named after each event.
//!
//! It takes context after a tool's answer only, and a denial ends the whole run.

use mentci_authority::Hook;
use mentci_host::Harness;
use serde_json::{Value, json};

use crate::cline_arguments::{in_its_words, in_our_words};
use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;
use crate::reply::{Outcome, Reply, Ruling};

pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = match event {
        "TaskStart" | "TaskResume" => Point::Begin { remembers: true },
        "UserPromptSubmit" => Point::Prompt,
        "PreToolUse" => Point::Gate,
        "PostToolUse" => Point::Result,
        "PreCompact" => Point::Compacting,
        "TaskComplete" => Point::TurnEnd,
        "TaskCancel" | "SessionShutdown" => Point::End,
        _ => Point::Other,
    };
    let mut heard =
        Heard::new(Harness::Cline, point, payload.session(&["taskId", "sessionContext.rootSessionId"]));
    if matches!(point, Point::Begin { .. } | Point::Prompt) {
        heard.call.moment = None;
    }
    match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => {
            heard.prompted(payload.any_text(&["userPromptSubmit.prompt", "prompt"]).unwrap_or_default())
        }
        Point::Gate => {
            let args = input(payload, "tool_call", "preToolUse");
            let name = name(payload, "tool_call", "preToolUse").unwrap_or_default().to_owned();
            Heard { name, args, ..heard.calls(called(payload, "tool_call", "preToolUse")) }
        }
        Point::Result => heard.returns(called(payload, "tool_result", "postToolUse"), answered(payload)),
        Point::Compacting => heard.happens(Hook::PreCompact),
        Point::TurnEnd => heard.happens(Hook::TurnEnd),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Turn | Point::Other => heard,
    }
}

/// The call, as newer versions tell it (`tool_call`) or older ones do (`preToolUse`).
fn called<'p>(payload: &'p Payload, newer: &str, older: &str) -> Called<'p> {
    let name = name(payload, newer, older);
    let (ours, args) = in_our_words(name.unwrap_or_default(), &input(payload, newer, older));
    Called { name: name.map(|_| ours), args, told: None, id: payload.text(&format!("{newer}.id")) }
}

/// The tool's name, as Cline says it.
fn name<'p>(payload: &'p Payload, newer: &str, older: &str) -> Option<&'p str> {
    payload.text(&format!("{newer}.name")).or_else(|| payload.text(&format!("{older}.toolName")))
}

/// Its arguments, as Cline tells them.
fn input(payload: &Payload, newer: &str, older: &str) -> Value {
    let input = value(payload, &format!("{newer}.input"));
    if input.is_null() { value(payload, &format!("{older}.parameters")) } else { input }
}

fn answered(payload: &Payload) -> Answered {
    let output = value(payload, "tool_result.output");
    let value = if output.is_null() { value(payload, "postToolUse.result") } else { output };
    let failed = payload.at("postToolUse.success").and_then(Value::as_bool) == Some(false);
    let error = payload.text("tool_result.error").map(str::to_owned);
    Answered {
        value,
        error: error.or_else(|| failed.then(|| "the tool failed".to_owned())),
        duration_ms: payload.at("postToolUse.executionTimeMs").and_then(Value::as_f64),
        ..Answered::default()
    }
}

pub(crate) fn reply(heard: &Heard, outcome: &Outcome) -> Reply {
    if let (Point::Gate | Point::Prompt, Ruling::Deny(reason) | Ruling::Ask(reason)) =
        (heard.point, &outcome.ruling)
    {
        return Reply::json(&json!({"cancel": true, "errorMessage": reason}));
    }
    let mut told = json!({"cancel": false});
    if let (Point::Gate, Some(args)) = (heard.point, &outcome.args) {
        told["overrideInput"] = in_its_words(&heard.name, args.clone(), &heard.args);
    }
    if heard.point == Point::Result && !outcome.context.is_empty() {
        told["contextModification"] = outcome.context.as_str().into();
    }
    Reply::json(&told)
}
