//! Storing: many at once share one durable commit.

use mentci_authority::{ArtifactError, ArtifactHandle, ArtifactId, NewArtifact};
use rusqlite::{Connection, OptionalExtension, params};

use super::super::chunk::{CHUNK_BYTES, Sum, artifact_id};
use super::super::fault::Fault;
use super::line::{Leader, Turn, Waiting};
use super::schema::{MOST_CHUNKS, end, place};
use super::{SqliteArtifactStore, commit, lock};

/// What is worked out of a content before anybody waits for the writer.
#[derive(Debug)]
pub(crate) struct Prepared {
    sums: Vec<Sum>,
}

impl Prepared {
    /// # Errors
    /// - The content is not what its id names.
    pub(crate) fn of(artifact: &NewArtifact) -> Result<Self, Fault> {
        if artifact_id(&artifact.content) != artifact.handle.artifact_id {
            return Err(ArtifactError::Misnamed(artifact.handle.artifact_id).into());
        }
        Ok(Self { sums: artifact.content.chunks(CHUNK_BYTES).map(Sum::of).collect() })
    }

    fn newlines(&self) -> u64 {
        self.sums.iter().map(|sum| sum.newlines).sum()
    }
}

/// More bytes are not copied to be stored by somebody else: whoever has them waits for the writer.
const COPIED_BYTES: usize = 1024 * 1024;

impl SqliteArtifactStore {
    pub(super) fn put(&self, session: &str, artifacts: &[NewArtifact]) -> Result<(), Fault> {
        let prepared: Vec<Prepared> = artifacts.iter().map(Prepared::of).collect::<Result<_, _>>()?;
        if artifacts.is_empty() {
            return Ok(());
        }
        let bytes: usize = artifacts.iter().map(|artifact| artifact.content.len()).sum();
        if bytes > COPIED_BYTES {
            self.make_ready();
            return self.write(|connection| put_all(connection, session, artifacts.iter().zip(&prepared)));
        }
        let copies = artifacts.iter().cloned().zip(prepared).collect();
        match self.line.stand(session, copies) {
            Turn::Done(result) => result.map_err(Fault::Artifact),
            Turn::Lead(leader) => self.put_for_all(leader).map_err(Fault::Artifact),
        }
    }

    fn put_for_all(&self, leader: Leader<'_>) -> Result<(), ArtifactError> {
        self.stay_current();
        let mut writer = lock(&self.writer);
        // Only now: whoever came while the writer was busy is stored too.
        let waiting = leader.take();
        let results = self.put_waiting(&mut writer, &waiting);
        drop(writer);
        let ends = waiting.iter().zip(results);
        leader.tell(ends.map(|(waiting, result)| (waiting.ticket, result.map_err(ArtifactError::from))))
    }

    /// Stores for all who wait. When that fails each is tried alone, so that it fails only for whom it must; but not where another
    /// process holds the file: that would be waited for once more each time.
    fn put_waiting(&self, writer: &mut Option<Connection>, waiting: &[Waiting]) -> Vec<Result<(), Fault>> {
        match self.put_together(writer, waiting) {
            Err(fault) if waiting.len() > 1 && !fault.is_locked() => waiting
                .iter()
                .map(|waiting| self.put_together(writer, std::slice::from_ref(waiting)))
                .collect(),
            result => waiting.iter().map(|_| result.clone()).collect(),
        }
    }

    fn put_together(&self, writer: &mut Option<Connection>, waiting: &[Waiting]) -> Result<(), Fault> {
        match self.put_once(writer, waiting) {
            Err(fault) if fault.is_corrupt() && self.begin_anew_in(writer).is_ok() => {
                self.put_once(writer, waiting)
            }
            result => result,
        }
    }

    fn put_once(&self, writer: &mut Option<Connection>, waiting: &[Waiting]) -> Result<(), Fault> {
        let connection = self.writing(writer)?;
        commit(connection, |connection| {
            waiting.iter().try_for_each(|Waiting { session, artifacts, .. }| {
                put_all(
                    connection,
                    session,
                    artifacts.iter().map(|(artifact, prepared)| (artifact, prepared)),
                )
            })
        })?;
        self.fold_log(connection);
        Ok(())
    }
}

fn put_all<'a>(
    connection: &Connection,
    session: &str,
    artifacts: impl Iterator<Item = (&'a NewArtifact, &'a Prepared)>,
) -> Result<(), Fault> {
    for (artifact, prepared) in artifacts {
        let size = artifact.content.len() as u64;
        let handle = ArtifactHandle { size_bytes: size, ..artifact.handle.clone() };
        let number = match known(connection, &handle.artifact_id)? {
            Some(number) if holds_content(connection, number, &artifact.content)? => number,
            Some(number) => {
                // What is there was changed: whoever brings the content again mends it.
                clear(connection, number)?;
                put_chunks(connection, number, artifact, prepared)?
            }
            None => {
                let number = add(connection, &handle, prepared.newlines())?;
                put_chunks(connection, number, artifact, prepared)?
            }
        };
        note_size(connection, number, size, prepared.newlines())?;
        hold(connection, session, number, handle.created_at)?;
    }
    Ok(())
}

