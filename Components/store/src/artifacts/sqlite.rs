//! Artifacts in one SQLite file that several processes share.

mod chunks;
mod find;
mod index;
mod keep;
mod line;
mod put;
mod rescue;
mod schema;
mod stream;

use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mentci_authority::{
    ArtifactError, ArtifactExcerpt, ArtifactExtent, ArtifactHandle, ArtifactHit, ArtifactId, ArtifactKeeper,
    ArtifactNote, ArtifactPart, ArtifactScope, ArtifactStore, Collected, GcPolicy, NewArtifact,
};
use mentci_disk::{Fs, RealFs};
use mentci_source::Finding;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::Fault;
use super::proof::Proofs;
use crate::aside::{guard, with_suffix};
use crate::sqlite::{back_up, make};
use crate::{StoreError, schema as steps, wal};
use line::Line;
use schema::{ARTIFACTS_FORMAT, STEPS};

/// The artifacts of a workspace: one SQLite file with a write-ahead log, `artifacts.db`.
///
/// Each commit is synced before it is acknowledged; threads that store at the same time share one. A damaged file is set
/// aside, and a new one is begun with the artifacts of it that are whole.
///
/// ```
/// use mentci_authority::{ArtifactHandle, ArtifactStore, NewArtifact};
/// use mentci_store::{SqliteArtifactStore, artifact_id};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("artifacts.db");
/// let store = SqliteArtifactStore::open(&path, std::time::Duration::from_secs(2))?;
/// let content = b"a large answer".to_vec();
/// let handle = ArtifactHandle {
///     artifact_id: artifact_id(&content),
///     summary: "an answer".into(),
///     size_bytes: content.len() as u64,
///     mime_type: "text/plain".into(),
///     created_at: 1.0,
///     source: "tool:echo".into(),
/// };
/// store.store("s1", &[NewArtifact { handle: handle.clone(), content }]).unwrap();
/// assert_eq!(store.retrieve_range(&handle.artifact_id, 2..7).unwrap().as_deref(), Some(b"large".as_slice()));
/// assert_eq!(store.list_handles(Some("s1")).unwrap(), [handle]);
/// # Ok::<(), mentci_store::StoreError>(())
/// ```
#[derive(Debug)]
pub struct SqliteArtifactStore {
    path: PathBuf,
    busy: Duration,
    /// The file that the connections have.
    file: Mutex<Option<(u64, u64)>>,
    /// The one that writes. Gone while the file is set aside, and when it could not be opened again.
    writer: Mutex<Option<Connection>>,
    /// Those that read and are not reading now, all of the file that the writer has.
    readers: Mutex<Vec<Connection>>,
    line: Line,
    proofs: Proofs,
    findings: Mutex<Vec<Finding>>,
}

/// The write-ahead log is folded into the file when it has so many bytes.
const WAL_BYTES: u64 = 8 * 1024 * 1024;

/// How long a reader is waited for before the log stays as it is for now.
const READER: Duration = Duration::from_millis(10);

/// So many connections are kept for readers.
const READERS: usize = 4;

impl SqliteArtifactStore {
    /// Opens the artifacts at `path`, and makes the file when there is none; another process is waited for `busy` long.
    ///
    /// # Errors
    /// - The file is locked, newer, or may not be opened. A damaged one is set aside.
    pub fn open(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| RealFs.stat(folder).is_err()) {
            RealFs.create_dir_all(folder).map_err(|error| StoreError::Denied(error.to_string()))?;
        }
        let store = Self {
            path: path.to_owned(),
            busy,
            file: Mutex::default(),
            writer: Mutex::default(),
            readers: Mutex::default(),
            line: Line::default(),
            proofs: Proofs::default(),
            findings: Mutex::default(),
        };
        match connect_new(path, busy) {
            Ok(connection) => *lock(&store.writer) = Some(connection),
            Err(StoreError::Corrupt(_)) => store.begin_anew()?,
            Err(error) => return Err(error),
        }
        *lock(&store.file) = identity(path);
        Ok(store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was odd since the last call.
    pub fn take_findings(&self) -> Vec<Finding> {
        std::mem::take(&mut *lock(&self.findings))
    }

    /// Keeps in mind what is odd, once.
    fn tell(&self, odd: Vec<Finding>) {
        let mut findings = lock(&self.findings);
        for finding in odd {
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }

    /// Lets the file grow to so many pages, as a disk without room would. At least to its size.
    #[doc(hidden)]
    pub fn limit_pages(&self, pages: u32) {
        if let Some(connection) = &*lock(&self.writer) {
            // It answers with the bound that holds.
            let _ = connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()));
        }
    }

