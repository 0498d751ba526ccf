//! Events that are decided together add up to what they do one by one, whoever else writes meanwhile.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod story;

use mentci_authority::{At, Event, Quota, StateScope};
use mentci_ledger::{Delta, Record};
use mentci_store::{DegradedStore, Drafted, Loaded, LogQuery, SqliteOptions, SqliteStore, Store};
use proptest::prelude::*;
use serde_json::{Value, json};
use story::{WINDOWS, allowed, call, commit};

const QUOTA: Quota = Quota { per_session: Some(3), per_turn: None, per_exchange: None };

/// What happens next.
#[derive(Debug, Clone)]
enum Step {
    /// Calls arrive at the same time: their sessions and tools.
    Arrive(Vec<(u8, u8)>),
    /// Another process decides a call of a session.
    Other(u8),
    /// A person stops a session, or all of them.
    Kill(Option<u8>),
    /// A person switches something off.
    Set(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let arrive = prop::collection::vec((0..3_u8, 0..4_u8), 1..7).prop_map(Step::Arrive);
    let step = prop_oneof![
        6 => arrive,
        1 => (0..3_u8).prop_map(Step::Other),
        1 => prop::option::of(0..3_u8).prop_map(Step::Kill),
        1 => (0..2_u8).prop_map(Step::Set),
    ];
    prop::collection::vec(step, 1..12)
}

/// Decides by all that a session shows: a quota of its own, a count that all sessions share, and the kill switch.
fn judged(event: &Event, loaded: &Loaded) -> Record {
    let view = loaded.view(event);
    let mut deltas = Vec::new();
    if !view.is_spent("p/q", &QUOTA) && loaded.shared.killed.is_none() {
        deltas.push(Delta::Reserved { rule: "p/q".into() });
    }
    if event.tool_name() == "t3" {
        let count = loaded.shared.state("p", "count").and_then(Value::as_u64).unwrap_or(0);
        let (owner, key) = ("p".into(), "count".into());
        deltas.push(Delta::Set { scope: StateScope::Plugin, owner, key, value: json!(count + 1) });
    }
    allowed(event, deltas)
}

fn alone(store: &mut dyn Store, event: &Event) {
    let mut loaded = store.load(&event.session, WINDOWS).unwrap();
    loop {
        let record = judged(event, &loaded);
        match store.commit(&mut loaded, &record, None) {
            Ok(_) => return,
            Err(_) => store.refresh(&mut loaded).unwrap(),
        }
    }
}

fn together(store: &mut DegradedStore, events: &[Event]) {
    let mut rest = events;
    while let Some((first, _)) = rest.split_first() {
        let sessions: Vec<&str> = rest.iter().map(|event| event.session.as_str()).collect();
        let decided = store.decide_together(&sessions, WINDOWS, |number, loaded| {
            let event = &rest[number];
            let is_last = event.tool_name() == "t2";
            Drafted { record: judged(event, loaded), body: None, is_last }
        });
        let decided = decided.unwrap_or_else(|| {
            alone(store, first);
            1
        });
        rest = &rest[decided..];
    }
}

fn open(folder: &tempfile::TempDir, name: &str) -> DegradedStore {
    DegradedStore::open(&folder.path().join(name), SqliteOptions::default())
}

/// Everything that a store holds, but for hashes that cover one another.
fn held(store: &mut DegradedStore) -> impl PartialEq + std::fmt::Debug + use<> {
    let log: Vec<_> = store.log(&LogQuery::default()).unwrap().into_iter().map(|line| line.record).collect();
    let sessions = ["s0", "s1", "s2"].map(|session| store.load(session, WINDOWS).unwrap());
    (log, sessions, store.sessions().unwrap(), store.settings().unwrap(), store.audit().unwrap().broken)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_as_one_by_one(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let (mut grouped, mut single) = (open(&folder, "grouped.db"), open(&folder, "single.db"));
        for (second, step) in (1..).zip(steps) {
            match step {
                Step::Arrive(calls) => {
                    let event = |(session, tool): (u8, u8)| call(&format!("s{session}"), &format!("t{tool}"), second);
                    let events: Vec<Event> = calls.into_iter().map(event).collect();
                    together(&mut grouped, &events);
                    for event in &events {
                        alone(&mut single, event);
                    }
                }
                Step::Other(session) => {
                    for name in ["grouped.db", "single.db"] {
                        let mut other = SqliteStore::open(&folder.path().join(name), SqliteOptions::default()).unwrap();
                        alone(&mut other, &call(&format!("s{session}"), "t3", second));
                    }
                }
                Step::Kill(session) => {
                    let session = session.map(|session| format!("s{session}"));
                    for store in [&mut grouped, &mut single] {
                        store.kill(session.as_deref(), "stop", "ada", At::utc(second * 1_000)).unwrap();
                    }
                }
                Step::Set(key) => {
                    for store in [&mut grouped, &mut single] {
                        store.set("user", &format!("rules/p/r{key}/enabled"), Some(&json!(second))).unwrap();
                        let (now, read) = (store.settings().unwrap(), store.current_settings().unwrap());
                        prop_assert_eq!(&now[..], &read[..]);
                    }
                }
            }
        }
        prop_assert_eq!(held(&mut grouped), held(&mut single));
    }
}

#[test]
fn a_group_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder, "store.db");
    let path = folder.path().join("store.db");
    commit(&mut store, &allowed(&call("s0", "t0", 1), vec![]));
    let events = [call("s0", "t0", 2), call("s1", "t0", 2), call("s0", "t0", 2)];
    let sessions: Vec<&str> = events.iter().map(|event| event.session.as_str()).collect();
    let decided = store.decide_together(&sessions, WINDOWS, |number, loaded| {
        if number == 1 {
            // Somebody else writes in the meantime: of this group nothing stands.
            let mut other = SqliteStore::open(&path, SqliteOptions::default()).unwrap();
            commit(&mut other, &allowed(&call("s2", "t0", 2), vec![]));
        }
        Drafted { record: judged(&events[number], loaded), body: None, is_last: false }
    });
    assert_eq!(decided, None);
    assert_eq!(store.last().unwrap(), 2);
    let mut seen = Vec::new();
    let decided = store.decide_together(&sessions, WINDOWS, |number, loaded| {
        seen.push(loaded.ledger.version());
        Drafted { record: judged(&events[number], loaded), body: None, is_last: false }
    });
    assert_eq!((decided, seen), (Some(3), vec![1, 0, 2]), "each sees what those before it did");
    assert_eq!(store.audit().unwrap().broken, None);
}

#[test]
fn where_the_store_cannot_be_had_each_is_decided_on_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let busy = std::time::Duration::from_millis(1);
    let mut store = DegradedStore::open(&path, SqliteOptions { busy, ..SqliteOptions::default() });
    let locker = rusqlite::Connection::open(&path).unwrap();
    locker.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let event = call("s0", "t0", 1);
    let draft =
        |_: usize, loaded: &Loaded| Drafted { record: judged(&event, loaded), body: None, is_last: false };
    assert_eq!(store.decide_together(&["s0"], WINDOWS, draft), None);
    alone(&mut store, &event);
    locker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.decide_together(&["s0"], WINDOWS, draft), Some(1));
    assert_eq!(store.load("s0", WINDOWS).unwrap().ledger.version(), 2);
}
