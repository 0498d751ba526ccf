//! A store whose file is taken away while it is open: what was acknowledged is in the one that stands there.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_authority::At;
use mentci_ledger::{Act, Change, Deed, Record};
use mentci_store::{
    ApprovalQuery, ApprovalStatus, DegradedStore, LogQuery, SqliteOptions, SqliteStore, Store,
};
use serde_json::json;
use story::{WINDOWS, allowed, asked, call, commit, yes};

/// What it is called, what it does to the store, and how many lines there are then.
type Way<'w> = (&'w str, &'w dyn Fn(&Path), usize);

const KEY: &str = "rules/git/no-push/enabled";

fn quick() -> SqliteOptions {
    SqliteOptions { busy: Duration::from_millis(50), ..SqliteOptions::default() }
}

/// The store with what else SQLite keeps beside it.
fn files(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| PathBuf::from(format!("{}{suffix}", path.display())))
}

fn remove(path: &Path) {
    for file in files(path) {
        let _ = fs::remove_file(file);
    }
}

/// Two calls, a request that is granted, a rule that is switched off, and a stop.
fn acknowledged(store: &mut DegradedStore) {
    commit(store, &allowed(&call("s1", "read", 1), vec![]));
    commit(store, &allowed(&call("s2", "read", 2), vec![]));
    commit(store, &asked(&call("s1", "push", 3), "a1", 1_000_000));
    store.answer(&yes("a1", 4)).unwrap();
    switch(store, false);
    store.kill(Some("s2"), "incident", "ada", At::utc(6_000)).unwrap();
}

fn switch(store: &mut dyn Store, is_on: bool) {
    let change = Change::new(Deed::RuleSwitched, "git/no-push", "ada").to(is_on.into());
    let told = Record::act("", At::utc(5_000), Act::Changed(change));
    store.set_by("user", KEY, (!is_on).then_some(&json!(false)), &told).unwrap();
}

fn lines(store: &mut dyn Store) -> usize {
    store.log(&LogQuery::default()).unwrap().len()
}

fn granted(store: &mut dyn Store) -> bool {
    let rows = store.approvals(&ApprovalQuery::default()).unwrap();
    rows.len() == 1 && rows[0].status == ApprovalStatus::Granted
}

fn messages(store: &mut DegradedStore) -> Vec<String> {
    store
        .take_findings()
        .into_iter()
        .map(|finding| format!("{} {}", finding.code.id(), finding.message))
        .collect()
}

#[test]
fn what_was_acknowledged_is_written_into_the_one_that_stands_there() {
    let emptied = |path: &Path| fs::OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
    let without_folder = |path: &Path| fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let garbage = |path: &Path| {
        remove(path);
        fs::write(path, vec![0xa5; 60_000]).unwrap();
    };
    let begun = |path: &Path| {
        remove(path);
        commit(&mut SqliteStore::open(path, quick()).unwrap(), &allowed(&call("s3", "read", 9), vec![]));
    };
    let ways: [Way<'_>; 5] = [
        ("removed", &remove, 7),
        ("removed with its folder", &without_folder, 7),
        ("emptied", &emptied, 7),
        ("another that is none", &garbage, 7),
        ("begun by another process", &begun, 8),
    ];
    for (way, take_away, wanted) in ways {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own/store.db");
        let mut store = DegradedStore::open(&path, quick());
        acknowledged(&mut store);
        assert_eq!(messages(&mut store), [""; 0], "{way}");
        take_away(&path);
        let mut loaded = store.load("s1", WINDOWS).unwrap();
        assert_eq!(loaded.ledger.total_calls(), 2, "{way}");
        let committed = store.commit(&mut loaded, &allowed(&call("s1", "read", 10), vec![]), None).unwrap();
        assert!(committed.is_stored, "{way}");
        let said = messages(&mut store);
        assert_eq!(
            said.last().map(String::as_str),
            Some(
                "E0812 the store was removed, replaced or emptied while it was open; 6 records of it were taken over"
            ),
            "{way}: {said:?}"
        );
        // Both by who had it open and by who comes later.
        for other in [None, Some(SqliteStore::open(&path, quick()).unwrap())] {
            let mut other = other;
            let read: &mut dyn Store = match &mut other {
                Some(other) => other,
                None => &mut store,
            };
            assert_eq!((lines(read), granted(read)), (wanted, true), "{way}");
            assert_eq!(read.settings().unwrap().len(), 1, "{way}");
            assert!(read.sessions().unwrap().iter().any(|row| row.killed.is_some()), "{way}");
            assert_eq!(read.audit().unwrap().why, None, "{way}");
        }
        commit(&mut store, &allowed(&call("s1", "read", 11), vec![]));
        assert_eq!(messages(&mut store), [""; 0], "{way}: told once");
    }
}

