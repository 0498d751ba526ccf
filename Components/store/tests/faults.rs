//! Locked, full, damaged, newer, forbidden: decisions go on, it is said, and nothing that was acknowledged is lost.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use mentci_authority::At;
use mentci_ledger::{Act, Change, Deed, Delta, Record, Windows};
use mentci_store::{
    AuditFault, CommitError, DegradedStore, LogQuery, SqliteOptions, SqliteStore, Store, StoreError,
    audit_hash,
};
use rusqlite::{Connection, params};
use serde_json::json;
use story::{WINDOWS, allowed, asked, call, commit, hash_of, yes};

fn quick() -> SqliteOptions {
    SqliteOptions { busy: Duration::from_millis(30), ..SqliteOptions::default() }
}

fn total(path: &Path, session: &str) -> u64 {
    let mut store = SqliteStore::open(path, SqliteOptions::default()).unwrap();
    assert_eq!(store.audit().unwrap().broken, None);
    store.load(session, WINDOWS).unwrap().ledger.total_calls()
}

/// Holds the write lock as a process that hangs would.
fn hang(path: &Path) -> Connection {
    let other = Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

#[test]
fn a_locked_store_is_decided_around_and_caught_up_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = DegradedStore::open(&path, quick());
    commit(&mut store, &allowed(&call("s1", "read", 1), vec![]));
    let other = hang(&path);

    let mut loaded = store.load("s1", WINDOWS).unwrap();
    let mut behind = loaded.clone();
    let reserved = vec![Delta::Reserved { rule: "p/q".into() }];
    let committed =
        store.commit(&mut loaded, &allowed(&call("s1", "read", 2), reserved.clone()), None).unwrap();
    assert!(committed.is_stored, "in a file of its own");
    assert_eq!(store.unsaved(), 0);
    let findings: Vec<String> = store.take_findings().iter().map(|finding| finding.message.clone()).collect();
    insta::assert_debug_snapshot!(findings, @r#"
    [
        "another process holds the store",
        "a decision could not be written into the store; it is held in a file of its own",
    ]
    "#);
    // What is held counts: for who has an older view, and for another process.
    let record = allowed(&call("s1", "read", 3), reserved);
    assert_eq!(store.commit(&mut behind, &record, None), Err(CommitError::Conflict));
    let mut second = DegradedStore::open(&path, quick());
    assert_eq!(second.load("s1", WINDOWS).unwrap().ledger.total_calls(), 2);
    // A person is told.
    assert_eq!(store.kill(None, "stop", "ada", At::utc(0)), Err(StoreError::Locked));

    drop(other);
    store.flush().unwrap();
    second.flush().unwrap();
    assert_eq!(total(&path, "s1"), 2, "written once");
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger, loaded.ledger);
    commit(&mut store, &record);
    assert_eq!(total(&path, "s1"), 3);
}

#[test]
fn processes_that_cannot_have_the_store_do_not_overspend() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(DegradedStore::open(&path, quick()));
    let other = hang(&path);
    let record = |second| allowed(&call("s1", "send", second), vec![Delta::Reserved { rule: "p/q".into() }]);
    // Each looks before any of them writes, as hooks of one batch of calls do.
    let mut each: Vec<(DegradedStore, _)> = (0..4)
        .map(|_| {
            let mut store = DegradedStore::open(&path, quick());
            let loaded = store.load("s1", WINDOWS).unwrap();
            (store, loaded)
        })
        .collect();
    let first = |(store, loaded): &mut (DegradedStore, _)| store.commit(loaded, &record(1), None).is_ok();
    let done: Vec<bool> = each.iter_mut().map(first).collect();
    assert_eq!(done, [true, false, false, false]);
    for (count, (store, loaded)) in each.iter_mut().enumerate().skip(1) {
        while store.commit(loaded, &record(2), None).is_err() {
            store.refresh(loaded).unwrap();
        }
        assert_eq!(loaded.ledger.total_calls(), count as u64 + 1, "each sees all before it");
    }
    drop(other);
    each[0].0.flush().unwrap();
    assert_eq!(total(&path, "s1"), 4);
}

