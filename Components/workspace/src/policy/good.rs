//! The last good version of each file of rules, and of each manifest: what stays in force while the file is broken.

use std::path::PathBuf;

use mentci_authority::{RuleSet, Trust};
use mentci_disk::{Edit, Fs, Kind, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::policy::RuleFile;
use mentci_source::{Hash, Source};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::vouched::Vouched;

/// The format number of a kept rule set.
const FORMAT: u32 = 1;

/// Where good versions are kept.
#[derive(Debug)]
pub(super) struct GoodVersions<'f> {
    pub(super) fs: &'f dyn Fs,
    /// None where the user has no state: a copy that a repository may have brought is never put in force.
    pub(super) folder: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept<T> {
    format: u32,
    trust: Trust,
    set: T,
}

impl GoodVersions<'_> {
    /// Keeps what a file says now, and with it what it includes and asks. Nothing is written when just this is kept already;
    /// what cannot be written is not kept.
    pub(super) fn keep<T: Serialize>(&self, source: &Source, trust: Trust, set: &T) {
        let Some(folder) = &self.folder else { return };
        let name = name(source, trust);
        let kept = Kept { format: FORMAT, trust, set };
        let Ok(bytes) = serde_json::to_vec(&kept) else { return };
        let mut older = self.versions(source.path());
        older.retain(|other| *other != name);
        let path = folder.join(&name);
        // The same text may say another thing: its scripts and what it includes stand in other files.
        let stands = || read_optional(self.fs, &path).is_ok_and(|kept| kept.as_ref() == Some(&bytes));
        if older.is_empty() && stands() {
            return;
        }
        let write = |_: Option<&[u8]>| Ok::<_, String>(Edit::Replace(bytes));
        let sidecar = Sidecar::editing(folder);
        if edit_locked(self.fs, &sidecar, &name, WriteOptions::PRIVATE, write).is_ok() {
            for name in older {
                let _ = self.fs.remove(&folder.join(name));
            }
        }
    }

    /// Whether this very text is kept, whatever it included and asked then.
    pub(super) fn holds(&self, source: &Source, trust: Trust) -> bool {
        self.folder.as_ref().is_some_and(|folder| self.fs.stat(&folder.join(name(source, trust))).is_ok())
    }

    /// What a file of rules said when it was last whole, under the trust that this has now.
    pub(super) fn last_rules(&self, file: &RuleFile, vouched: Option<&Vouched>) -> Option<RuleSet> {
        let path = file.source.path();
        let name = self.versions(path).pop()?;
        let is_vouched =
            |vouched: &Vouched| vouched.hash_of(path).is_some_and(|hash| name.ends_with(&end(hash)));
        let trust = if vouched.is_some_and(is_vouched) { Trust::Workspace } else { file.trust };
        // What a person vouched for less is never kept in force as more.
        let mut set: RuleSet = self.read(&name)?;
        for rule in &mut set.rules {
            rule.origin.trust = rule.origin.trust.min(trust);
        }
        Some(set)
    }

    /// What the file said when it was last whole.
    pub(super) fn last<T: DeserializeOwned>(&self, path: &str) -> Option<T> {
        self.read(&self.versions(path).pop()?)
    }

    /// What the file said when it held this.
    pub(super) fn at<T: DeserializeOwned>(&self, path: &str, hash: Hash) -> Option<T> {
        self.read(&format!("{}-{}", path_hash(path), end(hash)))
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = read_optional(self.fs, &self.folder.as_ref()?.join(name)).ok()??;
        let kept: Kept<T> = serde_json::from_slice(&bytes).ok()?;
        (kept.format <= FORMAT).then_some(kept.set)
    }

    fn versions(&self, path: &str) -> Vec<String> {
        let start = format!("{}-", path_hash(path));
        let fits = |name: &str| name.starts_with(&start) && name.strip_suffix(".json").is_some();
        let Some(folder) = &self.folder else { return Vec::new() };
        let entries = self.fs.read_dir(folder, &mut |name, kind| {
            (kind == Kind::File && name.to_str().is_some_and(fits)).then_some(false)
        });
        let mut names: Vec<String> =
            entries.into_iter().flatten().filter_map(|entry| entry.name.into_string().ok()).collect();
        names.sort();
        names
    }
}

/// What nobody vouched for is kept apart: it is less than the same text, vouched for.
fn name(source: &Source, trust: Trust) -> String {
    let (path, hash) = (path_hash(source.path()), source.hash());
    if trust > Trust::Untrusted {
        format!("{path}-{}", end(hash))
    } else {
        format!("{path}-{}-untrusted.json", hash.short(16))
    }
}

/// How the name of what is vouched for ends.
fn end(hash: Hash) -> String {
    format!("{}.json", hash.short(16))
}

fn path_hash(path: &str) -> String {
    Hash::of("mentci rule file v1", [path.as_bytes()]).short(16)
}
