//! What a program was made from, and whether it stands as it stood: told by stat keys, and by hashes where these cannot tell.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mentci_disk::{Fs, Stamp, read_optional};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

/// Files by path, with their stat keys; none for what was looked for and is not there.
pub(super) type Stamps = BTreeMap<PathBuf, Option<Stamp>>;

/// One file, as it stood when a program was made from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ingredient {
    /// Absolute.
    pub(super) path: PathBuf,
    /// None where nothing stood there, or nothing that can be looked at.
    pub(super) stamp: Option<Stamp>,
    /// What it held, where its stat key alone does not prove that it still does.
    pub(super) hash: Option<Hash>,
    /// Whether it stands there and could not be read: it may be readable the next time though nothing of it moved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_lost: bool,
}

impl Ingredient {
    /// A file as it stands. `now` is the file system's own time from before it was read: a file that was written later than
    /// a tick before that may be written again without its stat key moving.
    pub(super) fn new(fs: &dyn Fs, path: &Path, stamp: Option<Stamp>, now: i64) -> Self {
        let unsettled = stamp.is_some_and(|stamp| !stamp.is_settled(now));
        let hash = unsettled.then(|| hash(fs, path)).flatten();
        Self { path: path.to_owned(), stamp, hash, is_lost: false }
    }

    /// Looks whether it still cannot be read, where something could not.
    pub(super) fn look(&mut self, fs: &dyn Fs) {
        self.is_lost = cannot_be_read(fs, &self.path);
    }

    /// Whether it stands as it stood.
    pub(super) fn stands(&self, fs: &dyn Fs, now: Option<Stamp>) -> bool {
        now == self.stamp
            && self.hash.is_none_or(|hash_then| hash(fs, &self.path) == Some(hash_then))
            && (!self.is_lost || cannot_be_read(fs, &self.path))
    }
}

/// The stat key of what stands at a path, links followed.
pub(super) fn stamp(fs: &dyn Fs, path: &Path) -> Option<Stamp> {
    fs.stat(path).ok().map(|stat| stat.stamp)
}

/// Whether something stands there, as it may be a link that leads nowhere, and does not read.
fn cannot_be_read(fs: &dyn Fs, path: &Path) -> bool {
    fs.lstat(path).is_ok() && !matches!(read_optional(fs, path), Ok(Some(_)))
}

fn hash(fs: &dyn Fs, path: &Path) -> Option<Hash> {
    read_optional(fs, path).ok().flatten().map(|bytes| Hash::of_bytes(&bytes))
}
