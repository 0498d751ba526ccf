//! Where a write really goes, and how: beside first, then in place.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::{DiskError, Durability, Fs, Kind, WriteOptions};

/// What a temporary file's name ends with; the watcher passes over such names.
pub(crate) const TEMPORARY: &str = ".mentci-tmp";

/// A file to write, with its links followed inside the workspace.
#[derive(Debug)]
pub(crate) struct Target {
    root: PathBuf,
    path: PathBuf,
    mode: Option<u32>,
    size: u64,
}

impl Target {
    /// The target of `relative` under `root`.
    ///
    /// # Errors
    /// When the path is not relative, climbs with `..`, or a link on it leaves the workspace.
    pub(crate) fn resolve(fs: &dyn Fs, root: &Path, relative: &str) -> Result<Self, DiskError> {
        let path = root.join(relative);
        let error = |error| DiskError::new("write", root, &path, error);
        if !is_plain(relative) {
            return Err(error(invalid("it is not a path inside the workspace")));
        }
        let real = real_path(fs, &path).map_err(error)?;
        let home = fs.canonicalize(root).map_err(error)?;
        if !real.starts_with(&home) {
            return Err(error(invalid("a link on its path leaves the workspace")));
        }
        let (mode, size) = match fs.lstat(&real) {
            Ok(stat) if stat.kind == Kind::File => (Some(stat.mode), stat.stamp.size),
            Ok(_) => return Err(error(invalid("it is not a regular file"))),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => (None, 0),
            Err(other) => return Err(error(other)),
        };
        Ok(Self { root: home, path: real, mode, size })
    }

    /// Whether these bytes stand there now. What has another size is not read.
    pub(crate) fn holds(&self, fs: &dyn Fs, bytes: &[u8]) -> Result<bool, DiskError> {
        Ok(self.size == bytes.len() as u64 && self.read(fs)?.as_deref() == Some(bytes))
    }

    /// What stands there now; `None` when nothing does.
    pub(crate) fn read(&self, fs: &dyn Fs) -> Result<Option<Vec<u8>>, DiskError> {
        if self.mode.is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        fs.read_into(&self.path, u64::MAX >> 1, &mut bytes).map_err(|error| self.error("read", error))?;
        Ok(Some(bytes))
    }

    /// Writes the new bytes beside the target. They are on the disk when this returns, if they must last.
    pub(crate) fn write_beside(
        &self,
        fs: &dyn Fs,
        bytes: &[u8],
        options: WriteOptions,
    ) -> Result<(), DiskError> {
        let temporary = self.temporary();
        let write = || {
            fs.create_dir_all(self.parent())?;
            fs.write_new(&temporary, bytes, self.mode.unwrap_or(options.mode) & 0o777)?;
            if options.durability == Durability::Fsync { fs.sync(&temporary) } else { Ok(()) }
        };
        write().map_err(|error| self.error("write", error))
    }

    /// Puts the bytes that stand beside in place.
    pub(crate) fn commit(&self, fs: &dyn Fs) -> Result<(), DiskError> {
        fs.rename(&self.temporary(), &self.path).map_err(|error| self.error("replace", error))
    }

    /// Makes the new name last.
    pub(crate) fn sync_name(&self, fs: &dyn Fs) -> Result<(), DiskError> {
        fs.sync(self.parent()).map_err(|error| self.error("sync", error))
    }

    /// Takes away what a failed or killed write left beside. Says whether there was something.
    pub(crate) fn clean(&self, fs: &dyn Fs) -> bool {
        fs.lstat(&self.temporary()).is_ok() && fs.remove(&self.temporary()).is_ok()
    }

    fn parent(&self) -> &Path {
        self.path.parent().unwrap_or(&self.root)
    }

    /// One name per target: under its lock there is one writer, so whatever stands there is stale.
    fn temporary(&self) -> PathBuf {
        let mut name = std::ffi::OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(TEMPORARY);
        self.path.with_file_name(name)
    }

    fn error(&self, action: &'static str, error: io::Error) -> DiskError {
        DiskError::new(action, &self.root, &self.path, error)
    }
}

/// Whether a path is made of plain names only.
pub(crate) fn is_plain(relative: &str) -> bool {
    let mut parts = Path::new(relative).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// The path with its links followed, as far as it exists.
fn real_path(fs: &dyn Fs, path: &Path) -> io::Result<PathBuf> {
    if fs.lstat(path).is_ok() {
        return fs.canonicalize(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => invalid("it is a link that leads nowhere"),
            _ => error,
        });
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(path.to_owned());
    };
    Ok(real_path(fs, parent)?.join(name))
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
