//! Deciding goes on when the store cannot: what was acknowledged is held, and written later.

mod damage;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::At;
use mentci_disk::{Fs, Kind, RealFs};
use mentci_ledger::{Record, Windows};
use mentci_source::{Code, Finding};
use serde_json::Value;

use crate::held::{Held, HeldFolder};
use crate::sqlite::{Folding, Mark, Stands};
use crate::store::Store;
use crate::warm::Warm;
use crate::{
    Answer, AnswerError, ApprovalQuery, ApprovalRow, Audit, CommitError, Committed, Loaded, LogLine,
    LogQuery, RawLine, SessionRow, Setting, SqliteOptions, SqliteStore, StoreError,
};

/// An [`SqliteStore`] before which decisions never stand still.
///
/// A record that cannot be committed, because the file is locked, full, damaged or not to be opened, is held: in a file of
/// its own beside the store when that can be written, in memory otherwise. What is held counts in every later decision, and
/// goes into the store as soon as that is possible. A damaged store is set aside, and a new one is begun.
///
/// What a person does, approvals, the kill switch and settings, is never held: it fails, so that the person knows.
#[derive(Debug)]
pub struct DegradedStore {
    pub(crate) path: PathBuf,
    options: SqliteOptions,
    store: Option<SqliteStore>,
    /// Those that were open when their file was taken away, until what they have is written into the one that stands there.
    gone: Vec<SqliteStore>,
    pub(crate) folder: HeldFolder,
    /// What could not even be held in a file.
    unsaved: Vec<(Record, Option<String>)>,
    /// Sessions as they stand with what is held: against them commits are compared meanwhile.
    sessions: BTreeMap<String, Loaded>,
    /// The files of held records that count in these sessions.
    counted: BTreeSet<String>,
    /// Sessions as this process wrote them last.
    pub(crate) warm: Warm,
    /// Where the store stood when this process wrote last, as far as it knows.
    pub(crate) mark: Option<Mark>,
    /// Every setting, and the number of the change after which they were read.
    pub(crate) settings: Option<(u64, Arc<[Setting]>)>,
    pub(crate) folding: Folding,
    findings: Vec<Finding>,
    /// Every damage that was found.
    damages: Vec<Finding>,
    /// Of how many of them a decision told.
    told: usize,
    /// The error of the last attempt, so that it is told once.
    last: Option<StoreError>,
}

/// How long a store is waited for that could not be had the last time.
const RETRY: Duration = Duration::from_millis(20);

/// How long a store is waited for that another process could not have: what it holds is there still.
const AFTER_OTHERS: Duration = Duration::from_millis(200);

impl DegradedStore {
    /// Opens the store at `path`, now or when it can be opened.
    pub fn open(path: &Path, options: SqliteOptions) -> Self {
        let mut degraded = Self {
            path: path.to_owned(),
            options,
            store: None,
            gone: Vec::new(),
            folder: HeldFolder::beside(path),
            unsaved: Vec::new(),
            sessions: BTreeMap::new(),
            counted: BTreeSet::new(),
            warm: Warm::default(),
            mark: None,
            settings: None,
            folding: Folding::default(),
            findings: Vec::new(),
            damages: Vec::new(),
            told: 0,
            last: None,
        };
        // What went wrong is told by the findings.
        let _ = degraded.flush();
        degraded
    }

    /// Keeps a session as it stands after a commit: the next load of it reads only what others wrote since.
    pub fn keep(&mut self, loaded: Loaded) {
        if self.last.is_none() {
            self.warm.keep(loaded);
        }
    }

    /// A session that was kept, and whether what came since is in it.
    fn reload(&mut self, session: &str, windows: Windows) -> Option<(Loaded, bool)> {
        let mut loaded = self.warm.take(session, windows)?.loaded;
        let is_current = self.with(|store| store.refresh(&mut loaded)).is_ok();
        Some((loaded, is_current))
    }

    /// A session as it can be read without a word written.
    fn read_alone(&mut self, session: &str, windows: Windows) -> Option<Loaded> {
        let load = |store: &mut SqliteStore| store.load(session, windows).ok();
        // What was acknowledged stands there, as long as it could not be written into the one that stands now.
        if let Some(loaded) = self.gone.last_mut().and_then(load) {
            return Some(loaded);
        }
        match &mut self.store {
            Some(store) => load(store),
            // What could not be opened is opened to be read alone.
            None => SqliteStore::open_to_read(&self.path, self.options.clone()).as_mut().and_then(load),
        }
    }

