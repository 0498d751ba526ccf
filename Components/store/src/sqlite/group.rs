//! Writing what was decided of several sessions in one transaction.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mentci_disk::{Fs, RealFs};
use mentci_ledger::Record;

use super::commit::{Run, TAIL_BYTES, end};
use super::load::unsigned;
use super::{READER, connect};
use crate::aside::with_suffix;
use crate::held::HeldFolder;
use crate::{CommitError, SqliteStore, StoreError};

/// Beside a process that stays, the write-ahead log may grow to so many bytes: folding it then is rare, and nobody waits.
const APART_BYTES: u64 = 8 * 1024 * 1024;

/// Where the store stands: as long as this is the same, nobody has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// How often what all sessions share was changed.
    pub(crate) shared: u64,
    /// The number of the last line.
    pub(crate) seq: u64,
    /// How often settings were changed.
    pub(crate) settings: u64,
}

/// A record of a group, before it is written.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) record: Record,
    pub(crate) body: Option<String>,
    /// The session's version before it.
    pub(crate) version: u64,
}

impl SqliteStore {
    pub(crate) fn mark(&self) -> Result<Mark, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT shared, seq, settings FROM head")?;
        let numbers = |row: &rusqlite::Row<'_>| {
            let (shared, seq, settings) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Mark { shared: unsigned(shared), seq: unsigned(seq), settings: unsigned(settings) })
        };
        Ok(statement.query_row([], numbers)?)
    }

    /// Writes all of it, or nothing where somebody wrote since `mark`. Gives where the store stands then, and the sessions
    /// of which a snapshot is due.
    pub(crate) fn write_group(
        &mut self,
        mark: Mark,
        drafts: &[Draft],
        folder: &HeldFolder,
    ) -> Result<(Mark, Vec<String>), CommitError> {
        let (user, project) = (self.options.user.clone(), self.options.project.clone());
        let transaction = self.begin(drafts.iter().any(|draft| draft.record.is_vital()))?;
        let head = end(&transaction)?;
        if (head.shared, head.seq) != (mark.shared, mark.seq) {
            return Err(CommitError::Conflict);
        }
        let mut run = Run::after(&transaction, head);
        for Draft { record, body, version } in drafts {
            if !run.may_use(record)? {
                return Err(CommitError::Conflict);
            }
            run.follow(&record.session, *version);
            run.write(record, body.as_deref(), (&user, &project))?;
        }
        let (head, tails) = run.end()?;
        let lock = folder.closed(&RealFs)?;
        transaction.commit().map_err(StoreError::from)?;
        drop(lock);
        let due = tails.into_iter().filter(|(_, tail)| *tail > TAIL_BYTES).map(|(session, _)| session);
        Ok((Mark { shared: head.shared, seq: head.seq, ..mark }, due.collect()))
    }

    /// Whether the write-ahead log has grown so far that a process which stays folds it.
    pub(crate) fn is_fold_due(&self) -> bool {
        let log = with_suffix(self.path(), "-wal");
        RealFs.lstat(&log).is_ok_and(|stat| stat.stamp.size > APART_BYTES)
    }
}

/// Folds the write-ahead log of a store on a thread of its own, one at a time.
#[derive(Debug, Default)]
pub(crate) struct Folding(Arc<AtomicBool>);

impl Folding {
    /// Begins, unless one is under way. What fails here is done by a later one.
    pub(crate) fn begin(&self, path: &Path) {
        if self.0.swap(true, Ordering::AcqRel) {
            return;
        }
        let (under_way, path) = (self.0.clone(), path.to_owned());
        let fold = move || {
            let _ = fold(&path);
            under_way.store(false, Ordering::Release);
        };
        if std::thread::Builder::new().name("fold".to_owned()).spawn(fold).is_err() {
            self.0.store(false, Ordering::Release);
        }
    }
}

/// Most of it while others write, the rest while they wait.
fn fold(path: &Path) -> Result<(), StoreError> {
    let connection = connect(path, READER)?;
    for mode in ["PASSIVE", "TRUNCATE"] {
        connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()))?;
    }
    Ok(())
}
