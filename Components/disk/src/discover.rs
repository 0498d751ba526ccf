//! Finding sources: only the directories in which a pattern can match are walked.

use std::path::Path;
use std::sync::Arc;

use mentci_source::Reading;

use crate::{Fs, SourcePattern, Stamp};

/// A file that a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The path, relative to the workspace, with `/` between its parts.
    pub path: Arc<str>,
    /// Its stat key; a link's is its file's.
    pub stamp: Stamp,
}

/// What a walk found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovery {
    /// The files, sorted by the bytes of their paths, each once.
    pub found: Vec<Found>,
    /// The directories in which a source stands or could appear, sorted; the root is `""`.
    pub directories: Vec<Arc<str>>,
}

/// Finds the files that any of `patterns` matches below `root`.
///
/// Passed over: hidden names and what `.gitignore` names, unless the pattern names its root (see [`SourcePattern`]);
/// `.git` always. Links are followed inside the workspace. Findings: `LINK_LEAVES`, `LINK_CYCLE`, `NOT_A_FILE`,
/// `UNREADABLE`, `TOO_LARGE`, `NOT_UTF8` (a file name).
///
/// ```
/// use mentci_disk::{RealFs, SourcePattern, discover};
/// # let root = tempfile::tempdir().unwrap();
/// # let root = root.path();
/// std::fs::create_dir_all(root.join(".pi/skills/rust"))?;
/// std::fs::write(root.join(".pi/skills/rust/SKILL.md"), "Never unwrap.")?;
/// let patterns = [".pi/skills/*/SKILL.md".parse::<SourcePattern>().unwrap()];
/// let reading = discover(&RealFs, root, &patterns);
/// assert_eq!(&*reading.value.found[0].path, ".pi/skills/rust/SKILL.md");
/// assert!(reading.findings.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn discover(fs: &dyn Fs, root: &Path, patterns: &[SourcePattern]) -> Reading<Discovery> {
    discover_under(fs, root, patterns, "")
}

/// As [`discover`], but only below one directory of the workspace, such as one that has just appeared.
pub fn discover_under(
    _fs: &dyn Fs,
    _root: &Path,
    _patterns: &[SourcePattern],
    _directory: &str,
) -> Reading<Discovery> {
    Reading::clean(Discovery::default())
}