#[test]
fn of_several_that_had_it_open_each_line_is_taken_over_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut stores = [DegradedStore::open(&path, quick()), DegradedStore::open(&path, quick())];
    acknowledged(&mut stores[0]);
    commit(&mut stores[1], &allowed(&call("s1", "read", 7), vec![]));
    remove(&path);
    for store in &mut stores {
        commit(store, &allowed(&call("s1", "read", 8), vec![]));
    }
    assert_eq!(stores.each_mut().map(|store| lines(store)), [9, 9]);
    assert_eq!(stores[1].audit().unwrap().why, None);
}

/// An older copy is put back: what came since is not lost, and what it has is not there twice.
#[test]
fn of_an_older_copy_the_rest_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("store.db"), folder.path().join("copy.db"));
    let mut store = DegradedStore::open(&path, quick());
    acknowledged(&mut store);
    rusqlite::Connection::open(&path).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    switch(&mut store, true);
    remove(&path);
    fs::rename(&copy, &path).unwrap();
    assert_eq!(store.settings().unwrap(), [], "the switch of the line that came since");
    assert_eq!((lines(&mut store), store.audit().unwrap().why), (7, None));
    assert!(messages(&mut store)[0].ends_with("1 record of it was taken over"));
}

#[test]
fn where_none_can_stand_the_one_that_was_open_is_read_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = DegradedStore::open(&path, quick());
    acknowledged(&mut store);
    remove(&path);
    fs::create_dir(&path).unwrap();
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    assert_eq!(loaded.ledger.total_calls(), 2);
    let committed = store.commit(&mut loaded, &allowed(&call("s1", "read", 10), vec![]), None).unwrap();
    assert!(!committed.is_stored || folder.path().join("store.db.held").exists());
    assert!(
        store.kill(None, "fire", "ada", At::utc(11_000)).is_err(),
        "nothing goes into a file without a name"
    );
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.total_calls(), 3);
    fs::remove_dir(&path).unwrap();
    store.flush().unwrap();
    assert_eq!((lines(&mut store), granted(&mut store)), (7, true));
    assert_eq!(lines(&mut SqliteStore::open(&path, quick()).unwrap()), 7);
}

/// The one that stands there by now is another process's for longer than it is waited for.
#[test]
fn until_it_can_be_written_what_was_acknowledged_is_read_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = DegradedStore::open(&path, quick());
    acknowledged(&mut store);
    remove(&path);
    commit(&mut SqliteStore::open(&path, quick()).unwrap(), &allowed(&call("s1", "read", 9), vec![]));
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.total_calls(), 2);
    commit(&mut store, &allowed(&call("s1", "read", 10), vec![]));
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.total_calls(), 3);
    drop(other);
    store.flush().unwrap();
    assert_eq!((lines(&mut store), store.audit().unwrap().why), (8, None));
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.total_calls(), 4);
}

/// Somebody made it smaller, as `VACUUM` does: that is no loss.
#[test]
fn a_store_that_became_shorter_and_is_sound_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = DegradedStore::open(&path, quick());
    let body = "x".repeat(100_000);
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    store.commit(&mut loaded, &allowed(&call("s1", "read", 1), vec![]), Some(&body)).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    assert_eq!(lines(&mut store), 1);
    other.execute_batch("UPDATE log SET body = NULL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 100_000);
    assert_eq!((lines(&mut store), messages(&mut store)), (1, vec![]));
    // The end of it is cut off: that is damage.
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(4_096).unwrap();
    commit(&mut store, &allowed(&call("s1", "read", 2), vec![]));
    assert!(folder.path().join("store.db.corrupt-1").exists(), "{:?}", messages(&mut store));
}
