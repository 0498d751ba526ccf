//! Both stores of artifacts, through one table.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use mentci_authority::{ArtifactHandle, ArtifactId, ArtifactKeeper, NewArtifact};
use mentci_store::{FsArtifactStore, SqliteArtifactStore, artifact_id};

pub const BUSY: Duration = Duration::from_millis(300);

/// One store in a folder of its own.
pub struct Shelf {
    pub name: &'static str,
    pub folder: tempfile::TempDir,
    pub store: Box<dyn ArtifactKeeper>,
}

impl Shelf {
    pub fn path(&self) -> PathBuf {
        path(self.name, self.folder.path())
    }

    /// The same artifacts, as the next process finds them.
    pub fn again(&self) -> Box<dyn ArtifactKeeper> {
        open(self.name, self.folder.path())
    }
}

fn path(name: &str, folder: &Path) -> PathBuf {
    folder.join(if name == "sqlite" { "artifacts.db" } else { "artifacts" })
}

pub fn open(name: &str, folder: &Path) -> Box<dyn ArtifactKeeper> {
    let path = path(name, folder);
    match name {
        "sqlite" => Box::new(SqliteArtifactStore::open(&path, BUSY).unwrap()),
        _ => Box::new(FsArtifactStore::open(&path).unwrap()),
    }
}

/// An empty store of each kind.
pub fn both() -> [Shelf; 2] {
    ["sqlite", "fs"].map(|name| {
        let folder = tempfile::tempdir().unwrap();
        let store = open(name, folder.path());
        Shelf { name, folder, store }
    })
}

/// An artifact of a second, from `tool:echo`.
pub fn artifact(content: impl Into<Vec<u8>>, second: u32) -> NewArtifact {
    let content = content.into();
    let handle = ArtifactHandle {
        artifact_id: artifact_id(&content),
        summary: format!("{} bytes", content.len()),
        size_bytes: content.len() as u64,
        mime_type: "text/plain".into(),
        created_at: f64::from(second),
        source: "tool:echo".into(),
    };
    NewArtifact { handle, content }
}

/// Stores one for `session`, and gives its id.
pub fn put(
    store: &dyn ArtifactKeeper,
    session: &str,
    content: impl Into<Vec<u8>>,
    second: u32,
) -> ArtifactId {
    let artifact = artifact(content, second);
    store.store(session, std::slice::from_ref(&artifact)).unwrap();
    artifact.handle.artifact_id
}

/// Bytes that repeat nowhere.
pub fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..length).map(|_| next()).collect()
}
