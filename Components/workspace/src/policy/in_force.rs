//! The program that decides: the pack's while it is fresh, otherwise the one that the files make, which is packed anew.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use mentci_disk::{Durability, Sidecar, WriteOptions, publish};
use mentci_pdp::{Pack, PackError, Program};
use mentci_source::{Code, Finding};

use super::ReadRules;
use super::files::listed_rules;
use super::ingredient::{Ingredient, Stamps, stamp};
use super::label::{Asked, BUILD, Kept, Label, PluginSettings};
use crate::workspace::Workspace;

/// The pack of the workspace's own rules, in the folder of its state.
const FILE: &str = "policy.pack";
/// Under which it is written.
const LOCK: &str = "policy.pack.lock";
/// Touched to learn the file system's time.
const CLOCK: &str = "policy.pack.clock";

/// How often the rules are read until the settings stand still meanwhile.
const SETTLES: usize = 3;

/// A pack is made again by whoever needs it, and is the user's alone.
const OPTIONS: WriteOptions = WriteOptions { durability: Durability::Rename, mode: 0o600 };

/// What decides, and what is said of it.
#[derive(Debug)]
pub(crate) struct InForce {
    pub(super) program: Program,
    pub(super) findings: Vec<Finding>,
    /// What may be set of plugins.
    pub(super) settings: PluginSettings,
    /// Where it comes from; none where it must be read again next time.
    pub(super) label: Option<Label>,
}

/// A program that was made from files, and the pack of it.
pub(super) struct Made {
    pub(super) in_force: InForce,
    /// The files that did not read: others stand in for them, or nothing does.
    pub(super) broken: Vec<Arc<str>>,
    /// The bytes, or why there are none.
    pub(super) pack: Result<Vec<u8>, Unpacked>,
}

/// Why a program is not packed: then it is made from the files each time.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unpacked {
    #[error("what was asked for cannot be read")]
    Unreadable,
    #[error("the files of rules changed while they were read")]
    Moved,
    #[error("the settings or the user's trust changed while the rules were read")]
    Unsettled,
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// How a pack stands beside the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Freshness {
    Fresh,
    /// What moved, in words.
    Stale(String),
}

impl Workspace {
    /// Looks whether the rules moved. What reads now is kept as the last good version, whether or not anything is decided by it
    /// before it breaks.
    pub fn keep_rules(&self) {
        drop(self.in_force());
    }

    /// What decides by the workspace's own rules.
    pub(super) fn in_force(&self) -> Arc<InForce> {
        let mut held = self.in_force.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = held.as_ref().filter(|held| self.is_fresh(held.label.as_ref())) {
            return held.clone();
        }
        let new = Arc::new(match self.around.rules.as_slice() {
            [] => self.opened().unwrap_or_else(|| self.rebuilt()),
            // Rules that stand instead of the workspace's own are nobody else's: no pack of them is kept.
            rules => self.made(rules).in_force,
        });
        *held = new.label.is_some().then(|| new.clone());
        new
    }

    /// What stands in the pack, when it is fresh.
    fn opened(&self) -> Option<InForce> {
        let (pack, label) = self.read_pack(&self.pack_path()?).ok()?;
        let findings = label.findings()?;
        self.is_fresh(Some(&label)).then_some(())?;
        let settings = label.settings.clone();
        Some(InForce { program: pack.program().ok()?, findings, settings, label: Some(label) })
    }

    /// The pack's file, in the user's state: a repository cannot bring a pack of its own. Without a state there is none.
    pub(super) fn pack_path(&self) -> Option<PathBuf> {
        self.around.state.as_ref().map(|_| self.state_folder().join(FILE))
    }

