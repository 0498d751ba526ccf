//! Writing records.

use std::collections::BTreeMap;

use mentci_authority::StateScope;
use mentci_disk::{LockGuard, RealFs};
use mentci_ledger::{Act, Delta, Record, SNAPSHOT_FORMAT, Shared, What};
use mentci_source::Hash;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::Value;

use super::WAL_BYTES;
use super::load::{signed, unsigned};
use crate::approval::{ApprovalChange, changes};
use crate::held::{Held, HeldFolder};
use crate::store::sessions_of;
use crate::{
    ApprovalRow, ApprovalStatus, CommitError, Committed, Loaded, SqliteStore, StoreError, audit_hash,
};

/// A snapshot is due when so many bytes of records came after the last: reading them takes about a millisecond.
pub(super) const TAIL_BYTES: u64 = 48 * 1024;

/// The end of the log, and what all sessions share.
pub(super) struct Head {
    pub(super) shared: u64,
    pub(super) seq: u64,
    hash: Option<Hash>,
    now_ms: i64,
}

impl SqliteStore {
    pub(super) fn write_next(
        &mut self,
        loaded: &mut Loaded,
        record: &Record,
        body: Option<&str>,
        held: Option<&HeldFolder>,
    ) -> Result<Committed, CommitError> {
        let (user, project) = (self.options.user.clone(), self.options.project.clone());
        let transaction = self.begin(record.is_vital())?;
        let mut end = end(&transaction)?;
        let version = version(&transaction, &record.session)?;
        if (version, end.shared) != (loaded.ledger.version(), loaded.shared.version) {
            return Err(CommitError::Conflict);
        }
        if !may_use(&transaction, record, &end)? {
            return Err(CommitError::Conflict);
        }
        let tail = write(&transaction, &mut end, version, record, body, (&user, &project))?;
        let lock = match held {
            Some(held) => held.closed(&RealFs)?,
            None => None,
        };
        transaction.commit()?;
        drop(lock);
        loaded.fold(record);
        if tail > TAIL_BYTES {
            // Nothing is lost when this fails: the snapshot stays due.
            let _ = self.write_snapshot(loaded);
        }
        self.fold_log();
        Ok(Committed { version: version + 1, is_stored: true })
    }

    pub(super) fn write_all(&mut self, records: &[(Record, Option<String>)]) -> Result<(), StoreError> {
        self.write_unless(records, |_| Ok(None::<()>)).map(|_| ())
    }

    /// Writes the records unless the log has one of their sessions, which is given then. Nobody writes between the look and the
    /// writing.
    pub(super) fn write_new(
        &mut self,
        records: &[(Record, Option<String>)],
    ) -> Result<Option<String>, StoreError> {
        let sessions = sessions_of(records);
        self.write_unless(records, |connection| {
            for session in &sessions {
                if has_lines(connection, session)? {
                    return Ok(Some((*session).to_owned()));
                }
            }
            Ok(None)
        })
    }

    /// Writes the records in one transaction, unless something stands against it. What fails gives back the room that it took: before
    /// many are written the log is emptied, so that it holds nothing else.
    fn write_unless<T>(
        &mut self,
        records: &[(Record, Option<String>)],
        against: impl FnOnce(&Connection) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let bytes: usize = records.iter().map(|(_, body)| body.as_ref().map_or(0, String::len)).sum();
        let is_large = bytes as u64 > WAL_BYTES;
        if is_large {
            self.empty_log();
        }
        let written = self.written_unless(records, against);
        if is_large && written.is_err() {
            self.empty_log();
        }
        written
    }

    fn written_unless<T>(
        &mut self,
        records: &[(Record, Option<String>)],
        against: impl FnOnce(&Connection) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let (user, project) = (self.options.user.clone(), self.options.project.clone());
        let transaction = self.begin(records.iter().any(|(record, _)| record.is_vital()))?;
        if let Some(against) = against(&transaction)? {
            return Ok(Some(against));
        }
        let mut run = Run::new(&transaction)?;
        for (record, body) in records {
            run.write(record, body.as_deref(), (&user, &project))?;
        }
        run.end()?;
        transaction.commit()?;
        self.fold_log();
        Ok(None)
    }