    /// Lets the connections go when another file stands under the name by now: another process set ours aside, or somebody
    /// deleted it. What would be written into the old one would be lost.
    fn stay_current(&self) {
        let now = identity(&self.path);
        let mut file = lock(&self.file);
        if *file != now {
            *lock(&self.writer) = None;
            lock(&self.readers).clear();
            *file = now;
        }
    }

    /// Does something, and once more when the store turned out to be damaged and could be begun anew.
    fn mended<T>(&self, mut act: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
        self.stay_current();
        match act() {
            Err(fault) if fault.is_corrupt() && self.begin_anew().is_ok() => act(),
            result => result,
        }
    }

    /// Reads, in one transaction: what is read is of one moment.
    fn read<T>(&self, read: impl Fn(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        self.mended(|| {
            let mut connection = self.reader()?;
            let transaction = connection.transaction()?;
            let result = read(&transaction)?;
            transaction.commit()?;
            self.give_back(connection);
            Ok(result)
        })
    }

    fn copy_once(
        &self,
        id: &ArtifactId,
        part: &ArtifactPart,
        to: &mut dyn Write,
    ) -> Result<Option<ArtifactExtent>, Fault> {
        self.stay_current();
        let mut connection = self.reader()?;
        let transaction = connection.transaction()?;
        let known = chunks::find(&transaction, id)?;
        let extent = known
            .map(|known| known.reading(&transaction).proving(&self.proofs).copy(part, to))
            .transpose()?;
        drop(transaction);
        self.give_back(connection);
        Ok(extent)
    }

    fn reader(&self) -> Result<Connection, StoreError> {
        match lock(&self.readers).pop() {
            Some(connection) => Ok(connection),
            None => connect_new(&self.path, self.busy),
        }
    }

    fn give_back(&self, connection: Connection) {
        let mut readers = lock(&self.readers);
        if readers.len() < READERS {
            readers.push(connection);
        }
    }

    /// Writes, in one transaction that is synced when it ends.
    fn write<T>(&self, write: impl Fn(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        self.mended(|| {
            let mut writer = lock(&self.writer);
            let connection = self.writing(&mut writer)?;
            let result = commit(connection, &write);
            if result.is_err() {
                // What failed leaves nothing behind: where the disk is full, others need the room.
                empty_log(connection);
            } else {
                self.fold_log(connection);
            }
            result
        })
    }

    /// The connection that writes, opened again when it had to be closed.
    fn writing<'a>(&self, writer: &'a mut Option<Connection>) -> Result<&'a mut Connection, StoreError> {
        match writer {
            Some(connection) => Ok(connection),
            none => Ok(none.insert(connect_new(&self.path, self.busy)?)),
        }
    }

    /// Folds the log into the file before something large is written: where that fails because the disk is full, the log holds nothing
    /// else, and all of its room is given back.
    fn make_ready(&self) {
        if let Some(connection) = &*lock(&self.writer) {
            empty_log(connection);
        }
    }

    /// Gives the pages that are free now back to the disk: the file ends behind those that are left, and the log is folded into it.
    /// What fails here, because another process reads, is done the next time.
    fn shrink(&self) {
        if let Some(connection) = &*lock(&self.writer) {
            let _ = give_pages_back(connection);
            empty_log(connection);
        }
    }

    /// Folds the write-ahead log into the file when it has grown. What fails here is done by a later commit.
    fn fold_log(&self, connection: &Connection) {
        let log = with_suffix(&self.path, "-wal");
        let is_large = RealFs.lstat(&log).is_ok_and(|stat| stat.stamp.size > WAL_BYTES);
        if is_large && connection.busy_timeout(READER).is_ok() {
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            let _ = connection.busy_timeout(self.busy);
        }
    }
}

/// Moves the pages that are free to the end of the file, where they go. A file that was not made to do so is written anew, once.
fn give_pages_back(connection: &Connection) -> rusqlite::Result<()> {
    let free: i64 = connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
    if free == 0 {
        return Ok(());
    }
    let kind: i64 = connection.pragma_query_value(None, "auto_vacuum", |row| row.get(0))?;
    if kind == INCREMENTAL {
        // Each step gives one page back.
        let mut statement = connection.prepare("PRAGMA incremental_vacuum")?;
        let mut steps = statement.query([])?;
        while steps.next()?.is_some() {}
        return Ok(());
    }
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.execute_batch("VACUUM")
}

/// What `auto_vacuum` says of a file that gives its pages back when it is asked to.
const INCREMENTAL: i64 = 2;

/// Which file stands under a name.
fn identity(path: &Path) -> Option<(u64, u64)> {
    RealFs.lstat(path).ok().map(|stat| (stat.stamp.device, stat.stamp.inode))
}

/// Runs `write` in a transaction.
/// Folds the write-ahead log into the file and gives its room back. What fails here, because another process reads or writes, is done
/// by a later commit.
fn empty_log(connection: &Connection) {
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
}

