//! Changed, damaged, locked, full, newer, and disks that fail at every step.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod shelf;

use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use mentci_authority::{
    ArtifactError, ArtifactId, ArtifactKeeper, ArtifactNote, ArtifactPart, ArtifactScope, ArtifactStore,
    GcPolicy,
};
use mentci_disk::{FaultyFs, Plan};
use mentci_store::{FsArtifactStore, SqliteArtifactStore, StoreError, artifact_id};
use rusqlite::Connection;
use shelf::{BUSY, Shelf, artifact, both, noise, open, put};

fn file(shelf: &Shelf, id: &ArtifactId) -> PathBuf {
    let id = id.to_string();
    shelf.path().join(&id[..2]).join(id)
}

fn unavailable(why: &str, help: &'static str) -> ArtifactError {
    ArtifactError::Unavailable { why: why.to_owned(), help }
}

/// Changes one byte of a content, at `at`.
fn tamper(shelf: &Shelf, id: &ArtifactId, at: usize) {
    if shelf.name == "fs" {
        let mut bytes = std::fs::read(file(shelf, id)).unwrap();
        bytes[at] ^= 1;
        return std::fs::write(file(shelf, id), bytes).unwrap();
    }
    let other = Connection::open(shelf.path()).unwrap();
    let select =
        "SELECT place, bytes FROM chunks WHERE place >> 24 = (SELECT number FROM artifacts WHERE id = ?1)
                  ORDER BY place LIMIT 1 OFFSET ?2";
    let offset = i64::try_from(at / 65_536).unwrap();
    let (place, mut bytes): (i64, Vec<u8>) =
        other.query_row(select, (id.as_bytes(), offset), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    bytes[at % 65_536] ^= 1;
    other.execute("UPDATE chunks SET bytes = ?2 WHERE place = ?1", (place, bytes)).unwrap();
}

#[test]
fn changed_bytes_are_never_given() {
    for shelf in both() {
        let store = &*shelf.store;
        let content = noise(200_000, 11);
        let (small, large) = (put(store, "s1", "a small one", 1), put(store, "s1", content.clone(), 1));
        tamper(&shelf, &small, 3);
        tamper(&shelf, &large, 150_000);
        for id in [small, large] {
            assert_eq!(store.retrieve(&id), Err(ArtifactError::Tampered(id)), "{}", shelf.name);
            let mut copied = Vec::new();
            let error = store.copy(&id, &ArtifactPart::Whole, &mut copied).unwrap_err();
            assert_eq!((error, copied.len()), (ArtifactError::Tampered(id), 0), "not a byte of it");
        }
        assert_eq!(store.retrieve_range(&small, 0..2), Err(ArtifactError::Tampered(small)));
        assert_eq!(store.retrieve_range(&large, 149_999..150_003), Err(ArtifactError::Tampered(large)));
        // Nor elsewhere: of what else stands there nothing says that the id names it.
        assert_eq!(store.retrieve_range(&large, 10..70_000), Err(ArtifactError::Tampered(large)));
        let tampered = ArtifactError::Tampered(small);
        assert_eq!(store.search(&ArtifactScope::One(small), "small", 5), Err(tampered), "{}", shelf.name);
        let hits = store.search(&ArtifactScope::All, "a small one", 5).unwrap();
        assert!(hits.iter().all(|hit| hit.artifact_id != small), "{hits:?}");
        let told: Vec<String> = store.take_findings().iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.contains(&small.to_string())), "{}: {told:?}", shelf.name);
        assert!(told.iter().all(|told| told.contains("it was not searched")), "{}: {told:?}", shelf.name);
        // Whoever brings the content again mends it.
        put(store, "s2", content.clone(), 2);
        let note = ArtifactNote::default();
        store.store_reader("s2", &note, &mut "a small one".as_bytes()).unwrap();
        assert_eq!(store.retrieve(&large).unwrap().unwrap(), content, "{}", shelf.name);
        assert_eq!(store.retrieve(&small).unwrap().unwrap(), b"a small one");
        assert_eq!(store.list_handles(Some("s1")).unwrap().len(), 2);
    }
}

