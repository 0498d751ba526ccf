//! The last good version of each file of rules, and of each manifest: what stays in force while the file is broken.

use std::path::PathBuf;

use mentci_authority::{RuleSet, Trust};
use mentci_disk::{Edit, Fs, Kind, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_source::{Hash, Source};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The format number of a kept rule set.
const FORMAT: u32 = 1;

/// Where good versions are kept.
#[derive(Debug)]
pub(super) struct GoodVersions<'f> {
    pub(super) fs: &'f dyn Fs,
    pub(super) folder: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept<T> {
    format: u32,
    trust: Trust,
    set: T,
}

impl GoodVersions<'_> {
    /// Keeps what a file says now. Nothing is written when it is kept already; what cannot be written is not kept.
    pub(super) fn keep<T: Serialize>(&self, source: &Source, trust: Trust, set: &T) {
        let name = name(source);
        if self.fs.stat(&self.folder.join(&name)).is_ok() {
            return;
        }
        let kept = Kept { format: FORMAT, trust, set };
        let Ok(bytes) = serde_json::to_vec(&kept) else { return };
        let older = self.versions(source.path());
        let write = |_: Option<&[u8]>| Ok::<_, String>(Edit::Replace(bytes));
        let sidecar = Sidecar::editing(&self.folder);
        if edit_locked(self.fs, &sidecar, &name, WriteOptions::PRIVATE, write).is_ok() {
            for name in older {
                let _ = self.fs.remove(&self.folder.join(name));
            }
        }
    }

    /// What a file of rules said when it was last whole, under the trust that it has now.
    pub(super) fn last_rules(&self, path: &str, trust: Trust) -> Option<RuleSet> {
        // What a person vouched for less is never kept in force as more.
        let mut set: RuleSet = self.last(path)?;
        for rule in &mut set.rules {
            rule.origin.trust = rule.origin.trust.min(trust);
        }
        Some(set)
    }

    /// What the file said when it was last whole.
    pub(super) fn last<T: DeserializeOwned>(&self, path: &str) -> Option<T> {
        let name = self.versions(path).pop()?;
        let bytes = read_optional(self.fs, &self.folder.join(name)).ok()??;
        let kept: Kept<T> = serde_json::from_slice(&bytes).ok()?;
        (kept.format <= FORMAT).then_some(kept.set)
    }

    fn versions(&self, path: &str) -> Vec<String> {
        let start = format!("{}-", path_hash(path));
        let fits = |name: &str| name.starts_with(&start) && name.strip_suffix(".json").is_some();
        let entries = self.fs.read_dir(&self.folder, &mut |name, kind| {
            (kind == Kind::File && name.to_str().is_some_and(fits)).then_some(false)
        });
        let mut names: Vec<String> =
            entries.into_iter().flatten().filter_map(|entry| entry.name.into_string().ok()).collect();
        names.sort();
        names
    }
}

fn name(source: &Source) -> String {
    format!("{}-{}.json", path_hash(source.path()), source.hash().short(16))
}

fn path_hash(path: &str) -> String {
    Hash::of("mentci rule file v1", [path.as_bytes()]).short(16)
}
