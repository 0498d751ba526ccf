//! Where a workspace begins.

use std::path::{Path, PathBuf};

use crate::Fs;

/// The nearest of `start` and the directories above it that holds one of `markers`, such as `mentci.toml`, `.pi` or
/// `.git`. All markers of a directory count before those of the directory above it.
pub fn find_root(fs: &dyn Fs, start: &Path, markers: &[&str]) -> Option<PathBuf> {
    let holds = |directory: &&Path| markers.iter().any(|marker| fs.stat(&directory.join(marker)).is_ok());
    start.ancestors().find(holds).map(Path::to_owned)
}
