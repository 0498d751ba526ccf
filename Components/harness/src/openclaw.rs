//! OpenClaw: a plugin of ours, which hands on what OpenClaw hands it, as `{"event": …, "ctx": …}`.

use mentci_authority::Hook;
use mentci_host::{Harness, Moment};
use serde_json::Value;

use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;
use crate::server_tool::by_two_lines;

/// The plugin's files, by name.
pub(crate) const PLUGIN: &[(&str, &str)] = &[
    ("index.ts", include_str!("../assets/openclaw-mentci.ts")),
    ("openclaw.plugin.json", MANIFEST),
    ("package.json", PACKAGE),
];

const MANIFEST: &str = r#"{
  "id": "mentci",
  "name": "Mentci",
  "activation": { "onStartup": true },
  "contracts": { "agentToolResultMiddleware": ["openclaw", "codex"] },
  "configSchema": { "type": "object", "additionalProperties": false }
}
"#;

const PACKAGE: &str = r#"{
  "name": "mentci",
  "version": "1.0.0",
  "type": "module",
  "openclaw": { "extensions": ["./index.ts"] }
}
"#;

pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = match event {
        "session_start" => Point::Begin { remembers: true },
        "before_prompt_build" => Point::Prompt,
        "before_tool_call" => Point::Gate,
        "tool_result" => Point::Result,
        "before_compaction" => Point::Compacting,
        "agent_end" => Point::TurnEnd,
        "session_end" => Point::End,
        _ => Point::Other,
    };
    let session = payload.session(&["ctx.sessionId", "event.sessionId", "ctx.sessionKey"]);
    let mut heard = Heard::new(Harness::Openclaw, point, session);
    // The whole text stands in the system context of each run, and nowhere else.
    heard.call.moment = (point == Point::Prompt).then_some(Moment::Sent);
    let called = |args: &str| Called {
        name: payload.text("event.toolName").map(by_two_lines),
        args: value(payload, args),
        told: payload.told(args),
        id: payload.text("event.toolCallId"),
    };
    match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => heard.prompted(payload.text("event.prompt").unwrap_or_default()),
        Point::Gate => heard.calls(called("event.params")),
        Point::Result => heard.returns(called("event.params"), answered(payload)),
        Point::Compacting => heard.happens(Hook::PreCompact),
        Point::TurnEnd => heard.happens(Hook::TurnEnd),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Turn | Point::Other => heard,
    }
}

/// The texts of the result's message.
fn answered(payload: &Payload) -> Answered {
    let parts = payload.at("event.message.content").and_then(Value::as_array);
    let texts: Vec<&str> =
        parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str()).collect();
    let failed = payload.at("event.message.isError").and_then(Value::as_bool).unwrap_or(false);
    let duration_ms = payload.at("event.message.details.durationMs").and_then(Value::as_f64);
    let value = texts.join("\n");
    let error = failed.then(|| value.lines().next().unwrap_or_default().to_owned());
    Answered { value: value.into(), error, duration_ms, ..Answered::default() }
}
