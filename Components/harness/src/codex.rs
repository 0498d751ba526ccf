//! Codex: command hooks of `.codex/hooks.json`. It drops a whole answer over one key that it does not know, so each answer
//! holds what its event takes and nothing else; and it runs what a hook asks about, so nobody is ever asked.

use mentci_host::Harness;
use serde_json::{Map, json};

use crate::claude_code::{begin, command_hook, told};
use crate::heard::{Heard, Point};
use crate::payload::Payload;
use crate::reply::{Outcome, Reply, Ruling};

pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = match event {
        "SessionStart" => begin(payload),
        "UserPromptSubmit" => Point::Prompt,
        "PreToolUse" => Point::Gate,
        "PostToolUse" => Point::Result,
        "PreCompact" => Point::Compacting,
        "Stop" => Point::TurnEnd,
        "SessionEnd" => Point::End,
        _ => Point::Other,
    };
    let heard = command_hook(Harness::Codex, point, payload);
    heard.fact("permission_mode", payload.at("permission_mode"))
}

pub(crate) fn reply(heard: &Heard, event: &str, outcome: &Outcome) -> Reply {
    let mut specific = Map::new();
    match (heard.point, &outcome.ruling) {
        (Point::Gate, Ruling::Deny(reason) | Ruling::Ask(reason)) => {
            specific.insert("permissionDecision".into(), "deny".into());
            specific.insert("permissionDecisionReason".into(), reason.as_str().into());
            return told(event, specific);
        }
        (Point::Prompt, Ruling::Deny(reason) | Ruling::Ask(reason)) => {
            return Reply::json(&json!({"decision": "block", "reason": reason}));
        }
        _ => {}
    }
    let takes_context = matches!(
        heard.point,
        Point::Begin { .. } | Point::Compacted | Point::Prompt | Point::Gate | Point::Result
    );
    if takes_context && !outcome.context.is_empty() {
        specific.insert("additionalContext".into(), outcome.context.as_str().into());
    }
    if let (Point::Gate, Some(args)) = (heard.point, &outcome.args) {
        // A rewrite counts only beside an `allow`.
        specific.insert("permissionDecision".into(), "allow".into());
        specific.insert("updatedInput".into(), args.clone());
    }
    match (heard.point, &outcome.result) {
        // The reason of a blocked result stands in the result's place.
        (Point::Result, Some(result)) => {
            let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
            let mut whole = json!({"decision": "block", "reason": text});
            if !specific.is_empty() {
                specific.insert("hookEventName".into(), event.into());
                whole["hookSpecificOutput"] = specific.into();
            }
            Reply::json(&whole)
        }
        _ => told(event, specific),
    }
}
