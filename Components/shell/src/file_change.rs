//! What happens to a file.

use serde::{Deserialize, Serialize};

/// One file, and what happens to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileChange {
    /// The path as it is written, joined to the directory of an earlier `cd` when one is known.
    pub path: String,
    /// What happens to it.
    pub op: FileOp,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileOp {
    /// It is made; it should not be there before.
    Create,
    /// Its content or its mode changes. It may be made by that.
    Update,
    /// It goes away.
    Delete,
    /// It goes to another name, or comes from one: both names are told.
    Rename,
    /// It is read, listed or looked through, and stays as it is.
    Read,
}