#[test]
fn what_anybody_may_have_written_grants_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut own = DegradedStore::open(&path, quick());
    own.set("user", "rules/p/a/enabled", Some(&json!(false))).unwrap();
    let event = call("s1", "send", 1);
    commit(&mut own, &asked(&event, "a-1", 60_000));
    own.answer(&yes("a-1", 2)).unwrap();
    let hash = hash_of(&event);
    assert!(own.load("s1", WINDOWS).unwrap().ledger.approval(&hash, 0).is_some());
    assert_eq!((own.settings().unwrap().len(), own.distrusted()), (1, 0));
    drop(own);

    let mut foreign = DegradedStore::open(&path, SqliteOptions { is_foreign: true, ..quick() });
    let loaded = foreign.load("s1", WINDOWS).unwrap();
    assert!(loaded.ledger.approval(&hash, 0).is_none());
    assert_eq!(loaded.ledger.total_calls(), 1, "what happened counts");
    assert_eq!((foreign.settings().unwrap().len(), foreign.distrusted()), (0, 2));
}

#[test]
fn what_a_process_held_that_died_is_taken_in_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = DegradedStore::open(&path, quick());
    let other = hang(&path);
    for second in 1..=3 {
        commit(&mut store, &allowed(&call("s1", "read", second), vec![]));
    }
    drop(store);
    drop(other);
    let mut next = DegradedStore::open(&path, quick());
    assert_eq!(next.load("s1", WINDOWS).unwrap().ledger.total_calls(), 3);
    assert_eq!(next.log(&LogQuery::of("s1")).unwrap().len(), 3);
    assert_eq!(std::fs::read_dir(folder.path().join("store.db.held")).unwrap().count(), 0);
}

#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = SqliteStore::open(&path, quick()).unwrap();
    // SQLite's own bound on pages fails as a disk without room does.
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    store.limit_pages(1);
    let body = "x".repeat(200_000);
    let result = store.commit(&mut loaded, &allowed(&call("s1", "read", 1), vec![]), Some(&body));
    assert_eq!(result, Err(CommitError::Store(StoreError::Full)));
    assert_eq!(loaded.ledger.version(), 0);
    drop(store);
    assert_eq!(total(&path, "s1"), 0, "nothing half-written");
}

#[test]
fn a_damaged_store_is_set_aside_never_deleted() {
    for (number, damage) in [b"not a database at all".to_vec(), vec![0xff; 8192]].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        std::fs::write(&path, &damage).unwrap();
        let mut store = DegradedStore::open(&path, quick());
        commit(&mut store, &allowed(&call("s1", "read", 1), vec![]));
        assert_eq!(std::fs::read(folder.path().join("store.db.corrupt-1")).unwrap(), damage, "{number}");
        let findings: Vec<String> =
            store.take_findings().iter().map(|finding| finding.message.clone()).collect();
        assert_eq!(
            findings,
            [
                "the store was damaged; it is set aside as `store.db.corrupt-1`, and nothing in it could be read"
            ]
        );
        drop(store);
        assert_eq!(total(&path, "s1"), 1);
    }
}

/// Two hundred calls and a kill switch in one file, damaged by `damage`.
fn damaged(path: &Path, damage: impl Fn(&mut Vec<u8>)) {
    let mut store = DegradedStore::open(path, quick());
    store.kill(None, "incident", "ada", At::utc(0)).unwrap();
    for second in 1..=200 {
        commit(&mut store, &allowed(&call("s1", "read", second), vec![]));
    }
    store.set("user", "rules/p/a/enabled", Some(&serde_json::json!(false))).unwrap();
    drop(store);
    Connection::open(path).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    damage(&mut bytes);
    std::fs::write(path, &bytes).unwrap();
}

#[test]
fn a_store_that_is_damaged_throughout_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    damaged(&path, |bytes| bytes[1024..].fill(0xa5));
    let mut store = DegradedStore::open(&path, quick());
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    store.commit(&mut loaded, &allowed(&call("s1", "read", 201), vec![]), None).unwrap();
    assert!(folder.path().join("store.db.corrupt-1").exists());
    drop(store);
    assert_eq!(total(&path, "s1"), 1);
}

