//! Where a write really goes, and how: beside first, then in place.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::{DiskError, Durability, Fs, Kind, Stat, WriteOptions};

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

/// Finds targets under one root. The files of a digest stand in one folder, whose links are followed once.
pub(crate) struct Targets<'a> {
    fs: &'a dyn Fs,
    root: &'a Path,
    home: Option<PathBuf>,
    /// The folder of the last target, as it was named and as it is.
    folder: Option<(PathBuf, PathBuf)>,
}

impl<'a> Targets<'a> {
    pub(crate) fn under(fs: &'a dyn Fs, root: &'a Path) -> Self {
        Self { fs, root, home: None, folder: None }
    }

    /// The target of `relative`.
    ///
    /// # Errors
    /// When the path is not relative, climbs with `..`, or a link on it leaves the workspace.
    pub(crate) fn resolve(&mut self, relative: &str) -> Result<Target, DiskError> {
        let path = self.root.join(relative);
        self.find(relative, &path).map_err(|error| DiskError::new("write", self.root, &path, error))
    }

    fn find(&mut self, relative: &str, path: &Path) -> io::Result<Target> {
        if !is_plain(relative) {
            return Err(invalid("it is not a path inside the workspace"));
        }
        let standing = self.fs.lstat(path);
        let (real, standing) = match standing {
            Ok(Stat { kind: Kind::Link, .. }) => {
                let real = real_path(self.fs, path)?;
                let standing = self.fs.lstat(&real);
                (real, standing)
            }
            standing => (self.beside(path)?, standing),
        };
        let root = self.home()?;
        if !real.starts_with(&root) {
            return Err(outside());
        }
        let (mode, size) = match standing {
            Ok(stat) if stat.kind == Kind::File => (Some(stat.mode), stat.stamp.size),
            Ok(_) => return Err(invalid("it is not a regular file")),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => (None, 0),
            Err(other) => return Err(other),
        };
        Ok(Target { root, path: real, mode, size })
    }

    /// The path of a file that is no link, with the links of its folder followed.
    fn beside(&mut self, path: &Path) -> io::Result<PathBuf> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(path.to_owned());
        };
        let real = match &self.folder {
            Some((named, real)) if named == folder => real.clone(),
            _ => real_path(self.fs, folder)?,
        };
        let path = real.join(name);
        self.folder = Some((folder.to_owned(), real));
        Ok(path)
    }

    /// The root, with its links followed.
    fn home(&mut self) -> io::Result<PathBuf> {
        if self.home.is_none() {
            self.home = Some(self.fs.canonicalize(self.root)?);
        }
        Ok(self.home.clone().unwrap_or_default())
    }
}

impl Target {
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
            // Where the file stands, its folder does.
            if self.mode.is_none() {
                fs.create_dir_all(self.parent())?;
            }
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

/// Whether a folder is a link that leads out of the workspace: nothing is written there, and no lock is taken.
pub(crate) fn leaves(fs: &dyn Fs, root: &Path, folder: &Path) -> bool {
    let is_link = fs.lstat(folder).is_ok_and(|stat| stat.kind == Kind::Link);
    let inside = || Some(fs.canonicalize(folder).ok()?.starts_with(fs.canonicalize(root).ok()?));
    is_link && !inside().unwrap_or(false)
}

/// The error of a path that leaves the workspace.
pub(crate) fn outside() -> io::Error {
    invalid("a link on its path leaves the workspace")
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
