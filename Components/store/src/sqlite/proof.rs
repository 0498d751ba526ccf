//! Whether the snapshots are what the lines of their sessions add up to.

use mentci_ledger::{SNAPSHOT_FORMAT, SessionLedger, Windows};
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::load::{parse, signed, unsigned};
use crate::StoreError;
use crate::audit::AuditFault;

/// The first snapshot that its session's lines do not make, with the number of the last line that it covers. Those of a
/// session whose lines do not read are no worse than these.
pub(super) fn wrong_snapshot(connection: &Connection) -> Result<Option<(u64, AuditFault)>, StoreError> {
    let mut statement = connection
        .prepare("SELECT session, version, format, longest_ms, ledger FROM snapshots ORDER BY session")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(wrong) = wrong(connection, row)? {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

/// What is wrong with one. One of an older format is never read, and nobody knows how it was folded: it is the session's own
/// where that has the line which it covers.
fn wrong(connection: &Connection, row: &Row<'_>) -> Result<Option<(u64, AuditFault)>, StoreError> {
    let (session, version, format): (String, u64, i64) = (row.get(0)?, unsigned(row.get(1)?), row.get(2)?);
    if !(1..=i64::from(SNAPSHOT_FORMAT)).contains(&format) {
        return Ok(Some((0, AuditFault::SnapshotFormat { session, format })));
    }
    let windows = Windows { longest_ms: unsigned(row.get(3)?) };
    let Some((made, line)) = folded(connection, &session, version, windows)? else { return Ok(None) };
    let kept = row.get_ref(4)?.as_str().ok().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let is_right = if format == i64::from(SNAPSHOT_FORMAT) {
        kept == serde_json::to_value(&made).ok()
    } else {
        kept.is_some_and(|kept| kept.is_object()) && made.version() == version
    };
    Ok((!is_right).then_some((line, AuditFault::Snapshot { session })))
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
