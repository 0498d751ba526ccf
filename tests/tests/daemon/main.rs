//! Stories with the daemon: the real process, over HTTP and its socket.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]
#![expect(clippy::unwrap_used, reason = "what a story's helpers cannot have ends the story")]

mod abuse;
mod access;
mod askers;
mod audit;
mod crash;
mod disk_full;
mod doors;
mod hooks;
mod lane;
mod law;
mod logs;
mod looks;
mod moment;
mod published;
mod repeat;
mod shield;
mod socket;
mod stream;
mod taken_away;
mod telemetry;
mod toggle;
mod unread;

use mentci_tests::Scratch;
use serde_json::{Value, json};

/// Rules that block, ask and redact.
const RULES: &str = "shield_name: house
version: 1
rules:
- id: no-drop
  when: {tool: sql, args_match: {query: {contains: drop table}}}
  then: block
  severity: high
  message: tables stay
- id: ask-deploy
  when: {tool: deploy}
  then: approve
  message: a person says whether it goes out
- id: no-mail
  when: {tool: send}
  then: redact
  message: addresses stay here
";

const SKILL: &str = "---
name: house
description: How the house is kept
---
# House

- You MUST run `cargo check` before you hand over.
";

/// A workspace with these rules, trusted, and a skill.
fn house() -> Scratch {
    let scratch = Scratch::new(&[(".pi/rules/house.yaml", RULES), (".pi/skills/house/SKILL.md", SKILL)]);
    scratch.must(&["trust"]);
    scratch
}

/// A token of the workspace's user.
fn token(workspace: &Scratch, name: &str, scope: &str) -> String {
    workspace.must(&["token", "new", name, "--scope", scope]).trim().to_owned()
}

/// A call, as `decide` takes it.
fn call(session: &str, tool: &str, args: &Value) -> Value {
    json!({"event": "pre_tool_call", "session": session, "tool": {"name": tool, "args": args}})
}
