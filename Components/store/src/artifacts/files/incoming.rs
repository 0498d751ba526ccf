//! A content that comes from a reader, before its name is known.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use mentci_authority::{ArtifactError, ArtifactHandle, ArtifactNote};
use mentci_disk::{Fs, Kind, RealFs};

use super::super::chunk::{Naming, Sum, next_chunk};
use super::super::fault::Fault;
use super::folder::Folder;

/// A file `incoming-….part`, locked for as long as somebody writes it, and taken away when that fails.
pub(super) struct Incoming {
    file: File,
    path: PathBuf,
    pub(super) handle: ArtifactHandle,
    pub(super) sums: Vec<Sum>,
}

const PREFIX: &str = "incoming-";

/// Tells the files of one process apart.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Incoming {
    pub(super) fn read(folder: &Folder, note: &ArtifactNote, content: &mut dyn Read) -> Result<Self, Fault> {
        let ArtifactNote { summary, mime_type, created_at, source } = note.clone();
        let artifact_id = Naming::default().id();
        let handle = ArtifactHandle { artifact_id, summary, size_bytes: 0, mime_type, created_at, source };
        let (file, path) = create(folder)?;
        let mut incoming = Self { file, path, handle, sums: Vec::new() };
        incoming.fill(content)?;
        incoming.file.sync_all()?;
        Ok(incoming)
    }

    fn fill(&mut self, content: &mut dyn Read) -> Result<(), Fault> {
        let (mut naming, mut buffer) = (Naming::default(), Vec::new());
        loop {
            next_chunk(content, &mut buffer).map_err(|error| ArtifactError::Stream(error.to_string()))?;
            if buffer.is_empty() {
                break;
            }
            self.file.write_all(&buffer)?;
            naming.add(&buffer);
            self.sums.push(Sum::of(&buffer));
            self.handle.size_bytes += buffer.len() as u64;
        }
        self.handle.artifact_id = naming.id();
        Ok(())
    }

    /// Gives the content its name.
    pub(super) fn move_to(&self, folder: &Folder) -> Result<(), Fault> {
        folder.make_room(&self.handle.artifact_id)?;
        Ok(folder.fs.rename(&self.path, &folder.content(&self.handle.artifact_id))?)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // It is gone when it was moved, and taken away the next time when this fails.
        let _ = RealFs.remove(&self.path);
    }
}

/// A new file under a name that nobody has.
fn create(folder: &Folder) -> Result<(File, PathBuf), Fault> {
    // Nobody cleans before it is locked.
    let _lock = folder.lock()?;
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.root().join(format!("{PREFIX}{}-{number}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            // A process that died had our number.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            file => {
                let file = file?;
                file.lock()?;
                return Ok((file, path));
            }
        }
    }
}

/// Takes away what processes that died left. The caller holds the lock of the folder.
pub(super) fn clean(folder: &Folder) {
    for name in folder.names(folder.root(), Kind::File).unwrap_or_default() {
        let path = folder.root().join(&name);
        let file = name.starts_with(PREFIX).then(|| OpenOptions::new().write(true).open(&path));
        if file.and_then(Result::ok).is_some_and(|file| file.try_lock().is_ok()) {
            let _ = folder.fs.remove(&path);
        }
    }
}