    /// Why nobody knows what happened before, where there is something that cannot be read. Where no store is, nothing happened.
    fn why_unread(&self) -> Option<String> {
        let is_any = match RealFs.lstat(&self.path) {
            Ok(stat) => stat.kind != Kind::File || stat.stamp.size > 0,
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        is_any.then(|| self.last.as_ref().map_or_else(|| StoreError::Locked.in_short(), StoreError::in_short))
    }

    /// The same after another try to read the store.
    pub fn unread(&mut self) -> Option<String> {
        if self.flush().is_ok() || self.read_alone("", Windows::default()).is_some() {
            return None;
        }
        self.why_unread()
    }

    /// How many grants and settings stand in the file and do not count, because anybody may have written them.
    pub fn distrusted(&mut self) -> u64 {
        self.with(|store| store.distrusted()).unwrap_or(0)
    }

    /// What was odd since the last call.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Why the last attempt to use the store failed; `None` when it did not.
    pub fn error(&self) -> Option<&StoreError> {
        self.last.as_ref()
    }

    /// How many acknowledged records are in memory alone: they end with this process.
    pub fn unsaved(&self) -> usize {
        self.unsaved.len()
    }

    /// Tries to write what is held.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.with(|_| Ok::<_, StoreError>(()))
    }

    /// Does something with the store, after what is held was written into it.
    pub(crate) fn with<T, E: Fault>(
        &mut self,
        mut act: impl FnMut(&mut SqliteStore) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut result = self.ready().map_err(E::from).and_then(&mut act);
        let is_damaged = |error: &E| matches!(error.of_store(), Some(StoreError::Corrupt(_)));
        if result.as_ref().is_err_and(is_damaged) && self.begin_anew().is_ok() {
            result = self.ready().map_err(E::from).and_then(act);
        }
        self.note(result.as_ref().err().and_then(Fault::of_store).cloned());
        // What was acknowledged just when the file was taken away is not left in it.
        let is_away = |store: &mut SqliteStore| matches!(store.stands(), Stands::Another | Stands::Emptied);
        if result.is_ok()
            && self.store.as_mut().is_some_and(is_away)
            && let Err(error) = self.ready().map(drop)
        {
            self.note(Some(error));
        }
        result
    }

    /// The store, with everything that is held written into it.
    fn ready(&mut self) -> Result<&mut SqliteStore, StoreError> {
        self.look()?;
        // Asked once: this happens before each use of the store.
        let is_held = self.folder.holds_any(&RealFs);
        let busy = self.busy(is_held);
        let mut store = match self.store.take() {
            Some(store) => store,
            None => SqliteStore::open(&self.path, SqliteOptions { busy, ..self.options.clone() })?,
        };
        let written = store
            .wait(busy)
            .and_then(|()| self.take_over(&mut store))
            .and_then(|()| self.write_held(&mut store, is_held));
        let store = self.store.insert(store);
        written.map(|()| store)
    }

    /// How long another process is waited for: not each time as long as the first time.
    fn busy(&self, is_held: bool) -> Duration {
        let most = match &self.last {
            Some(_) => RETRY,
            None if is_held => AFTER_OTHERS,
            None => return self.options.busy,
        };
        most.min(self.options.busy)
    }

    fn write_held(&mut self, store: &mut SqliteStore, is_held: bool) -> Result<(), StoreError> {
        if is_held {
            self.folder.import(&RealFs, store)?;
        }
        if !self.unsaved.is_empty() {
            store.append(&self.unsaved)?;
            self.unsaved.clear();
        }
        self.sessions.clear();
        self.counted.clear();
        Ok(())
    }

    /// Tells of an error once, until it is another or gone.
    fn note(&mut self, error: Option<StoreError>) {
        if let Some(error) = &error
            && self.last.as_ref() != Some(error)
        {
            self.findings.push(error.finding(&self.path.to_string_lossy()));
        }
        self.last = error;
    }

    /// A session with everything that is held of it.
    fn with_held(&mut self, mut loaded: Loaded) -> Loaded {
        let (session, unsaved) = (loaded.session.clone(), self.unsaved.clone());
        for Held { name, record, .. } in self.folder.records(&RealFs) {
            if record.session == session {
                loaded.fold(&record);
                self.counted.insert(name);
            }
        }
        for (record, _) in unsaved.iter().filter(|(record, _)| record.session == session) {
            loaded.fold(record);
        }
        self.sessions.insert(session, loaded.clone());
        loaded
    }

