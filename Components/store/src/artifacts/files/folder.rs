//! The folder of a store, and the files of one artifact in it.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mentci_authority::{ArtifactError, ArtifactId};
use mentci_disk::{Fs, Kind, LockGuard, Sidecar};
use mentci_source::Hash;

use super::super::chunk::{CHUNK_BYTES, Sum, chunk_count};
use super::super::fault::Fault;
use super::super::reading::{Chunks, Reading, Shape};
use super::meta::{META_FORMAT, Meta};
use crate::StoreError;

/// Where the files are.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    pub(super) fs: Box<dyn Fs>,
    /// Threads wait for each other in order, processes by trying again.
    writing: Mutex<()>,
}

/// Held for as long as something is written.
pub(super) struct Writing<'a> {
    _process: LockGuard,
    _thread: MutexGuard<'a, ()>,
}

/// Another process is waited for so long, and so many times.
const WAIT: Duration = Duration::from_millis(10);
const WAITS: u32 = 1_000;

/// For its user alone: contents are what tools were told.
const MODE: u32 = 0o600;

/// A note is no larger; what is was not written here.
const META_BYTES: u64 = 64 * 1024 * 1024;

/// The bytes of a sum in its file: a hash, and a count.
const SUM_BYTES: usize = 40;

impl Folder {
    pub(super) fn new(root: &Path, fs: Box<dyn Fs>) -> Self {
        Self { root: root.to_owned(), fs, writing: Mutex::default() }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whoever writes holds the lock; whoever reads needs none, since files are renamed into place.
    pub(super) fn lock(&self) -> Result<Writing<'_>, Fault> {
        for _ in 0..WAITS {
            if let Some(writing) = self.try_lock()? {
                return Ok(writing);
            }
            std::thread::sleep(WAIT);
        }
        Err(StoreError::Locked.into())
    }

