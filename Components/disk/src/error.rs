//! What could not be done to which file.

use std::io;
use std::path::{Path, PathBuf};

use mentci_source::{Code, Finding};

/// A step on the disk that failed. The path is relative to the workspace where it lies inside.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {}", path.display(), reason(source))]
pub struct DiskError {
    /// What was tried: `read`, `write`, `lock`.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why it failed.
    #[source]
    pub source: io::Error,
}

impl DiskError {
    /// An error of `action` on `path`, shown relative to `root`.
    pub(crate) fn new(action: &'static str, root: &Path, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.strip_prefix(root).unwrap_or(path).to_owned(), source }
    }

    /// As a finding in its file.
    pub fn finding(&self, code: Code) -> Finding {
        Finding::new(code, format!("cannot {} this file: {}", self.action, reason(&self.source)))
            .in_file(&self.path.to_string_lossy())
    }
}

/// Why, in words of the field and without error numbers where we know the kind.
pub(crate) fn reason(error: &io::Error) -> String {
    let known = match error.kind() {
        io::ErrorKind::NotFound => "it does not exist",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::StorageFull => "the disk is full",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::IsADirectory => "it is a directory",
        io::ErrorKind::NotADirectory => "a part of its path is not a directory",
        io::ErrorKind::FileTooLarge => "it is too large",
        io::ErrorKind::Interrupted => "it was interrupted",
        _ => return error.to_string(),
    };
    known.to_owned()
}
