//! A damaged file is set aside, and what is whole in it is taken over.

use std::path::Path;

use mentci_authority::ArtifactId;
use mentci_disk::RealFs;
use mentci_source::{Code, Finding};
use rusqlite::{Connection, OptionalExtension};

use super::super::chunk::Sum;
use super::super::fault::Fault;
use super::chunks::{KNOWN, Known};
use super::schema::{ARTIFACTS_FORMAT, NEW_INDEX, place};
use super::{SqliteArtifactStore, commit, connect, connect_new, keep, lock, put};
use crate::aside::guard;
use crate::sqlite::is_sound;
use crate::{StoreError, schema as steps, set_aside};

/// So many numbers in a row may be unreadable before the rest is given up.
const MOST_DAMAGED: i64 = 10_000;

impl SqliteArtifactStore {
    pub(super) fn begin_anew(&self) -> Result<(), StoreError> {
        self.begin_anew_in(&mut lock(&self.writer))
    }

    /// Sets the damaged file aside, unless another process did so by now, and begins a new one.
    pub(super) fn begin_anew_in(&self, writer: &mut Option<Connection>) -> Result<(), StoreError> {
        *writer = None;
        lock(&self.readers).clear();
        let guard = guard(&RealFs, &self.path)?;
        if !is_sound(&self.path, self.busy) {
            let aside = set_aside(&RealFs, &self.path)?;
            drop(guard);
            let mut connection = connect_new(&self.path, self.busy)?;
            let saved = connect(&aside, self.busy).map_or(0, |old| take_over(&old, &mut connection));
            *writer = Some(connection);
            lock(&self.findings).push(self.damaged(&aside, saved));
            return Ok(());
        }
        drop(guard);
        let mut connection = connect_new(&self.path, self.busy)?;
        // What is damaged in a file that is sound is the index, of which SQLite knows nothing.
        let made = commit(&mut connection, |connection| Ok(connection.execute_batch(NEW_INDEX)?));
        *writer = Some(connection);
        match made {
            Err(Fault::Store(error)) => Err(error),
            _ => Ok(()),
        }
    }

    fn damaged(&self, aside: &Path, saved: u64) -> Finding {
        let name = aside.file_name().unwrap_or_default().to_string_lossy();
        let saved = match saved {
            0 => "nothing in it was whole".to_owned(),
            1 => "1 artifact of it was taken over".to_owned(),
            saved => format!("{saved} artifacts of it were taken over"),
        };
        let message = format!("the store of artifacts was damaged; it is set aside as `{name}`, and {saved}");
        Finding::new(Code::STORE_DAMAGED, message).in_file(&self.path.to_string_lossy())
    }
}

/// Takes over what is whole, and says how many artifacts that are. The old file is only read.
fn take_over(old: &Connection, new: &mut Connection) -> u64 {
    if steps::format(old) != Ok(ARTIFACTS_FORMAT) {
        return 0;
    }
    let (mut saved, mut last) = (0, 0);
    while let Some(batch) = next_numbers(old, &mut last) {
        let taken = commit(new, |new| {
            Ok(batch.iter().filter(|number| take_one(old, new, **number).is_ok()).count() as u64)
        });
        saved += taken.unwrap_or(0);
    }
    saved
}

/// The numbers of the next artifacts after `last`, which becomes that of the last of them; none at the end.
fn next_numbers(old: &Connection, last: &mut i64) -> Option<Vec<i64>> {
    let read = |after: i64| -> rusqlite::Result<Vec<i64>> {
        let mut statement =
            old.prepare_cached("SELECT number FROM artifacts WHERE number > ?1 ORDER BY number LIMIT 256")?;
        statement.query_map([after], |row| row.get(0))?.collect()
    };
    // Behind damage each number is tried by itself: it is found by a path of its own through the tree.
    let one = |number: i64| {
        old.query_row("SELECT number FROM artifacts WHERE number = ?1", [number], |row| row.get(0))
    };
    let batch = read(*last).unwrap_or_else(|_| {
        (*last + 1..*last + MOST_DAMAGED).find_map(|number| one(number).ok()).into_iter().collect()
    });
    *last = *batch.last()?;
    Some(batch)
}

fn take_one(old: &Connection, new: &Connection, number: i64) -> Result<(), Fault> {
    let select = format!("SELECT {KNOWN} FROM artifacts WHERE number = ?1");
    let known = old.query_row(&select, [number], Known::of)?;
    new.execute_batch("SAVEPOINT one")?;
    let taken = copy(old, new, &known);
    new.execute_batch(if taken.is_ok() { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" })?;
    taken
}

fn copy(old: &Connection, new: &Connection, known: &Known) -> Result<(), Fault> {
    let mut reading = known.reading(old);
    reading.verify()?;
    let id = known.shape.id;
    let handle = keep::handle(old, &id)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let number = put::add(new, &handle, known.shape.newlines)?;
    for nth in 0..reading.count() {
        let bytes = reading.chunk(nth)?;
        put::put_chunk(new, "chunks", place(number, nth), bytes, Sum::of(bytes))?;
    }
    copy_holds(old, new, known.number, number)?;
    copy_pin(old, new, &id)
}

fn copy_holds(old: &Connection, new: &Connection, from: i64, to: i64) -> Result<(), Fault> {
    let mut statement = old.prepare_cached("SELECT session, held_at FROM holds WHERE number = ?1")?;
    let mut rows = statement.query([from])?;
    while let Ok(Some(row)) = rows.next() {
        put::hold(new, &row.get::<_, String>(0)?, to, row.get(1)?)?;
    }
    Ok(())
}

fn copy_pin(old: &Connection, new: &Connection, id: &ArtifactId) -> Result<(), Fault> {
    let select = "SELECT is_pinned FROM artifacts WHERE id = ?1";
    let is_pinned: Option<bool> = old.query_row(select, [id.as_bytes()], |row| row.get(0)).optional()?;
    keep::set_pin(new, id, is_pinned.unwrap_or(false)).map(drop)
}
