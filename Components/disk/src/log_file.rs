//! A file that grows by whole pieces: what a killed writer left of one is taken off.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_source::Hash;

use crate::{DiskError, Fs, LockGuard, Sidecar, Stamp, read_optional};

/// The largest file that is read whole.
const MOST: u64 = 1 << 30;

/// A file to which one process at a time appends whole pieces.
///
/// A piece is written down beside the file before it is appended, so that a piece of which a killed process left only the
/// beginning is known for what it is. It survives `kill -9` when [`append`](Self::append) returns, and a loss of power once
/// [`sync`](Self::sync) has.
///
/// ```
/// use std::sync::Arc;
/// use mentci_disk::{LogFile, RealFs};
/// # let root = tempfile::tempdir().unwrap();
/// # let (root, path) = (root.path(), root.path().join("a.chatmd"));
/// std::fs::write(&path, "<user>hi</user>\n")?;
/// let (mut file, bytes) = LogFile::open(Arc::new(RealFs), root, &path)?.expect("nobody else writes to it");
/// assert_eq!(bytes, b"<user>hi</user>\n");
/// file.append(b"<assistant>ho</assistant>\n")?;
/// assert!(LogFile::open(Arc::new(RealFs), root, &path)?.is_none(), "it is locked");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogFile {
    fs: Arc<dyn Fs>,
    path: PathBuf,
    beside: PathBuf,
    stamp: Stamp,
    _lock: LockGuard,
}

/// Why nothing was appended. The file holds what it held.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Somebody else wrote to the file.
    #[error("`{}` was changed by somebody else", .0.display())]
    Changed(PathBuf),
    /// The disk refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl LogFile {
    /// Opens the file at `path` for this process alone, takes off a torn piece, and gives what it holds. None while another
    /// process has it. Locks stand in `.mentci/` under `root`.
    ///
    /// # Errors
    /// When the file or its lock cannot be read or made.
    pub fn open(fs: Arc<dyn Fs>, root: &Path, path: &Path) -> Result<Option<(Self, Vec<u8>)>, DiskError> {
        let error = |error| DiskError::new("read", root, path, error);
        let real = fs.canonicalize(path).map_err(error)?;
        let name = Hash::of("mentci log file 1", [real.to_string_lossy().as_bytes()]).short(24);
        let sidecar = Sidecar::at(root, &format!(".mentci/run-{name}.lock"));
        let Some(lock) = sidecar.try_lock(&*fs)? else { return Ok(None) };
        let beside = root.join(format!(".mentci/run-{name}.piece"));
        let mut file = Self { fs, path: real, beside, stamp: Stamp::default(), _lock: lock };
        file.mend()?;
        let bytes = file.read()?;
        Ok(Some((file, bytes)))
    }

    /// Appends a piece.
    ///
    /// # Errors
    /// - [`AppendError::Changed`]: the file is not what it was when it was read or written last.
    /// - [`AppendError::Disk`]: the disk is full, or refuses.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), AppendError> {
        if self.is_changed() {
            return Err(AppendError::Changed(self.path.clone()));
        }
        let before = self.stamp.size;
        let mut note = format!("{before}\n").into_bytes();
        note.extend_from_slice(piece);
        self.fs.write_new(&self.beside, &note, 0o600).map_err(|error| self.error("append to", error))?;
        let appended = self.fs.append(&self.path, piece, before);
        self.stamp = appended.map_err(|error| self.error("append to", error))?;
        let _ = self.fs.remove(&self.beside);
        Ok(())
    }

    /// Whether the file is not what it was when it was read or written last.
    pub fn is_changed(&self) -> bool {
        let same = |stamp: Stamp| (stamp.size, stamp.mtime_ns, stamp.inode);
        self.fs.stat(&self.path).map_or(true, |stat| same(stat.stamp) != same(self.stamp))
    }

    /// Reads it again.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&mut self) -> Result<Vec<u8>, DiskError> {
        let mut bytes = Vec::new();
        let twice = self.fs.read_into(&self.path, MOST, &mut bytes);
        self.stamp = twice.map_err(|error| self.error("read", error))?.after;
        Ok(bytes)
    }

    /// Brings what was appended to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn sync(&self) -> Result<(), DiskError> {
        self.fs.sync(&self.path).map_err(|error| self.error("sync", error))
    }

    /// Takes off the beginning of a piece whose writer was killed. Whatever else stands at the end is somebody's own.
    fn mend(&self) -> Result<(), DiskError> {
        let Some(note) = read_optional(&*self.fs, &self.beside)? else { return Ok(()) };
        let mut bytes = Vec::new();
        self.fs.read_into(&self.path, MOST, &mut bytes).map_err(|error| self.error("read", error))?;
        if let Some(length) = torn_at(&note, &bytes) {
            self.fs
                .truncate(&self.path, length as u64)
                .map_err(|error| self.error("mend the end of", error))?;
        }
        let _ = self.fs.remove(&self.beside);
        Ok(())
    }

    fn error(&self, action: &'static str, error: io::Error) -> DiskError {
        DiskError::new(action, self.path.parent().unwrap_or(&self.path), &self.path, error)
    }
}

/// Where the beginning of a piece stands at the end of a file; none where the piece is whole, or something else stands there.
fn torn_at(note: &[u8], bytes: &[u8]) -> Option<usize> {
    let line = note.iter().position(|byte| *byte == b'\n')?;
    let before: usize = std::str::from_utf8(&note[..line]).ok()?.parse().ok()?;
    let (piece, there) = (&note[line + 1..], bytes.get(before..)?);
    (!there.is_empty() && there.len() < piece.len() && piece.starts_with(there)).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::torn_at;

    #[test]
    fn only_the_beginning_of_the_piece_itself_is_torn() {
        for (note, bytes, expected) in [
            ("3\nxyz", "abcx", Some(3)),
            ("3\nxyz", "abcxy", Some(3)),
            ("3\nxyz", "abcxyz", None),
            ("3\nxyz", "abcxyzw", None),
            ("3\nxyz", "abc", None),
            ("3\nxyz", "ab", None),
            ("3\nxyz", "abcxq", None),
            ("3", "abcx", None),
            ("", "abcx", None),
        ] {
            assert_eq!(torn_at(note.as_bytes(), bytes.as_bytes()), expected, "{note:?} {bytes:?}");
        }
    }
}
