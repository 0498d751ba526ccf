//! Cline: executable files in `.clinerules/hooks`, one named after each event.
//!
//! It takes context after a tool's answer only, and a denial ends the whole run. Its shell takes a list of commands where all
//! others take one text: rules are told `command`, a line each, so that one about `command` is about Cline's too.

use mentci_authority::Hook;
use mentci_host::Harness;
use serde_json::{Value, json};

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
            Heard { args, ..heard.calls(called(payload, "tool_call", "preToolUse")) }
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
    let name = format!("{older}.toolName");
    Called {
        name: payload.text(&format!("{newer}.name")).or_else(|| payload.text(&name)),
        args: one_command(input(payload, newer, older)),
        id: payload.text(&format!("{newer}.id")),
    }
}

/// Its arguments, as Cline tells them.
fn input(payload: &Payload, newer: &str, older: &str) -> Value {
    let input = value(payload, &format!("{newer}.input"));
    if input.is_null() { value(payload, &format!("{older}.parameters")) } else { input }
}

/// Arguments with `command`, a line for each of `commands`; as they are where they are not a list of texts alone.
fn one_command(mut args: Value) -> Value {
    let Some(fields) = args.as_object_mut().filter(|fields| !fields.contains_key("command")) else {
        return args;
    };
    let lines: Option<Vec<&str>> = fields
        .get("commands")
        .and_then(Value::as_array)
        .and_then(|all| all.iter().map(Value::as_str).collect());
    let Some(command) = lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")) else {
        return args;
    };
    fields.remove("commands");
    fields.insert("command".to_owned(), command.into());
    args
}

/// The same as Cline takes them. Commands that were a line each are so again; where one had several they run as one.
fn as_list(mut args: Value, told: &[Value]) -> Value {
    let Some(fields) = args.as_object_mut() else { return args };
    let Some(Value::String(command)) = fields.remove("command") else { return args };
    let lines: Vec<&str> = command.split('\n').collect();
    let commands = if lines.len() == told.len() { lines } else { vec![command.as_str()] };
    fields.insert("commands".to_owned(), commands.into());
    args
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
        let list = heard.args.get("commands").filter(|_| heard.args.get("command").is_none());
        let list = list.and_then(Value::as_array);
        told["overrideInput"] = list.map_or_else(|| args.clone(), |list| as_list(args.clone(), list));
    }
    if heard.point == Point::Result && !outcome.context.is_empty() {
        told["contextModification"] = outcome.context.as_str().into();
    }
    Reply::json(&told)
}
