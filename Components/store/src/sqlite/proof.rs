//! Whether the snapshots are what the lines of their sessions add up to.

use mentci_ledger::{SNAPSHOT_FORMAT, SessionLedger, Windows};
use rusqlite::{Connection, params};
use serde_json::Value;

use super::load::{parse, signed, unsigned};
use crate::StoreError;

/// The first snapshot that its session's lines do not make, with the number of the last line that it covers. Those of another
/// format are never read, and those of a session whose lines do not read are no worse than these.
pub(super) fn wrong_snapshot(connection: &Connection) -> Result<Option<(u64, String)>, StoreError> {
    let mut statement = connection.prepare(
        "SELECT session, version, longest_ms, ledger FROM snapshots WHERE format = ?1 ORDER BY session",
    )?;
    let mut rows = statement.query([SNAPSHOT_FORMAT])?;
    while let Some(row) = rows.next()? {
        let (session, version): (String, u64) = (row.get(0)?, unsigned(row.get(1)?));
        let windows = Windows { longest_ms: unsigned(row.get(2)?) };
        let kept = row.get_ref(3)?.as_str().ok().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let Some((made, line)) = folded(connection, &session, version, windows)? else { continue };
        if kept != serde_json::to_value(&made).ok() {
            return Ok(Some((line, session)));
        }
    }
    Ok(None)
}

/// A session up to a version of it, from its first line on, and the last of these lines; none where one of them does not read.
fn folded(
    connection: &Connection,
    session: &str,
    version: u64,
    windows: Windows,
) -> Result<Option<(SessionLedger, u64)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT record, seq FROM log WHERE session = ?1 AND version <= ?2 ORDER BY version",
    )?;
    let mut rows = statement.query(params![session, signed(version)])?;
    let (mut ledger, mut last) = (SessionLedger::new(windows), 0);
    while let Some(row) = rows.next()? {
        let Some(record) = row.get_ref(0)?.as_str().ok().and_then(|text| parse(text).ok()) else {
            return Ok(None);
        };
        ledger.fold(&record);
        last = unsigned(row.get(1)?);
    }
    Ok(Some((ledger, last)))
}
