//! Artifacts in files.

mod batch;
mod folder;
mod incoming;
mod meta;

use std::io::{Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use mentci_authority::{
    ArtifactError, ArtifactExtent, ArtifactHandle, ArtifactHit, ArtifactId, ArtifactKeeper, ArtifactNote,
    ArtifactPart, ArtifactScope, ArtifactStore, Collected, GcPolicy, NewArtifact,
};
use mentci_disk::{Fs, RealFs};
use mentci_source::Finding;

use super::chunk::{CHUNK_BYTES, Sum, artifact_id};
use super::fault::Fault;
use super::needle::Needle;
use super::odd;
use super::proof::Proofs;
use super::scan::{Best, scan};
use crate::StoreError;
use batch::Batch;
use folder::Folder;
use meta::Meta;

/// Artifacts as files, each in the folder that the first two digits of its id name:
///
/// - `ab/abcd…`: the content
/// - `ab/abcd….sums`: the sum of each piece, when there are several
/// - `ab/abcd….json`: what stands for it, and who holds it; without this file it is not there
///
/// Each is written beside, synced and renamed. Simple and slow: listing and searching read every file.
///
/// ```
/// use mentci_authority::{ArtifactKeeper, ArtifactNote, ArtifactPart};
/// use mentci_store::FsArtifactStore;
/// # let folder = tempfile::tempdir().unwrap();
/// let store = FsArtifactStore::open(&folder.path().join("artifacts"))?;
/// let handle = store.store_reader("s1", &ArtifactNote::default(), &mut "one\ntwo\n".as_bytes()).unwrap();
/// let second = store.retrieve_part(&handle.artifact_id, &ArtifactPart::Lines(2..=2)).unwrap();
/// assert_eq!(second.unwrap().bytes, b"two\n");
/// # Ok::<(), mentci_store::StoreError>(())
/// ```
#[derive(Debug)]
pub struct FsArtifactStore {
    folder: Folder,
    proofs: Proofs,
    findings: Mutex<Vec<Finding>>,
}

/// More hits are not given.
const MOST_HITS: usize = 1_000;

impl FsArtifactStore {
    /// Opens the artifacts in the folder at `root`, and makes it when there is none.
    ///
    /// # Errors
    /// - The folder cannot be made or written.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        Self::open_with(root, Box::new(RealFs))
    }

    /// As [`open`](Self::open), over any file system.
    #[doc(hidden)]
    pub fn open_with(root: &Path, fs: Box<dyn Fs>) -> Result<Self, StoreError> {
        let store =
            Self { folder: Folder::new(root, fs), proofs: Proofs::default(), findings: Mutex::default() };
        let begin = || -> Result<(), Fault> {
            // Whoever holds it does the same.
            let Some(_lock) = store.folder.try_lock()? else { return Ok(()) };
            incoming::clean(&store.folder);
            Batch::finish(&store.folder)
        };
        match begin() {
            Err(Fault::Store(error)) => Err(error),
            Err(Fault::Artifact(error)) => Err(StoreError::Other(error.to_string())),
            Ok(()) => Ok(store),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.root()
    }

    fn put(&self, session: &str, artifacts: &[NewArtifact]) -> Result<(), Fault> {
        if let Some(artifact) =
            artifacts.iter().find(|new| artifact_id(&new.content) != new.handle.artifact_id)
        {
            return Err(ArtifactError::Misnamed(artifact.handle.artifact_id).into());
        }
        if artifacts.iter().all(|new| self.has(session, new)) {
            return Ok(());
        }
        self.edit(|batch| {
            artifacts.iter().try_for_each(|NewArtifact { handle, content }| {
                let sums: Vec<Sum> = content.chunks(CHUNK_BYTES).map(Sum::of).collect();
                let handle = ArtifactHandle { size_bytes: content.len() as u64, ..handle.clone() };
                if !batch.holds(&handle.artifact_id) {
                    self.folder.write(&handle.artifact_id, content)?;
                }
                batch.add(session, handle, &sums)
            })
        })
    }

    /// Whether all that storing it would note is noted: several processes that compile one session store the same.
    fn has(&self, session: &str, new: &NewArtifact) -> bool {
        let (id, at) = (&new.handle.artifact_id, new.handle.created_at);
        let meta = self.folder.meta(id).ok().flatten();
        let is_held = meta.is_some_and(|meta| meta.holds.get(session).is_some_and(|held| *held >= at));
        is_held && self.folder.is_whole(id)
    }

    /// The notes of all artifacts; those that cannot be read are told.
    fn metas(&self) -> Result<Vec<Meta>, Fault> {
        let (metas, unread) = self.folder.metas()?;
        self.tell(unread.iter().map(odd::unread));
        Ok(metas)
    }

    /// Keeps in mind what is odd, once.
    fn tell(&self, odd: impl IntoIterator<Item = Finding>) {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in odd {
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }

    fn put_reader(
        &self,
        session: &str,
        note: &ArtifactNote,
        content: &mut dyn Read,
    ) -> Result<ArtifactHandle, Fault> {
        let incoming = incoming::Incoming::read(&self.folder, note, content)?;
        let id = incoming.handle.artifact_id;
        self.edit(|batch| {
            if !batch.holds(&id) {
                incoming.move_to(&self.folder)?;
            }
            batch.add(session, incoming.handle.clone(), &incoming.sums)
        })?;
        Ok(self.folder.meta(&id)?.map_or_else(|| incoming.handle.clone(), |meta| meta.handle))
    }

    /// Changes what is noted of artifacts, all or nothing.
    fn edit<T>(&self, edit: impl FnOnce(&mut Batch<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        let _lock = self.folder.lock()?;
        Batch::finish(&self.folder)?;
        let mut batch = Batch::new(&self.folder);
        let result = edit(&mut batch)?;
        batch.commit()?;
        Ok(result)
    }

    fn set_pin(&self, id: &ArtifactId, is_pinned: bool) -> Result<bool, Fault> {
        self.edit(|batch| {
            let Some(meta) = self.folder.meta(id)? else { return Ok(false) };
            batch.change(Meta { is_pinned, ..meta });
            Ok(true)
        })
    }

    fn collect(&self, policy: &GcPolicy) -> Result<Collected, Fault> {
        let _lock = self.folder.lock()?;
        Batch::finish(&self.folder)?;
        let mut collected = Collected::default();
        for meta in self.metas()? {
            if meta.is_kept(policy) {
                collected.kept += 1;
                continue;
            }
            if !policy.is_dry {
                self.folder.remove(&meta.handle.artifact_id)?;
            }
            collected.freed_bytes += meta.handle.size_bytes;
            collected.deleted.push(meta.handle);
        }
        if !policy.is_dry {
            self.folder.sweep()?;
            Batch::sweep(&self.folder)?;
        }
        Ok(collected)
    }

    fn find(&self, scope: &ArtifactScope, query: &str, most: usize) -> Result<Vec<ArtifactHit>, Fault> {
        let Some(needle) = Needle::of(query).filter(|_| most > 0) else { return Ok(Vec::new()) };
        let mut best = Best::new(most.min(MOST_HITS));
        for meta in self.within(scope)? {
            let Some(reading) = self.folder.reading(&meta.handle.artifact_id)? else { continue };
            let mut reading = reading.noting(&self.proofs);
            best.look_into(&mut reading, |reading, best| scan(reading, &needle, best))?;
        }
        let (hits, odd) = best.told(scope)?;
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).extend(odd);
        Ok(hits)
    }

    /// The artifacts that are searched, the newest first.
    fn within(&self, scope: &ArtifactScope) -> Result<Vec<Meta>, Fault> {
        let mut metas = match scope {
            ArtifactScope::One(id) => self.folder.meta(id)?.into_iter().collect(),
            ArtifactScope::All | ArtifactScope::Session(_) => self.metas()?,
        };
        if let ArtifactScope::Session(session) = scope {
            metas.retain(|meta| meta.holds.contains_key(session));
        }
        metas.sort_by(|a, b| b.held_at().total_cmp(&a.held_at()));
        Ok(metas)
    }
}

impl ArtifactStore for FsArtifactStore {
    fn store(&self, session: &str, artifacts: &[NewArtifact]) -> Result<(), ArtifactError> {
        Ok(self.put(session, artifacts)?)
    }

    fn retrieve(&self, id: &ArtifactId) -> Result<Option<Vec<u8>>, ArtifactError> {
        Ok(self.folder.reading(id)?.map(|mut reading| reading.whole()).transpose()?)
    }

    fn retrieve_range(&self, id: &ArtifactId, range: Range<u64>) -> Result<Option<Vec<u8>>, ArtifactError> {
        Ok(self.retrieve_part(id, &ArtifactPart::Bytes(range))?.map(|excerpt| excerpt.bytes))
    }

    fn handle(&self, id: &ArtifactId) -> Result<Option<ArtifactHandle>, ArtifactError> {
        Ok(self.folder.meta(id)?.map(|meta| meta.handle))
    }

    fn list_handles(&self, session: Option<&str>) -> Result<Vec<ArtifactHandle>, ArtifactError> {
        let metas = self.metas()?.into_iter();
        let is_wanted = |meta: &Meta| session.is_none_or(|session| meta.holds.contains_key(session));
        let mut handles: Vec<ArtifactHandle> = metas.filter(is_wanted).map(|meta| meta.handle).collect();
        // Nothing but the id proves a note: who can write the file can write one.
        let length = |handle: &mut ArtifactHandle| {
            let length = self.folder.length(&handle.artifact_id);
            odd::unlike(handle, length)
        };
        let odd: Vec<Finding> = handles.iter_mut().filter_map(length).collect();
        self.tell(odd);
        Ok(handles)
    }

    fn delete(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        let _lock = self.folder.lock()?;
        Batch::finish(&self.folder)?;
        Ok(self.folder.remove(id)?)
    }
}

impl ArtifactKeeper for FsArtifactStore {
    fn take_findings(&self) -> Vec<Finding> {
        std::mem::take(&mut *self.findings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn store_reader(
        &self,
        session: &str,
        note: &ArtifactNote,
        content: &mut dyn Read,
    ) -> Result<ArtifactHandle, ArtifactError> {
        Ok(self.put_reader(session, note, content)?)
    }

    fn copy(
        &self,
        id: &ArtifactId,
        part: &ArtifactPart,
        to: &mut dyn Write,
    ) -> Result<Option<ArtifactExtent>, ArtifactError> {
        let reading = self.folder.reading(id)?.map(|reading| reading.proving(&self.proofs));
        Ok(reading.map(|mut reading| reading.copy(part, to)).transpose()?)
    }

    fn search(
        &self,
        scope: &ArtifactScope,
        query: &str,
        most: usize,
    ) -> Result<Vec<ArtifactHit>, ArtifactError> {
        Ok(self.find(scope, query, most)?)
    }

    fn visible(&self, session: &str, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.folder.meta(id)?.is_some_and(|meta| meta.holds.contains_key(session)))
    }

    fn hold(&self, session: &str, id: &ArtifactId, at: f64) -> Result<bool, ArtifactError> {
        Ok(self.edit(|batch| {
            let Some(mut meta) = self.folder.meta(id)? else { return Ok(false) };
            meta.hold(session, at);
            batch.change(meta);
            Ok(true)
        })?)
    }

    fn pin(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.set_pin(id, true)?)
    }

    fn unpin(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.set_pin(id, false)?)
    }

    fn pins(&self) -> Result<Vec<ArtifactId>, ArtifactError> {
        let metas = self.folder.metas()?.0.into_iter();
        let mut pins: Vec<_> =
            metas.filter(|meta| meta.is_pinned).map(|meta| meta.handle.artifact_id).collect();
        pins.sort_unstable();
        Ok(pins)
    }

    fn gc(&self, policy: &GcPolicy) -> Result<Collected, ArtifactError> {
        Ok(self.collect(policy)?)
    }
}
