//! The pi coding agent: one extension, loaded as it is.

use mentci_authority::Hook;
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
    Asset { path: EXTENSION_PATH.into(), text: EXTENSION.into() }
}

/// What pi's own events say, as `{"event": …, "session": …}`. The extension above asks `inject` and `decide` instead; this
/// is for extensions of one's own.
pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = match event {
        "session_start" => Point::Begin { remembers: true },
        "before_agent_start" => Point::Prompt,
        "tool_call" => Point::Gate,
        "tool_result" => Point::Result,
        "session_before_compact" => Point::Compacting,
        "agent_end" => Point::TurnEnd,
        "session_shutdown" => Point::End,
        _ => Point::Other,
    };
    let mut heard = Heard::new(Harness::Pi, point, payload.session(&["session", "sessionId"]));
    heard.can_ask = true;
    // The whole text stands in the system prompt of each run, and nowhere else.
    heard.call.moment = (point == Point::Prompt).then_some(Moment::Sent);
    let called = || Called {
        name: payload.text("event.toolName"),
        args: value(payload, "event.input"),
        id: payload.text("event.toolCallId"),
    };
    match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => heard.prompted(payload.text("event.prompt").unwrap_or_default()),
        Point::Gate => heard.calls(called()),
        Point::Result => heard.returns(called(), answered(payload)),
        Point::Compacting => heard.happens(Hook::PreCompact),
        Point::TurnEnd => heard.happens(Hook::TurnEnd),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Other => heard,
    }
}

fn answered(payload: &Payload) -> Answered {
    let parts = payload.at("event.content").and_then(Value::as_array);
    let texts: Vec<&str> =
        parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str()).collect();
    let failed = payload.at("event.isError").and_then(Value::as_bool).unwrap_or(false);
    let value = texts.join("\n");
    let error = failed.then(|| value.lines().next().unwrap_or_default().to_owned());
    Answered { value: value.into(), error, duration_ms: None }
}
