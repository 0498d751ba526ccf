//! Claude Code: command hooks of `.claude/settings.json`.

use std::borrow::Cow;

use mentci_authority::Hook;
use mentci_host::Harness;
use serde_json::{Map, Value, json};

use crate::gemini;
use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;
use crate::reply::{Outcome, Reply, Ruling};

pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = point(event, payload);
    let mut heard = command_hook(Harness::ClaudeCode, point, payload);
    // Where every prompt is answered by itself nobody is asked.
    heard.can_ask = !matches!(payload.text("permission_mode"), Some("bypassPermissions" | "dontAsk"));
    heard.fact("permission_mode", payload.at("permission_mode"))
}

fn point(event: &str, payload: &Payload) -> Point {
    match event {
        "SessionStart" => begin(payload),
        "UserPromptSubmit" => Point::Prompt,
        "PreToolUse" => Point::Gate,
        "PostToolUse" | "PostToolUseFailure" => Point::Result,
        "PreCompact" => Point::Compacting,
        "Stop" | "StopFailure" => Point::TurnEnd,
        "SessionEnd" => Point::End,
        _ => Point::Other,
    }
}

/// What begins, by `source`: what was told before stands in the transcript that is resumed, and not in one that was cleared.
pub(crate) fn begin(payload: &Payload) -> Point {
    match payload.text("source") {
        Some("compact") => Point::Compacted,
        Some("clear") => Point::Begin { remembers: false },
        _ => Point::Begin { remembers: true },
    }
}

/// The payload that Claude Code began and that Codex and Gemini CLI took over.
pub(crate) fn command_hook(harness: Harness, point: Point, payload: &Payload) -> Heard {
    let heard = Heard::new(harness, point, payload.session(&["session_id"]));
    let called = || Called {
        name: payload.text("tool_name").map(|name| named(harness, name, payload)),
        args: value(payload, "tool_input"),
        told: payload.told("tool_input"),
        id: payload.text("tool_use_id"),
    };
    let heard = match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => heard.prompted(payload.text("prompt").unwrap_or_default()),
        Point::Gate => heard.calls(called()),
        Point::Result => heard.returns(called(), answered(payload)),
        Point::Compacting => heard.happens(Hook::PreCompact),
        Point::TurnEnd => heard.answers(said(payload)),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Turn | Point::Other => heard,
    };
    heard.fact("cwd", payload.at("cwd")).fact("model", payload.at("model"))
}

/// A tool's name; Gemini CLI says beside it which server it is of.
fn named<'p>(harness: Harness, name: &'p str, payload: &'p Payload) -> Cow<'p, str> {
    if harness == Harness::Gemini { gemini::tool_name(name, payload) } else { name.into() }
}

/// The agent's last words.
fn said(payload: &Payload) -> Option<&str> {
    payload.any_text(&["last_assistant_message", "prompt_response"])
}

fn answered(payload: &Payload) -> Answered {
    let value = value(payload, "tool_response");
    let told = payload.text("error").or_else(|| value.get("error")?.as_str());
    let error = told.map(str::to_owned).or_else(|| {
        let failed = value.get("is_error").or_else(|| value.get("isError")).and_then(Value::as_bool);
        failed.unwrap_or(false).then(|| "the tool failed".to_owned())
    });
    let duration_ms = payload.at("duration_ms").and_then(Value::as_f64);
    let told = payload.told("tool_response");
    Answered { value, error, duration_ms, told, ..Answered::default() }
}

pub(crate) fn reply(heard: &Heard, event: &str, outcome: &Outcome) -> Reply {
    let mut specific = Map::new();
    if !outcome.context.is_empty()
        && matches!(
            heard.point,
            Point::Begin { .. } | Point::Compacted | Point::Prompt | Point::Gate | Point::Result
        )
    {
        specific.insert("additionalContext".into(), outcome.context.as_str().into());
    }
    match (&heard.point, &outcome.ruling) {
        (Point::Gate, Ruling::Deny(reason)) => decide(&mut specific, "deny", reason),
        (Point::Gate, Ruling::Ask(reason)) => decide(&mut specific, "ask", reason),
        (Point::Prompt, Ruling::Deny(reason) | Ruling::Ask(reason)) => {
            return Reply::json(&json!({"decision": "block", "reason": reason}));
        }
        _ => {}
    }
    if let (Point::Gate, Some(args), false) =
        (heard.point, &outcome.args, matches!(outcome.ruling, Ruling::Deny(_)))
    {
        specific.insert("updatedInput".into(), args.clone());
    }
    if let (Point::Result, Some(result)) = (heard.point, &outcome.result) {
        specific.insert("updatedToolOutput".into(), result.clone());
    }
    told(event, specific)
}

fn decide(specific: &mut Map<String, Value>, decision: &str, reason: &str) {
    specific.insert("permissionDecision".into(), decision.into());
    specific.insert("permissionDecisionReason".into(), reason.into());
}

/// The event's own answer, where there is one.
pub(crate) fn told(event: &str, mut specific: Map<String, Value>) -> Reply {
    if specific.is_empty() {
        return Reply::default();
    }
    specific.insert("hookEventName".into(), event.into());
    Reply::json(&json!({"hookSpecificOutput": specific}))
}