    /// Whether the store, which may be read while others write, has more of the session than was known when it was decided.
    fn is_behind(&mut self, loaded: &Loaded) -> bool {
        let read = self.read_alone(&loaded.session, loaded.ledger.windows());
        let Some(stands) = read.map(|read| self.with_held(read)) else { return false };
        (stands.ledger.version(), stands.shared.version) != (loaded.ledger.version(), loaded.shared.version)
    }

    /// Counts what other processes held of the session since it was read; says whether there was something.
    fn catch_up(&mut self, loaded: &Loaded) -> bool {
        let is_new =
            |held: &Held| held.record.session == loaded.session && !self.counted.contains(&held.name);
        let new: Vec<Held> = self.folder.records(&RealFs).into_iter().filter(is_new).collect();
        if new.is_empty() {
            return false;
        }
        let session = self.sessions.entry(loaded.session.clone()).or_insert_with(|| loaded.clone());
        for Held { name, record, .. } in new {
            session.fold(&record);
            self.counted.insert(name);
        }
        true
    }

    /// Acknowledges a record that could not be committed because of `why`. One process at a time: what others held or committed
    /// in between is counted first, so that a quota is not spent twice.
    ///
    /// INVARIANT (held or committed): a record is held under the lock of the folder, and a transaction of decisions ends under
    /// it, with nothing held; so of two processes the later always sees what the earlier did.
    fn hold(
        &mut self,
        loaded: &mut Loaded,
        (record, body): (&Record, Option<&str>),
        why: StoreError,
    ) -> Result<Committed, CommitError> {
        // Where not even this can be locked, nothing can be held in a file either.
        let _lock = self.folder.lock(&RealFs);
        let is_behind = self.is_behind(loaded) || self.catch_up(loaded);
        let known = self.sessions.get(&record.session);
        if is_behind || known.is_some_and(|known| known.ledger.version() != loaded.ledger.version()) {
            return Err(CommitError::Conflict);
        }
        let written = self.folder.write(&RealFs, loaded.ledger.version(), record, body);
        let is_stored = written.is_ok();
        match written {
            Ok(name) => drop(self.counted.insert(name)),
            // INVARIANT (one grant, one call): in memory it would be forgotten with this process.
            Err(_) if record.uses_grant() => return Err(why.into()),
            Err(_) => self.unsaved.push((record.clone(), body.map(str::to_owned))),
        }
        loaded.fold(record);
        // That is of this record alone.
        loaded.shared.unwritten = None;
        self.sessions.insert(record.session.clone(), loaded.clone());
        self.findings.push(held_finding(is_stored).in_file(&self.path.to_string_lossy()));
        Ok(Committed { version: loaded.ledger.version(), is_stored })
    }
}

fn held_finding(is_stored: bool) -> Finding {
    let (place, help) = if is_stored {
        ("in a file of its own", "it is written as soon as the store can be")
    } else {
        ("in memory", "it ends with this process, unless the store can be written before")
    };
    Finding::new(
        Code::STORE_HELD,
        format!("a decision could not be written into the store; it is held {place}"),
    )
    .help(help)
}

/// An error that may be the store's own.
pub(crate) trait Fault: From<StoreError> {
    fn of_store(&self) -> Option<&StoreError>;
}

impl Fault for StoreError {
    fn of_store(&self) -> Option<&StoreError> {
        Some(self)
    }
}

impl Fault for CommitError {
    fn of_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error) => Some(error),
            Self::Conflict => None,
        }
    }
}

impl Fault for AnswerError {
    fn of_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error) => Some(error),
            Self::Unknown | Self::Settled(_) => None,
        }
    }
}

impl Store for DegradedStore {
    /// Never fails: without the store, the session is what is held of it.
    fn load(&mut self, session: &str, windows: Windows) -> Result<Loaded, StoreError> {
        let kept = match self.reload(session, windows) {
            Some((loaded, true)) => return Ok(loaded),
            kept => kept.map(|(loaded, _)| loaded),
        };
        if let Ok(loaded) = self.with(|store| store.load(session, windows)) {
            return Ok(loaded);
        }
        // What cannot be written may still be read.
        let read = self.read_alone(session, windows).or(kept);
        let covers = |held: &&Loaded| held.ledger.windows().covers(windows);
        // What was held when nothing could be read stands in a file, and counts beside what can be read by now.
        let stands = |held: &&Loaded| held.shared.unread.is_none() || read.is_none();
        if let Some(held) = self.sessions.get(session).filter(covers).filter(stands) {
            let mut held = held.clone();
            // A person may have stopped everything meanwhile.
            held.shared.killed = read.map_or(held.shared.killed, |read| read.shared.killed);
            return Ok(held);
        }
        let unread = if read.is_none() { self.why_unread() } else { None };
        let mut loaded = read.unwrap_or_else(|| Loaded::empty(session, windows));
        loaded.shared.unread = unread;
        Ok(self.with_held(loaded))
    }

