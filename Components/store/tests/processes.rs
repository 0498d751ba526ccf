//! Real processes: they share one quota, and they die at any moment.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and start processes")]

mod story;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mentci_authority::Quota;
use mentci_ledger::Delta;
use mentci_store::{CommitError, DegradedStore, LogQuery, SqliteOptions, SqliteStore, Store};
use story::{WINDOWS, allowed, call};

const QUOTA: Quota = Quota { per_session: Some(40), per_turn: None, per_exchange: None };

/// Runs this test program again as a process of its own that only does `role` on the store at `path`.
fn start(role: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture", "--quiet"])
        .env("STORE_TEST_ROLE", role)
        .env("STORE_TEST_PATH", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn role() {
    let (Ok(role), Ok(path)) = (std::env::var("STORE_TEST_ROLE"), std::env::var("STORE_TEST_PATH")) else {
        return;
    };
    match role.as_str() {
        "spend" => spend(Path::new(&path), Duration::from_secs(20)),
        "spend in haste" => spend(Path::new(&path), Duration::ZERO),
        "bring in" => bring_in(Path::new(&path)),
        role => write_on(Path::new(&path), role),
    }
}

/// As hooks do: opens, decides, commits and closes for each call, and says `spent` once that is acknowledged.
fn spend(path: &Path, busy: Duration) {
    for second in 0..60 {
        let mut store = DegradedStore::open(path, SqliteOptions { busy, ..Default::default() });
        let event = call("s1", "send", second);
        let record = allowed(&event, vec![Delta::Reserved { rule: "p/q".into() }]);
        let mut loaded = store.load("s1", WINDOWS).unwrap();
        while !loaded.view(&event).is_spent("p/q", &QUOTA) {
            if store.commit(&mut loaded, &record, None).is_ok() {
                say("spent");
                break;
            }
            store.refresh(&mut loaded).unwrap();
        }
    }
}

/// Brings in sessions as another process does at the same time, and says which it was told to be known.
fn bring_in(path: &Path) {
    let options = SqliteOptions { busy: Duration::from_secs(20), ..Default::default() };
    let mut store = DegradedStore::open(path, options);
    for number in 0..40 {
        let session = format!("s{number}");
        let records: Vec<_> =
            (0..9).map(|second| (allowed(&call(&session, "read", second), vec![]), None)).collect();
        if store.bring_in(&records).unwrap().is_none() {
            say(&session);
        }
    }
}

/// Commits numbered records for ever, and says each number once it is acknowledged. Every third one is vital.
fn write_on(path: &Path, name: &str) {
    let mut store = DegradedStore::open(path, SqliteOptions::default());
    for number in 0.. {
        let event = call("s1", &format!("{name}-{number}"), number);
        let deltas = if number % 3 == 0 { vec![Delta::Reserved { rule: "p/q".into() }] } else { vec![] };
        let mut loaded = store.load("s1", WINDOWS).unwrap();
        while store.commit(&mut loaded, &allowed(&event, deltas.clone()), Some("{}")).is_err() {
            store.refresh(&mut loaded).unwrap();
        }
        say(event.tool_name());
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "said {line}").unwrap();
    out.flush().unwrap();
}

fn heard(child: &mut Child) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| Some(line.split_once("said ")?.1.to_owned())).collect()
}

#[test]
fn processes_never_overspend_one_quota() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody made the store before: they race for that too.
    let path = folder.path().join("store.db");
    let mut children: Vec<Child> = (0..3).map(|_| start("spend", &path)).collect();
    let spent: usize = children.iter_mut().map(|child| heard(child).len()).sum();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let mut store = SqliteStore::open(&path, SqliteOptions::default()).unwrap();
    let loaded = store.load("s1", WINDOWS).unwrap();
    assert_eq!((spent, loaded.ledger.version()), (40, 40));
    assert_eq!(store.audit().unwrap().broken, None);
}

