//! Reading a session: its snapshot, and what came after.

use std::collections::BTreeMap;

use mentci_ledger::{LOG_FORMAT, Record, SNAPSHOT_FORMAT, SessionLedger, Shared, Windows};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::READER;
use crate::{Loaded, SqliteStore, StoreError};

/// So many records are not folded twice: the log was folded from its beginning, for a window that no snapshot has.
const MANY: u64 = 1_000;

impl SqliteStore {
    pub(super) fn read(&mut self, session: &str, windows: Windows) -> Result<Loaded, StoreError> {
        // One transaction: snapshot, log and what is shared are of one moment.
        let transaction = self.connection.transaction()?;
        let mut ledger = snapshot(&transaction, session, windows)?;
        let folded = ledger.version();
        fold_after(&transaction, session, &mut ledger)?;
        let shared = shared(&transaction, &self.options.user, &self.options.project)?;
        transaction.commit()?;
        let mut loaded = Loaded { session: session.to_owned(), ledger, shared };
        self.distrust(&mut loaded);
        if loaded.ledger.version() - folded > MANY && self.wait(READER).is_ok() {
            // So that the next process need not fold them again. Nothing is lost when this fails.
            let _ = self.write_snapshot(&loaded);
            self.wait(self.options.busy)?;
        }
        Ok(loaded)
    }

    pub(super) fn read_on(&mut self, loaded: &mut Loaded) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        fold_after(&transaction, &loaded.session, &mut loaded.ledger)?;
        if shared_version(&transaction)? != loaded.shared.version {
            loaded.shared = shared(&transaction, &self.options.user, &self.options.project)?;
        }
        transaction.commit()?;
        self.distrust(loaded);
        Ok(())
    }

    /// INVARIANT (foreign grants): what a file says that anybody may have written lets no call through.
    fn distrust(&self, loaded: &mut Loaded) {
        if self.options.is_foreign {
            loaded.ledger.forget_grants();
        }
    }

    /// How many grants and settings the file holds that do not count.
    pub(crate) fn distrusted(&self) -> Result<u64, StoreError> {
        if !self.options.is_foreign {
            return Ok(0);
        }
        let sql = "SELECT (SELECT count(*) FROM settings) + (SELECT count(*) FROM approvals WHERE status = 'granted')";
        Ok(unsigned(self.connection.query_row(sql, [], |row| row.get(0))?))
    }
}

/// The last snapshot, when it keeps calls for long enough; a session without records otherwise.
fn snapshot(connection: &Connection, session: &str, windows: Windows) -> Result<SessionLedger, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT ledger FROM snapshots WHERE session = ?1 AND format = ?2 AND longest_ms >= ?3",
    )?;
    let longest = i64::try_from(windows.longest_ms).unwrap_or(i64::MAX);
    let text: Option<String> =
        statement.query_row(params![session, SNAPSHOT_FORMAT, longest], |row| row.get(0)).optional()?;
    let kept = text.and_then(|text| serde_json::from_str::<SessionLedger>(&text).ok());
    Ok(kept.unwrap_or_else(|| SessionLedger::new(windows)))
}

fn fold_after(connection: &Connection, session: &str, ledger: &mut SessionLedger) -> Result<(), StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT record FROM log WHERE session = ?1 AND version > ?2 ORDER BY version")?;
    let mut rows = statement.query(params![session, signed(ledger.version())])?;
    while let Some(row) = rows.next()? {
        ledger.fold(&parse(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
    }
    Ok(())
}

pub(super) fn parse(text: &str) -> Result<Record, StoreError> {
    let record: Record = serde_json::from_str(text)?;
    if record.format > LOG_FORMAT {
        return Err(StoreError::Newer { found: record.format, known: LOG_FORMAT });
    }
    Ok(record)
}

fn shared_version(connection: &Connection) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT shared FROM head")?;
    Ok(unsigned(statement.query_row([], |row| row.get(0))?))
}

fn shared(connection: &Connection, user: &str, project: &str) -> Result<Shared, StoreError> {
    let mut statement = connection.prepare_cached("SELECT shared, killed FROM head")?;
    let (version, killed) = statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut statement =
        connection.prepare_cached("SELECT owner, key, value FROM state WHERE user = ?1 AND project = ?2")?;
    let mut rows = statement.query([user, project])?;
    let mut state: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let value: Value = serde_json::from_str(row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?)?;
        if value.is_null() {
            continue;
        }
        state.entry(row.get(0)?).or_default().insert(row.get(1)?, value);
    }
    Ok(Shared { version: unsigned(version), killed, state, ..Shared::default() })
}

/// Numbers in the file are signed; ours never reach so far.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