    /// Never fails: without the store, the session stays as it is, or takes in what is held.
    fn refresh(&mut self, loaded: &mut Loaded) -> Result<(), StoreError> {
        if self.with(|store| store.refresh(loaded)).is_ok() {
            loaded.know_all();
        } else if let Some(held) = self.sessions.get(&loaded.session) {
            *loaded = held.clone();
        }
        Ok(())
    }

    /// Fails for a conflict alone: without the store, the record is held; and where a grant is used that can be written nowhere.
    fn commit(
        &mut self,
        loaded: &mut Loaded,
        record: &Record,
        body: Option<&str>,
    ) -> Result<Committed, CommitError> {
        let held = self.folder.clone();
        match self.with(|store| store.commit_beside(&held, loaded, record, body)) {
            Err(CommitError::Store(why)) => self.hold(loaded, (record, body), why),
            committed => {
                if committed.is_ok() {
                    loaded.know_all();
                }
                committed
            }
        }
    }

    fn append(&mut self, records: &[(Record, Option<String>)]) -> Result<(), StoreError> {
        self.with(|store| store.append(records))
    }

    fn bring_in(&mut self, records: &[(Record, Option<String>)]) -> Result<Option<String>, StoreError> {
        self.with(|store| store.bring_in(records))
    }

    fn approvals(&mut self, query: &ApprovalQuery) -> Result<Vec<ApprovalRow>, StoreError> {
        self.with(|store| store.approvals(query))
    }

    fn answer(&mut self, answer: &Answer) -> Result<ApprovalRow, AnswerError> {
        self.with(|store| store.answer(answer))
    }

    fn kill(&mut self, session: Option<&str>, reason: &str, by: &str, at: At) -> Result<(), StoreError> {
        self.with(|store| store.kill(session, reason, by, at))
    }

    fn resume(&mut self, session: Option<&str>, by: &str, at: At) -> Result<(), StoreError> {
        self.with(|store| store.resume(session, by, at))
    }

    fn killed(&mut self) -> Result<Option<String>, StoreError> {
        self.with(Store::killed)
    }

    fn settings(&mut self) -> Result<Vec<Setting>, StoreError> {
        self.with(Store::settings)
    }

    fn set(&mut self, layer: &str, key: &str, value: Option<&Value>) -> Result<(), StoreError> {
        self.with(|store| store.set(layer, key, value))
    }

    fn set_by(
        &mut self,
        layer: &str,
        key: &str,
        value: Option<&Value>,
        told: &Record,
    ) -> Result<(), StoreError> {
        self.with(|store| store.set_by(layer, key, value, told))
    }

    fn settings_version(&mut self) -> Result<u64, StoreError> {
        self.with(Store::settings_version)
    }

    fn last(&mut self) -> Result<u64, StoreError> {
        self.with(Store::last)
    }

    fn log(&mut self, query: &LogQuery) -> Result<Vec<LogLine>, StoreError> {
        self.with(|store| store.log(query))
    }

    fn walk(
        &mut self,
        session: &str,
        after: u64,
        each: &mut dyn FnMut(RawLine<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        // Should the store be begun anew meanwhile, no line is handed over twice.
        let mut last = after;
        self.with(|store| {
            store.walk(session, last, &mut |line| {
                last = line.version;
                each(line)
            })
        })
    }

    fn sessions(&mut self) -> Result<Vec<SessionRow>, StoreError> {
        self.with(Store::sessions)
    }

    fn audit(&mut self) -> Result<Audit, StoreError> {
        self.with(Store::audit)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::*;

    #[test]
    fn what_others_hold_already_is_not_waited_for_as_long_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let options = SqliteOptions::default();
        let mut store = DegradedStore::open(&path, options.clone());
        assert_eq!(store.busy(store.folder.holds_any(&RealFs)), options.busy);
        let held = folder.path().join("store.db.held");
        RealFs.create_dir_all(&held).unwrap();
        RealFs.write_new(&held.join("1.json"), b"{}", 0o600).unwrap();
        assert_eq!(store.busy(store.folder.holds_any(&RealFs)), AFTER_OTHERS);
        store.last = Some(StoreError::Locked);
        assert_eq!(store.busy(false), RETRY);
    }
}
