//! Damage in the write-ahead log, which SQLite takes for the end of it: nothing is lost in silence.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod story;

use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_authority::{ArtifactHandle, ArtifactStore, NewArtifact};
use mentci_store::{DegradedStore, SqliteArtifactStore, SqliteOptions, Store, artifact_id};
use story::{WINDOWS, allowed, call, commit};

const BUSY: Duration = Duration::from_millis(200);

fn opened(path: &Path) -> DegradedStore {
    DegradedStore::open(path, SqliteOptions { busy: BUSY, ..SqliteOptions::default() })
}

/// A store with so many decisions, each a transaction in its log.
fn written(folder: &Path, decisions: i64) -> PathBuf {
    let path = folder.join("store.db");
    let mut store = opened(&path);
    for at in 0..decisions {
        commit(&mut store, &allowed(&call("s1", "read", at), vec![]));
    }
    path
}

fn log_of(path: &Path) -> PathBuf {
    path.with_extension("db-wal")
}

/// Where frames of the log begin, by the layout of the file.
fn frames(log: &[u8]) -> Vec<usize> {
    let page = u32::from_be_bytes(log[8..12].try_into().unwrap()) as usize;
    (32..log.len()).step_by(24 + page).collect()
}

fn told(store: &mut DegradedStore) -> Vec<String> {
    store.take_findings().iter().map(|finding| finding.message.clone()).collect()
}

#[test]
fn one_changed_bit_is_told_and_what_stands_before_it_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), 6);
    let mut log = std::fs::read(log_of(&path)).unwrap();
    let at = frames(&log);
    log[at[at.len() * 3 / 4] + 100] ^= 1;
    std::fs::write(log_of(&path), &log).unwrap();

    let mut store = opened(&path);
    let calls = store.load("s1", WINDOWS).unwrap().ledger.total_calls();
    assert!((1..6).contains(&calls), "{calls}");
    let told = told(&mut store);
    assert!(
        told[0].starts_with("the store was damaged; it is set aside as `store.db.corrupt-1`"),
        "{told:?}"
    );
    assert_eq!(
        std::fs::read(folder.path().join("store.db.corrupt-1-wal")).unwrap(),
        log,
        "for a person to look at"
    );
    commit(&mut store, &allowed(&call("s1", "read", 7), vec![]));
    drop(store);
    let mut again = opened(&path);
    assert_eq!(again.load("s1", WINDOWS).unwrap().ledger.total_calls(), calls + 1);
    assert!(again.take_findings().is_empty());
}

#[test]
fn damage_at_the_very_start_is_told() {
    for at in [2, 20, 40] {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path(), 3);
        let mut log = std::fs::read(log_of(&path)).unwrap();
        log[at] ^= 1;
        std::fs::write(log_of(&path), &log).unwrap();
        let mut store = opened(&path);
        store.load("s1", WINDOWS).unwrap();
        assert_eq!(told(&mut store).len(), 1, "byte {at}");
        assert!(folder.path().join("store.db.corrupt-1").exists(), "byte {at}");
    }
}

#[test]
fn a_transaction_that_never_ended_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), 4);
    let log = std::fs::read(log_of(&path)).unwrap();
    let ends = |at: &usize| log[at + 4..at + 8] != [0; 4];
    let last = frames(&log).into_iter().rev().skip(1).find(ends).unwrap();
    let page = frames(&log)[1] - 32;
    // As a process leaves it that was killed while it wrote: all frames but the one that ends the transaction, and half of that.
    let half = log.len() - page / 2;
    assert!(last < half);
    std::fs::write(log_of(&path), &log[..half]).unwrap();
    let mut store = opened(&path);
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.total_calls(), 3);
    assert!(told(&mut store).is_empty());
}

#[test]
fn frames_of_an_older_log_are_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), 6);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(())).unwrap();
    let mut store = opened(&path);
    commit(&mut store, &allowed(&call("s1", "read", 9), vec![]));
    drop((store, other));
    let mut store = opened(&path);
    assert_eq!(store.load("s1", WINDOWS).unwrap().ledger.total_calls(), 7);
    assert!(told(&mut store).is_empty());
}

#[test]
fn artifacts_that_are_lost_so_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("artifacts.db");
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    for content in [vec![1; 9_000], vec![2; 9_000], vec![3; 9_000]] {
        store.store("s1", &[artifact(content)]).unwrap();
    }
    drop(store);
    let mut log = std::fs::read(log_of(&path)).unwrap();
    let middle = log.len() / 2;
    log[middle] ^= 1;
    std::fs::write(log_of(&path), log).unwrap();
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    let told: Vec<String> = store.take_findings().iter().map(|finding| finding.message.clone()).collect();
    assert!(
        told[0]
            .starts_with("the store of artifacts was damaged; it is set aside as `artifacts.db.corrupt-1`"),
        "{told:?}"
    );
    assert!(store.list_handles(None).unwrap().len() < 3);
}

fn artifact(content: Vec<u8>) -> NewArtifact {
    let handle = ArtifactHandle {
        artifact_id: artifact_id(&content),
        summary: "bytes".into(),
        size_bytes: content.len() as u64,
        mime_type: "application/octet-stream".into(),
        created_at: 0.0,
        source: "tool:read".into(),
    };
    NewArtifact { content, handle }
}
