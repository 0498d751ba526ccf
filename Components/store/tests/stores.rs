//! One table of stories, told to every store.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod story;

use std::ops::ControlFlow;

use mentci_authority::{At, Quota, StateScope};
use mentci_ledger::{Act, ApprovalState, Delta, Record, Windows};
use mentci_store::{
    AnswerError, ApprovalQuery, ApprovalStatus, CommitError, DegradedStore, LogQuery, MemoryStore,
    SqliteOptions, SqliteStore, Store,
};
use serde_json::json;
use story::{WINDOWS, allowed, asked, call, commit, hash_of, yes};

/// Tells the story to a fresh store of each kind; `reopen` gives the same store as another process would find it.
fn each(tell: impl Fn(&mut dyn Store)) {
    tell(&mut MemoryStore::default());
    let folder = tempfile::tempdir().unwrap();
    tell(&mut SqliteStore::open(&folder.path().join("deep/store.db"), SqliteOptions::default()).unwrap());
    let mut degraded = DegradedStore::open(&folder.path().join("other.db"), SqliteOptions::default());
    tell(&mut degraded);
    assert_eq!(degraded.take_findings(), []);
}

#[test]
fn what_is_committed_is_loaded() {
    each(|store| {
        for second in 1..=300 {
            commit(store, &allowed(&call("s1", "read", second), vec![]));
        }
        commit(store, &allowed(&call("s2", "read", 1), vec![]));
        let loaded = store.load("s1", WINDOWS).unwrap();
        assert_eq!((loaded.ledger.total_calls(), loaded.ledger.version()), (300, 300));
        assert_eq!(loaded.ledger.kept_calls(), 61, "both ends of the window");
        let sessions: Vec<_> =
            store.sessions().unwrap().into_iter().map(|row| (row.session, row.version)).collect();
        assert_eq!(sessions, [("s1".into(), 300), ("s2".into(), 1)]);
        assert_eq!(store.audit().unwrap().broken, None);
        assert_eq!(store.audit().unwrap().lines, 301);
    });
}

#[test]
fn a_batch_adds_up_to_what_its_records_do_one_by_one() {
    let mut kill = Record::act("s1", At::utc(7_000), Act::Killed { reason: "stop".into(), by: "ada".into() });
    kill.deltas =
        vec![Delta::Set { scope: StateScope::Plugin, owner: "p".into(), key: "k".into(), value: json!(1) }];
    let records: Vec<(Record, Option<String>)> = (1..=9)
        .map(|second| {
            (allowed(&call(if second % 3 == 0 { "s2" } else { "s1" }, "read", second), vec![]), None)
        })
        .chain([(kill, None), (asked(&call("s2", "pay", 10), "a1", 99_000), Some("{}".into()))])
        .collect();
    each(|store| {
        let folder = tempfile::tempdir().unwrap();
        let mut one_by_one =
            SqliteStore::open(&folder.path().join("store.db"), SqliteOptions::default()).unwrap();
        for record in &records {
            one_by_one.append(std::slice::from_ref(record)).unwrap();
        }
        store.append(&records).unwrap();
        assert_eq!(store.sessions().unwrap(), one_by_one.sessions().unwrap());
        assert_eq!(store.audit().unwrap(), one_by_one.audit().unwrap());
        assert_eq!(store.load("s2", WINDOWS).unwrap().ledger, one_by_one.load("s2", WINDOWS).unwrap().ledger);
        assert_eq!(store.approvals(&ApprovalQuery::default()).unwrap().len(), 1);
        let killed = store.sessions().unwrap().into_iter().find(|row| row.session == "s1").unwrap().killed;
        assert_eq!(killed.as_deref(), Some("stop"));
    });
}

#[test]
fn sessions_are_brought_in_once_and_all_or_none() {
    let of = |sessions: &[&str]| -> Vec<(Record, Option<String>)> {
        sessions.iter().map(|session| (allowed(&call(session, "read", 1), vec![]), None)).collect()
    };
    each(|store| {
        assert_eq!(store.bring_in(&of(&["s1", "s2", "s1"])), Ok(None));
        assert_eq!(store.bring_in(&of(&["s3", "s2"])), Ok(Some("s2".to_owned())));
        assert_eq!(store.bring_in(&of(&["s1"])), Ok(Some("s1".to_owned())));
        assert_eq!(store.bring_in(&of(&["s3"])), Ok(None));
        let rows = store.sessions().unwrap();
        let mut rows: Vec<_> = rows.iter().map(|row| (row.session.as_str(), row.version)).collect();
        rows.sort_unstable();
        assert_eq!(rows, [("s1", 2), ("s2", 1), ("s3", 1)]);
        assert_eq!(store.audit().unwrap().broken, None);
    });
}

