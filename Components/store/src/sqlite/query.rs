//! The store's other questions.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use mentci_authority::At;
use mentci_ledger::{Act, Record, Windows};
use mentci_source::Hash;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::commit::approval_row;
use super::load::{parse, signed, unsigned};
use super::proof::wrong_snapshot;
use crate::audit::{Tables, Walk, Walked};
use crate::store::Store;
use crate::{
    Answer, AnswerError, ApprovalQuery, ApprovalRow, Audit, CommitError, Committed, Loaded, LogLine,
    LogQuery, RawLine, SessionRow, Setting, SqliteStore, StoreError,
};

impl Store for SqliteStore {
    fn load(&mut self, session: &str, windows: Windows) -> Result<Loaded, StoreError> {
        self.read(session, windows)
    }

    fn refresh(&mut self, loaded: &mut Loaded) -> Result<(), StoreError> {
        self.read_on(loaded)
    }

    fn commit(
        &mut self,
        loaded: &mut Loaded,
        record: &Record,
        body: Option<&str>,
    ) -> Result<Committed, CommitError> {
        self.write_next(loaded, record, body, None)
    }

    fn append(&mut self, records: &[(Record, Option<String>)]) -> Result<(), StoreError> {
        self.write_all(records)
    }

    fn bring_in(&mut self, records: &[(Record, Option<String>)]) -> Result<Option<String>, StoreError> {
        self.write_new(records)
    }

    fn approvals(&mut self, query: &ApprovalQuery) -> Result<Vec<ApprovalRow>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT row FROM approvals")?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(serde_json::from_str(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
        }
        Ok(query.select(found))
    }

    fn answer(&mut self, answer: &Answer) -> Result<ApprovalRow, AnswerError> {
        // Read before it is written, and bound by the session's version: of two answers at once, one is refused.
        let row = approval_row(&self.connection, &answer.approval)?.ok_or(AnswerError::Unknown)?;
        let mut loaded = self.read(&row.session, Windows::default())?;
        let row = approval_row(&self.connection, &answer.approval)?.ok_or(AnswerError::Unknown)?;
        match self.write_next(&mut loaded, &row.act(answer)?, None, None) {
            Ok(_) => Ok(approval_row(&self.connection, &answer.approval)?.ok_or(AnswerError::Unknown)?),
            Err(CommitError::Conflict) => self.answer(answer),
            Err(CommitError::Store(error)) => Err(error.into()),
        }
    }

    fn kill(&mut self, session: Option<&str>, reason: &str, by: &str, at: At) -> Result<(), StoreError> {
        let act = Act::Killed { reason: reason.to_owned(), by: by.to_owned() };
        self.write_all(&[(Record::act(session.unwrap_or_default(), at, act), None)])
    }

    fn resume(&mut self, session: Option<&str>, by: &str, at: At) -> Result<(), StoreError> {
        let act = Act::Resumed { by: by.to_owned() };
        self.write_all(&[(Record::act(session.unwrap_or_default(), at, act), None)])
    }

    fn killed(&mut self) -> Result<Option<String>, StoreError> {
        Ok(self.connection.query_row("SELECT killed FROM head", [], |row| row.get(0))?)
    }

    fn settings(&mut self) -> Result<Vec<Setting>, StoreError> {
        // INVARIANT (foreign grants)
        if self.options.is_foreign { Ok(Vec::new()) } else { settings(&self.connection) }
    }

    fn set(&mut self, layer: &str, key: &str, value: Option<&Value>) -> Result<(), StoreError> {
        self.write_setting(layer, key, value, None)
    }

    fn set_by(
        &mut self,
        layer: &str,
        key: &str,
        value: Option<&Value>,
        told: &Record,
    ) -> Result<(), StoreError> {
        self.write_setting(layer, key, value, Some(told))
    }

    fn settings_version(&mut self) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT settings FROM head")?;
        Ok(unsigned(statement.query_row([], |row| row.get(0))?))
    }

    fn last(&mut self) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT seq FROM head")?;
        Ok(unsigned(statement.query_row([], |row| row.get(0))?))
    }

    fn log(&mut self, query: &LogQuery) -> Result<Vec<LogLine>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT seq, version, hash, record, body FROM log
             WHERE seq > ?1 AND (?2 IS NULL OR session = ?2) ORDER BY seq LIMIT ?3",
        )?;
        let mut rows =
            statement.query(params![signed(query.after), query.session, signed(query.most() as u64)])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(line(row)?);
        }
        Ok(found)
    }

    fn walk(
        &mut self,
        session: &str,
        after: u64,
        each: &mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT seq, version, record, body FROM log WHERE session = ?1 AND version > ?2 ORDER BY version",
        )?;
        let mut rows = statement.query(params![session, signed(after)])?;
        while let Some(row) = rows.next()? {
            let (record, body) = (row.get_ref(2)?, row.get_ref(3)?);
            let line = RawLine {
                seq: unsigned(row.get(0)?),
                version: unsigned(row.get(1)?),
                record: record.as_str().map_err(rusqlite::Error::from)?,
                body: body.as_str_or_null().map_err(rusqlite::Error::from)?,
            };
            if each(line).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn sessions(&mut self) -> Result<Vec<SessionRow>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT session, version, first_ms, last_ms, killed FROM sessions WHERE session <> ''
             ORDER BY last_ms DESC, session",
        )?;
        let rows = statement.query_map([], |row| {
            let (first_ms, last_ms, killed) = (row.get(2)?, row.get(3)?, row.get(4)?);
            Ok(SessionRow { session: row.get(0)?, version: unsigned(row.get(1)?), first_ms, last_ms, killed })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn audit(&mut self) -> Result<Audit, StoreError> {
        let transaction = self.connection.transaction()?;
        let mut walk = Walk::default();
        {
            let mut statement = transaction
                .prepare("SELECT seq, session, version, hash, record, body FROM log ORDER BY seq")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let text = |at: usize| row.get_ref(at).map(|value| value.as_str().ok());
                let hash: Option<[u8; 32]> = row.get(3).ok();
                walk.line(&Walked {
                    seq: unsigned(row.get(0)?),
                    session: text(1)?.unwrap_or_default(),
                    version: unsigned(row.get(2)?),
                    record: text(4)?.unwrap_or_default(),
                    body: text(5)?,
                    hash: hash.map(Hash::from_bytes),
                });
            }
        }
        let (lines, last) = transaction.query_row("SELECT seq, hash FROM head", [], |row| {
            let hash: Option<[u8; 32]> = row.get(1)?;
            Ok((unsigned(row.get(0)?), hash.map(Hash::from_bytes)))
        })?;
        let mut statement = transaction.prepare("SELECT session, version FROM sessions")?;
        let told = statement.query_map([], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))?;
        let sessions = told.collect::<Result<_, _>>()?;
        let (approvals, settings) = (table_of_approvals(&transaction)?, settings(&transaction)?);
        let tables = Tables { sessions, approvals, settings, snapshot: wrong_snapshot(&transaction)? };
        Ok(walk.end(lines, last, &tables))
    }
}

