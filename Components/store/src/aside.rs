//! A damaged store is put aside, never deleted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use mentci_disk::{DiskError, Fs, LockGuard, Sidecar};

use crate::StoreError;

/// Renames a damaged `store.db` to `store.db.corrupt-N`, with its write-ahead log, and says where it stands now. The caller
/// holds the lock of [`guard`], so that a second process does not put the new store aside as well.
///
/// # Errors
/// - The file cannot be renamed.
pub fn set_aside(fs: &dyn Fs, path: &Path) -> Result<PathBuf, StoreError> {
    let aside = free_name(fs, path);
    for suffix in ["-wal", "-shm", ""] {
        let (from, to) = (with_suffix(path, suffix), with_suffix(&aside, suffix));
        if fs.lstat(&from).is_ok() {
            fs.rename(&from, &to).map_err(|error| StoreError::Denied(error.to_string()))?;
        }
    }
    Ok(aside)
}

/// The lock under which a store is put aside or migrated: `store.db.lock`.
pub(crate) fn guard(fs: &dyn Fs, path: &Path) -> Result<LockGuard, StoreError> {
    let root = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Sidecar::at(root, &format!("{name}.lock"))
        .lock(fs)
        .map_err(|error: DiskError| StoreError::Denied(error.to_string()))
}

fn free_name(fs: &dyn Fs, path: &Path) -> PathBuf {
    let taken = |number: &u32| fs.lstat(&with_suffix(path, &format!(".corrupt-{number}"))).is_ok();
    // OK because nobody has so many damaged stores; the last name would be written over.
    let number = (1..u32::MAX).find(|number| !taken(number)).unwrap_or(u32::MAX);
    with_suffix(path, &format!(".corrupt-{number}"))
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(suffix);
    name.into()
}