/// Who waits for nobody finds the store locked all the time, and holds what it decides beside those who commit.
#[test]
fn of_processes_that_bring_in_the_same_sessions_each_session_is_brought_in_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut children: Vec<Child> = (0..3).map(|_| start("bring in", &path)).collect();
    let said: Vec<String> = children.iter_mut().flat_map(heard).collect();
    let mut store = SqliteStore::open(&path, SqliteOptions::default()).unwrap();
    let rows = store.sessions().unwrap();
    assert_eq!((said.len(), rows.len()), (40, 40), "{said:?}");
    assert!(rows.iter().all(|row| row.version == 9), "{rows:?}");
    assert_eq!(store.audit().unwrap().broken, None);
}

#[test]
fn processes_that_hold_beside_others_that_commit_never_overspend() {
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        drop(SqliteStore::open(&path, SqliteOptions::default()).unwrap());
        let roles = ["spend in haste", "spend", "spend in haste", "spend"];
        let mut children: Vec<Child> = roles.iter().map(|role| start(role, &path)).collect();
        let spent: usize = children.iter_mut().map(|child| heard(child).len()).sum();
        for child in &mut children {
            assert!(child.wait().unwrap().success());
        }
        let mut store = DegradedStore::open(&path, SqliteOptions::default());
        let loaded = store.load("s1", WINDOWS).unwrap();
        assert_eq!((spent, loaded.ledger.version()), (40, 40));
        assert_eq!(store.audit().unwrap().broken, None);
    }
}

/// Decided before another process committed, and found locked afterwards.
#[test]
fn what_was_committed_meanwhile_is_counted_before_a_record_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let hasty = SqliteOptions { busy: Duration::ZERO, ..Default::default() };
    let [mut one, mut other] = [(), ()].map(|()| DegradedStore::open(&path, hasty.clone()));
    let record = allowed(&call("s1", "send", 1), vec![Delta::Reserved { rule: "p/q".into() }]);
    let mut mine = one.load("s1", WINDOWS).unwrap();
    let mut theirs = other.load("s1", WINDOWS).unwrap();
    other.commit(&mut theirs, &record, None).unwrap();
    let locker = rusqlite::Connection::open(&path).unwrap();
    locker.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(one.commit(&mut mine, &record, None), Err(CommitError::Conflict));
    one.refresh(&mut mine).unwrap();
    assert_eq!(mine.ledger.version(), 1);
    one.commit(&mut mine, &record, None).unwrap();
    locker.execute_batch("ROLLBACK").unwrap();
    other.refresh(&mut theirs).unwrap();
    assert_eq!(theirs.ledger.version(), 2);
}

#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut acknowledged = Vec::new();
    for round in 0..25_u64 {
        let (mut a, mut b) = (start(&format!("a{round}"), &path), start(&format!("b{round}"), &path));
        std::thread::sleep(Duration::from_millis(20 + round * 7));
        for child in [&mut a, &mut b] {
            let _ = child.kill();
        }
        for child in [&mut a, &mut b] {
            acknowledged.extend(heard(child));
            child.wait().unwrap();
        }
    }
    let mut store = SqliteStore::open(&path, SqliteOptions::default()).unwrap();
    assert_eq!(store.audit().unwrap().broken, None);
    let lines = store.log(&LogQuery { limit: Some(usize::MAX), ..LogQuery::of("s1") }).unwrap();
    let written: Vec<String> =
        lines.iter().map(|line| line.record.seen().unwrap().call.as_ref().unwrap().name.clone()).collect();
    assert!(!acknowledged.is_empty());
    for name in &acknowledged {
        assert_eq!(written.iter().filter(|written| *written == name).count(), 1, "{name}");
    }
    // At most one a process was written and not yet said.
    assert!(written.len() <= acknowledged.len() + 50, "{} {}", written.len(), acknowledged.len());
    let loaded = store.load("s1", WINDOWS).unwrap();
    assert_eq!(loaded.ledger.total_calls(), written.len() as u64);
}
