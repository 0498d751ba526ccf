//! The steps on the real file system.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read, Write};
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, Timespec, Timestamps, UTIME_NOW, futimens};

use crate::fs::Wanted;
use crate::{Entry, Fs, Kind, Stamp, Stat, Twice};

/// How many bytes of names are asked for at a time.
#[cfg(target_os = "linux")]
const LISTING: usize = 32 << 10;

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealFs;

impl Fs for RealFs {
    fn read_into(&self, path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Twice> {
        let (mut file, metadata) = open_file(path)?;
        let before = Stamp::of(&metadata);
        if before.size > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        read_all(&mut file, before.size, limit, buffer)?;
        Ok(Twice { before, after: Stamp::of(&file.metadata()?) })
    }

    fn read_head(&self, path: &Path, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        const LARGEST: u64 = 64 << 10;
        buffer.clear();
        let (file, metadata) = open_file(path)?;
        buffer.reserve(usize::try_from(most.min(metadata.len()).min(LARGEST)).unwrap_or_default());
        file.take(most).read_to_end(buffer).map(drop)
    }

    fn open(&self, path: &Path) -> io::Result<(u64, Box<dyn Read>)> {
        let (file, metadata) = open_file(path)?;
        Ok((metadata.len(), Box::new(file)))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        fs::metadata(path).map(|metadata| stat_of(&metadata))
    }

    fn lstat(&self, path: &Path) -> io::Result<Stat> {
        fs::symlink_metadata(path).map(|metadata| stat_of(&metadata))
    }

    fn read_dir(&self, path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>> {
        list(path, wanted)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        let mut file = match create_new(path, mode) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(path)?;
                create_new(path, mode)?
            }
            other => other?,
        };
        // The umask took bits off; the file that this one replaces may have had them.
        if file.metadata()?.mode() & 0o777 != mode {
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
        file.write_all(bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8], before: u64) -> io::Result<Stamp> {
        let mut options = OpenOptions::new();
        let mut file = options.append(true).custom_flags(flag(OFlags::NONBLOCK)).open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() != before {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not what it was"));
        }
        if let Err(error) = file.write_all(bytes) {
            // What cannot be taken off either is found to be torn by whoever reads it next.
            let _ = file.set_len(before);
            return Err(error);
        }
        file.metadata().map(|metadata| Stamp::of(&metadata))
    }

    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.set_len(length)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn touch(&self, path: &Path) -> io::Result<Stamp> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .custom_flags(flag(OFlags::NONBLOCK | OFlags::NOFOLLOW))
            .open(path)?;
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        futimens(&file, &Timestamps { last_access: now, last_modification: now })?;
        file.metadata().map(|metadata| Stamp::of(&metadata))
    }
}

fn flag(flags: OFlags) -> i32 {
    flags.bits().cast_signed()
}

/// Opens a regular file. Without NONBLOCK, opening a pipe that nobody writes waits for ever.
fn open_file(path: &Path) -> io::Result<(File, Metadata)> {
    let file = OpenOptions::new().read(true).custom_flags(flag(OFlags::NONBLOCK)).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata))
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// What flows out of a named pipe or a device, up to `most` bytes, waiting for whoever writes it; none where anything else
/// stands, or nothing.
///
/// # Errors
/// Why it cannot be read; [`io::ErrorKind::FileTooLarge`] where more comes.
pub fn read_stream(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    if !is_stream(path) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    read_all(&mut File::open(path)?, 0, most, &mut bytes)?;
    Ok(Some(bytes))
}

/// Whether a named pipe or a device stands at `path`, links followed.
pub fn is_stream(path: &Path) -> bool {
    let kind = fs::metadata(path).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device())
}

fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Reads to the end. One byte more than `size` is asked for, so that a file that did not grow costs one call.
fn read_all(file: &mut File, size: u64, limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    let size = usize::try_from(size).map_err(|_| io::ErrorKind::FileTooLarge)?;
    buffer.clear();
    buffer.reserve(size + 1);
    let read = file.take(limit + 1).read_to_end(buffer)?;
    if read as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) }
}

fn stat_of(metadata: &Metadata) -> Stat {
    let kind = kind_of(metadata.file_type());
    Stat { kind, stamp: Stamp::of(metadata), mode: metadata.mode() & 0o7777 }
}

fn kind_of(file_type: FileType) -> Kind {
    match () {
        () if file_type.is_file() => Kind::File,
        () if file_type.is_dir() => Kind::Dir,
        () if file_type.is_symlink() => Kind::Link,
        () => Kind::Other,
    }
}

/// Lists a directory with one buffer for all names; only wanted names are kept.
#[cfg(target_os = "linux")]
fn list(path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>> {
    use rustix::fs::{AtFlags, Mode, RawDir, open, statat};
    let directory = open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut buffer = Vec::with_capacity(LISTING);
    let mut names = RawDir::new(&directory, buffer.spare_capacity_mut());
    let mut entries = Vec::new();
    while let Some(entry) = names.next() {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let stat = || statat(&directory, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
        let kind = match entry.file_type() {
            rustix::fs::FileType::Unknown => match stat() {
                Ok(stat) => kind_of_raw(rustix::fs::FileType::from_raw_mode(stat.st_mode)),
                Err(_) => continue, // removed meanwhile
            },
            known => kind_of_raw(known),
        };
        let Some(with_stamp) = wanted(name, kind) else { continue };
        let stamp = match with_stamp.then(stat).transpose() {
            Ok(stat) => stat.as_ref().map(Stamp::of_raw),
            Err(rustix::io::Errno::NOENT) => continue, // removed meanwhile
            Err(error) => return Err(error.into()),
        };
        entries.push(Entry { name: name.to_owned(), kind, stamp });
    }
    Ok(entries)
}

#[cfg(target_os = "linux")]
fn kind_of_raw(file_type: rustix::fs::FileType) -> Kind {
    match file_type {
        rustix::fs::FileType::RegularFile => Kind::File,
        rustix::fs::FileType::Directory => Kind::Dir,
        rustix::fs::FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

/// Lists a directory; only wanted names are kept.
#[cfg(not(target_os = "linux"))]
fn list(path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), kind_of(entry.file_type()?));
        let Some(with_stamp) = wanted(&name, kind) else { continue };
        let stamp = match with_stamp.then(|| entry.metadata()).transpose() {
            Ok(metadata) => metadata.as_ref().map(Stamp::of),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue, // removed meanwhile
            Err(error) => return Err(error),
        };
        entries.push(Entry { name, kind, stamp });
    }
    Ok(entries)
}
