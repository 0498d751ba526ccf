//! Records in files of their own, until the store takes them in.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use mentci_disk::{DiskError, Fs, Kind, LockGuard, Sidecar};
use mentci_ledger::Record;
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::aside::with_suffix;
use crate::{CommitError, SqliteStore, StoreError};

/// `store.db.held/`: one file for each record, named so that their order is that in which they were made.
#[derive(Debug, Clone)]
pub(crate) struct HeldFolder(PathBuf);

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Held {
    /// The file's name: the store takes each in once.
    pub(crate) name: String,
    pub(crate) record: Record,
    pub(crate) body: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    /// How many records its session has before it, so that two records that say the same are two.
    number: u64,
    record: Record,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

const MAX_BYTES: u64 = 64 * 1024 * 1024;

impl HeldFolder {
    pub(crate) fn beside(store: &Path) -> Self {
        Self(with_suffix(store, ".held"))
    }

    /// The lock under which records are held: what stands in the folder then is all that there is.
    pub(crate) fn lock(&self, fs: &dyn Fs) -> Result<LockGuard, DiskError> {
        let root = self.0.parent().unwrap_or(Path::new("."));
        let name = self.0.file_name().unwrap_or_default().to_string_lossy();
        Sidecar::at(root, &format!("{name}.lock")).lock(fs)
    }

    /// Excludes for as long as it lives that something is held. A transaction ends under it, so
    /// that who holds a record sees all that was committed before. Where it cannot be locked, nothing can be held either.
    ///
    /// # Errors
    /// [`CommitError::Conflict`]: something is held, and counts first.
    pub(crate) fn closed(&self, fs: &dyn Fs) -> Result<Option<LockGuard>, CommitError> {
        let lock = self.lock(fs).ok();
        let is_free = !self.holds_any(fs) || self.records(fs).is_empty();
        if is_free { Ok(lock) } else { Err(CommitError::Conflict) }
    }

    /// Holds a record, the one after `number` others of its session, and gives the name of its file; when this returns it survives the process.
    pub(crate) fn write(
        &self,
        fs: &dyn Fs,
        number: u64,
        record: &Record,
        body: Option<&str>,
    ) -> io::Result<String> {
        fs.create_dir_all(&self.0)?;
        let written = Written { number, record: record.clone(), body: body.map(str::to_owned) };
        let bytes = serde_json::to_vec(&written)?;
        let at_ms = record.at.map_or(0, |at| at.ms.max(0));
        let name = format!("{at_ms:020}-{number:06}-{}.json", Hash::of_bytes(&bytes).short(16));
        // Under another name first: a file that is there is whole.
        let (making, path) = (self.0.join(format!("{name}.part")), self.0.join(&name));
        fs.write_new(&making, &bytes, 0o600)?;
        if record.is_vital() {
            fs.sync(&making)?;
        }
        fs.rename(&making, &path)?;
        if record.is_vital() {
            fs.sync(&self.0)?;
        }
        Ok(name)
    }

    /// Whether something is held.
    pub(crate) fn holds_any(&self, fs: &dyn Fs) -> bool {
        !self.names(fs).is_empty()
    }

    /// What is held, in order. What cannot be read is left.
    pub(crate) fn records(&self, fs: &dyn Fs) -> Vec<Held> {
        let mut bytes = Vec::new();
        let mut found = Vec::new();
        for name in self.names(fs) {
            let read = fs.read_into(&self.0.join(&name), MAX_BYTES, &mut bytes);
            if let (Ok(_), Ok(Written { record, body, .. })) = (read, serde_json::from_slice(&bytes)) {
                found.push(Held { name, record, body });
            }
        }
        found
    }

    /// Moves what is held into the store. Each file goes in once, however often and by however many this is tried.
    pub(crate) fn import(&self, fs: &dyn Fs, store: &mut SqliteStore) -> Result<(), StoreError> {
        let held = self.records(fs);
        if held.is_empty() {
            return Ok(());
        }
        // Until its file is gone, nobody counts a record beside the store that has it.
        let _lock = store.import(&held)?;
        for held in held {
            // Left behind, it is known the next time.
            let _ = fs.remove(&self.0.join(&held.name));
        }
        Ok(())
    }

    fn names(&self, fs: &dyn Fs) -> Vec<String> {
        let mut wanted = |name: &OsStr, kind: Kind| {
            (kind == Kind::File && Path::new(name).extension() == Some(OsStr::new("json"))).then_some(false)
        };
        let entries = fs.read_dir(&self.0, &mut wanted).unwrap_or_default();
        let mut names: Vec<String> =
            entries.into_iter().filter_map(|entry| entry.name.into_string().ok()).collect();
        names.sort_unstable();
        names
    }
}