#[test]
fn a_cut_content_is_not_given() {
    for shelf in both() {
        let store = &*shelf.store;
        let id = put(store, "s1", noise(200_000, 5), 1);
        if shelf.name == "fs" {
            std::fs::OpenOptions::new()
                .write(true)
                .open(file(&shelf, &id))
                .unwrap()
                .set_len(199_999)
                .unwrap();
        } else {
            Connection::open(shelf.path())
                .unwrap()
                .execute("DELETE FROM chunks WHERE place % 4 = 3", [])
                .unwrap();
        }
        assert_eq!(store.retrieve(&id), Err(ArtifactError::Tampered(id)));
        assert_eq!(store.retrieve_range(&id, 199_990..199_999), Err(ArtifactError::Tampered(id)));
        assert_eq!(store.retrieve_range(&id, 0..9), Err(ArtifactError::Tampered(id)));
    }
}

#[test]
fn sums_that_were_changed_with_the_bytes_do_not_help() {
    let [sqlite, _] = both();
    let id = put(&*sqlite.store, "s1", noise(200_000, 5), 1);
    let other = Connection::open(sqlite.path()).unwrap();
    let forged = vec![0; 65_536];
    let hash = mentci_source::Hash::of_bytes(&forged);
    let update = "UPDATE chunks SET bytes = ?1, hash = ?2, newlines = 0 WHERE place & 0xffffff = 1";
    other.execute(update, (&forged, hash.as_bytes())).unwrap();
    assert_eq!(sqlite.store.retrieve(&id), Err(ArtifactError::Tampered(id)));
    let whole = sqlite.store.retrieve_part(&id, &ArtifactPart::Whole);
    assert_eq!(whole, Err(ArtifactError::Tampered(id)));
    assert_eq!(sqlite.store.retrieve_range(&id, 0..200_000), Err(ArtifactError::Tampered(id)));
}

/// Lets the second and the third piece of a content change places, each with what is noted of it.
fn swap(shelf: &Shelf, id: &ArtifactId) {
    if shelf.name == "fs" {
        let swapped = |path: PathBuf, head: usize, length: usize| {
            let mut bytes = std::fs::read(&path).unwrap();
            let (one, other) = bytes[head..head + 2 * length].split_at_mut(length);
            one.swap_with_slice(other);
            std::fs::write(path, bytes).unwrap();
        };
        swapped(file(shelf, id), 65_536, 65_536);
        return swapped(file(shelf, id).with_extension("sums"), 40, 40);
    }
    let other = Connection::open(shelf.path()).unwrap();
    let base: i64 = other
        .query_row("SELECT number << 24 FROM artifacts WHERE id = ?1", [id.as_bytes()], |row| row.get(0))
        .unwrap();
    for (from, to) in [(base + 1, -1), (base + 2, base + 1), (-1, base + 2)] {
        other.execute("UPDATE chunks SET place = ?2 WHERE place = ?1", (from, to)).unwrap();
    }
}

/// What a store notes of a piece says nothing of its place: the id alone does.
#[test]
fn pieces_that_changed_places_are_never_given() {
    for shelf in both() {
        let lines = (0..40_000).map(|at| format!("line {at}\n")).collect::<Vec<_>>().concat();
        let id = put(&*shelf.store, "s1", lines.clone(), 1);
        let other = put(&*shelf.store, "s1", "the needle line 12000 stands here too", 2);
        assert_eq!(shelf.store.search(&ArtifactScope::One(id), "line 12000", 1).unwrap().len(), 1);
        // Another process finds it changed, and this one as well, though it read it before.
        shelf.store.retrieve_range(&id, 0..10).unwrap();
        swap(&shelf, &id);
        for store in [&shelf.again(), &shelf.store] {
            let tampered = ArtifactError::Tampered(id);
            for part in [
                ArtifactPart::Whole,
                ArtifactPart::Bytes(70_000..70_010),
                ArtifactPart::Text(70_000..70_010),
                ArtifactPart::Lines(10_000..=10_002),
            ] {
                assert_eq!(store.retrieve_part(&id, &part), Err(tampered.clone()), "{}", shelf.name);
                let mut given = Vec::new();
                assert_eq!(store.copy(&id, &part, &mut given), Err(tampered.clone()));
                assert!(given.is_empty());
            }
            assert_eq!(store.retrieve_range(&id, 70_000..70_010), Err(tampered.clone()));
        }
        let store = shelf.again();
        assert_eq!(store.retrieve_range(&id, 0..10), Err(ArtifactError::Tampered(id)));
        let one = store.search(&ArtifactScope::One(id), "line 12000", 5);
        assert_eq!(one, Err(ArtifactError::Tampered(id)), "{}", shelf.name);
        let all = store.search(&ArtifactScope::All, "line 12000", 5).unwrap();
        assert_eq!(all.iter().map(|hit| hit.artifact_id).collect::<Vec<_>>(), [other]);
        assert_eq!(store.take_findings().len(), 1);
    }
}

