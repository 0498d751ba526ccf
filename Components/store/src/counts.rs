//! What a tokenizer counted, by content.

use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_disk::{Fs, RealFs};
use mentci_source::Hash;
use rusqlite::{Connection, OpenFlags, Row, params};

use crate::StoreError;
use crate::aside::{guard, with_suffix};
use crate::sqlite::make;

/// The tokens of contents that were counted before: one SQLite file, `counts.db`, for one encoding after another.
///
/// A cache: it may be deleted at any time, a damaged one is begun anew, a count that is not the one that was written is none,
/// and of more than [`MOST_COUNTS`](Self::MOST_COUNTS)
/// counts the oldest go.
///
/// ```
/// use mentci_source::Hash;
/// use mentci_store::TokenCounts;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("counts.db");
/// let mut counts = TokenCounts::open(&path, "o200k_base")?;
/// let (known, new) = (Hash::of_bytes(b"a"), Hash::of_bytes(b"b"));
/// counts.remember_counts(&[(known, 1)])?;
/// assert_eq!(counts.counts(&[known, new])?, [Some(1), None]);
/// # Ok::<(), mentci_store::StoreError>(())
/// ```
#[derive(Debug)]
pub struct TokenCounts {
    connection: Connection,
    path: PathBuf,
    /// The hash of the tokenizer's name.
    encoding: Hash,
    most: u64,
}

/// The format of the file. One of another is begun anew.
const COUNTS_FORMAT: u32 = 2;

const STEPS: &[&str] = &[TABLE, BOUND];

/// Counts of the first format were bound to nothing.
const BOUND: &str = "DELETE FROM counts;";

const TABLE: &str = "
    CREATE TABLE counts (
        -- The first 8 bytes of the content's hash with those of the encoding's, and 8 that bind the count to both.
        key INTEGER PRIMARY KEY,
        rest INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        -- So many were remembered before.
        age INTEGER NOT NULL
    );
    CREATE INDEX counts_age ON counts (age);
";

/// How long another process is waited for: counting again is no disaster.
const BUSY: Duration = Duration::from_millis(500);

impl TokenCounts {
    /// So many counts are kept, about 40 bytes each.
    pub const MOST_COUNTS: u64 = 500_000;

    /// Opens the counts at `path`, and makes the file when there is none; `encoding` is the tokenizer's name.
    ///
    /// # Errors
    /// - The file is locked, or may not be opened.
    pub fn open(path: &Path, encoding: &str) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| RealFs.stat(folder).is_err()) {
            RealFs.create_dir_all(folder).map_err(|error| StoreError::Denied(error.to_string()))?;
        }
        let connection = match connect(path) {
            Err(StoreError::Corrupt(_)) => {
                discard(path)?;
                connect(path)?
            }
            connection => connection?,
        };
        Ok(Self {
            connection,
            path: path.to_owned(),
            encoding: Hash::of_bytes(encoding.as_bytes()),
            most: Self::MOST_COUNTS,
        })
    }

    /// Keeps fewer.
    #[doc(hidden)]
    pub fn keep(&mut self, most: u64) {
        self.most = most;
    }

    /// The tokens of each content, in the order of the hashes; none for what was not counted.
    pub fn counts(&mut self, contents: &[Hash]) -> Result<Vec<Option<u64>>, StoreError> {
        match self.look_up(contents) {
            Err(StoreError::Corrupt(_)) => {
                self.begin_anew()?;
                Ok(vec![None; contents.len()])
            }
            counts => counts,
        }
    }

    /// Remembers counts, in one transaction.
    pub fn remember_counts(&mut self, counts: &[(Hash, u64)]) -> Result<(), StoreError> {
        match self.write(counts) {
            Err(StoreError::Corrupt(_)) => {
                self.begin_anew()?;
                self.write(counts)
            }
            written => written,
        }
    }

    fn begin_anew(&mut self) -> Result<(), StoreError> {
        discard(&self.path)?;
        self.connection = connect(&self.path)?;
        Ok(())
    }

    fn look_up(&mut self, contents: &[Hash]) -> Result<Vec<Option<u64>>, StoreError> {
        let keys: Vec<i64> = contents.iter().map(|content| self.key(content)).collect();
        // One transaction: otherwise each look would lock the file by itself.
        let transaction = self.connection.transaction()?;
        let found = if rows(&transaction)? <= 2 * keys.len() as u64 {
            look_at_all(&transaction, &keys)?
        } else {
            look_at_each(&transaction, &keys)?
        };
        transaction.commit()?;
        let is_bound = |content: &Hash, count: &Count| self.bond(content, count.tokens) == count.bond;
        let bound = contents.iter().zip(found).map(|(content, count)| {
            count.filter(|count| is_bound(content, count)).and_then(|count| u64::try_from(count.tokens).ok())
        });
        Ok(bound.collect())
    }

    /// The number under which a count stands.
    fn key(&self, content: &Hash) -> i64 {
        first_eight(content) ^ first_eight(&self.encoding)
    }

    /// What binds a count to its content and its encoding: a count that was changed, by whom or what ever, is counted anew.
    fn bond(&self, content: &Hash, tokens: i64) -> i64 {
        let tokens = tokens.to_le_bytes();
        first_eight(&Hash::of("mentci count", [&content.as_bytes()[..], self.encoding.as_bytes(), &tokens]))
    }

    fn write(&mut self, counts: &[(Hash, u64)]) -> Result<(), StoreError> {
        if counts.is_empty() {
            return Ok(());
        }
        let count = |(content, tokens): &(Hash, u64)| {
            let tokens = i64::try_from(*tokens).unwrap_or(i64::MAX);
            (self.key(content), Count { tokens, bond: self.bond(content, tokens) })
        };
        let counts: Vec<(i64, Count)> = counts.iter().map(count).collect();
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut age: i64 =
            transaction.query_row("SELECT coalesce(max(age), 0) FROM counts", [], |row| row.get(0))?;
        {
            let mut statement = transaction.prepare_cached(
                "INSERT OR REPLACE INTO counts (key, rest, tokens, age) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (key, Count { tokens, bond }) in counts {
                age += 1;
                statement.execute(params![key, bond, tokens, age])?;
            }
        }
        // Ages are numbered without gaps but for counts that were replaced: at most so many are left.
        let oldest = age - i64::try_from(self.most).unwrap_or(i64::MAX);
        transaction.execute("DELETE FROM counts WHERE age <= ?1", [oldest])?;
        Ok(transaction.commit()?)
    }
}

