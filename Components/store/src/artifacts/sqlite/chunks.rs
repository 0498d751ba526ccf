//! The pieces of an artifact in the file.

use mentci_authority::ArtifactId;
use mentci_source::Hash;
use rusqlite::{Connection, OptionalExtension};

use super::super::chunk::Sum;
use super::super::fault::Fault;
use super::super::reading::{Chunks, Reading, Shape};
use super::schema::place;

/// The pieces of one artifact.
pub(super) struct Rows<'a> {
    connection: &'a Connection,
    number: i64,
}

/// What the file knows of an artifact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) number: i64,
    pub(super) shape: Shape,
    pub(super) is_indexed: bool,
}

impl Known {
    pub(super) fn reading<'a>(&self, connection: &'a Connection) -> Reading<Rows<'a>> {
        Reading::new(self.shape, Rows { connection, number: self.number })
    }

    /// From a row of [`KNOWN`].
    pub(super) fn of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        // What somebody put there in the place of a number is none; how long a content is, its pieces say then.
        let count = |at: usize| row.get(at).map_or(0, |count: i64| u64::try_from(count).unwrap_or(0));
        let id = ArtifactId::from_bytes(row.get(1)?);
        let shape = Shape { id, size: count(2), newlines: count(3) };
        Ok(Self { number: row.get(0)?, shape, is_indexed: row.get(4).unwrap_or(false) })
    }
}

/// The columns of [`Known`]; places are numbers times 2^24.
pub(super) const KNOWN: &str = "artifacts.number, artifacts.id,
    iif(typeof(artifacts.size) = 'integer', artifacts.size, (SELECT sum(length(bytes)) FROM chunks
        WHERE place >= artifacts.number << 24 AND place < artifacts.number + 1 << 24)),
    artifacts.newlines, artifacts.is_indexed";

/// Whether the note of an artifact says which it is.
pub(super) const NAMED: &str = "typeof(artifacts.id) = 'blob' AND length(artifacts.id) = 32";

/// The artifact with this id.
pub(super) fn find(connection: &Connection, id: &ArtifactId) -> Result<Option<Known>, Fault> {
    let select = format!("SELECT {KNOWN} FROM artifacts WHERE id = ?1");
    let mut statement = connection.prepare_cached(&select)?;
    Ok(statement.query_row([id.as_bytes()], Known::of).optional()?)
}

impl Chunks for Rows<'_> {
    fn bytes(&mut self, number: u64, buffer: &mut Vec<u8>) -> Result<bool, Fault> {
        buffer.clear();
        let mut statement = self.connection.prepare_cached("SELECT bytes FROM chunks WHERE place = ?1")?;
        let mut rows = statement.query([place(self.number, number)])?;
        let Some(row) = rows.next()? else { return Ok(false) };
        // What is no longer a blob was changed.
        let bytes = row.get_ref(0)?;
        let Ok(bytes) = bytes.as_blob() else { return Ok(false) };
        buffer.extend_from_slice(bytes);
        Ok(true)
    }

    fn sum(&mut self, number: u64) -> Result<Option<Sum>, Fault> {
        let mut statement =
            self.connection.prepare_cached("SELECT hash, newlines FROM chunks WHERE place = ?1")?;
        let mut rows = statement.query([place(self.number, number)])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (Ok(hash), Ok(newlines)) = (row.get(0), row.get::<_, i64>(1)) else { return Ok(None) };
        Ok(Some(Sum { hash: Hash::from_bytes(hash), newlines: u64::try_from(newlines).unwrap_or(0) }))
    }
}
