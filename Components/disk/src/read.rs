//! One file's bytes, whole and of one moment.

use std::io;
use std::path::Path;
use std::sync::Arc;

use mentci_source::{Code, Finding, Hash, MAX_SOURCE_BYTES, Reading};

use crate::error::reason;
use crate::{DiskError, Found, Fs, Stamp};

/// How often a file that changes while it is read is read again.
const TRIES: usize = 4;

/// The bytes of one source, of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceBytes {
    /// The path, relative to the workspace.
    pub path: Arc<str>,
    /// What the file holds; empty where only hashes were asked for.
    pub bytes: Vec<u8>,
    /// The hash of the bytes.
    pub hash: Hash,
    /// The stat key under which they were read.
    pub stamp: Stamp,
}

/// Reads one source. `None` beside a finding when it cannot be read; when it changes under our hands it is read again,
/// with a note.
pub fn read_source(fs: &dyn Fs, root: &Path, found: &Found) -> Reading<Option<SourceBytes>> {
    let mut bytes = Vec::new();
    let stamp = read_still(fs, root, &found.path, &mut bytes);
    stamp.map(|stamp| {
        stamp.map(|stamp| SourceBytes {
            path: found.path.clone(),
            hash: Hash::of_bytes(&bytes),
            bytes,
            stamp,
        })
    })
}

/// Reads a file of one moment into `buffer`, whose stat key did not move while it was read.
pub(crate) fn read_still(
    fs: &dyn Fs,
    root: &Path,
    path: &Arc<str>,
    buffer: &mut Vec<u8>,
) -> Reading<Option<Stamp>> {
    let absolute = root.join(&**path);
    let mut findings = Vec::new();
    for _ in 0..TRIES {
        match fs.read_into(&absolute, MAX_SOURCE_BYTES, buffer) {
            Ok(twice) if twice.before == twice.after && twice.after.size == buffer.len() as u64 => {
                return Reading { value: Some(twice.after), findings };
            }
            Ok(_) => note_change(&mut findings, path),
            Err(error) => return Reading { value: None, findings: vec![unreadable(path, &error)] },
        }
    }
    let finding = Finding::new(Code::UNREADABLE, "this file keeps changing while it is read")
        .help("it is read again as soon as it is left alone")
        .in_file(path);
    Reading { value: None, findings: vec![finding] }
}

/// What stands at `path`, or `None` when nothing does: for configuration and state files.
///
/// # Errors
/// When something stands there and cannot be read, or is larger than [`MAX_SOURCE_BYTES`].
pub fn read_optional(fs: &dyn Fs, path: &Path) -> Result<Option<Vec<u8>>, DiskError> {
    let mut bytes = Vec::new();
    match fs.read_into(path, MAX_SOURCE_BYTES, &mut bytes) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(DiskError::new("read", Path::new(""), path, error)),
    }
}

/// The first bytes of a file, at most `most`; `None` when none stands there or it cannot be read.
pub fn read_head(fs: &dyn Fs, path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    fs.read_head(path, most, &mut bytes).ok().map(|()| bytes)
}

/// Whether something stands at `path`, links followed.
pub fn exists(fs: &dyn Fs, path: &Path) -> bool {
    fs.stat(path).is_ok()
}

/// Whether an error says that there is no such file.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The finding for a file that could not be read.
pub(crate) fn unreadable(path: &str, error: &io::Error) -> Finding {
    match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(path),
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => {
            Finding::new(Code::NOT_A_FILE, "this is not a regular file")
                .help(
                    "put a file in its place, or take it away; what was last read stays in force until then",
                )
                .in_file(path)
        }
        _ => {
            let message = format!("this file could not be read: {}", reason(error));
            Finding::new(Code::UNREADABLE, message)
                .help("what was last read from it stays in force until it can be read again")
                .in_file(path)
        }
    }
}

/// The finding for a file past the limit.
pub(crate) fn too_large(path: &str) -> Finding {
    Finding::new(Code::TOO_LARGE, "this file is larger than 64 MiB and was not read")
        .help("split it: law that long cannot be followed")
        .in_file(path)
}

fn note_change(findings: &mut Vec<Finding>, path: &str) {
    if findings.is_empty() {
        let note = Finding::new(Code::CHANGED_WHILE_READ, "this file changed while it was read");
        findings.push(note.help("it was read again").in_file(path));
    }
}
