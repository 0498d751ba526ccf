//! The file system as this crate sees it: few steps, each of which a test can make fail.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::Stamp;

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, not followed.
    Link,
    /// A pipe, a socket or a device: never opened.
    Other,
}

/// What `stat` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// The stat key.
    pub stamp: Stamp,
    /// Permission bits, such as `0o644`.
    pub mode: u32,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, as the system gives it.
    pub name: OsString,
    /// What stands under it; a link is not followed.
    pub kind: Kind,
    /// The stat key, where it was asked for.
    pub stamp: Option<Stamp>,
}

/// The stat keys of one file before and after its bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Twice {
    /// Before the first byte.
    pub before: Stamp,
    /// After the last byte.
    pub after: Stamp,
}

/// Which names of a directory are wanted, and whether with their stamps: `None` leaves the name out.
pub type Wanted<'a> = dyn FnMut(&OsStr, Kind) -> Option<bool> + 'a;

/// The steps on files that this crate makes. [`RealFs`](crate::RealFs) makes them, and
/// [`FaultyFs`](crate::FaultyFs) makes them fail.
///
/// The mutating steps are those from [`create_dir_all`](Fs::create_dir_all) on.
pub trait Fs: Send + Sync + fmt::Debug {
    /// Reads a whole regular file into `buffer`, which is cleared first, following links.
    ///
    /// # Errors
    /// `FileTooLarge` past `limit` bytes; `InvalidInput` for anything but a regular file, without waiting on a pipe.
    fn read_into(&self, path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Twice>;

    /// Reads the first bytes of a regular file, at most `most`, into `buffer`, which is cleared first, following links.
    ///
    /// # Errors
    /// `InvalidInput` for anything but a regular file, without waiting on a pipe.
    fn read_head(&self, path: &Path, most: u64, buffer: &mut Vec<u8>) -> io::Result<()>;

    /// Opens a regular file to be read from its beginning, following links; with its length in bytes.
    ///
    /// # Errors
    /// `InvalidInput` for anything but a regular file, without waiting on a pipe.
    fn open(&self, path: &Path) -> io::Result<(u64, Box<dyn Read>)> {
        let mut bytes = Vec::new();
        self.read_into(path, u64::MAX, &mut bytes)?;
        Ok((bytes.len() as u64, Box::new(io::Cursor::new(bytes))))
    }

    /// What stands at `path`, links followed.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// What stands at `path` itself.
    fn lstat(&self, path: &Path) -> io::Result<Stat>;

    /// The wanted names of a directory, in no order.
    fn read_dir(&self, path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>>;

    /// The path without links, `.` and `..`.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;

    /// What a symbolic link says, followed by nobody.
    ///
    /// # Errors
    /// `InvalidInput` for anything but a link.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;

    /// Makes a directory and those above it.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;

    /// Writes a new file with these permission bits; whatever stands there is removed first, never written through.
    fn write_new(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()>;

    /// Appends to a regular file that holds `before` bytes, in one write where the system takes it so. What is written of it
    /// when it fails is taken off again.
    ///
    /// # Errors
    /// `InvalidData` when the file has another length; nothing is written then.
    fn append(&self, path: &Path, bytes: &[u8], before: u64) -> io::Result<Stamp> {
        let _ = (path, bytes, before);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Takes off what stands behind the first `length` bytes of a regular file.
    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        let _ = (path, length);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Puts `from` in the place of `to`, at once.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Removes a directory in which nothing stands.
    ///
    /// # Errors
    /// `DirectoryNotEmpty`, among others; `Unsupported` where nobody needs it.
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Brings a file's bytes, or a directory's names, to the disk.
    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Sets a file's time to the file system's own now, making the file if needed, and reads that time back.
    fn touch(&self, path: &Path) -> io::Result<Stamp>;
}