    /// A pack, and where it says that it comes from.
    ///
    /// # Errors
    /// Why it is none; also when there is no such file.
    pub(super) fn read_pack(&self, path: &Path) -> Result<(Pack, Label), String> {
        let mut bytes = Vec::new();
        self.fs
            .read_into(path, Pack::MAX_BYTES, &mut bytes)
            .map_err(|error| format!("it cannot be read: {error}"))?;
        let pack = Pack::open(bytes).map_err(|error| error.to_string())?;
        let label = serde_json::from_slice(pack.label()).map_err(|_| "another version made it".to_owned())?;
        Ok((pack, label))
    }

    /// Reads the files, and packs what they say. While another process packs, or where nothing can be written, nobody waits.
    fn rebuilt(&self) -> InForce {
        let Made { in_force, pack, .. } = self.made(&[]);
        let Ok(bytes) = pack else { return InForce { label: None, ..in_force } };
        // What cannot be written is made again by the next process.
        let _ = self.write_pack(&bytes);
        in_force
    }

    /// Puts the pack of the workspace's own rules in its place; says whether it stands there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write_pack(&self, bytes: &[u8]) -> Result<bool, mentci_disk::DiskError> {
        if self.around.state.is_none() {
            return Ok(false);
        }
        let folder = self.state_folder();
        let Some(lock) = Sidecar::at(&folder, LOCK).try_lock(self.fs.as_ref())? else { return Ok(false) };
        publish(self.fs.as_ref(), &lock, &[(FILE, bytes)], OPTIONS)?;
        Ok(true)
    }

    /// The program of the workspace's own rules, or of those at `paths`, from the files.
    ///
    /// INVARIANT (one snapshot): a label tells of the settings under which the rules were read. What was read while they moved
    /// has none, and is read again.
    pub(super) fn made(&self, paths: &[String]) -> Made {
        let mut left = SETTLES;
        loop {
            let before = self.lock().moves;
            let made = self.made_once(paths);
            left -= 1;
            if self.lock().moves == before {
                return made;
            }
            if left == 0 {
                let in_force = InForce { label: None, ..made.in_force };
                return Made { in_force, pack: Err(Unpacked::Unsettled), ..made };
            }
        }
    }

    fn made_once(&self, paths: &[String]) -> Made {
        let fs = self.fs.as_ref();
        let now = self.file_time();
        let asked = self.asked(paths);
        let before = self.rule_files(&asked.paths);
        // Looked at before they are read, and again afterwards: what was read is what stood there then.
        let rules = before.iter().map(|(path, stamp)| Ingredient::new(fs, path, *stamp, now)).collect();
        let ReadRules { book, included, settings } = self.read_rules(paths, now);
        let mut label = Label {
            build: BUILD.to_owned(),
            asked,
            vouched: self.lock().settings.vouched.filter(|_| paths.is_empty()),
            rules,
            included,
            settings,
            count: book.program.rules().len(),
            findings: book.findings.iter().map(Kept::new).collect(),
        };
        let pack = if self.is_lost(&mut label, &book.findings) {
            Err(Unpacked::Unreadable)
        } else if self.freshness(&label) != Freshness::Fresh {
            Err(Unpacked::Moved)
        } else {
            // OK because a label is plain data; an empty one is no label to whoever opens it.
            Pack::of(&book.program, &serde_json::to_vec(&label).unwrap_or_default()).map_err(Unpacked::from)
        };
        let broken = book.broken;
        Made {
            broken,
            in_force: InForce {
                program: book.program,
                findings: book.findings,
                settings: label.settings.clone(),
                label: Some(label),
            },
            pack,
        }
    }

    /// Whether something could not be read of which the label cannot tell when it can be. What did not read stands as it
    /// stood, and so does what stands in for it; a file that could not be read at all is looked at each time.
    fn is_lost(&self, label: &mut Label, findings: &[Finding]) -> bool {
        let unread = findings.iter().filter(|finding| finding.code == Code::UNREADABLE).count();
        if unread == 0 {
            return false;
        }
        let files = label.rules.iter_mut().chain(&mut label.included);
        let lost = files.filter_map(|file| {
            file.look(self.fs.as_ref());
            file.is_lost.then_some(())
        });
        unread > lost.count()
    }

    /// The file system's own time, from before the first file is read; without it no stat key proves anything.
    pub(super) fn file_time(&self) -> i64 {
        let clock = self.around.state.as_ref().map(|_| self.state_folder().join(CLOCK));
        clock.and_then(|clock| self.touch(&clock)).unwrap_or(i64::MIN)
    }

    fn touch(&self, clock: &Path) -> Option<i64> {
        if let Some(folder) = clock.parent().filter(|folder| !mentci_disk::exists(self.fs.as_ref(), folder)) {
            self.fs.create_dir_all(folder).ok()?;
        }
        self.fs.touch(clock).ok().map(|stamp| stamp.mtime_ns)
    }

    /// What is asked for now.
    fn asked(&self, paths: &[String]) -> Asked {
        let (options, strict) = self.policy_settings();
        Asked {
            paths: self.shown(paths),
            options: format!("{options:?}"),
            strict,
            packs: self.has_packs(),
            plugins_off: self.plugins_off().into_iter().collect(),
        }
    }

    /// The files of rules that there are now, unread.
    fn rule_files(&self, paths: &[String]) -> Stamps {
        let fs = self.fs.as_ref();
        let stamped = |path: PathBuf| (stamp(fs, &path), path);
        let files = if paths.is_empty() {
            let rules = self.rule_folders().into_iter().flat_map(|folder| listed_rules(fs, &folder));
            rules.chain(self.plugin_files()).collect::<Vec<_>>()
        } else {
            paths
                .iter()
                .filter(|path| *path != "builtin")
                .flat_map(|path| listed_rules(fs, &self.root.join(path)))
                .collect()
        };
        files.into_iter().map(stamped).map(|(stamp, path)| (path, stamp)).collect()
    }

    fn is_fresh(&self, label: Option<&Label>) -> bool {
        label.is_some_and(|label| self.freshness(label) == Freshness::Fresh)
    }

    /// Whether the files, the settings and the user's trust are what a pack was made from.
    pub(super) fn freshness(&self, label: &Label) -> Freshness {
        let stale = |why: &str| Freshness::Stale(why.to_owned());
        if label.build != BUILD {
            return stale("another version of the program made it");
        }
        if label.asked != self.asked(&label.asked.paths) {
            return stale("settings of the policy changed");
        }
        let vouched = self.lock().settings.vouched.filter(|_| label.asked.paths.is_empty());
        if vouched != label.vouched {
            return stale("the user's trust in the workspace's rules changed");
        }
        let now = self.rule_files(&label.asked.paths);
        match self.moved(label, &now) {
            Some(path) => Freshness::Stale(format!("`{}` changed", path.to_string_lossy().escape_debug())),
            None => Freshness::Fresh,
        }
    }

    /// A file that does not stand as it stood, appeared or vanished.
    fn moved<'a>(&self, label: &'a Label, now: &'a Stamps) -> Option<&'a Path> {
        let fs = self.fs.as_ref();
        let mut then = label.rules.iter();
        let stood = then.clone().zip(now).all(|(input, (path, _))| input.path == *path);
        if !stood || label.rules.len() != now.len() {
            let known = |path: &Path| label.rules.iter().any(|input| input.path == path);
            let appeared = now.keys().map(PathBuf::as_path).find(|path| !known(path));
            let vanished =
                || then.find(|input| !now.contains_key(&input.path)).map(|input| input.path.as_path());
            return appeared.or_else(vanished).or(Some(Path::new("")));
        }
        let rules = label.rules.iter().zip(now.values()).map(|(input, now)| (input, *now));
        let included = label.included.iter().map(|input| (input, stamp(fs, &input.path)));
        rules
            .chain(included)
            .find(|(input, now)| !input.stands(fs, *now))
            .map(|(input, _)| input.path.as_path())
    }
}
