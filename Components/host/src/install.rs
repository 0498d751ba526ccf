//! What belongs to a harness, as data: the hooks in its settings and the files that are its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// How our files name the program, as a shell reads it.
    #[serde(default)]
    pub program: String,
    /// What other files of the harness must say, or must not, for it to guard.
    #[serde(default)]
    pub wishes: Vec<Wish>,
    /// Files of settings that may hold hooks of others beside ours: absolute, or in the workspace.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The event at which calls are decided, where settings name it.
    #[serde(default)]
    pub gate: Option<String>,
}

/// What one setting of a harness must be for our hooks to be heard. In paths and keys `{root}` stands for the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The file, JSON or TOML: absolute, or in the workspace. `$NAME` is a variable of the environment, and has no keys.
    pub path: String,
    /// The setting, from the outermost key on.
    pub keys: Vec<String>,
    /// What is wanted of it.
    pub want: Want,
    /// What it means where it is otherwise.
    pub says: String,
    /// Whoever never ran the harness is asked for it then, and nothing is odd yet.
    #[serde(default)]
    pub asked: bool,
    /// It need not hold where one of these does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unless: Vec<Wish>,
}

/// What is wanted of a setting. One that is not there holds nothing and is nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// It is this.
    Is(Value),
    /// It is not this.
    IsNot(Value),
    /// The list holds this.
    Holds(Value),
    /// The list does not hold this.
    HoldsNot(Value),
    /// One of its keys begins so.
    Begins(String),
    /// Of its keys that are the workspace or a folder around it, the nearest one's value is one of these.
    Nearest(Vec<Value>),
    /// That value is none of these.
    NearestNot(Vec<Value>),
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
