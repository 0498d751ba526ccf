//! What belongs to a harness, as data: the hooks in its settings and the files that are its own.

use serde::{Deserialize, Serialize};

use crate::Harness;

/// All that is installed for one harness in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// The harness.
    pub harness: Harness,
    /// The folder, absolute; the workspace's when absent.
    #[serde(default)]
    pub base: Option<String>,
    /// The files.
    pub files: Vec<InstalledFile>,
    /// What a person must know or do besides.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A file of an installation. Paths are relative to the installation's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstalledFile {
    /// Settings that are shared with others: JSON, also with comments.
    Hooks {
        /// The path.
        path: String,
        /// What each of our commands holds and no other one.
        mark: String,
        /// Our hooks.
        hooks: Vec<InstalledHook>,
    },
    /// A file of ours.
    Own {
        /// The path.
        path: String,
        /// Its text.
        text: String,
        /// What each version of it holds.
        mark: String,
        /// Whether it is run.
        executable: bool,
    },
}

/// One hook of a harness's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledHook {
    /// The event, as the harness spells it.
    pub event: String,
    /// Which tools, for events of tools.
    #[serde(default)]
    pub matcher: Option<String>,
    /// The command.
    pub command: String,
    /// How long it may take, in the harness's unit.
    pub timeout: u64,
    /// Its name, where the harness wants one.
    #[serde(default)]
    pub name: Option<String>,
}

impl InstalledFile {
    /// The path.
    pub fn path(&self) -> &str {
        match self {
            Self::Hooks { path, .. } | Self::Own { path, .. } => path,
        }
    }
}

/// What an installation did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InstallAnswer {
    /// The harness.
    pub harness: Harness,
    /// The folder.
    pub base: String,
    /// File by file.
    pub files: Vec<InstallRow>,
    /// What a person must know or do besides.
    pub notes: Vec<String>,
}

/// One file of an installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InstallRow {
    /// The path, relative to the folder.
    pub path: String,
    /// `wrote`, `changed`, `removed` or `kept`; with `would` before it when nothing is written.
    pub did: &'static str,
    /// Lines that go (`-`) and come (`+`), when nothing is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diff: Vec<String>,
}
