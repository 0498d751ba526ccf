//! What stands for artifacts, who holds them, and what may go.

use mentci_authority::{ArtifactHandle, ArtifactId, Collected, GcPolicy};
use mentci_source::Finding;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::super::fault::Fault;
use super::super::odd::{nameless, unlike};
use super::chunks::NAMED;
use super::put::{clear, known};
use super::schema::PLACE_BITS;

const HANDLE: &str = "artifacts.id, artifacts.summary, artifacts.size, artifacts.mime_type, artifacts.created_at, \
                      artifacts.source";

pub(super) fn handle(connection: &Connection, id: &ArtifactId) -> Result<Option<ArtifactHandle>, Fault> {
    let select = format!("SELECT {HANDLE} FROM artifacts WHERE id = ?1");
    let mut statement = connection.prepare_cached(&select)?;
    Ok(statement.query_row([id.as_bytes()], handle_of).optional()?)
}

/// What stands in a row. What somebody put there in its place is read as far as it goes.
fn handle_of(row: &Row<'_>) -> rusqlite::Result<ArtifactHandle> {
    let text = |at: usize| match row.get_ref(at) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    };
    Ok(ArtifactHandle {
        artifact_id: ArtifactId::from_bytes(row.get(0)?),
        summary: text(1),
        size_bytes: count(row, 2),
        mime_type: text(3),
        created_at: row.get(4).unwrap_or_default(),
        source: text(5),
    })
}

fn count(row: &Row<'_>, at: usize) -> u64 {
    row.get::<_, i64>(at).ok().and_then(|count| u64::try_from(count).ok()).unwrap_or(0)
}

/// The artifacts of a session, or of all, the oldest first, each with the length that its content has; and what is odd about their
/// notes. Nothing but the id proves a note: who can write the file can write one.
pub(super) fn handles(
    connection: &Connection,
    session: Option<&str>,
) -> Result<(Vec<ArtifactHandle>, Vec<Finding>), Fault> {
    let (from, values) = match session {
        Some(session) => ("holds JOIN artifacts USING (number) WHERE session = ?1", vec![session]),
        None => ("artifacts", vec![]),
    };
    let select = format!(
        "SELECT {HANDLE}, (SELECT sum(length(bytes)) FROM chunks
            WHERE place >= artifacts.number << {PLACE_BITS} AND place < artifacts.number + 1 << {PLACE_BITS})
         FROM {from} ORDER BY created_at, number"
    );
    let mut statement = connection.prepare_cached(&select)?;
    let mut rows = statement.query(rusqlite::params_from_iter(values))?;
    let (mut handles, mut odd) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        match handle_of(row) {
            Ok(mut handle) => {
                odd.extend(unlike(&mut handle, count(row, 6)));
                handles.push(handle);
            }
            Err(_) => odd.push(nameless()),
        }
    }
    Ok((handles, odd))
}

pub(super) fn is_held(connection: &Connection, session: &str, id: &ArtifactId) -> Result<bool, Fault> {
    let mut statement = connection
        .prepare_cached("SELECT 1 FROM artifacts JOIN holds USING (number) WHERE id = ?1 AND session = ?2")?;
    Ok(statement.exists(params![id.as_bytes(), session])?)
}

pub(super) fn hold(connection: &Connection, session: &str, id: &ArtifactId, at: f64) -> Result<bool, Fault> {
    let Some(number) = known(connection, id)? else { return Ok(false) };
    super::put::hold(connection, session, number, at)?;
    Ok(true)
}

pub(super) fn set_pin(connection: &Connection, id: &ArtifactId, is_pinned: bool) -> Result<bool, Fault> {
    let changed = connection
        .execute("UPDATE artifacts SET is_pinned = ?2 WHERE id = ?1", params![id.as_bytes(), is_pinned])?;
    Ok(changed == 1)
}

pub(super) fn pins(connection: &Connection) -> Result<Vec<ArtifactId>, Fault> {
    let mut statement = connection.prepare_cached("SELECT id FROM artifacts WHERE is_pinned ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut pins = Vec::new();
    while let Some(row) = rows.next()? {
        pins.extend(row.get(0).map(ArtifactId::from_bytes).ok());
    }
    Ok(pins)
}

pub(super) fn delete(connection: &Connection, id: &ArtifactId) -> Result<bool, Fault> {
    let Some(number) = known(connection, id)? else { return Ok(false) };
    remove(connection, number)?;
    Ok(true)
}

fn remove(connection: &Connection, number: i64) -> Result<(), Fault> {
    clear(connection, number)?;
    connection.prepare_cached("DELETE FROM holds WHERE number = ?1")?.execute([number])?;
    connection.prepare_cached("DELETE FROM artifacts WHERE number = ?1")?.execute([number])?;
    Ok(())
}

/// Takes away what the policy does not keep. A dry run changes nothing.
pub(super) fn collect(connection: &Connection, policy: &GcPolicy) -> Result<Collected, Fault> {
    let mut collected = Collected::default();
    for (number, handle) in loose(connection, policy)? {
        if !policy.is_dry {
            remove(connection, number)?;
        }
        collected.freed_bytes += handle.size_bytes;
        collected.deleted.push(handle);
    }
    let there: i64 = connection.query_row("SELECT count(*) FROM artifacts", [], |row| row.get(0))?;
    let gone = if policy.is_dry { collected.deleted.len() as u64 } else { 0 };
    collected.kept = u64::try_from(there).unwrap_or(0).saturating_sub(gone);
    Ok(collected)
}

fn loose(connection: &Connection, policy: &GcPolicy) -> Result<Vec<(i64, ArtifactHandle)>, Fault> {
    let sessions = serde_json::to_string(&policy.sessions).map_err(crate::StoreError::from)?;
    let select = format!(
        "SELECT {HANDLE}, artifacts.number FROM artifacts
         WHERE NOT is_pinned AND {NAMED} AND (?1 IS NULL OR held_at < ?1) AND number NOT IN
             (SELECT holds.number FROM holds JOIN json_each(?2) AS kept ON holds.session = kept.value)
         ORDER BY created_at, number"
    );
    let mut statement = connection.prepare(&select)?;
    let rows = statement
        .query_map(params![policy.newer_than, sessions], |row| Ok((row.get(6)?, handle_of(row)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
