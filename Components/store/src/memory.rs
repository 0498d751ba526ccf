//! A store without a file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use mentci_authority::At;
use mentci_ledger::{Act, Record, SessionLedger, Shared, What, Windows};
use serde_json::Value;

use crate::approval::{ApprovalChange, changes};
use crate::audit::{Tables, Walk, Walked};
use crate::store::{Store, sessions_of};
use crate::{
    Answer, AnswerError, ApprovalQuery, ApprovalRow, Audit, CommitError, Committed, Loaded, LogLine,
    LogQuery, RawLine, SessionRow, Setting, StoreError, audit_hash,
};

/// Everything in memory: for tests, replays, and hosts that keep nothing.
///
/// ```
/// use mentci_authority::{Event, Hook};
/// use mentci_ledger::{Decided, Record, Windows};
/// use mentci_store::{CommitError, MemoryStore, Store};
/// let mut store = MemoryStore::default();
/// let mut mine = store.load("s1", Windows::default())?;
/// let mut theirs = mine.clone();
/// let event = Event { session: "s1".into(), ..Event::new(Hook::TurnStart) };
/// let record = Record::of(&event, &Decided::allowed(), vec![]);
/// assert!(store.commit(&mut mine, &record, None).is_ok());
/// assert_eq!(store.commit(&mut theirs, &record, None), Err(CommitError::Conflict));
/// # Ok::<(), mentci_store::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    lines: Vec<LogLine>,
    sessions: BTreeMap<String, SessionLedger>,
    shared: Shared,
    approvals: BTreeMap<String, ApprovalRow>,
    settings: BTreeMap<(String, String), Value>,
    settings_version: u64,
    now_ms: i64,
}

impl MemoryStore {
    fn write(&mut self, record: &Record, body: Option<&str>) -> Result<u64, StoreError> {
        let ledger = self.sessions.entry(record.session.clone()).or_default();
        ledger.fold(record);
        self.shared.fold(record);
        let (seq, version) = (self.lines.len() as u64 + 1, ledger.version());
        let before = self.lines.last().map(|line| line.hash);
        let hash = audit_hash(before, seq, version, &serde_json::to_string(record)?, body);
        let line = LogLine { seq, version, record: record.clone(), body: body.map(str::to_owned), hash };
        self.lines.push(line);
        self.now_ms = record.at.map_or(self.now_ms, |at| at.ms);
        for change in changes(record, self.now_ms) {
            self.approval(change);
        }
        Ok(version)
    }

    fn approval(&mut self, change: ApprovalChange<'_>) {
        let id = change.id().to_owned();
        let before = self.approvals.remove(&id);
        self.approvals.extend(change.made(before).map(|row| (id, row)));
    }

    fn records<'a>(&'a self, session: &'a str) -> impl Iterator<Item = &'a Record> {
        self.lines.iter().map(|line| &line.record).filter(move |record| record.session == session)
    }
}

impl Store for MemoryStore {
    fn load(&mut self, session: &str, windows: Windows) -> Result<Loaded, StoreError> {
        let kept = self.sessions.get(session).filter(|ledger| ledger.windows().covers(windows));
        let ledger = kept.cloned().unwrap_or_else(|| {
            let mut ledger = SessionLedger::new(windows);
            self.records(session).for_each(|record| ledger.fold(record));
            ledger
        });
        self.sessions.insert(session.to_owned(), ledger.clone());
        Ok(Loaded { session: session.to_owned(), ledger, shared: self.shared.clone() })
    }

    fn refresh(&mut self, loaded: &mut Loaded) -> Result<(), StoreError> {
        *loaded = self.load(&loaded.session, loaded.ledger.windows())?;
        Ok(())
    }

    fn commit(
        &mut self,
        loaded: &mut Loaded,
        record: &Record,
        body: Option<&str>,
    ) -> Result<Committed, CommitError> {
        let version = self.sessions.get(&record.session).map_or(0, SessionLedger::version);
        if (version, self.shared.version) != (loaded.ledger.version(), loaded.shared.version) {
            return Err(CommitError::Conflict);
        }
        let version = self.write(record, body)?;
        loaded.fold(record);
        Ok(Committed { version, is_stored: false })
    }

    fn append(&mut self, records: &[(Record, Option<String>)]) -> Result<(), StoreError> {
        for (record, body) in records {
            self.write(record, body.as_deref())?;
        }
        Ok(())
    }

    fn bring_in(&mut self, records: &[(Record, Option<String>)]) -> Result<Option<String>, StoreError> {
        let is_known = |session: &&str| self.records(session).next().is_some();
        match sessions_of(records).into_iter().find(is_known) {
            Some(known) => Ok(Some(known.to_owned())),
            None => self.append(records).map(|()| None),
        }
    }

    fn approvals(&mut self, query: &ApprovalQuery) -> Result<Vec<ApprovalRow>, StoreError> {
        Ok(query.select(self.approvals.values().cloned()))
    }

