//! What cannot be read or written: what happened before is unknown and it is said so, and a grant is used by one call alone.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::fs;
use std::path::Path;
use std::time::Duration;

use mentci_ledger::Delta;
use mentci_store::{CommitError, DegradedStore, SqliteOptions, SqliteStore, Store, StoreError};
use rusqlite::Connection;
use story::{WINDOWS, allowed, asked, call, commit, hash_of, yes};

/// What stands in the store's place, and why it cannot be read.
type Way<'w> = (&'w dyn Fn(&Path), &'w str);

fn quick() -> SqliteOptions {
    SqliteOptions { busy: Duration::from_millis(30), ..SqliteOptions::default() }
}

/// A store in which two calls of the session `s1` stand.
fn used(path: &Path) {
    let mut store = SqliteStore::open(path, quick()).unwrap();
    (1..=2).for_each(|second| commit(&mut store, &allowed(&call("s1", "read", second), vec![])));
    drop(store);
    // All of it is in the one file.
    Connection::open(path).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

/// The store's file is another, until it is given back.
fn instead(path: &Path, put: impl Fn(&Path)) -> impl FnOnce() {
    let (path, kept) = (path.to_owned(), path.with_file_name("kept.db"));
    fs::rename(&path, &kept).unwrap();
    put(&path);
    move || {
        let _ = fs::remove_dir(&path);
        let _ = fs::remove_file(&path);
        fs::rename(&kept, &path).unwrap();
    }
}

#[test]
fn what_is_there_and_cannot_be_read_is_told_and_what_is_not_there_is_nothing() {
    let newer = |path: &Path| {
        drop(SqliteStore::open(path, quick()).unwrap());
        Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    };
    let folder = |path: &Path| fs::create_dir(path).unwrap();
    let ways: [Way<'_>; 2] = [
        (&folder, "the store cannot be opened or written (E0813)"),
        (&newer, "the store has format 99, and this version knows 1 (E0802)"),
    ];
    for (put, why) in ways {
        let own = tempfile::tempdir().unwrap();
        let path = own.path().join("store.db");
        used(&path);
        let give_back = instead(&path, put);
        let mut store = DegradedStore::open(&path, quick());
        let mut loaded = store.load("s1", WINDOWS).unwrap();
        assert_eq!(loaded.shared.unread.as_deref(), Some(why));
        assert_eq!(store.unread().as_deref(), Some(why));
        store.commit(&mut loaded, &allowed(&call("s1", "read", 3), vec![]), None).unwrap();
        let held = store.load("s1", WINDOWS).unwrap();
        assert_eq!(
            (held.ledger.total_calls(), held.shared.unread.as_deref()),
            (1, Some(why)),
            "what is held"
        );
        give_back();
        let known = store.load("s1", WINDOWS).unwrap();
        assert_eq!(
            (known.ledger.total_calls(), known.shared.unread),
            (3, None),
            "all of it, as soon as it can be"
        );
        assert_eq!(store.unread(), None);
        // Whoever loaded before commits nothing by what was not known then.
        store.refresh(&mut loaded).unwrap();
        assert_eq!((loaded.ledger.total_calls(), loaded.shared.unread), (3, None));
    }
}

#[test]
fn where_no_store_is_or_was_read_before_nothing_is_unread() {
    let own = tempfile::tempdir().unwrap();
    let closed = own.path().join("closed");
    fs::write(&closed, "").unwrap();
    let mut none = DegradedStore::open(&closed.join("store.db"), quick());
    assert_eq!(none.load("s1", WINDOWS).unwrap().shared.unread, None, "nothing ever happened");
    let empty = own.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    assert_eq!(DegradedStore::open(&empty, quick()).unread(), None);
    // What another process holds is read all the same.
    let path = own.path().join("store.db");
    used(&path);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut store = DegradedStore::open(&path, quick());
    let loaded = store.load("s1", WINDOWS).unwrap();
    assert_eq!((loaded.ledger.total_calls(), loaded.shared.unread), (2, None));
}

/// A grant, and a store that another process holds for longer than it is waited for.
#[test]
fn a_grant_is_not_used_where_its_use_can_be_written_nowhere() {
    let own = tempfile::tempdir().unwrap();
    let path = own.path().join("store.db");
    let event = call("s1", "send", 1);
    let mut store = DegradedStore::open(&path, quick());
    commit(&mut store, &asked(&event, "a-1", 60_000));
    store.answer(&yes("a-1", 2)).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let held = own.path().join("store.db.held");
    let _ = fs::remove_dir_all(&held);
    fs::write(&held, "").unwrap();
    let used = allowed(&call("s1", "send", 3), vec![Delta::Used { approval: "a-1".into() }]);
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    assert_eq!(store.commit(&mut loaded, &used, None), Err(CommitError::Store(StoreError::Locked)));
    let still = |store: &mut DegradedStore| {
        store.load("s1", WINDOWS).unwrap().ledger.approval(&hash_of(&event), 3_000).is_some()
    };
    assert!(still(&mut store) && store.unsaved() == 0);
    // Into a file of its own it is written.
    fs::remove_file(&held).unwrap();
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    assert!(store.commit(&mut loaded, &used, None).unwrap().is_stored);
    assert!(!still(&mut store) && !still(&mut DegradedStore::open(&path, quick())));
}