    /// The lock, if no other process holds it.
    pub(super) fn try_lock(&self) -> Result<Option<Writing<'_>>, Fault> {
        let thread = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let process = Sidecar::at(&self.root, "lock").try_lock(&*self.fs)?;
        Ok(process.map(|process| Writing { _process: process, _thread: thread }))
    }

    /// The file of an artifact's content. An id is digits: it leads nowhere else.
    pub(super) fn content(&self, id: &ArtifactId) -> PathBuf {
        let name = id.to_string();
        self.root.join(&name[..2]).join(name)
    }

    fn beside(&self, id: &ArtifactId, ending: &str) -> PathBuf {
        let mut path = self.content(id).into_os_string();
        path.push(ending);
        path.into()
    }

    /// Makes the folder of an artifact. What stands there and is no folder is not followed.
    pub(super) fn make_room(&self, id: &ArtifactId) -> Result<(), Fault> {
        let folder = self.home(id);
        match self.fs.lstat(&folder) {
            Ok(stat) if stat.kind == Kind::Dir => return Ok(()),
            Ok(_) => return Err(not_ours(&folder)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        self.fs.create_dir_all(&folder)?;
        Ok(self.fs.sync(&self.root)?)
    }

    /// The folder of an artifact.
    pub(super) fn home(&self, id: &ArtifactId) -> PathBuf {
        self.root.join(&id.to_string()[..2])
    }

    /// Puts a content in place; it is not there before its note is.
    pub(super) fn write(&self, id: &ArtifactId, content: &[u8]) -> Result<(), Fault> {
        self.make_room(id)?;
        self.put(&self.content(id), content)
    }

    /// Puts the sums of a content in place, when it has more pieces than one.
    pub(super) fn write_sums(&self, id: &ArtifactId, sums: &[Sum]) -> Result<(), Fault> {
        if sums.len() < 2 {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(sums.len() * SUM_BYTES);
        for sum in sums {
            bytes.extend_from_slice(sum.hash.as_bytes());
            bytes.extend_from_slice(&sum.newlines.to_le_bytes());
        }
        self.put(&self.beside(id, ".sums"), &bytes)
    }

    pub(super) fn write_meta(&self, meta: &Meta) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(meta).map_err(StoreError::from)?;
        self.put(&self.beside(&meta.handle.artifact_id, ".json"), &bytes)
    }

    /// Writes beside, syncs, and renames: a file that is there is whole. Its name is synced by the caller.
    pub(super) fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let written = self.fs.write_new(&part, bytes, MODE).and_then(|()| self.fs.sync(&part));
        if let Err(error) = written.and_then(|()| self.fs.rename(&part, path)) {
            // What is left of it takes room on a disk that may be full.
            let _ = self.fs.remove(&part);
            return Err(error.into());
        }
        Ok(())
    }

    /// What is noted of an artifact; none when it is not there.
    pub(super) fn meta(&self, id: &ArtifactId) -> Result<Option<Meta>, Fault> {
        let path = self.beside(id, ".json");
        let unread =
            |why: String| -> Fault { ArtifactError::Unread { id: *id, file: self.shown(&path), why }.into() };
        let mut bytes = Vec::new();
        match self.fs.lstat(&path) {
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(unread(error.to_string())),
            Ok(stat) if stat.kind != Kind::File => return Err(unread("it is no file".to_owned())),
            Ok(_) => {}
        }
        match self.fs.read_into(&path, META_BYTES, &mut bytes) {
            // It was taken away meanwhile.
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(unread(error.to_string())),
            Ok(_) => {}
        }
        let meta: Meta = serde_json::from_slice(&bytes).map_err(|error| unread(error.to_string()))?;
        if meta.format > META_FORMAT {
            return Err(StoreError::Newer { found: meta.format, known: META_FORMAT }.into());
        }
        if meta.handle.artifact_id != *id {
            return Err(unread(format!("it is that of {}", meta.handle.artifact_id)));
        }
        Ok(Some(meta))
    }

    /// A path as it is told: from the folder of the store on.
    fn shown(&self, path: &Path) -> String {
        let above = self.root.parent().unwrap_or(&self.root);
        path.strip_prefix(above).unwrap_or(path).display().to_string()
    }

    /// How long the content of an artifact is; 0 when it is not there.
    pub(super) fn length(&self, id: &ArtifactId) -> u64 {
        self.fs.lstat(&self.content(id)).map_or(0, |stat| stat.stamp.size)
    }

    /// The notes of all artifacts, the oldest first, and why others cannot be read.
    pub(super) fn metas(&self) -> Result<(Vec<Meta>, Vec<ArtifactError>), Fault> {
        let (mut metas, mut unread) = (Vec::new(), Vec::new());
        for folder in self.names(&self.root, Kind::Dir)? {
            for name in self.names(&self.root.join(&folder), Kind::File)? {
                let id = name.strip_suffix(".json").and_then(|id| id.parse().ok());
                let Some(id) = id.filter(|_| name.starts_with(&folder)) else { continue };
                match self.meta(&id) {
                    Ok(meta) => metas.extend(meta),
                    Err(fault) => unread.push(fault.into()),
                }
            }
        }
        metas.sort_by(|a, b| {
            let order = a.handle.created_at.total_cmp(&b.handle.created_at);
            order.then_with(|| a.handle.artifact_id.cmp(&b.handle.artifact_id))
        });
        Ok((metas, unread))
    }

    /// The names of one kind in a folder.
    pub(super) fn names(&self, folder: &Path, wanted: Kind) -> Result<Vec<String>, Fault> {
        let entries = self.fs.read_dir(folder, &mut |_, kind| (kind == wanted).then_some(false))?;
        Ok(entries.into_iter().filter_map(|entry| entry.name.into_string().ok()).collect())
    }

    /// Whether the content of an artifact is in place, and is what its id names.
    pub(super) fn is_whole(&self, id: &ArtifactId) -> bool {
        let reading = self.reading(id).ok().flatten();
        reading.is_some_and(|mut reading| {
            (0..reading.count()).all(|n| reading.chunk(n).is_ok()) && reading.verify().is_ok()
        })
    }

    /// Takes an artifact away, its note first; whether it was there.
    pub(super) fn remove(&self, id: &ArtifactId) -> Result<bool, Fault> {
        let meta = self.beside(id, ".json");
        if self.fs.lstat(&meta).is_err() {
            return Ok(false);
        }
        self.fs.remove(&meta)?;
        self.fs.sync(&self.home(id))?;
        for path in [self.content(id), self.beside(id, ".sums")] {
            if self.fs.lstat(&path).is_ok() {
                self.fs.remove(&path)?;
            }
        }
        Ok(true)
    }

    /// Takes away what writers that died left: contents that nothing tells of. The caller holds the lock.
    pub(super) fn sweep(&self) -> Result<(), Fault> {
        for folder in self.names(&self.root, Kind::Dir)? {
            let folder = self.root.join(folder);
            let names = self.names(&folder, Kind::File)?;
            let told: BTreeSet<&str> = names.iter().filter_map(|name| name.strip_suffix(".json")).collect();
            for name in &names {
                let stem = name.split('.').next().unwrap_or_default();
                let is_left = name.strip_suffix(".part").is_some() || !told.contains(stem);
                if is_left && stem.parse::<ArtifactId>().is_ok() {
                    self.fs.remove(&folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    /// Opens an artifact for reading; none when it is not there.
    pub(super) fn reading(&self, id: &ArtifactId) -> Result<Option<Reading<Files>>, Fault> {
        let Some(meta) = self.meta(id)? else { return Ok(None) };
        let size = meta.handle.size_bytes;
        let sums = if chunk_count(size) > 1 { Some(self.open(&self.beside(id, ".sums"), id)?) } else { None };
        let files = Files { content: self.open(&self.content(id), id)?, sums };
        Ok(Some(Reading::new(Shape { id: *id, size, newlines: meta.newlines }, files)))
    }

    /// Opens a file that must be there.
    fn open(&self, path: &Path, id: &ArtifactId) -> Result<File, Fault> {
        let is_ours = self.fs.lstat(path).is_ok_and(|stat| stat.kind == Kind::File);
        if !is_ours {
            return Err(ArtifactError::Tampered(*id).into());
        }
        Ok(OpenOptions::new().read(true).open(path)?)
    }
}

/// The open files of one artifact.
#[derive(Debug)]
pub(super) struct Files {
    content: File,
    sums: Option<File>,
}

impl Chunks for Files {
    fn bytes(&mut self, number: u64, buffer: &mut Vec<u8>) -> Result<bool, Fault> {
        buffer.clear();
        self.content.seek(SeekFrom::Start(number * CHUNK_BYTES as u64))?;
        (&self.content).take(CHUNK_BYTES as u64).read_to_end(buffer)?;
        Ok(!buffer.is_empty())
    }

    fn sum(&mut self, number: u64) -> Result<Option<Sum>, Fault> {
        let Some(sums) = &mut self.sums else { return Ok(None) };
        sums.seek(SeekFrom::Start(number * SUM_BYTES as u64))?;
        let (mut hash, mut newlines) = ([0; 32], [0; 8]);
        match sums.read_exact(&mut hash).and_then(|()| sums.read_exact(&mut newlines)) {
            Ok(()) => Ok(Some(Sum { hash: Hash::from_bytes(hash), newlines: u64::from_le_bytes(newlines) })),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn not_ours(path: &Path) -> Fault {
    StoreError::Denied(format!("`{}` is neither a file nor a folder of this store", path.display())).into()
}