/// The number under which an artifact is kept.
pub(super) fn known(connection: &Connection, id: &ArtifactId) -> Result<Option<i64>, Fault> {
    let mut statement = connection.prepare_cached("SELECT number FROM artifacts WHERE id = ?1")?;
    Ok(statement.query_row([id.as_bytes()], |row| row.get(0)).optional()?)
}

/// Notes a new artifact, and gives its number.
pub(super) fn add(connection: &Connection, handle: &ArtifactHandle, newlines: u64) -> Result<i64, Fault> {
    if handle.size_bytes.div_ceil(CHUNK_BYTES as u64) > MOST_CHUNKS {
        let (why, help) = ("an artifact has at most 1 TiB".to_owned(), "store it in parts");
        return Err(ArtifactError::Unavailable { why, help }.into());
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO artifacts (id, size, newlines, created_at, held_at, mime_type, source, summary)
         VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7) RETURNING number",
    )?;
    let (size, newlines) = (i64::try_from(handle.size_bytes), i64::try_from(newlines));
    let values = params![
        handle.artifact_id.as_bytes(),
        size.unwrap_or(i64::MAX),
        newlines.unwrap_or(i64::MAX),
        finite(handle.created_at),
        handle.mime_type,
        handle.source,
        handle.summary,
    ];
    Ok(statement.query_row(values, |row| row.get(0))?)
}

/// Notes the length of a content that was just read: what was noted of it may have been changed.
pub(super) fn note_size(connection: &Connection, number: i64, size: u64, newlines: u64) -> Result<(), Fault> {
    let (size, newlines) = (i64::try_from(size), i64::try_from(newlines));
    let (size, newlines) = (size.unwrap_or(i64::MAX), newlines.unwrap_or(i64::MAX));
    let update = "UPDATE artifacts SET size = ?2, newlines = ?3
         WHERE number = ?1 AND (size IS NOT ?2 OR newlines IS NOT ?3)";
    connection.prepare_cached(update)?.execute([number, size, newlines])?;
    Ok(())
}

fn put_chunks(
    connection: &Connection,
    number: i64,
    artifact: &NewArtifact,
    prepared: &Prepared,
) -> Result<i64, Fault> {
    let chunks = artifact.content.chunks(CHUNK_BYTES).zip(&prepared.sums);
    for (nth, (bytes, sum)) in (0..).zip(chunks) {
        put_chunk(connection, "chunks", place(number, nth), bytes, *sum)?;
    }
    Ok(number)
}

/// Writes one piece into `table`.
pub(super) fn put_chunk(
    connection: &Connection,
    table: &str,
    place: i64,
    bytes: &[u8],
    sum: Sum,
) -> Result<(), Fault> {
    let insert = format!("INSERT INTO {table} (place, hash, newlines, bytes) VALUES (?1, ?2, ?3, ?4)");
    let newlines = i64::try_from(sum.newlines).unwrap_or(i64::MAX);
    connection.prepare_cached(&insert)?.execute(params![place, sum.hash.as_bytes(), newlines, bytes])?;
    Ok(())
}

/// Whether the pieces that are there are those of the content, byte for byte.
fn holds_content(connection: &Connection, number: i64, content: &[u8]) -> Result<bool, Fault> {
    let mut statement = connection
        .prepare_cached("SELECT bytes FROM chunks WHERE place >= ?1 AND place < ?2 ORDER BY place")?;
    let mut rows = statement.query([place(number, 0), end(number)])?;
    let mut chunks = content.chunks(CHUNK_BYTES);
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(0)?;
        if bytes.as_blob().ok() != chunks.next() {
            return Ok(false);
        }
    }
    Ok(chunks.next().is_none())
}

/// Takes the pieces of an artifact away, and what is known of their words.
pub(super) fn clear(connection: &Connection, number: i64) -> Result<(), Fault> {
    let places = [place(number, 0), end(number)];
    for statement in [
        "DELETE FROM chunks WHERE place >= ?1 AND place < ?2",
        "DELETE FROM words WHERE rowid IN (SELECT place FROM blocks WHERE place >= ?1 AND place < ?2)",
        "DELETE FROM blocks WHERE place >= ?1 AND place < ?2",
    ] {
        connection.prepare_cached(statement)?.execute(places)?;
    }
    connection.prepare_cached("UPDATE artifacts SET is_indexed = 0 WHERE number = ?1")?.execute([number])?;
    Ok(())
}

/// Notes that a session holds an artifact.
pub(super) fn hold(connection: &Connection, session: &str, number: i64, at: f64) -> Result<(), Fault> {
    let at = finite(at);
    connection
        .prepare_cached(
            "INSERT INTO holds (session, number, held_at) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET held_at = max(held_at, ?3)",
        )?
        .execute(params![session, number, at])?;
    connection
        .prepare_cached("UPDATE artifacts SET held_at = ?2 WHERE number = ?1 AND held_at < ?2")?
        .execute(params![number, at])?;
    Ok(())
}

/// A time that can be compared.
pub(super) fn finite(at: f64) -> f64 {
    if at.is_finite() { at } else { 0.0 }
}