/// One page of the log, wherever it stands, takes no more than its own records with it.
#[test]
fn what_stands_behind_the_damage_is_taken_over_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let page = std::cell::Cell::new(0);
    damaged(&path, |bytes| {
        let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
        // A leaf of a table whose cells tell of reads: the one in the middle of them.
        let leaves: Vec<usize> = (1..bytes.len() / size)
            .filter(|at| {
                bytes[at * size] == 0x0d && bytes[at * size..(at + 1) * size].windows(4).any(|w| w == b"read")
            })
            .collect();
        let at = leaves[leaves.len() / 2];
        bytes[at * size..(at + 1) * size].fill(0xa5);
        page.set(leaves.len());
    });
    let mut store = DegradedStore::open(&path, quick());
    let mut loaded = store.load("s1", WINDOWS).unwrap();
    store.commit(&mut loaded, &allowed(&call("s1", "read", 201), vec![]), None).unwrap();
    drop(store);
    let (kept, pages) = (total(&path, "s1"), page.get() as u64);
    assert!(pages > 4 && kept >= 200 - 2 * 200 / pages, "{kept} of 201 records, of {pages} pages");
}

#[test]
fn what_can_be_read_of_a_damaged_store_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    damaged(&path, |bytes| {
        let from = bytes.len() / 2;
        let to = from + 16 * 1024;
        bytes[from..to].fill(0xa5);
    });
    let mut store = DegradedStore::open(&path, quick());
    let mut loaded = store.load("s1", Windows { longest_ms: 1_000_000 }).unwrap();
    store.commit(&mut loaded, &allowed(&call("s1", "read", 201), vec![]), None).unwrap();
    assert!(folder.path().join("store.db.corrupt-1").exists());
    let findings: Vec<String> = store.take_findings().iter().map(|finding| finding.message.clone()).collect();
    assert!(findings.iter().any(|message| message.contains("taken over")), "{findings:?}");
    assert_eq!(store.killed().unwrap().as_deref(), Some("incident"), "the kill switch still holds");
    drop(store);
    assert!(total(&path, "s1") > 20);
}

#[test]
fn a_newer_store_is_refused_and_left_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(SqliteStore::open(&path, quick()).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = SqliteStore::open(&path, quick()).unwrap_err();
    insta::assert_snapshot!(error.finding("store.db"), @r"
    store.db: error[E0802]: the store has format 99, and this version knows 1
      help: upgrade `policy-engine`
    ");
    let mut store = DegradedStore::open(&path, quick());
    commit(&mut store, &allowed(&call("s1", "read", 1), vec![]));
    assert_eq!(store.error(), Some(&error));
    assert!(!folder.path().join("store.db.corrupt-1").exists());
}

#[test]
fn a_folder_that_may_not_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    // A file where the folder should be: forbidden for everybody, root included.
    std::fs::write(&closed, "").unwrap();
    let mut store = DegradedStore::open(&closed.join("store.db"), quick());
    let mut loaded = store.load("s1", Windows::default()).unwrap();
    let committed = store.commit(&mut loaded, &allowed(&call("s1", "read", 1), vec![]), None).unwrap();
    assert!(!committed.is_stored && store.unsaved() == 1);
    assert_eq!(store.load("s1", Windows::default()).unwrap().ledger.total_calls(), 1);
    assert!(matches!(store.error(), Some(StoreError::Denied(_))), "{:?}", store.error());
    // The way is free again: what was held in memory is written.
    std::fs::remove_file(&closed).unwrap();
    store.flush().unwrap();
    assert_eq!((store.unsaved(), total(&closed.join("store.db"), "s1")), (0, 1));
}

#[test]
fn a_store_is_for_its_user_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(SqliteStore::open(&path, quick()).unwrap());
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