    /// Sets a value or takes it back, with the line that tells of it.
    pub(super) fn write_setting(
        &mut self,
        layer: &str,
        key: &str,
        value: Option<&Value>,
        told: Option<&Record>,
    ) -> Result<(), StoreError> {
        let (user, project) = (self.options.user.clone(), self.options.project.clone());
        let transaction = self.begin(true)?;
        match value {
            Some(value) => transaction.execute(
                "INSERT OR REPLACE INTO settings (layer, key, value) VALUES (?1, ?2, ?3)",
                params![layer, key, value.to_string()],
            )?,
            None => {
                transaction.execute("DELETE FROM settings WHERE layer = ?1 AND key = ?2", [layer, key])?
            }
        };
        transaction.execute("UPDATE head SET settings = settings + 1", [])?;
        if let Some(record) = told {
            let mut end = end(&transaction)?;
            let version = version(&transaction, &record.session)?;
            write(&transaction, &mut end, version, record, None, (&user, &project))?;
        }
        Ok(transaction.commit()?)
    }

    /// Commits a record unless one is held: that one counts first.
    pub(crate) fn commit_beside(
        &mut self,
        held: &HeldFolder,
        loaded: &mut Loaded,
        record: &Record,
        body: Option<&str>,
    ) -> Result<Committed, CommitError> {
        self.write_next(loaded, record, body, Some(held))
    }

    /// Takes in records that were held, each once. While the lock lives that it gives, nothing else is held.
    pub(crate) fn import(&mut self, held: &[Held]) -> Result<Option<LockGuard>, StoreError> {
        let folder = HeldFolder::beside(&self.path);
        let (user, project) = (self.options.user.clone(), self.options.project.clone());
        let transaction = self.begin(held.iter().any(|held| held.record.is_vital()))?;
        let mut end = end(&transaction)?;
        for Held { name, record, body } in held {
            let is_new =
                transaction.execute("INSERT OR IGNORE INTO imports (name) VALUES (?1)", [name])? == 1;
            if is_new {
                let version = version(&transaction, &record.session)?;
                write(&transaction, &mut end, version, record, body.as_deref(), (&user, &project))?;
            }
        }
        let lock = folder.lock(&RealFs).ok();
        transaction.commit()?;
        Ok(lock)
    }

    /// Begins a transaction that alone may write. What is vital is synced when it ends; a connection can change that only
    /// between transactions.
    pub(super) fn begin(&mut self, is_vital: bool) -> Result<Transaction<'_>, StoreError> {
        if self.is_full != is_vital {
            let level = if is_vital { "FULL" } else { "NORMAL" };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.is_full = is_vital;
        }
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    pub(crate) fn write_snapshot(&mut self, loaded: &Loaded) -> Result<(), StoreError> {
        let text = serde_json::to_string(&loaded.ledger)?;
        let ledger = &loaded.ledger;
        let transaction = self.begin(false)?;
        let newer =
            "INSERT INTO snapshots (session, version, format, longest_ms, ledger) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (session) DO UPDATE SET version = ?2, format = ?3, longest_ms = ?4, ledger = ?5
             WHERE version <= ?2 OR longest_ms < ?4";
        let longest = signed(ledger.windows().longest_ms);
        transaction.execute(
            newer,
            params![loaded.session, signed(ledger.version()), SNAPSHOT_FORMAT, longest, text],
        )?;
        transaction.execute("UPDATE sessions SET tail = 0 WHERE session = ?1", [&loaded.session])?;
        Ok(transaction.commit()?)
    }
}

pub(super) fn end(connection: &Connection) -> Result<Head, StoreError> {
    let mut statement = connection.prepare_cached("SELECT shared, seq, hash, now_ms FROM head")?;
    Ok(statement.query_row([], |row| {
        let hash: Option<[u8; 32]> = row.get(2)?;
        let (shared, seq) = (unsigned(row.get(0)?), unsigned(row.get(1)?));
        Ok(Head { shared, seq, hash: hash.map(Hash::from_bytes), now_ms: row.get(3)? })
    })?)
}

fn version(connection: &Connection, session: &str) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT version FROM sessions WHERE session = ?1")?;
    Ok(unsigned(statement.query_row([session], |row| row.get(0)).optional()?.unwrap_or(0)))
}

fn has_lines(connection: &Connection, session: &str) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM log WHERE session = ?1 LIMIT 1")?;
    Ok(statement.exists([session])?)
}