    fn answer(&mut self, answer: &Answer) -> Result<ApprovalRow, AnswerError> {
        let row = self.approvals.get(&answer.approval).ok_or(AnswerError::Unknown)?;
        let record = row.act(answer)?;
        self.write(&record, None)?;
        self.approvals.get(&answer.approval).cloned().ok_or(AnswerError::Unknown)
    }

    fn kill(&mut self, session: Option<&str>, reason: &str, by: &str, at: At) -> Result<(), StoreError> {
        let act = Act::Killed { reason: reason.to_owned(), by: by.to_owned() };
        self.write(&Record::act(session.unwrap_or_default(), at, act), None).map(|_| ())
    }

    fn resume(&mut self, session: Option<&str>, by: &str, at: At) -> Result<(), StoreError> {
        let act = Act::Resumed { by: by.to_owned() };
        self.write(&Record::act(session.unwrap_or_default(), at, act), None).map(|_| ())
    }

    fn killed(&mut self) -> Result<Option<String>, StoreError> {
        Ok(self.shared.killed.clone())
    }

    fn settings(&mut self) -> Result<Vec<Setting>, StoreError> {
        let setting = |((layer, key), value): (&(String, String), &Value)| Setting {
            layer: layer.clone(),
            key: key.clone(),
            value: value.clone(),
        };
        Ok(self.settings.iter().map(setting).collect())
    }

    fn set(&mut self, layer: &str, key: &str, value: Option<&Value>) -> Result<(), StoreError> {
        let place = (layer.to_owned(), key.to_owned());
        match value {
            Some(value) => self.settings.insert(place, value.clone()),
            None => self.settings.remove(&place),
        };
        self.settings_version += 1;
        Ok(())
    }

    fn set_by(
        &mut self,
        layer: &str,
        key: &str,
        value: Option<&Value>,
        told: &Record,
    ) -> Result<(), StoreError> {
        self.write(told, None)?;
        self.set(layer, key, value)
    }

    fn settings_version(&mut self) -> Result<u64, StoreError> {
        Ok(self.settings_version)
    }

    fn last(&mut self) -> Result<u64, StoreError> {
        Ok(self.lines.len() as u64)
    }

    fn log(&mut self, query: &LogQuery) -> Result<Vec<LogLine>, StoreError> {
        let of =
            |line: &&LogLine| query.session.as_ref().is_none_or(|session| line.record.session == *session);
        let from = usize::try_from(query.after).unwrap_or(usize::MAX);
        Ok(self.lines.iter().skip(from).filter(of).take(query.most()).cloned().collect())
    }

    fn walk(
        &mut self,
        session: &str,
        after: u64,
        each: &mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let of = |line: &&LogLine| line.record.session == session && line.version > after;
        for line in self.lines.iter().filter(of) {
            let record = serde_json::to_string(&line.record)?;
            let (seq, version, body) = (line.seq, line.version, line.body.as_deref());
            if each(RawLine { seq, version, record: &record, body }).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn sessions(&mut self) -> Result<Vec<SessionRow>, StoreError> {
        let mut rows: BTreeMap<&str, SessionRow> = BTreeMap::new();
        for line in self.lines.iter().filter(|line| !line.record.session.is_empty()) {
            let told = line.record.at.map(|at| at.ms);
            let row = rows.entry(&line.record.session).or_insert_with(|| SessionRow {
                session: line.record.session.clone(),
                version: 0,
                first_ms: 0,
                last_ms: 0,
                killed: None,
            });
            // A line without a time tells none of its session, whatever the log's last one is.
            row.version = line.version;
            row.last_ms = told.unwrap_or(row.last_ms);
            row.first_ms = if row.first_ms == 0 { row.last_ms } else { row.first_ms };
            match &line.record.what {
                What::Act(Act::Killed { reason, .. }) => row.killed = Some(reason.clone()),
                What::Act(Act::Resumed { .. }) => row.killed = None,
                _ => {}
            }
        }
        let mut rows: Vec<SessionRow> = rows.into_values().collect();
        rows.sort_by(|a, b| (b.last_ms, &a.session).cmp(&(a.last_ms, &b.session)));
        Ok(rows)
    }

    fn audit(&mut self) -> Result<Audit, StoreError> {
        let mut walk = Walk::default();
        for line in &self.lines {
            let record = serde_json::to_string(&line.record)?;
            walk.line(&Walked {
                seq: line.seq,
                session: &line.record.session,
                version: line.version,
                record: &record,
                body: line.body.as_deref(),
                hash: Some(line.hash),
            });
        }
        let told = self.sessions.iter().map(|(session, ledger)| (session.clone(), ledger.version()));
        let last = self.lines.last().map(|line| line.hash);
        let approvals = self.approvals.iter().map(|(id, row)| (id.clone(), Some(row.clone())));
        let (sessions, approvals) = (told.collect(), approvals.collect());
        let tables = Tables { sessions, approvals, settings: self.settings()?, snapshot: None };
        Ok(walk.end(self.lines.len() as u64, last, &tables))
    }
}