#[test]
fn a_changed_line_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = SqliteStore::open(&path, quick()).unwrap();
    for second in 1..=5 {
        commit(&mut store, &allowed(&call("s1", "read", second), vec![]));
    }
    commit(&mut store, &allowed(&call("s2", "read", 6), vec![]));
    let tampers = [
        (
            "UPDATE log SET record = replace(record, 'allow', 'block') WHERE seq = 3",
            3,
            "is not what was written",
        ),
        ("UPDATE log SET body = '{}' WHERE seq = 3", 3, "is not what was written"),
        ("DELETE FROM log WHERE seq = 2", 2, "is missing"),
        ("DELETE FROM log WHERE seq = 6", 6, "is missing"),
        ("UPDATE log SET session = 's2', version = 9 WHERE seq = 5", 5, "is not what was written"),
        ("UPDATE log SET session = 's3' WHERE seq = 6", 6, "written for another session"),
        ("UPDATE log SET session = 'S1' WHERE seq = 2", 2, "written for another session"),
        ("UPDATE sessions SET version = 9 WHERE session = 's1'", 7, "5 lines of `s1`, where 9 were written"),
        ("DELETE FROM sessions WHERE session = 's2'", 7, "1 lines of `s2`, where 0 were written"),
        ("INSERT INTO sessions VALUES ('s3', 4, 0, 0, NULL, 0)", 7, "0 lines of `s3`, where 4 were written"),
    ];
    for (tamper, broken, said) in tampers {
        let copy = folder.path().join("copy.db");
        let _ = std::fs::remove_file(&copy);
        Connection::open(&path).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
        Connection::open(&copy).unwrap().execute_batch(tamper).unwrap();
        let audit = SqliteStore::open(&copy, quick()).unwrap().audit().unwrap();
        assert_eq!(audit.broken, Some(broken), "{tamper}");
        assert!(audit.to_string().contains(said), "{tamper}: {audit}");
    }
}

/// Whoever knows how hashes are made can write a line that holds by itself: it still stands in an order.
#[test]
fn a_forged_line_must_follow_the_one_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = SqliteStore::open(&path, quick()).unwrap();
    for second in 1..=2 {
        commit(&mut store, &allowed(&call("s1", "read", second), vec![]));
    }
    let forged = |version: u32| {
        let lines = SqliteStore::open(&path, quick()).unwrap().log(&LogQuery::default()).unwrap();
        let record = serde_json::to_string(&lines[1].record).unwrap();
        let hash = audit_hash(Some(lines[0].hash), 2, version.into(), &record, None);
        let connection = Connection::open(&path).unwrap();
        let bytes = hash.as_bytes();
        connection
            .execute("UPDATE log SET version = ?1, hash = ?2 WHERE seq = 2", params![version, bytes])
            .unwrap();
        connection.execute("UPDATE head SET hash = ?1", [bytes]).unwrap();
        SqliteStore::open(&path, quick()).unwrap().audit().unwrap()
    };
    assert_eq!(forged(9).why, Some(AuditFault::OutOfOrder));
    assert_eq!(forged(2).why, None);
}

#[test]
fn the_write_ahead_log_stays_small_when_each_process_is_the_only_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    for second in 1..=150 {
        let mut store = SqliteStore::open(&path, quick()).unwrap();
        commit(&mut store, &allowed(&call("s1", "read", second), vec![]));
    }
    let size = std::fs::metadata(folder.path().join("store.db-wal")).unwrap().len();
    assert!(size < 400_000, "{size}");
    assert_eq!(total(&path, "s1"), 150);
}

#[test]
fn a_session_that_was_kept_takes_in_what_others_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut stores = [DegradedStore::open(&path, quick()), DegradedStore::open(&path, quick())];
    for second in 1..=6_u32 {
        // Each of them twice in a row.
        let store = &mut stores[usize::from(second % 4 > 1)];
        let mut loaded = store.load("s1", WINDOWS).unwrap();
        assert_eq!(loaded.ledger.total_calls() + 1, u64::from(second));
        let record = allowed(&call("s1", "read", i64::from(second)), vec![]);
        store.commit(&mut loaded, &record, None).unwrap();
        store.keep(loaded);
    }
    // A log that is no longer what was kept.
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("DELETE FROM log; DELETE FROM sessions; UPDATE head SET seq = 0, hash = NULL")
        .unwrap();
    let mut loaded = stores[0].load("s1", WINDOWS).unwrap();
    let record = allowed(&call("s1", "read", 7), vec![]);
    assert_eq!(stores[0].commit(&mut loaded, &record, None), Err(CommitError::Conflict));
    let mut loaded = stores[0].load("s1", WINDOWS).unwrap();
    assert_eq!(loaded.ledger.total_calls(), 0, "all of it is read again");
    stores[0].commit(&mut loaded, &record, None).unwrap();
}

