//! What the stories share.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use mentci_authority::{At, Effect, Event, Hook, ToolCall};
use mentci_ledger::{Decided, Delta, Record, Windows, call_hash};
use mentci_store::{Answer, Store};
use serde_json::json;

pub const WINDOWS: Windows = Windows { longest_ms: 60_000 };

/// A call of `tool` at a second.
pub fn call(session: &str, tool: &str, second: i64) -> Event {
    let tool = ToolCall { name: tool.into(), args: json!({"n": 1}), ..ToolCall::default() };
    Event {
        session: session.into(),
        at: Some(At::utc(second * 1_000)),
        tool: Some(tool),
        ..Event::new(Hook::PreToolCall)
    }
}

pub fn allowed(event: &Event, deltas: Vec<Delta>) -> Record {
    Record::of(event, &Decided::allowed(), deltas)
}

pub fn asked(event: &Event, id: &str, expires_ms: i64) -> Record {
    let delta = Delta::Requested { approval: id.into(), rule: "p/ask".into(), expires_ms };
    Record::of(event, &Decided::new(Effect::Approve, ["p/ask"]), vec![delta])
}

pub fn hash_of(event: &Event) -> mentci_source::Hash {
    let tool = event.tool.as_ref().unwrap();
    call_hash(&tool.name, &tool.args)
}

pub fn yes(id: &str, second: i64) -> Answer {
    Answer {
        approval: id.into(),
        is_granted: true,
        by: "ada".into(),
        words: None,
        at: At::utc(second * 1_000),
    }
}

/// Commits what may conflict, as often as it takes.
pub fn commit(store: &mut dyn Store, record: &Record) {
    let mut loaded = store.load(&record.session, WINDOWS).unwrap();
    while store.commit(&mut loaded, record, None).is_err() {
        store.refresh(&mut loaded).unwrap();
    }
}
