//! Locks on files of their own, never on a file that is renamed over.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::target::{leaves, outside};
use crate::{DiskError, Fs, Stamp};

/// A file that exists to be locked. Locking a file that is renamed over excludes nobody; this one stays.
///
/// INVARIANT (one lock per target): a file is always written under the same sidecar, so whoever holds it may take
/// away the temporary file that a killed writer left.
#[derive(Debug, Clone)]
pub struct Sidecar {
    root: PathBuf,
    path: PathBuf,
}

/// A held lock; dropping it, or dying, lets it go.
#[derive(Debug)]
pub struct LockGuard {
    _file: File,
    root: PathBuf,
}

impl Sidecar {
    /// The lock under which digests, maps and locks are published: `.mentci/publish.lock`.
    pub fn publishing(root: &Path) -> Self {
        Self::at(root, ".mentci/publish.lock")
    }

    /// The lock under which lessons are edited: `.mentci/edit.lock`.
    pub fn editing(root: &Path) -> Self {
        Self::at(root, ".mentci/edit.lock")
    }

    /// The lock that one watcher holds for as long as it publishes: `.mentci/watch.lock`.
    pub fn watching(root: &Path) -> Self {
        Self::at(root, ".mentci/watch.lock")
    }

    /// A lock file at `relative` under `root`; what is written under it is named relative to `root`.
    pub fn at(root: &Path, relative: &str) -> Self {
        Self { root: root.to_owned(), path: root.join(relative) }
    }

    /// Waits for the lock.
    ///
    /// # Errors
    /// When the lock file or its directory cannot be made, or the directory is a link that leaves the root.
    pub fn lock(&self, fs: &dyn Fs) -> Result<LockGuard, DiskError> {
        loop {
            let file = self.open(fs)?;
            file.lock().map_err(|error| self.error(error))?;
            if self.is_current(&file) {
                return Ok(self.guard(file));
            }
        }
    }

    /// Takes the lock if nobody holds it: the election of the one watcher that publishes.
    ///
    /// # Errors
    /// When the lock file or its directory cannot be made, or the directory is a link that leaves the root.
    pub fn try_lock(&self, fs: &dyn Fs) -> Result<Option<LockGuard>, DiskError> {
        loop {
            let file = self.open(fs)?;
            match file.try_lock() {
                Ok(()) if self.is_current(&file) => return Ok(Some(self.guard(file))),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(self.error(error)),
            }
        }
    }

    /// Opens the lock file, making it and its directory at first.
    fn open(&self, fs: &dyn Fs) -> Result<File, DiskError> {
        if self.path.parent().is_some_and(|folder| leaves(fs, &self.root, folder)) {
            return Err(self.error(outside()));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        match options.open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make_directory(fs)?,
            other => return other.map_err(|error| self.error(error)),
        }
        options.open(&self.path).map_err(|error| self.error(error))
    }

    /// Makes the lock's directory. `.mentci/` is machine state: it is born with a `.gitignore` of its own.
    fn make_directory(&self, fs: &dyn Fs) -> Result<(), DiskError> {
        let directory = self.path.parent().unwrap_or(&self.root);
        fs.create_dir_all(directory).map_err(|error| self.error(error))?;
        if directory.ends_with(".mentci") {
            // Without it the lock still works.
            let _ = fs.write_new(&directory.join(".gitignore"), b"*\n", 0o644);
        }
        Ok(())
    }

    /// Whether the locked file is still the one under its name: somebody may have deleted `.mentci/` meanwhile.
    fn is_current(&self, file: &File) -> bool {
        let named = std::fs::metadata(&self.path).map(|metadata| Stamp::of(&metadata));
        let held = file.metadata().map(|metadata| Stamp::of(&metadata));
        matches!((named, held), (Ok(a), Ok(b)) if (a.inode, a.device) == (b.inode, b.device))
    }

    fn guard(&self, file: File) -> LockGuard {
        LockGuard { _file: file, root: self.root.clone() }
    }

    fn error(&self, error: io::Error) -> DiskError {
        DiskError::new("lock", &self.root, &self.path, error)
    }
}

impl LockGuard {
    /// The directory to which paths written under this lock are relative.
    pub fn root(&self) -> &Path {
        &self.root
    }
}