/// A granted approval is used once, by the call it was granted for, or by who takes it to make that call.
fn may_use(connection: &Connection, record: &Record, end: &Head) -> Result<bool, StoreError> {
    let now_ms = record.at.map_or(end.now_ms, |at| at.ms);
    let call = record.seen().and_then(|seen| seen.call.as_ref()).map(|call| call.hash);
    let takes = |id: &str| matches!(&record.what, What::Act(Act::Taken { approval, .. }) if approval == id);
    for delta in &record.deltas {
        if let Delta::Used { approval } = delta {
            let row = approval_row(connection, approval)?.map(|row| row.at(now_ms));
            let fits = |row: &ApprovalRow| {
                row.status == ApprovalStatus::Granted
                    && row.session == record.session
                    && (Some(row.call) == call || takes(&row.id))
            };
            if !row.as_ref().is_some_and(fits) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Writes one record after `version`, and gives the bytes of records since the last snapshot.
fn write(
    connection: &Connection,
    end: &mut Head,
    version: u64,
    record: &Record,
    body: Option<&str>,
    keeper: (&str, &str),
) -> Result<u64, StoreError> {
    let bytes = write_line(connection, end, version + 1, record, body)?;
    let ms = dated(record);
    let grown = Grown { version: version + 1, first_ms: ms, last_ms: ms, bytes };
    let tail = advance(connection, &record.session, &grown)?;
    write_effects(connection, end, record, keeper)?;
    write_head(connection, end)?;
    Ok(tail)
}

/// When a record says that it happened; 0 when it does not.
fn dated(record: &Record) -> i64 {
    record.at.map_or(0, |at| at.ms)
}

/// The first of two times that is told.
fn first_of(one: i64, other: i64) -> i64 {
    if one == 0 { other } else { one }
}

/// Many records in one transaction: what they add up to is written once, at the end.
pub(super) struct Run<'a> {
    connection: &'a Connection,
    end: Head,
    sessions: BTreeMap<String, Grown>,
    /// The versions of sessions that whoever writes knows.
    known: BTreeMap<String, u64>,
    /// By session, the bytes of records since its last snapshot.
    tails: BTreeMap<String, u64>,
}

/// By what a session has grown. Its times are those that its own lines tell; 0 for none.
#[derive(Clone, Copy)]
struct Grown {
    version: u64,
    first_ms: i64,
    last_ms: i64,
    bytes: u64,
}

impl<'a> Run<'a> {
    fn new(connection: &'a Connection) -> Result<Self, StoreError> {
        Ok(Self::after(connection, end(connection)?))
    }

    /// The records that follow the end of the log.
    pub(super) fn after(connection: &'a Connection, end: Head) -> Self {
        let (sessions, known, tails) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { connection, end, sessions, known, tails }
    }

    /// The next record of the session follows this version of it: it need not be asked for.
    pub(super) fn follow(&mut self, session: &str, version: u64) {
        if !self.known.contains_key(session) {
            self.known.insert(session.to_owned(), version);
        }
    }

    pub(super) fn write(
        &mut self,
        record: &Record,
        body: Option<&str>,
        keeper: (&str, &str),
    ) -> Result<(), StoreError> {
        let session = &record.session;
        let version = match (self.sessions.get(session), self.known.get(session)) {
            (Some(grown), _) => grown.version,
            (None, Some(known)) => *known,
            (None, None) => version(self.connection, session)?,
        };
        let bytes = write_line(self.connection, &mut self.end, version + 1, record, body)?;
        let ms = dated(record);
        let grown = match self.sessions.get_mut(session) {
            Some(grown) => grown,
            None => self.sessions.entry(session.clone()).or_insert(Grown {
                version,
                first_ms: ms,
                last_ms: ms,
                bytes: 0,
            }),
        };
        (grown.version, grown.bytes) = (version + 1, grown.bytes + bytes);
        (grown.first_ms, grown.last_ms) = (first_of(grown.first_ms, ms), first_of(ms, grown.last_ms));
        if let What::Act(Act::Killed { .. } | Act::Resumed { .. }) = &record.what {
            // What is stopped must be there.
            self.settle()?;
        }
        write_effects(self.connection, &mut self.end, record, keeper)
    }

    fn settle(&mut self) -> Result<(), StoreError> {
        for (session, grown) in std::mem::take(&mut self.sessions) {
            let tail = advance(self.connection, &session, &grown)?;
            self.known.remove(&session);
            self.tails.insert(session, tail);
        }
        Ok(())
    }

    /// Whether the approvals that a record uses may be used, after the records before it.
    pub(super) fn may_use(&self, record: &Record) -> Result<bool, StoreError> {
        may_use(self.connection, record, &self.end)
    }

    /// The end of the log then, and of each session the bytes of records since its last snapshot.
    pub(super) fn end(mut self) -> Result<(Head, BTreeMap<String, u64>), StoreError> {
        self.settle()?;
        write_head(self.connection, &self.end)?;
        Ok((self.end, self.tails))
    }
}

/// Writes the line of a record, and gives the length of what it says.
fn write_line(
    connection: &Connection,
    end: &mut Head,
    version: u64,
    record: &Record,
    body: Option<&str>,
) -> Result<u64, StoreError> {
    let text = serde_json::to_string(record)?;
    let seq = end.seq + 1;
    let hash = audit_hash(end.hash, seq, version, &text, body);
    end.now_ms = record.at.map_or(end.now_ms, |at| at.ms);
    (end.seq, end.hash) = (seq, Some(hash));
    connection
        .prepare_cached(
            "INSERT INTO log (seq, session, version, hash, record, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![signed(seq), record.session, signed(version), hash.as_bytes(), text, body])?;
    Ok(text.len() as u64)
}

/// Notes by what a session has grown, and gives the bytes of its records since the last snapshot.
fn advance(connection: &Connection, session: &str, grown: &Grown) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO sessions (session, version, first_ms, last_ms, tail) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (session) DO UPDATE SET version = ?2, first_ms = ifnull(nullif(first_ms, 0), ?3),
            last_ms = ifnull(nullif(?4, 0), last_ms), tail = tail + ?5 RETURNING tail",
    )?;
    let values = params![session, signed(grown.version), grown.first_ms, grown.last_ms, signed(grown.bytes)];
    Ok(unsigned(statement.query_row(values, |row| row.get(0))?))
}

fn kill(connection: &Connection, session: &str, reason: Option<&str>) -> Result<(), StoreError> {
    if session.is_empty() {
        connection.execute("UPDATE head SET killed = ?1", [reason])?;
    }
    connection.execute("UPDATE sessions SET killed = ?2 WHERE session = ?1", params![session, reason])?;
    Ok(())
}

/// Writes what the record changes beside the log and its session.
fn write_effects(
    connection: &Connection,
    end: &mut Head,
    record: &Record,
    keeper: (&str, &str),
) -> Result<(), StoreError> {
    match &record.what {
        What::Act(Act::Killed { reason, .. }) => kill(connection, &record.session, Some(reason))?,
        What::Act(Act::Resumed { .. }) => kill(connection, &record.session, None)?,
        _ => {}
    }
    for delta in &record.deltas {
        if let Delta::Set { scope: StateScope::Plugin, owner, key, value } = delta {
            // Null is nothing: the key is forgotten.
            if value.is_null() {
                connection
                    .prepare_cached(
                        "DELETE FROM state WHERE user = ?1 AND project = ?2 AND owner = ?3 AND key = ?4",
                    )?
                    .execute(params![keeper.0, keeper.1, owner, key])?;
                continue;
            }
            connection
                .prepare_cached("INSERT OR REPLACE INTO state (user, project, owner, key, value) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![keeper.0, keeper.1, owner, key, value.to_string()])?;
        }
    }
    end.shared += Shared::changes(record);
    changes(record, end.now_ms).into_iter().try_for_each(|change| apply(connection, change))
}

/// Writes the new end of the log, and how often what all sessions share was changed.
fn write_head(connection: &Connection, end: &Head) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE head SET shared = ?1, seq = ?2, hash = ?3, now_ms = ?4")?.execute(
        params![signed(end.shared), signed(end.seq), end.hash.as_ref().map(Hash::as_bytes), end.now_ms],
    )?;
    Ok(())
}

fn apply(connection: &Connection, change: ApprovalChange<'_>) -> Result<(), StoreError> {
    let before = approval_row(connection, change.id())?;
    change.made(before).map_or(Ok(()), |row| put(connection, &row))
}

fn put(connection: &Connection, row: &ApprovalRow) -> Result<(), StoreError> {
    let text = serde_json::to_string(row)?;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO approvals (id, session, status, requested_ms, expires_ms, row)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![row.id, row.session, row.status.name(), row.requested_ms, row.expires_ms, text])?;
    Ok(())
}

pub(super) fn approval_row(connection: &Connection, id: &str) -> Result<Option<ApprovalRow>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT row FROM approvals WHERE id = ?1")?;
    let text: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}