#[test]
fn a_damaged_file_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("artifacts.db");
    std::fs::write(&path, [0xff; 9000]).unwrap();
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    let id = put(&store, "s1", "after", 1);
    assert_eq!(store.retrieve(&id).unwrap().unwrap(), b"after");
    assert_eq!(std::fs::read(folder.path().join("artifacts.db.corrupt-1")).unwrap(), [0xff; 9000]);
    let findings: Vec<String> = store.take_findings().iter().map(|finding| finding.message.clone()).collect();
    insta::assert_debug_snapshot!(findings, @r#"
    [
        "the store of artifacts was damaged; it is set aside as `artifacts.db.corrupt-1`, and nothing in it was whole",
    ]
    "#);
}

#[test]
fn what_is_whole_in_a_damaged_file_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("artifacts.db");
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    let contents: Vec<Vec<u8>> = (1..=40).map(|seed| noise(30_000, seed)).collect();
    let ids: Vec<ArtifactId> = contents.iter().map(|content| put(&store, "s1", content.clone(), 1)).collect();
    store.pin(&ids[0]).unwrap();
    drop(store);
    Connection::open(&path).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    // Pages in the middle: those of some contents, and what leads to them.
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 20 * 4096].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();

    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    let read = || ids.iter().filter(|id| matches!(store.retrieve(id), Ok(Some(_)))).count();
    read();
    // Writing meets the damage sooner or later; then it is mended.
    for seed in 100..140 {
        put(&store, "s2", noise(30_000, seed), 2);
    }
    let kept = read();
    assert!((30..40).contains(&kept), "{kept}");
    for (id, content) in ids.iter().zip(&contents) {
        assert!(!matches!(store.retrieve(id), Ok(Some(bytes)) if bytes != *content));
    }
    assert_eq!(store.pins().unwrap(), [ids[0]]);
}

#[test]
fn a_damaged_note_hides_one_artifact_alone() {
    let [_, fs] = both();
    let (a, b) = (put(&*fs.store, "s1", "a", 1), put(&*fs.store, "s1", "b", 1));
    std::fs::write(file(&fs, &a).with_extension("json"), "{").unwrap();
    let handles = fs.store.list_handles(None).unwrap();
    assert_eq!(handles.iter().map(|handle| handle.artifact_id).collect::<Vec<_>>(), [b]);
    let told: Vec<String> = fs.store.take_findings().iter().map(|finding| finding.message.clone()).collect();
    let why = "EOF while parsing an object at line 1 column 1";
    assert_eq!(told, [format!("the note of artifact {a} cannot be read: {why}; it is not listed")]);
    let place = format!("artifacts/{}/{a}.json", &a.to_string()[..2]);
    let unread = |why: &str| ArtifactError::Unread { id: a, file: place.clone(), why: why.into() };
    assert_eq!(fs.store.retrieve(&a), Err(unread(why)));
    put(&*fs.store, "s1", "a", 1);
    assert_eq!(fs.store.retrieve(&a).unwrap().unwrap(), b"a");
    // A note under the name of another.
    std::fs::copy(file(&fs, &b).with_extension("json"), file(&fs, &a).with_extension("json")).unwrap();
    assert_eq!(fs.store.retrieve(&a), Err(unread(&format!("it is that of {b}"))));
}