fn commit<T>(
    connection: &mut Connection,
    write: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let result = write(&transaction)?;
    transaction.commit()?;
    Ok(result)
}

/// A thread that stopped while it held a lock left nothing half done: the transaction was rolled back.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Connects to the file, which is made and brought to the newest format if needed.
fn connect_new(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    make(&RealFs, path)?;
    let mut connection = connect(path, busy)?;
    let found = steps::format(&connection)?;
    wal::check(&connection, path)?;
    if found > ARTIFACTS_FORMAT {
        return Err(StoreError::Newer { found, known: ARTIFACTS_FORMAT });
    }
    if found < ARTIFACTS_FORMAT {
        let _lock = guard(&RealFs, path)?;
        // Both are properties of the file, which an empty one takes on.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        crate::sqlite::set_journal(&connection)?;
        steps::climb(&mut connection, STEPS, |connection, found| back_up(&RealFs, connection, path, found))?;
    }
    Ok(connection)
}

fn connect(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

impl ArtifactStore for SqliteArtifactStore {
    fn store(&self, session: &str, artifacts: &[NewArtifact]) -> Result<(), ArtifactError> {
        Ok(self.put(session, artifacts)?)
    }

    fn retrieve(&self, id: &ArtifactId) -> Result<Option<Vec<u8>>, ArtifactError> {
        Ok(self.read(|connection| {
            chunks::find(connection, id)?.map(|known| known.reading(connection).whole()).transpose()
        })?)
    }

    fn retrieve_range(&self, id: &ArtifactId, range: Range<u64>) -> Result<Option<Vec<u8>>, ArtifactError> {
        Ok(self.retrieve_part(id, &ArtifactPart::Bytes(range))?.map(|excerpt| excerpt.bytes))
    }

    fn handle(&self, id: &ArtifactId) -> Result<Option<ArtifactHandle>, ArtifactError> {
        Ok(self.read(|connection| keep::handle(connection, id))?)
    }

    fn list_handles(&self, session: Option<&str>) -> Result<Vec<ArtifactHandle>, ArtifactError> {
        let (handles, odd) = self.read(|connection| keep::handles(connection, session))?;
        self.tell(odd);
        Ok(handles)
    }

    fn delete(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.write(|connection| keep::delete(connection, id))?)
    }
}

impl ArtifactKeeper for SqliteArtifactStore {
    fn take_findings(&self) -> Vec<Finding> {
        Self::take_findings(self)
    }

    fn store_reader(
        &self,
        session: &str,
        note: &ArtifactNote,
        content: &mut dyn Read,
    ) -> Result<ArtifactHandle, ArtifactError> {
        Ok(self.put_reader(session, note, content)?)
    }

    fn copy(
        &self,
        id: &ArtifactId,
        part: &ArtifactPart,
        to: &mut dyn Write,
    ) -> Result<Option<ArtifactExtent>, ArtifactError> {
        let copied = self.copy_once(id, part, to);
        if copied.as_ref().is_err_and(Fault::is_corrupt) {
            // Not tried again, since some of it may be written; the next one finds a store.
            let _ = self.begin_anew();
        }
        Ok(copied?)
    }

    fn retrieve_part(
        &self,
        id: &ArtifactId,
        part: &ArtifactPart,
    ) -> Result<Option<ArtifactExcerpt>, ArtifactError> {
        Ok(self.read(|connection| {
            let Some(known) = chunks::find(connection, id)? else { return Ok(None) };
            let mut bytes = Vec::new();
            let extent = known.reading(connection).proving(&self.proofs).copy(part, &mut bytes)?;
            Ok(Some(ArtifactExcerpt { bytes, extent }))
        })?)
    }

    fn search(
        &self,
        scope: &ArtifactScope,
        query: &str,
        most: usize,
    ) -> Result<Vec<ArtifactHit>, ArtifactError> {
        Ok(self.find(scope, query, most)?)
    }

    fn visible(&self, session: &str, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.read(|connection| keep::is_held(connection, session, id))?)
    }

    fn hold(&self, session: &str, id: &ArtifactId, at: f64) -> Result<bool, ArtifactError> {
        Ok(self.write(|connection| keep::hold(connection, session, id, at))?)
    }

    fn pin(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.write(|connection| keep::set_pin(connection, id, true))?)
    }

    fn unpin(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.write(|connection| keep::set_pin(connection, id, false))?)
    }

    fn pins(&self) -> Result<Vec<ArtifactId>, ArtifactError> {
        Ok(self.read(keep::pins)?)
    }

    fn gc(&self, policy: &GcPolicy) -> Result<Collected, ArtifactError> {
        if policy.is_dry {
            return Ok(self.read(|connection| keep::collect(connection, policy))?);
        }
        let collected = self.write(|connection| keep::collect(connection, policy))?;
        self.shrink();
        Ok(collected)
    }
}
