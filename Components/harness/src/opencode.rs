//! opencode: a plugin of ours, which hands on what opencode hands it, as `{"input": …, "output": …}`.

use mentci_authority::Hook;
use mentci_host::{Harness, Moment};

use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;

/// The plugin's text.
pub(crate) const PLUGIN: &str = include_str!("../assets/opencode-mentci.ts");

pub(crate) fn hear(event: &str, payload: &Payload) -> Heard {
    let point = match event {
        "session.created" => Point::Begin { remembers: true },
        "chat.message" => Point::Prompt,
        "experimental.chat.system.transform" => Point::Compacted,
        "tool.execute.before" => Point::Gate,
        "tool.execute.after" => Point::Result,
        "experimental.session.compacting" => Point::Compacting,
        "session.idle" => Point::TurnEnd,
        "session.deleted" => Point::End,
        _ => Point::Other,
    };
    let session = payload.session(&["input.sessionID", "output.message.sessionID", "input.info.id"]);
    let mut heard = Heard::new(Harness::Opencode, point, session);
    // The whole text stands in the system prompt of each request, and nowhere else.
    heard.call.moment = (point == Point::Compacted).then_some(Moment::Sent);
    let called = |args| Called { name: payload.text("input.tool"), args, id: payload.text("input.callID") };
    match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => heard.prompted(&prompt(payload)),
        Point::Gate => heard.calls(called(value(payload, "output.args"))),
        Point::Result => heard.returns(called(value(payload, "input.args")), answered(payload)),
        Point::Compacting => heard.happens(Hook::PreCompact),
        Point::TurnEnd => heard.happens(Hook::TurnEnd),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Turn | Point::Other => heard,
    }
}

/// What the user said: the texts among the message's parts.
fn prompt(payload: &Payload) -> String {
    let parts = payload.at("output.parts").and_then(|parts| parts.as_array());
    let texts = parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn answered(payload: &Payload) -> Answered {
    let failed =
        payload.at("output.metadata.exit").and_then(serde_json::Value::as_i64).is_some_and(|exit| exit != 0);
    Answered {
        value: value(payload, "output.output"),
        error: failed.then(|| "the command failed".to_owned()),
        ..Answered::default()
    }
}
