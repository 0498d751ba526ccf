//! The tables, and how an older file becomes a newer one.

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// The format of the file: SQLite's `user_version`. A newer one is refused.
pub const STORE_FORMAT: u32 = 1;

/// What makes format n + 1 out of format n; the first makes an empty file a store. A step is never changed once shipped.
const STEPS: &[&str] = &["
    -- One row: what all sessions share, and the end of the log.
    CREATE TABLE head (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        shared INTEGER NOT NULL DEFAULT 0,
        killed TEXT,
        seq INTEGER NOT NULL DEFAULT 0,
        hash BLOB,
        now_ms INTEGER NOT NULL DEFAULT 0,
        settings INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO head (id) VALUES (1);
    -- The truth; all else is folded from it.
    CREATE TABLE log (
        seq INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        version INTEGER NOT NULL,
        hash BLOB NOT NULL,
        record TEXT NOT NULL,
        body TEXT
    );
    CREATE UNIQUE INDEX log_session ON log (session, version);
    CREATE TABLE sessions (
        session TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL,
        killed TEXT,
        tail INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        session TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        format INTEGER NOT NULL,
        longest_ms INTEGER NOT NULL,
        ledger TEXT NOT NULL
    );
    CREATE TABLE approvals (
        id TEXT PRIMARY KEY,
        session TEXT NOT NULL,
        status TEXT NOT NULL,
        requested_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL,
        row TEXT NOT NULL
    );
    CREATE INDEX approvals_status ON approvals (status, requested_ms);
    CREATE TABLE state (
        user TEXT NOT NULL,
        project TEXT NOT NULL,
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (user, project, owner, key)
    ) WITHOUT ROWID;
    -- The files of held records that were taken in.
    CREATE TABLE imports (name TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE settings (
        layer TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (layer, key)
    ) WITHOUT ROWID;
"];

/// The format of an open file; 0 for an empty one.
pub(crate) fn format(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Brings the file to [`STORE_FORMAT`]. `backup` is called before an older store is changed.
pub(crate) fn migrate(
    connection: &mut Connection,
    backup: impl FnOnce(&Connection, u32) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    climb(connection, STEPS, backup)
}

/// Brings a file to the format that has so many steps.
pub(crate) fn climb(
    connection: &mut Connection,
    steps: &[&str],
    backup: impl FnOnce(&Connection, u32) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let known = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    let found = format(connection)?;
    if found == known {
        return Ok(());
    }
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    if found > 0 {
        backup(connection, found)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Looked at again: another process may have done it while this one waited.
    let found = format(&transaction)?;
    for step in steps.iter().skip(found as usize) {
        transaction.execute_batch(step)?;
    }
    if found < known {
        transaction.pragma_update(None, "user_version", known)?;
    }
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_store_is_backed_up_and_climbs_in_one_transaction() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps =
            ["CREATE TABLE a (x); INSERT INTO a VALUES (1);", "ALTER TABLE a ADD COLUMN y DEFAULT 2;"];
        climb(&mut connection, &steps[..1], |_, _| panic!("an empty file needs no backup")).unwrap();
        let mut backed_up = None;
        climb(&mut connection, &steps, |_, found| {
            backed_up = Some(found);
            Ok(())
        })
        .unwrap();
        let sum: i64 = connection.query_row("SELECT x + y FROM a", [], |row| row.get(0)).unwrap();
        assert_eq!((backed_up, sum, format(&connection).unwrap()), (Some(1), 3, 2));
    }

    #[test]
    fn a_step_that_fails_leaves_the_store_as_it_was() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = ["CREATE TABLE a (x);", "CREATE TABLE b (x); CREATE TABLE a (x);"];
        climb(&mut connection, &steps[..1], |_, _| Ok(())).unwrap();
        assert!(climb(&mut connection, &steps, |_, _| Ok(())).is_err());
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).unwrap();
        assert_eq!((tables, format(&connection).unwrap()), (1, 1));
    }

    #[test]
    fn a_newer_store_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 7).unwrap();
        let error = migrate(&mut connection, |_, _| Ok(())).unwrap_err();
        assert_eq!(error, StoreError::Newer { found: 7, known: STORE_FORMAT });
    }

    #[test]
    fn the_format_is_the_number_of_steps() {
        assert_eq!(STEPS.len(), STORE_FORMAT as usize);
    }
}