/// What stands beside the log is what the log makes of it: settings that people changed, and sessions as they are kept.
#[test]
fn settings_and_snapshots_that_were_changed_by_hand_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut store = SqliteStore::open(&path, quick()).unwrap();
    let change = |deed: Deed, of: &str, to: serde_json::Value| {
        Record::act("", At::utc(1_000), Act::Changed(Change::new(deed, of, "ada").to(to)))
    };
    let off = change(Deed::RuleSwitched, "git/no-push", json!(false));
    store.set_by("user", "rules/git/no-push/enabled", Some(&json!(false)), &off).unwrap();
    let set = change(Deed::RuleSet, "git/no-push/limit", json!(7));
    store.set_by("user", "rules/git/no-push/parameters/limit", Some(&json!(7)), &set).unwrap();
    let on = change(Deed::PluginSwitched, "tidy", json!(true));
    store.set_by("user", "plugins/tidy/enabled", None, &on).unwrap();
    for second in 1..=600 {
        commit(&mut store, &allowed(&call("s1", "read", second), vec![]));
    }
    assert_eq!(store.audit().unwrap().why, None);
    let kept: u32 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM snapshots", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1, "the session is long enough to be kept");
    drop(store);
    let with = |changed: &str| {
        let copy = folder.path().join("copy.db");
        let _ = std::fs::remove_file(&copy);
        Connection::open(&path).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
        Connection::open(&copy).unwrap().execute_batch(changed).unwrap();
        SqliteStore::open(&copy, quick()).unwrap().audit().unwrap()
    };
    // One that an older version left is not read, and no fault.
    assert_eq!(with("UPDATE snapshots SET format = 1, ledger = '{\"calls\": 3}'").why, None);
    for (tamper, said) in [
        (
            "INSERT INTO settings VALUES ('user', 'rules/git/no-rm/enabled', 'false')",
            "the setting `rules/git/no-rm/enabled` stands in no line of the log",
        ),
        (
            "UPDATE settings SET value = '900' WHERE value = '7'",
            "the setting `rules/git/no-push/parameters/limit` is not what line 2 of the log says",
        ),
        (
            "DELETE FROM settings WHERE value = 'false'",
            "the setting `rules/git/no-push/enabled` is not what line 1 of the log says",
        ),
        (
            "INSERT INTO settings VALUES ('user', 'plugins/tidy/enabled', 'false')",
            "the setting `plugins/tidy/enabled` is not what line 3 of the log says",
        ),
        (
            "UPDATE snapshots SET ledger = replace(ledger, '\"read\"', '\"write\"')",
            "the snapshot of `s1` is not what the lines of the log up to ",
        ),
        ("UPDATE snapshots SET ledger = 'x'", "the snapshot of `s1` is not what the lines of the log up to "),
        (
            "UPDATE snapshots SET format = 99",
            "the snapshot of `s1` has the format 99, in which none is written",
        ),
        (
            "UPDATE snapshots SET format = -1",
            "the snapshot of `s1` has the format -1, in which none is written",
        ),
        (
            "UPDATE snapshots SET format = 1, ledger = 'x'",
            "the snapshot of `s1` is not what the lines of the log up to ",
        ),
        (
            "INSERT INTO snapshots VALUES ('nobody', 1, 1, 0, '{}')",
            "the snapshot of `nobody` is not what the lines of the log up to 0 add up to",
        ),
        (
            "UPDATE snapshots SET format = 1, version = 9999",
            "the snapshot of `s1` is not what the lines of the log up to ",
        ),
    ] {
        let audit = with(tamper);
        assert!(audit.to_string().contains(said), "{tamper}: {audit}");
    }
}