/// What one note says wrongly is no reason to find nothing in the others.
#[test]
fn a_damaged_note_stops_no_search() {
    for (damage, is_found, tells) in [
        ("size = 'abc'", true, false),
        ("size = NULL, newlines = 'x', is_indexed = 'yes'", true, false),
        ("id = x'00'", false, true),
        ("id = 'text'", false, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("artifacts.db");
        let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
        let first = put(&store, "s1", "alpha here\n".repeat(30_000), 1);
        let second = put(&store, "s1", "beta here\n", 2);
        store.pin(&first).unwrap();
        let finds = |scope: &ArtifactScope, query: &str, id: ArtifactId| {
            store.search(scope, query, 9).unwrap().iter().any(|hit| hit.artifact_id == id)
        };
        let update = format!("UPDATE artifacts SET {damage} WHERE number = 1");
        // A column that must not be empty holds a number of its own then.
        let update = update.replace("NULL", "x''");
        Connection::open(&path).unwrap().execute(&update, []).unwrap();
        for scope in [ArtifactScope::All, ArtifactScope::Session("s1".into())] {
            assert!(finds(&scope, "beta", second), "{damage}");
            assert_eq!(finds(&scope, "alpha", first), is_found, "{damage}");
            assert_eq!(!store.take_findings().is_empty(), tells, "{damage}");
        }
        assert_eq!(store.retrieve(&first).unwrap().is_some(), is_found);
        assert_eq!(store.pins().unwrap().len(), usize::from(is_found));
        let policy = GcPolicy::default();
        assert_eq!(store.gc(&policy).unwrap().deleted.len(), 1, "{damage}");
    }
}

/// A sum that was changed is no content that was changed.
#[test]
fn a_damaged_sum_hides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("artifacts.db");
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    let id = put(&store, "s1", "alpha here\n".repeat(30_000), 1);
    let damage = "UPDATE chunks SET hash = zeroblob(32) WHERE place % 16777216 = 1";
    assert_eq!(Connection::open(&path).unwrap().execute(damage, []).unwrap(), 1);
    let hits = store.search(&ArtifactScope::One(id), "alpha", 9).unwrap();
    assert_eq!((hits.len(), store.take_findings().len()), (9, 0));
}

/// What is deleted is given back to the disk, also where the file was not made to.
#[test]
fn what_is_collected_takes_no_room() {
    for is_old in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("artifacts.db");
        if is_old {
            drop(SqliteArtifactStore::open(&path, BUSY).unwrap());
            let old = Connection::open(&path).unwrap();
            old.execute_batch(
                "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL",
            )
            .unwrap();
        }
        let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
        for seed in 0..6 {
            put(&store, "s1", noise(2_000_000, 2 * seed + 1), 1);
        }
        let kept = put(&store, "s1", noise(100_000, 99), 1);
        store.pin(&kept).unwrap();
        let size = || {
            let bytes = |name: &str| std::fs::metadata(folder.path().join(name)).map_or(0, |file| file.len());
            bytes("artifacts.db") + bytes("artifacts.db-wal")
        };
        assert!(size() > 12_000_000, "{}", size());
        let policy = GcPolicy::default();
        assert_eq!(store.gc(&policy).unwrap().deleted.len(), 6);
        assert!(size() < 400_000, "{}", size());
        assert_eq!(store.retrieve(&kept).unwrap().unwrap(), noise(100_000, 99));
    }
}

/// Whoever can write the file can write a note; that it does not fit its content is told.
#[test]
fn a_note_that_was_changed_is_told_by_every_list() {
    let [sqlite, fs] = both();
    let content = "word ".repeat(40_000);
    for store in [&sqlite, &fs] {
        let (a, b) = (put(&*store.store, "s1", content.clone(), 1), put(&*store.store, "s1", "b", 2));
        if store.path().is_dir() {
            let note = file(store, &a).with_extension("json");
            let text = std::fs::read_to_string(&note).unwrap();
            std::fs::write(&note, text.replace("\"size_bytes\":200000", "\"size_bytes\":5")).unwrap();
        } else {
            let other = Connection::open(store.path()).unwrap();
            let sql = "UPDATE artifacts SET size = 5, summary = x'ff41', created_at = 'never' WHERE size > 5";
            assert_eq!(other.execute(sql, []).unwrap(), 1);
        }
        for session in [None, Some("s1")] {
            let mut listed = store.store.list_handles(session).unwrap();
            listed.sort_by_key(|handle| handle.size_bytes);
            let sizes: Vec<_> = listed.iter().map(|handle| (handle.artifact_id, handle.size_bytes)).collect();
            assert_eq!(sizes, [(b, 1), (a, 200_000)]);
        }
        let told: Vec<String> = store.store.take_findings().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [format!(
                "warning[E1022]: the note of artifact {a} says 5 bytes, and its content has 200000\n  help: whoever stores its content again mends it"
            )]
        );
        assert!(store.store.retrieve(&a).is_err(), "of such a one nothing is given");
        put(&*store.store, "s1", content.clone(), 3);
        assert_eq!(store.store.retrieve(&a).unwrap().unwrap(), content.as_bytes());
        store.store.list_handles(None).unwrap();
        assert_eq!(store.store.take_findings(), []);
    }
    let other = Connection::open(sqlite.path()).unwrap();
    other.execute("UPDATE artifacts SET id = x'00' WHERE size = 1", []).unwrap();
    assert_eq!(sqlite.store.list_handles(None).unwrap().len(), 1);
    insta::assert_snapshot!(sqlite.store.take_findings()[0], @r"
    warning[E1022]: a note says the id of no artifact: it is not listed
      help: whoever stores its content again mends it
    ");
}

