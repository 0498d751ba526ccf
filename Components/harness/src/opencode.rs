//! opencode: a plugin of ours, which hands on what opencode hands it, as `{"input": …, "output": …}`.

use mentci_authority::Hook;
use mentci_host::{Harness, Moment};
use serde_json::Value;

use crate::heard::{Answered, Called, Heard, Point, value};
use crate::payload::Payload;
use crate::server_tool::by_servers;

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
    let name = payload.text("input.tool").map(|name| by_servers(name, &servers(payload)));
    let called = |args| Called {
        name: name.clone(),
        args: value(payload, args),
        told: payload.told(args),
        id: payload.text("input.callID"),
    };
    match point {
        Point::Begin { .. } => heard.happens(Hook::SessionStart),
        Point::Prompt => heard.prompted(&prompt(payload)),
        Point::Gate => heard.calls(called("output.args")),
        Point::Result => heard.returns(called("input.args"), answered(payload)),
        Point::Compacting => heard.happens(Hook::PreCompact),
        Point::TurnEnd => heard.happens(Hook::TurnEnd),
        Point::End => heard.happens(Hook::SessionEnd),
        Point::Compacted | Point::Turn | Point::Other => heard,
    }
}

/// What a tool answered: the text of opencode's own; of a server's tool the one text that it gave, else all that it gave.
fn said(output: &Value) -> Value {
    let Some(content) = output.get("content") else {
        return output.get("output").cloned().unwrap_or_default();
    };
    let more: Vec<&str> =
        ["output", "structuredContent"].into_iter().filter(|name| output.get(name).is_some()).collect();
    let one = content.as_array().filter(|parts| more.is_empty() && parts.len() == 1);
    let text = one.and_then(|parts| parts[0].get("text")?.as_str());
    match text {
        Some(text) => text.into(),
        None if more.is_empty() => content.clone(),
        None => {
            let all = more.into_iter().chain(["content"]);
            all.filter_map(|name| Some((name.to_owned(), output.get(name)?.clone()))).collect()
        }
    }
}

/// What the user said: the texts among the message's parts.
fn prompt(payload: &Payload) -> String {
    let parts = payload.at("output.parts").and_then(|parts| parts.as_array());
    let texts = parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// The servers whose tools the agent has, as the plugin tells them.
fn servers(payload: &Payload) -> Vec<&str> {
    let servers = payload.at("servers").and_then(Value::as_array).into_iter().flatten();
    servers.filter_map(Value::as_str).collect()
}

fn answered(payload: &Payload) -> Answered {
    let failed = payload.at("output.metadata.exit").and_then(Value::as_i64).is_some_and(|exit| exit != 0);
    let says_so = payload.at("output.isError").and_then(Value::as_bool).unwrap_or(false);
    let error = failed.then_some("the command failed").or(says_so.then_some("the tool says that it failed"));
    Answered {
        value: payload.at("output").map(said).unwrap_or_default(),
        error: error.map(str::to_owned),
        ..Answered::default()
    }
}
