//! The Absolute Rules as they were: kept by the daemon whenever they moved, in the folder of the workspace's state.

use std::path::PathBuf;
use std::sync::{MutexGuard, PoisonError};

use mentci_authority::At;
use mentci_disk::{Durability, Edit, Sidecar, WriteOptions, edit_locked, read_optional};
use mentci_host::{DigestDiff, DigestVersion, HistoryAnswer, HistoryRequest, Response};
use mentci_source::{Code, Finding, Hash};

use crate::compile::line_diff;
use crate::workspace::Workspace;

/// The folder of what was kept.
const FOLDER: &str = "digests";
/// Under which it is written.
const LOCK: &str = "digests/lock";
/// How many versions are kept.
const MOST: usize = 100;
/// A version is no loss, and the user's alone.
const OPTIONS: WriteOptions = WriteOptions { durability: Durability::Rename, mode: 0o600 };

/// What is known of the versions that were kept by this process.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    last: Option<Hash>,
}

/// A version that is kept: when it came, and its hash, by which its file is named.
struct Kept {
    ms: i64,
    hash: Hash,
    path: PathBuf,
}

impl Workspace {
    /// Keeps every version of the Absolute Rules from now on, whoever has it compiled.
    pub fn keep_versions(&self) {
        *self.versions() = Some(Versions::default());
    }

    /// Keeps the Absolute Rules as they stand, when they are others than those that were kept last. What cannot be kept is no
    /// harm.
    pub(crate) fn keep_version(&self, hash: Hash, text: &str) {
        let mut versions = self.versions();
        let Some(versions) = versions.as_mut().filter(|versions| versions.last != Some(hash)) else { return };
        versions.last = Some(hash);
        let kept = self.kept_digests();
        if kept.last().is_some_and(|last| last.hash == hash) {
            return;
        }
        // No earlier than the one before it, though both came within a millisecond or the clock was set back.
        let ms = self.now().ms.max(kept.last().map_or(0, |last| last.ms + 1));
        let name = format!("{FOLDER}/{ms:014}-{hash}.md");
        let sidecar = Sidecar::at(&self.state_folder(), LOCK);
        let write = |_: Option<&[u8]>| Ok::<_, Finding>(Edit::Replace(text.as_bytes().to_vec()));
        let _ = edit_locked(self.fs.as_ref(), &sidecar, &name, OPTIONS, write);
        let surplus = (kept.len() + 1).saturating_sub(MOST);
        kept.iter().take(surplus).for_each(|old| drop(self.fs.remove(&old.path)));
    }

    fn versions(&self) -> MutexGuard<'_, Option<Versions>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out a verb of the history.
    pub(crate) fn history(&self, request: &HistoryRequest) -> Response {
        match request {
            HistoryRequest::List => {
                let version =
                    |kept: &Kept| DigestVersion { hash: kept.hash, at: At::utc(kept.ms).to_string() };
                let versions = self.kept_digests().iter().rev().map(version).collect();
                Response::ok(HistoryAnswer { versions })
            }
            HistoryRequest::Diff { from, to } => match self.diff(from, to.as_deref()) {
                Ok(diff) => Response::ok(diff),
                Err(finding) => Response::bad([finding]),
            },
        }
    }

    fn diff(&self, from: &str, to: Option<&str>) -> Result<DigestDiff, Finding> {
        let kept = self.kept_digests();
        let text = |wanted: &str| {
            let mut fitting =
                kept.iter().filter(|kept| wanted.len() >= 4 && kept.hash.to_string().starts_with(wanted));
            let known = fitting.next_back().ok_or_else(|| unknown(wanted))?;
            let bytes =
                read_optional(self.fs.as_ref(), &known.path).ok().flatten().ok_or_else(|| unknown(wanted))?;
            Ok::<_, Finding>((known.hash, String::from_utf8_lossy(&bytes).into_owned()))
        };
        let newest = || kept.last().map(|kept| kept.hash.to_string()).unwrap_or_default();
        let (from, before) = text(from)?;
        let (to, after) = text(&to.map_or_else(newest, str::to_owned))?;
        Ok(DigestDiff { from, to, lines: line_diff(&before, &after) })
    }

    /// The oldest first.
    fn kept_digests(&self) -> Vec<Kept> {
        let folder = self.state_folder().join(FOLDER);
        let entries = self.fs.read_dir(&folder, &mut |_, _| Some(false)).unwrap_or_default();
        let mut kept: Vec<Kept> = entries
            .into_iter()
            .filter_map(|entry| {
                let name = entry.name.to_str()?;
                let (ms, hash) = name.strip_suffix(".md")?.split_once('-')?;
                Some(Kept { ms: ms.parse().ok()?, hash: Hash::parse(hash)?, path: folder.join(name) })
            })
            .collect();
        kept.sort_by_key(|kept| kept.ms);
        kept
    }
}

fn unknown(wanted: &str) -> Finding {
    let message =
        format!("no version of the Absolute Rules that is kept has the hash `{}`", wanted.escape_debug());
    Finding::new(Code::UNKNOWN_SUBJECT, message).help("`/api/v1/digest/history` lists those that are kept")
}