#[test]
fn a_locked_file() {
    let [sqlite, fs] = both();
    let id = put(&*sqlite.store, "s1", "there", 1);
    let other = Connection::open(sqlite.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = sqlite.store.store("s1", &[artifact("new", 1)]).unwrap_err();
    assert_eq!(
        error,
        unavailable("another process holds the store", "wait for the other process, or end it")
    );
    let large = artifact(noise(2_000_000, 3), 1);
    assert_eq!(sqlite.store.store("s1", &[large]), Err(error.clone()));
    assert_eq!(sqlite.store.pin(&id), Err(error.clone()));
    let note = ArtifactNote::default();
    assert_eq!(sqlite.store.store_reader("s1", &note, &mut "new".as_bytes()), Err(error.clone()));
    // Whoever only reads is not kept waiting.
    assert_eq!(sqlite.store.retrieve(&id).unwrap().unwrap(), b"there");
    assert_eq!(sqlite.store.search(&ArtifactScope::All, "ther", 5).unwrap().len(), 1);
    drop(other);
    put(&*sqlite.store, "s1", "new", 1);

    let held = artifact("held", 1);
    fs.store.store("s1", std::slice::from_ref(&held)).unwrap();
    let lock = std::fs::File::open(fs.path().join("lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(fs.store.store("s1", &[artifact("new", 1)]), Err(error));
    // Who brings what is there already waits for nobody, and neither does who only opens.
    assert_eq!(fs.store.store("s1", &[held]), Ok(()));
    assert_eq!(fs.again().list_handles(None).unwrap().len(), 1);
    drop(lock);
    put(&*fs.store, "s1", "new", 1);
}

#[test]
fn a_full_disk_leaves_nothing_half_stored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("artifacts.db");
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    let there = put(&store, "s1", "there", 1);
    store.limit_pages(1);
    let batch = [artifact("small", 1), artifact(noise(500_000, 3), 1)];
    let full = unavailable("the disk is full", "free some space");
    assert_eq!(store.store("s1", &batch), Err(full.clone()));
    let batch = [artifact("small", 1), artifact(noise(2_000_000, 3), 1)];
    assert_eq!(store.store("s1", &batch), Err(full));
    // What was written of it before the disk was full does not keep it full.
    let log = std::fs::metadata(folder.path().join("artifacts.db-wal")).map_or(0, |log| log.len());
    assert_eq!(log, 0, "the log of a put that failed");
    assert_eq!(store.list_handles(None).unwrap().len(), 1);
    assert_eq!(store.retrieve(&there).unwrap().unwrap(), b"there");
    let store = SqliteArtifactStore::open(&path, BUSY).unwrap();
    store.store("s1", &batch).unwrap();
    assert_eq!(store.list_handles(None).unwrap().len(), 3);
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("artifacts.db");
    drop(SqliteArtifactStore::open(&path, BUSY).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(
        SqliteArtifactStore::open(&path, BUSY).unwrap_err(),
        StoreError::Newer { found: 99, known: 1 }
    );
}

#[test]
fn artifacts_are_for_their_user_alone() {
    for shelf in both() {
        let id = put(&*shelf.store, "s1", noise(100_000, 3), 1);
        let paths = if shelf.name == "fs" {
            let file = file(&shelf, &id);
            vec![file.with_extension("json"), file.with_extension("sums"), file]
        } else {
            vec![shelf.path()]
        };
        for path in paths {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{mode:o} {}", path.display());
        }
    }
}

#[test]
fn a_link_is_not_followed_out_of_the_store() {
    let [_, fs] = both();
    let outside = tempfile::tempdir().unwrap();
    let new = artifact("victim", 1);
    let id = new.handle.artifact_id;
    symlink(outside.path(), file(&fs, &id).parent().unwrap()).unwrap();
    assert!(matches!(fs.store.store("s1", &[new]), Err(ArtifactError::Unavailable { .. })));
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    // Nor is a content that is a link read.
    let id = put(&*fs.store, "s1", "a", 1);
    std::fs::write(outside.path().join("secret"), "a").unwrap();
    std::fs::remove_file(file(&fs, &id)).unwrap();
    symlink(outside.path().join("secret"), file(&fs, &id)).unwrap();
    assert_eq!(fs.store.retrieve(&id), Err(ArtifactError::Tampered(id)));
}

#[test]
fn a_file_that_was_set_aside_by_another_is_not_written_into() {
    let [sqlite, _] = both();
    put(&*sqlite.store, "s1", "before", 1);
    for ending in ["", "-wal", "-shm"] {
        let path = format!("{}{ending}", sqlite.path().display());
        std::fs::rename(&path, format!("{path}.away")).unwrap();
    }
    let second = open("sqlite", sqlite.folder.path());
    let id = put(&*sqlite.store, "s1", "after", 1);
    assert_eq!(second.retrieve(&id).unwrap().unwrap(), b"after");
    assert_eq!(sqlite.store.list_handles(None).unwrap().len(), 1);
    // Deleted, it is made anew.
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(format!("{}{ending}", sqlite.path().display())).unwrap();
    }
    assert_eq!(sqlite.store.list_handles(None).unwrap(), []);
    let id = put(&*sqlite.store, "s1", "again", 1);
    assert_eq!(second.retrieve(&id).unwrap().unwrap(), b"again");
}

#[test]
fn a_damaged_index_of_words_hides_nothing() {
    let [sqlite, _] = both();
    let id = put(&*sqlite.store, "s1", "a needle in hay", 1);
    let search = || sqlite.store.search(&ArtifactScope::All, "needle", 5).unwrap().len();
    assert_eq!(search(), 1);
    let other = Connection::open(sqlite.path()).unwrap();
    other.execute("UPDATE words_data SET block = x'a5a5a5a5'", []).unwrap();
    assert_eq!(search(), 1);
    put(&*sqlite.store, "s1", "another needle", 2);
    assert_eq!(search(), 2);
    assert!(sqlite.store.delete(&id).unwrap());
    assert_eq!(search(), 1);
}

/// A batch over an older artifact, on a disk that fails as `plan` says.
fn batch_on(path: &Path, plan: Plan) -> Result<(), ArtifactError> {
    let store = FsArtifactStore::open_with(path, Box::new(FaultyFs::new(plan)))
        .map_err(|error| unavailable(&error.to_string(), ""))?;
    store.store("s1", &[artifact("older", 5), artifact("a", 5), artifact(noise(70_000, 3), 5)])
}

#[test]
fn a_batch_of_files_is_all_or_none_whatever_fails_and_whenever() {
    let plans: [fn(usize) -> Plan; 3] = [
        |at| Plan::Fail(at, ErrorKind::StorageFull),
        |at| Plan::FailFrom(at, ErrorKind::StorageFull),
        Plan::Crash,
    ];
    for plan in plans {
        for at in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("artifacts");
            put(&FsArtifactStore::open(&path).unwrap(), "s0", "older", 1);
            let result = batch_on(&path, plan(at));
            let store = FsArtifactStore::open(&path).unwrap();
            let held = store.list_handles(Some("s1")).unwrap();
            assert!(held.is_empty() || held.len() == 3, "{:?} {}", plan(at), held.len());
            assert!(result.is_err() || held.len() == 3, "{:?} was acknowledged", plan(at));
            for handle in store.list_handles(None).unwrap() {
                assert!(store.retrieve(&handle.artifact_id).unwrap().is_some(), "{:?}", plan(at));
            }
            assert_eq!(store.retrieve(&artifact_id(b"older")).unwrap().unwrap(), b"older");
            let kept = GcPolicy { newer_than: Some(0.0), ..GcPolicy::default() };
            store.gc(&kept).unwrap();
            assert!(left(&path).iter().all(|name| name.strip_suffix(".part").is_none()), "{:?}", left(&path));
            if result.is_ok() {
                break;
            }
        }
    }
}

fn left(path: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        names.push(entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            names.extend(left(&entry.path()));
        }
    }
    names
}

#[test]
fn two_stores_of_one_folder_see_each_other() {
    for shelf in both() {
        let second = open(shelf.name, shelf.folder.path());
        let id = put(&*second, "s1", "theirs", 1);
        assert_eq!(shelf.store.retrieve(&id).unwrap().unwrap(), b"theirs");
        shelf.store.delete(&id).unwrap();
        assert_eq!(second.retrieve(&id).unwrap(), None);
    }
}
