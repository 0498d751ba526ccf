//! The store of a workspace: one SQLite file that several processes share.

mod commit;
mod group;
mod load;
mod proof;
mod query;
mod save;
mod stands;

use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_disk::{Fs, RealFs};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::aside::{guard, with_suffix};
use crate::{StoreError, schema, wal};
pub(crate) use group::{Draft, Folding, Mark};
use stands::Opened;
pub(crate) use stands::Stands;

/// How a store is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long another process is waited for.
    pub busy: Duration,
    /// Whose plugin state is read and written.
    pub user: String,
    /// Of which project.
    pub project: String,
    /// Whether anybody may have written the file, as where it stands in a workspace: what people grant and set by it does not
    /// count.
    pub is_foreign: bool,
}

impl Default for SqliteOptions {
    /// Two seconds, and state of nobody in particular.
    fn default() -> Self {
        Self { busy: Duration::from_secs(2), user: String::new(), project: String::new(), is_foreign: false }
    }
}

/// One SQLite file with a write-ahead log.
///
/// Decisions survive the death of the process. Approvals, the kill switch and quota reservations also survive a loss of
/// power: their transactions, and with them all before, are synced before they are acknowledged.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    options: SqliteOptions,
    /// Whether transactions are synced, as the connection has it now.
    is_full: bool,
    /// Which file is open.
    file: Option<Opened>,
}

/// The write-ahead log is folded into the file and emptied when it has so many bytes: the first process to open the file
/// reads it whole.
const WAL_BYTES: u64 = 256 * 1024;

/// Small pages: a commit touches about seven, with a few bytes in each.
const PAGE_BYTES: u32 = 1024;

/// How long a reader is waited for before the log stays as it is for now.
const READER: Duration = Duration::from_millis(10);

impl SqliteStore {
    /// Opens the store at `path`, and makes it when there is none.
    ///
    /// # Errors
    /// - The file is locked, damaged, newer, or may not be opened.
    pub fn open(path: &Path, options: SqliteOptions) -> Result<Self, StoreError> {
        let fs = RealFs;
        if let Some(folder) = path.parent().filter(|folder| fs.stat(folder).is_err()) {
            fs.create_dir_all(folder).map_err(|error| StoreError::Denied(error.to_string()))?;
        }
        make(&fs, path)?;
        let (connection, file) = connect_known(&fs, path, options.busy)?;
        let mut store = Self { connection, path: path.to_owned(), options, is_full: false, file };
        let found = schema::format(&store.connection)?;
        wal::check(&store.connection, path)?;
        if found != schema::STORE_FORMAT {
            store.migrate(&fs)?;
        }
        Ok(store)
    }

    /// The store as it stands while another process writes; none where it cannot be read, or must be migrated first.
    pub(crate) fn open_to_read(path: &Path, options: SqliteOptions) -> Option<Self> {
        RealFs.lstat(path).ok()?;
        let connection = connect(path, READER).ok()?;
        let is_current = schema::format(&connection).ok()? == schema::STORE_FORMAT;
        is_current.then(|| Self { connection, path: path.to_owned(), options, is_full: false, file: None })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets the file grow to so many pages, as a disk without room would. At least to its size.
    #[doc(hidden)]
    pub fn limit_pages(&mut self, pages: u32) {
        // It answers with the bound that holds.
        let _ = self.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()));
    }

    /// Folds the write-ahead log into the file when it has grown. What fails here is done by a later commit.
    pub(crate) fn fold_log(&mut self) {
        let log = with_suffix(&self.path, "-wal");
        if RealFs.lstat(&log).is_ok_and(|stat| stat.stamp.size > WAL_BYTES) {
            self.empty_log();
        }
    }

    /// Folds the write-ahead log into the file and gives its room back, if no reader stands in the way.
    fn empty_log(&mut self) {
        if self.wait(READER).is_ok() {
            let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            let _ = self.wait(self.options.busy);
        }
    }

    /// How long another process is waited for, from now on.
    pub(crate) fn wait(&mut self, busy: Duration) -> Result<(), StoreError> {
        Ok(self.connection.busy_timeout(busy)?)
    }

    fn migrate(&mut self, fs: &dyn Fs) -> Result<(), StoreError> {
        let found = schema::format(&self.connection)?;
        if found > schema::STORE_FORMAT {
            return Err(StoreError::Newer { found, known: schema::STORE_FORMAT });
        }
        let _lock = guard(fs, &self.path)?;
        self.connection.pragma_update(None, "page_size", PAGE_BYTES)?;
        // First, so that whoever sees the tables finds the mode set.
        set_journal(&self.connection)?;
        let path = self.path.clone();
        schema::migrate(&mut self.connection, |connection, found| back_up(fs, connection, &path, found))
    }
}

/// Makes an empty file for its user alone: records hold what tools were told. SQLite gives its other files the same rights.
pub(crate) fn make(fs: &dyn Fs, path: &Path) -> Result<(), StoreError> {
    if fs.lstat(path).is_ok() {
        return Ok(());
    }
    let _lock = guard(fs, path)?;
    if fs.lstat(path).is_ok() {
        return Ok(());
    }
    fs.write_new(path, b"", 0o600).map_err(|error| StoreError::Denied(error.to_string()))
}

/// Opens a file, and says which. Where the file system gives it another number as it is opened to be written, it is opened once
/// more; should another file come between, that is noticed at the next look.
fn connect_known(
    fs: &dyn Fs,
    path: &Path,
    busy: Duration,
) -> Result<(Connection, Option<Opened>), StoreError> {
    let (before, connection) = (Opened::at(fs, path), connect(path, busy)?);
    let file = Opened::at(fs, path);
    if before.is_some_and(|before| file.is_some_and(|file| before.is_same(file))) {
        return Ok((connection, before));
    }
    Ok((connect(path, busy)?, file))
}

fn connect(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy)?;
    // A hook's process comes and goes with each call: folding the log into the file each time would cost it two syncs.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // SQLite's own folding never empties the log when each process is the only one: see `fold_log`.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

/// Whether there is no damage, as far as SQLite can tell. Reads the whole file, makes none, and takes no lock of ours.
pub(crate) fn is_sound(path: &Path, busy: Duration) -> bool {
    let check = |connection: Connection| {
        connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
            .map_err(StoreError::from)
    };
    let is_ok = |connection: Connection| {
        schema::format(&connection)?;
        wal::check(&connection, path)?;
        check(connection)
    };
    RealFs.lstat(path).is_err() || connect(path, busy).and_then(is_ok).is_ok_and(|answer| answer == "ok")
}

/// The mode is a property of the file: it is set once.
pub(crate) fn set_journal(connection: &Connection) -> Result<(), StoreError> {
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode.eq_ignore_ascii_case("wal") {
        Ok(())
    } else {
        Err(StoreError::Other(format!("the file system allows no write-ahead log: the mode stays `{mode}`")))
    }
}

/// Copies the store to `store.db.format-N`, in which a copy that is there already is the same.
pub(crate) fn back_up(
    fs: &dyn Fs,
    connection: &Connection,
    path: &Path,
    found: u32,
) -> Result<(), StoreError> {
    let copy = with_suffix(path, &format!(".format-{found}"));
    if fs.lstat(&copy).is_ok() {
        fs.remove(&copy).map_err(|error| StoreError::Denied(error.to_string()))?;
    }
    connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()])?;
    Ok(())
}