/// A count as it stands in the file.
#[derive(Clone, Copy)]
struct Count {
    tokens: i64,
    bond: i64,
}

fn first_eight(hash: &Hash) -> i64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_le_bytes(bytes)
}

/// About how many counts there are: no fewer.
fn rows(connection: &Connection) -> Result<u64, StoreError> {
    // Two looks at the ends of an index.
    let ends = "SELECT (SELECT max(age) FROM counts) - (SELECT min(age) FROM counts) + 1";
    let rows: Option<i64> = connection.query_row(ends, [], |row| row.get(0))?;
    Ok(u64::try_from(rows.unwrap_or(0)).unwrap_or(u64::MAX))
}

/// When most counts are asked for, reading all in their order is faster than looking for each.
fn look_at_all(connection: &Connection, keys: &[i64]) -> Result<Vec<Option<Count>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT key, tokens, rest FROM counts ORDER BY key")?;
    let rows =
        statement.query_map([], |row| Ok((row.get(0)?, Count { tokens: row.get(1)?, bond: row.get(2)? })))?;
    let all: Vec<(i64, Count)> = rows.collect::<Result<_, _>>()?;
    let find = |key: &i64| all.binary_search_by_key(key, |(key, _)| *key).ok().map(|at| all[at].1);
    Ok(keys.iter().map(find).collect())
}

fn look_at_each(connection: &Connection, keys: &[i64]) -> Result<Vec<Option<Count>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT tokens, rest FROM counts WHERE key = ?1")?;
    let mut find = |key: &i64| -> Result<Option<Count>, StoreError> {
        let mut rows = statement.query([key])?;
        let count = |row: &Row<'_>| Ok::<_, StoreError>(Count { tokens: row.get(0)?, bond: row.get(1)? });
        rows.next()?.map(count).transpose()
    };
    keys.iter().map(&mut find).collect()
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    make(&RealFs, path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let format = crate::schema::format(&connection)?;
    if format > COUNTS_FORMAT {
        return Err(StoreError::Newer { found: format, known: COUNTS_FORMAT });
    }
    if format < COUNTS_FORMAT {
        let _lock = guard(&RealFs, path)?;
        crate::sqlite::set_journal(&connection)?;
        crate::schema::climb(&mut connection, STEPS, |_, _| Ok(()))?;
    }
    Ok(connection)
}

/// Takes a damaged cache away.
fn discard(path: &Path) -> Result<(), StoreError> {
    let _lock = guard(&RealFs, path)?;
    for suffix in ["-wal", "-shm", ""] {
        let path = with_suffix(path, suffix);
        if RealFs.lstat(&path).is_ok() {
            RealFs.remove(&path).map_err(|error| StoreError::Denied(error.to_string()))?;
        }
    }
    Ok(())
}