#[test]
fn the_lines_of_a_session_are_walked_in_order() {
    each(|store| {
        let records: Vec<_> = (1..=50)
            .map(|second| {
                let session = if second % 2 == 0 { "s1" } else { "s2" };
                (
                    allowed(&call(session, "read", second), vec![]),
                    (second % 4 == 0).then(|| format!("body {second}")),
                )
            })
            .collect();
        store.append(&records).unwrap();
        let mut walked = Vec::new();
        let walk = |store: &mut dyn Store, after, walked: &mut Vec<(u64, Record, Option<String>)>, most| {
            walked.clear();
            store
                .walk("s1", after, &mut |line| {
                    let record = serde_json::from_str(line.record).unwrap();
                    walked.push((line.version, record, line.body.map(str::to_owned)));
                    if walked.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .unwrap();
        };
        walk(store, 0, &mut walked, usize::MAX);
        let lines: Vec<_> = store.log(&LogQuery::of("s1")).unwrap();
        let logged: Vec<_> = lines.into_iter().map(|line| (line.version, line.record, line.body)).collect();
        assert_eq!((walked.len(), &walked), (25, &logged));
        walk(store, 20, &mut walked, usize::MAX);
        assert_eq!(walked, logged[20..]);
        walk(store, 3, &mut walked, 2);
        assert_eq!(walked, logged[3..5]);
        walk(store, 25, &mut walked, 2);
        assert_eq!(walked, []);
    });
}

#[test]
fn a_longer_window_is_filled_from_the_log() {
    each(|store| {
        for second in 1..=300 {
            commit(store, &allowed(&call("s1", "read", second), vec![]));
        }
        let loaded = store.load("s1", Windows { longest_ms: 1_000_000 }).unwrap();
        assert_eq!(loaded.ledger.kept_calls(), 300);
    });
}

#[test]
fn of_two_that_loaded_the_same_one_commits() {
    each(|store| {
        let quota = Quota { per_session: Some(1), ..Quota::default() };
        let (mut a, mut b) = (store.load("s1", WINDOWS).unwrap(), store.load("s1", WINDOWS).unwrap());
        let event = call("s1", "send", 1);
        let record = allowed(&event, vec![Delta::Reserved { rule: "p/one".into() }]);
        assert!(!a.view(&event).is_spent("p/one", &quota) && !b.view(&event).is_spent("p/one", &quota));
        assert_eq!(store.commit(&mut a, &record, None).unwrap().version, 1);
        assert_eq!(store.commit(&mut b, &record, None), Err(CommitError::Conflict));
        store.refresh(&mut b).unwrap();
        assert!(b.view(&event).is_spent("p/one", &quota), "decided again, it is spent");
        assert_eq!(a.ledger, b.ledger);
    });
}

#[test]
fn an_approval_is_asked_granted_and_used_once() {
    each(|store| {
        let event = call("s1", "send", 1);
        commit(store, &asked(&event, "a1", 100_000));
        let waiting = store.approvals(&ApprovalQuery::pending(2_000)).unwrap();
        assert_eq!(
            (waiting.len(), waiting[0].tool.as_str(), &waiting[0].args),
            (1, "send", &json!({"n": 1}))
        );
        assert_eq!(store.answer(&yes("a2", 2)), Err(AnswerError::Unknown));
        assert_eq!(store.answer(&yes("a1", 2)).unwrap().status, ApprovalStatus::Granted);
        assert_eq!(store.answer(&yes("a1", 3)), Err(AnswerError::Settled(ApprovalStatus::Granted)));

        let mut loaded = store.load("s1", WINDOWS).unwrap();
        let retry = call("s1", "send", 4);
        assert_eq!(loaded.view(&retry).approval(&hash_of(&retry)).unwrap().state, ApprovalState::Granted);
        let using = allowed(&retry, vec![Delta::Used { approval: "a1".into() }]);
        store.commit(&mut loaded, &using, None).unwrap();
        assert_eq!(loaded.view(&retry).approval(&hash_of(&retry)), None);
        let all = store.approvals(&ApprovalQuery { now_ms: 5_000, ..ApprovalQuery::default() }).unwrap();
        assert_eq!(all[0].status, ApprovalStatus::Used);
    });
}

#[test]
fn an_approval_expires() {
    each(|store| {
        commit(store, &asked(&call("s1", "send", 1), "a1", 10_000));
        assert_eq!(store.approvals(&ApprovalQuery::pending(9_999)).unwrap().len(), 1);
        assert_eq!(store.approvals(&ApprovalQuery::pending(10_000)).unwrap().len(), 0);
        assert_eq!(store.answer(&yes("a1", 10)), Err(AnswerError::Settled(ApprovalStatus::Expired)));
    });
}

#[test]
fn a_denial_stands() {
    each(|store| {
        commit(store, &asked(&call("s1", "send", 1), "a1", 100_000));
        let mut no = yes("a1", 2);
        no.is_granted = false;
        assert_eq!(store.answer(&no).unwrap().status, ApprovalStatus::Denied);
        assert_eq!(store.answer(&yes("a1", 3)), Err(AnswerError::Settled(ApprovalStatus::Denied)));
        let event = call("s1", "send", 4);
        let loaded = store.load("s1", WINDOWS).unwrap();
        assert_eq!(loaded.view(&event).approval(&hash_of(&event)).unwrap().state, ApprovalState::Denied);
    });
}

#[test]
fn the_kill_switch_stops_one_or_all_and_conflicts_with_what_was_decided_before() {
    each(|store| {
        let event = call("s1", "read", 1);
        let mut before = store.load("s1", WINDOWS).unwrap();
        store.kill(None, "incident", "ada", At::utc(1_000)).unwrap();
        assert_eq!(store.commit(&mut before, &allowed(&event, vec![]), None), Err(CommitError::Conflict));
        assert_eq!(store.load("s9", WINDOWS).unwrap().view(&event).killed(), Some("incident"));
        store.kill(Some("s1"), "this one", "ada", At::utc(2_000)).unwrap();
        store.resume(None, "ada", At::utc(3_000)).unwrap();
        assert_eq!(store.killed().unwrap(), None);
        assert_eq!(store.load("s1", WINDOWS).unwrap().view(&event).killed(), Some("this one"));
        assert_eq!(store.load("s9", WINDOWS).unwrap().view(&event).killed(), None);
        assert_eq!(store.sessions().unwrap()[0].killed.as_deref(), Some("this one"));
        store.resume(Some("s1"), "ada", At::utc(4_000)).unwrap();
        assert_eq!(store.load("s1", WINDOWS).unwrap().view(&event).killed(), None);
    });
}

#[test]
fn what_plugins_keep_outlives_sessions() {
    each(|store| {
        let set =
            |key: &str, scope| Delta::Set { scope, owner: "shop".into(), key: key.into(), value: json!([1]) };
        let deltas = vec![set("seen", StateScope::Plugin), set("here", StateScope::Session)];
        let mut other = store.load("s2", WINDOWS).unwrap();
        commit(store, &allowed(&call("s1", "read", 1), deltas));
        store.refresh(&mut other).unwrap();
        assert_eq!(other.shared.state("shop", "seen"), Some(&json!([1])));
        assert_eq!(other.ledger.variable("here"), None);
        assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.variable("here"), Some(&json!([1])));
        // Null is nothing: the key is forgotten, also by who reads the store anew.
        let forgotten = Delta::Set {
            scope: StateScope::Plugin,
            owner: "shop".into(),
            key: "seen".into(),
            value: json!(null),
        };
        commit(store, &allowed(&call("s1", "read", 2), vec![forgotten]));
        store.refresh(&mut other).unwrap();
        assert_eq!(other.shared.state("shop", "seen"), None);
        assert_eq!(store.load("s3", WINDOWS).unwrap().shared.state("shop", "seen"), None);
    });
}

#[test]
fn settings_by_layer_and_key() {
    each(|store| {
        let before = store.settings_version().unwrap();
        store.set("user", "rules/p/a/enabled", Some(&json!(false))).unwrap();
        store.set("user", "rules/p/a/enabled", Some(&json!(true))).unwrap();
        store.set("user", "rules/p/b/enabled", Some(&json!(true))).unwrap();
        store.set("user", "rules/p/b/enabled", None).unwrap();
        let found = store.settings().unwrap();
        assert_eq!((found.len(), &found[0].value), (1, &json!(true)));
        assert!(store.settings_version().unwrap() > before);
    });
}

#[test]
fn the_log_is_read_in_order_and_in_parts() {
    each(|store| {
        let mut loaded = store.load("s1", WINDOWS).unwrap();
        for second in 1..=5 {
            let event = call("s1", "read", second);
            store.commit(&mut loaded, &allowed(&event, vec![]), Some(r#"{"whole":1}"#)).unwrap();
            commit(store, &allowed(&call("s2", "read", second), vec![]));
        }
        let lines = store.log(&LogQuery { after: 4, limit: Some(2), ..LogQuery::of("s1") }).unwrap();
        let versions: Vec<_> = lines.iter().map(|line| (line.seq, line.version)).collect();
        assert_eq!(versions, [(5, 3), (7, 4)]);
        assert_eq!(lines[0].body.as_deref(), Some(r#"{"whole":1}"#));
        assert_eq!(store.log(&LogQuery::default()).unwrap().len(), 10);
    });
}
