//! Storing what a reader gives.

use std::io::Read;

use mentci_authority::{ArtifactError, ArtifactHandle, ArtifactNote};
use rusqlite::{Connection, params};

use super::super::chunk::{Naming, Sum, next_chunk};
use super::super::fault::Fault;
use super::put::{add, clear, hold, known, note_size, put_chunk};
use super::schema::{end, place};
use super::{SqliteArtifactStore, commit, connect_new, empty_log};

/// What was found out of a content while it was read.
struct Spooled {
    handle: ArtifactHandle,
    newlines: u64,
}

impl SqliteArtifactStore {
    /// The content goes into a temporary table first: a slow reader keeps nobody from writing, and what fails half-way, or
    /// dies, leaves nothing.
    pub(super) fn put_reader(
        &self,
        session: &str,
        note: &ArtifactNote,
        content: &mut dyn Read,
    ) -> Result<ArtifactHandle, Fault> {
        let mut connection = connect_new(&self.path, self.busy)?;
        let spooled = spool(&connection, note, content)?;
        let id = spooled.handle.artifact_id;
        empty_log(&connection);
        let stored = self.mended(|| {
            commit(&mut connection, |connection| {
                put_spooled(connection, session, &spooled)?;
                Ok(super::keep::handle(connection, &id)?.unwrap_or_else(|| spooled.handle.clone()))
            })
        });
        if stored.is_err() {
            empty_log(&connection);
        } else {
            self.fold_log(&connection);
        }
        stored
    }
}

fn spool(connection: &Connection, note: &ArtifactNote, content: &mut dyn Read) -> Result<Spooled, Fault> {
    connection.execute_batch(
        "CREATE TEMP TABLE spool (place INTEGER PRIMARY KEY, hash BLOB, newlines INTEGER, bytes BLOB); BEGIN;",
    )?;
    let (mut naming, mut buffer) = (Naming::default(), Vec::new());
    let (mut size, mut newlines) = (0, 0);
    for nth in 0.. {
        next_chunk(content, &mut buffer).map_err(|error| ArtifactError::Stream(error.to_string()))?;
        if buffer.is_empty() {
            break;
        }
        let sum = Sum::of(&buffer);
        naming.add(&buffer);
        size += buffer.len() as u64;
        newlines += sum.newlines;
        put_chunk(connection, "temp.spool", nth, &buffer, sum)?;
    }
    connection.execute_batch("COMMIT")?;
    let ArtifactNote { summary, mime_type, created_at, source } = note.clone();
    let handle =
        ArtifactHandle { artifact_id: naming.id(), summary, size_bytes: size, mime_type, created_at, source };
    Ok(Spooled { handle, newlines })
}

fn put_spooled(connection: &Connection, session: &str, spooled: &Spooled) -> Result<(), Fault> {
    let number = match known(connection, &spooled.handle.artifact_id)? {
        Some(number) if holds_spooled(connection, number)? => number,
        Some(number) => {
            // What is there was changed: whoever brings the content again mends it.
            clear(connection, number)?;
            move_spooled(connection, number)?
        }
        None => {
            let number = add(connection, &spooled.handle, spooled.newlines)?;
            move_spooled(connection, number)?
        }
    };
    note_size(connection, number, spooled.handle.size_bytes, spooled.newlines)?;
    hold(connection, session, number, spooled.handle.created_at)
}

fn move_spooled(connection: &Connection, number: i64) -> Result<i64, Fault> {
    connection.execute(
        "INSERT INTO chunks (place, hash, newlines, bytes)
         SELECT ?1 + place, hash, newlines, bytes FROM temp.spool ORDER BY place",
        [place(number, 0)],
    )?;
    Ok(number)
}

/// Whether the pieces that are there are those of the spool, byte for byte.
fn holds_spooled(connection: &Connection, number: i64) -> Result<bool, Fault> {
    let differing = "SELECT count(*) FROM temp.spool AS new
        LEFT JOIN chunks AS old ON old.place = ?1 + new.place WHERE old.bytes IS NOT new.bytes";
    let there = "SELECT count(*) FROM chunks WHERE place >= ?1 AND place < ?2";
    let differing: i64 = connection.query_row(differing, [place(number, 0)], |row| row.get(0))?;
    let there: i64 = connection.query_row(there, params![place(number, 0), end(number)], |row| row.get(0))?;
    let spooled: i64 = connection.query_row("SELECT count(*) FROM temp.spool", [], |row| row.get(0))?;
    Ok(differing == 0 && there == spooled)
}
