//! What stood before our hooks came, so that taking them away brings it back byte for byte.

use std::path::{Path, PathBuf};

use mentci_disk::{Edit, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::{Installation, InstalledFile};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use super::Plan;
use super::undo::undone;
use crate::workspace::Workspace;

const FORMAT: u32 = 1;

/// One file before and after.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    format: u32,
    /// What stood; none where nothing did.
    before: Option<String>,
    /// The hash of what was put there instead.
    after: Hash,
    /// The text of that.
    #[serde(default)]
    put: Option<String>,
    /// The folders that were made for it, the outermost first.
    #[serde(default)]
    folders: Vec<PathBuf>,
    /// Nothing stood there before our first hook.
    #[serde(default)]
    created: bool,
}

impl Workspace {
    /// What stood before, when the file is as we left it: none where nobody knows, none inside where no file stood.
    #[expect(clippy::option_option, reason = "nobody may know, and nothing may have stood")]
    pub(super) fn stood_before(
        &self,
        installation: &Installation,
        base: &Path,
        path: &str,
        text: &str,
    ) -> Option<Option<String>> {
        let record = self.record(&name(installation, base, path))?;
        (record.after == Hash::of_bytes(text.as_bytes())).then_some(record.before)
    }

    /// What stood before with what others changed since; none where that cannot be told.
    pub(super) fn undone(
        &self,
        installation: &Installation,
        base: &Path,
        path: &str,
        text: &str,
    ) -> Option<String> {
        let record = self.record(&name(installation, base, path))?;
        undone(&record.before?, &record.put?, text)
    }

    /// What is left of a file that others edited meanwhile: nothing, where we made it and nothing of theirs is in it.
    pub(super) fn left(
        &self,
        installation: &Installation,
        base: &Path,
        path: &str,
        text: String,
    ) -> Option<String> {
        let created = self.record(&name(installation, base, path)).is_some_and(|record| record.created);
        let signs: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        (!created || signs != "{}").then_some(text)
    }

    /// Keeps what stands; of a file that we change again, what stood before the first time.
    pub(super) fn remember_before(
        &self,
        installation: &Installation,
        base: &Path,
        plan: &Plan,
        missing: Vec<PathBuf>,
    ) {
        let name = name(installation, base, &plan.path);
        let Some(after) = plan.after.as_ref().map(|text| Hash::of_bytes(text.as_bytes())) else { return };
        let standing = plan.before.as_ref().map(|text| Hash::of_bytes(text.as_bytes()));
        let stood = self.theirs(installation, base, plan);
        let (before, mut folders, created) = match self.record(&name) {
            Some(record) if Some(record.after) == standing => (record.before, record.folders, record.created),
            Some(record) => (stood, record.folders, record.created),
            None => (stood, Vec::new(), plan.before.is_none()),
        };
        folders.extend(missing);
        folders.sort();
        folders.dedup();
        let put = plan.after.clone();
        let record = Record { format: FORMAT, before, after, put, folders, created };
        let sidecar = Sidecar::at(&self.state_folder(), "installed/lock");
        // Without it the hooks are taken out one by one.
        let _ = edit_locked(self.fs.as_ref(), &sidecar, &name, WriteOptions::PRIVATE, |_| {
            serde_json::to_vec(&record).map(Edit::Replace)
        });
    }

    /// What stands without us: a file that others edited since we came holds our hooks already.
    fn theirs(&self, installation: &Installation, base: &Path, plan: &Plan) -> Option<String> {
        let mark = installation.files.iter().find_map(|file| match file {
            InstalledFile::Hooks { path, mark, .. } if *path == plan.path => Some(mark),
            _ => None,
        });
        let text = plan.before.as_ref()?;
        let left = mark.map(|mark| self.without(installation, base, (&plan.path, mark), text));
        left.and_then(Result::ok).unwrap_or_else(|| Some(text.clone()))
    }

    /// Forgets a file; the folders that were made for it.
    pub(super) fn forget_before(&self, installation: &Installation, base: &Path, path: &str) -> Vec<PathBuf> {
        let name = name(installation, base, path);
        let folders = self.record(&name).map(|record| record.folders).unwrap_or_default();
        // Where nothing was kept there is nothing to remove.
        let _ = self.fs.remove(&self.state_folder().join(name));
        folders
    }

    fn record(&self, name: &str) -> Option<Record> {
        let bytes = read_optional(self.fs.as_ref(), &self.state_folder().join(name)).ok()??;
        let record: Record = serde_json::from_slice(&bytes).ok()?;
        (record.format == FORMAT).then_some(record)
    }
}

fn name(installation: &Installation, base: &Path, path: &str) -> String {
    let parts =
        [installation.harness.name().as_bytes(), base.as_os_str().as_encoded_bytes(), path.as_bytes()];
    format!("installed/{}.json", Hash::of("mentci installed file v1", parts).short(24))
}
