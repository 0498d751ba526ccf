//! Notes that change together.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{ArtifactHandle, ArtifactId};
use mentci_disk::Kind;

use super::super::chunk::Sum;
use super::super::fault::Fault;
use super::folder::Folder;
use super::meta::Meta;
use crate::StoreError;

/// Notes of artifacts whose contents are in place. The file `batch.json`, which has them all, is the point at which the
/// batch is stored: whoever comes next puts each in its place, should this process die.
pub(super) struct Batch<'a> {
    folder: &'a Folder,
    metas: BTreeMap<ArtifactId, Meta>,
}

const NAME: &str = "batch.json";

const MOST_BYTES: u64 = 1024 * 1024 * 1024;

impl<'a> Batch<'a> {
    pub(super) fn new(folder: &'a Folder) -> Self {
        Self { folder, metas: BTreeMap::new() }
    }

    /// Whether the content of an artifact is in place, and is what its id names.
    pub(super) fn holds(&self, id: &ArtifactId) -> bool {
        self.metas.contains_key(id) || self.folder.is_whole(id)
    }

    /// Notes an artifact whose content is in place, and that a session holds it.
    pub(super) fn add(&mut self, session: &str, handle: ArtifactHandle, sums: &[Sum]) -> Result<(), Fault> {
        let (id, at) = (handle.artifact_id, handle.created_at);
        let newlines = sums.iter().map(|sum| sum.newlines).sum();
        let known = if let Some(meta) = self.metas.remove(&id) {
            Some(meta)
        } else {
            self.folder.write_sums(&id, sums)?;
            self.readable(&id)?
        };
        let size = handle.size_bytes;
        let mut meta = known.unwrap_or_else(|| Meta::new(handle, newlines));
        // What is noted of the content may have been changed; the content was read just now.
        (meta.handle.size_bytes, meta.newlines) = (size, newlines);
        meta.hold(session, at);
        self.change(meta);
        Ok(())
    }

    /// The note of an artifact; none when it is damaged: then it is written anew. One of a newer version is left.
    fn readable(&self, id: &ArtifactId) -> Result<Option<Meta>, Fault> {
        match self.folder.meta(id) {
            Err(Fault::Store(StoreError::Corrupt(_)) | Fault::Artifact(_)) => Ok(None),
            meta => meta,
        }
    }

    /// Notes what is to be said of an artifact that is there.
    pub(super) fn change(&mut self, meta: Meta) {
        self.metas.insert(meta.handle.artifact_id, meta);
    }

    pub(super) fn commit(self) -> Result<(), Fault> {
        let homes: BTreeSet<_> = self.metas.keys().map(|id| self.folder.home(id)).collect();
        // The names of the contents, before what tells of them.
        homes.iter().try_for_each(|home| self.folder.fs.sync(home))?;
        let metas: Vec<Meta> = self.metas.into_values().collect();
        if metas.len() > 1 {
            let bytes = serde_json::to_vec(&metas).map_err(StoreError::from)?;
            self.folder.put(&self.folder.root().join(NAME), &bytes)?;
            self.folder.fs.sync(self.folder.root())?;
            return Self::finish(self.folder);
        }
        place(self.folder, &metas)
    }

    /// Puts the notes of a batch that was stored in their places.
    pub(super) fn finish(folder: &Folder) -> Result<(), Fault> {
        let path = folder.root().join(NAME);
        if folder.fs.lstat(&path).map(|stat| stat.kind).ok() != Some(Kind::File) {
            return Ok(());
        }
        let mut bytes = Vec::new();
        folder.fs.read_into(&path, MOST_BYTES, &mut bytes)?;
        let metas: Vec<Meta> = serde_json::from_slice(&bytes).map_err(StoreError::from)?;
        place(folder, &metas)?;
        folder.fs.remove(&path)?;
        // So that it does not come back, and undo what is noted later.
        Ok(folder.fs.sync(folder.root())?)
    }

    /// Takes away what a process left that died before its batch was stored.
    pub(super) fn sweep(folder: &Folder) -> Result<(), Fault> {
        let part = folder.root().join(format!("{NAME}.part"));
        if folder.fs.lstat(&part).is_ok() {
            folder.fs.remove(&part)?;
        }
        Ok(())
    }
}

fn place(folder: &Folder, metas: &[Meta]) -> Result<(), Fault> {
    metas.iter().try_for_each(|meta| folder.write_meta(meta))?;
    let homes: BTreeSet<_> = metas.iter().map(|meta| folder.home(&meta.handle.artifact_id)).collect();
    Ok(homes.iter().try_for_each(|home| folder.fs.sync(home))?)
}