fn settings(connection: &Connection) -> Result<Vec<Setting>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT layer, key, value FROM settings ORDER BY layer, key")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let value = serde_json::from_str(row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?)?;
        found.push(Setting { layer: row.get(0)?, key: row.get(1)?, value });
    }
    Ok(found)
}

/// The table of requests; `None` for a row that does not read, or whose columns say another thing than the row.
fn table_of_approvals(connection: &Connection) -> Result<BTreeMap<String, Option<ApprovalRow>>, StoreError> {
    let mut statement =
        connection.prepare("SELECT id, session, status, requested_ms, expires_ms, row FROM approvals")?;
    let mut rows = statement.query([])?;
    let mut table = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let columns = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        let id: String = row.get(0)?;
        let read =
            row.get_ref(5)?.as_str().ok().and_then(|text| serde_json::from_str::<ApprovalRow>(text).ok());
        let read = read.filter(|read| {
            let status = read.status.name().to_owned();
            columns == (read.id.clone(), read.session.clone(), status, read.requested_ms, read.expires_ms)
        });
        table.insert(id, read);
    }
    Ok(table)
}

fn line(row: &Row<'_>) -> Result<LogLine, StoreError> {
    let record = parse(row.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?)?;
    let (seq, version) = (unsigned(row.get(0)?), unsigned(row.get(1)?));
    Ok(LogLine { seq, version, record, body: row.get(4)?, hash: Hash::from_bytes(row.get(2)?) })
}
