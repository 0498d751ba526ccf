//! The incremental engine: reads only what moved, compiles only what that concerns, publishes only what changed.
//!
//! INVARIANT (last good): a source that is damaged or cannot be read never takes law out of a digest. Its last good
//! reading stands in; where there is none, nothing that would miss it is published.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_authority::{LessonId, SkillName, StatementId};
use mentci_compiler::{
    ManifestSources, Names, SchemaSource, SkillCompiled, SkillOptions, WorkspaceCompiled, WorkspaceCompiler,
    WorkspaceOptions,
};
use mentci_disk::{Change, Checked, Fs, HashIndex, Keep, SourcePattern, WatchSpec, discover};
use mentci_host::Counters;
use mentci_source::{Finding, Reading};

use crate::config::Config;
use crate::consent::Consent;
use crate::held::{Content, Held, State, hold, is_unreadable};
use crate::inventory::DiskInventory;
use crate::layout::CONFIG;
use crate::parallel::{is_worth_threads, map_parallel};
use crate::source_set::{SourceKind, SourceSet, empty_patterns};

mod blocked;
mod condensed;
mod elsewhere;
mod manifests;
mod pass;
mod publish;
mod restore;
mod snapshot;

pub(crate) use condensed::Answered;
pub(crate) use elsewhere::{retired, waiting};
pub(crate) use pass::{Cycle, Mode};
pub(crate) use publish::DigestChange;
pub(crate) use restore::split_outputs;

/// All that is known of one workspace's sources and digests.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) fs: Arc<dyn Fs>,
    pub(crate) root: PathBuf,
    pub(crate) config: Config,
    pub(crate) consent: Consent,
    pub(crate) set: SourceSet,
    set_findings: Vec<Finding>,
    pub(crate) index: HashIndex,
    /// Sources by path.
    pub(crate) held: BTreeMap<Arc<str>, Held>,
    /// What the disk says of paths: unreadable files, links that leave. The empty path holds what has no path.
    disk_findings: BTreeMap<Arc<str>, Vec<Finding>>,
    /// Folders in which a source stands or could appear.
    pub(crate) directories: Vec<Arc<str>>,
    pub(crate) skills: BTreeMap<SkillName, Slot>,
    pub(crate) workspace: Option<Arc<WorkspaceCompiled>>,
    compiler: WorkspaceCompiler,
    workspace_findings: Vec<Finding>,
    pub(crate) manifests: Option<(ManifestSources, Vec<Finding>)>,
    names: Arc<Names>,
    /// Lessons that wait because of law elsewhere, or because they were retired.
    waiting: elsewhere::Waiting,
    /// Whether the workspace's files are known to stand as compiled.
    pub(super) workspace_published: bool,
    /// What a model said in this run and the verifier accepted, until it stands in the locks.
    pub(super) answers: BTreeMap<StatementId, Answered>,
    pub(crate) counters: Counters,
}

/// One skill: where it stands, and what it was last compiled to.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) paths: BTreeSet<Arc<str>>,
    pub(crate) compiled: Option<Arc<SkillCompiled>>,
    /// What the workspace's digest is made of while a source of it is damaged that was never read whole: its law and its
    /// other lessons. Its own digest stays as it was published.
    pub(super) stand_in: Option<Arc<SkillCompiled>>,
    /// Why it could not be compiled or published.
    pub(crate) blocked: Vec<Finding>,
    /// Whether its files are known to stand as compiled.
    pub(crate) published: bool,
}

impl Slot {
    /// What the workspace's digest takes of it.
    pub(crate) fn standing(&self) -> Option<&Arc<SkillCompiled>> {
        self.stand_in.as_ref().or(self.compiled.as_ref())
    }
}

/// What a look at the disk touched.
#[expect(clippy::struct_excessive_bools, reason = "each says that one kind of source moved")]
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(crate) skills: BTreeSet<SkillName>,
    pub(super) workspace_law: bool,
    pub(super) schemas: bool,
    pub(crate) manifests: bool,
    /// Whether files appeared or went, so that references may have become stale.
    pub(super) structure: bool,
    /// Whether a watch told what moved: all else stands as it stood.
    pub(super) told: bool,
    /// How many files moved.
    pub(super) files: usize,
}

impl Engine {
    pub(crate) fn new(fs: Arc<dyn Fs>, root: &Path, config: Config, consent: Consent) -> Self {
        Self {
            fs,
            root: root.to_owned(),
            config,
            consent,
            set: SourceSet::default(),
            set_findings: Vec::new(),
            index: HashIndex::new(),
            held: BTreeMap::new(),
            disk_findings: BTreeMap::new(),
            directories: Vec::new(),
            skills: BTreeMap::new(),
            workspace: None,
            compiler: WorkspaceCompiler::default(),
            workspace_findings: Vec::new(),
            manifests: None,
            names: Arc::default(),
            waiting: elsewhere::Waiting::default(),
            workspace_published: false,
            answers: BTreeMap::new(),
            counters: Counters::default(),
        }
    }

    /// Looks at everything: walks, stats, reads what moved.
    pub(super) fn scan(&mut self) -> Touched {
        self.reset_set();
        let walked = discover(self.fs.as_ref(), &self.root, &self.set.patterns());
        self.disk_findings.clear();
        self.note(walked.findings);
        self.directories = walked.value.directories;
        let checked = self.index.check(self.fs.as_ref(), &self.root, &walked.value.found, Keep::Bytes);
        self.absorb(checked)
    }

    /// Looks only at what a watch says has moved.
    pub(super) fn look_at(&mut self, change: &Change) -> Touched {
        let paths: Vec<Arc<str>> = change.paths.iter().cloned().collect();
        if change.rescan || paths.iter().any(|path| &**path == "Cargo.toml") {
            return self.scan();
        }
        for path in &paths {
            self.disk_findings.remove(path);
        }
        let patterns = self.set.patterns();
        let checked = self.index.refresh(self.fs.as_ref(), &self.root, &patterns, &paths, Keep::Bytes);
        let stood: Vec<bool> = paths.iter().map(|path| self.held.contains_key(path)).collect();
        let mut touched = self.absorb(checked);
        // A compile asks whether something stands at a path: what stood there before and stands there now answers the same.
        let mut moved =
            paths.iter().zip(stood).filter(|(path, stood)| !(*stood && self.held.contains_key(*path)));
        touched.structure |= moved.any(|(path, _)| self.was_asked(path));
        touched.told = true;
        touched
    }

    /// What a watch must watch.
    pub(crate) fn watch_spec(&self) -> WatchSpec {
        let asked = self.skills.values().filter_map(Slot::standing);
        let asked = asked.flat_map(|compiled| compiled.asked.paths.keys()).filter(|path| is_inside(path));
        let files =
            [CONFIG, "Cargo.toml"].into_iter().map(Arc::from).chain(asked.map(|path| path.as_str().into()));
        WatchSpec { patterns: self.watched_patterns(), files: files.collect() }
    }

    /// Where sources stand or could appear, and what is published.
    pub(crate) fn watched_patterns(&self) -> Vec<SourcePattern> {
        self.set.patterns().into_iter().chain(restore::outputs()).collect()
    }

    /// Takes over what a check found. Changed files are read in parallel.
    fn absorb(&mut self, checked: Reading<Checked>) -> Touched {
        self.count();
        self.note(checked.findings);
        let Checked { changed, removed, .. } = checked.value;
        let mut touched = Touched { files: changed.len() + removed.len(), ..Touched::default() };
        let (kinds, refused): (Vec<_>, Vec<_>) = changed
            .into_iter()
            .filter_map(|bytes| self.set.kind(&bytes.path).map(|kind| (kind, bytes)))
            .partition(|(kind, _)| kind.is_ok());
        self.note(refused.into_iter().filter_map(|(kind, _)| kind.err()).collect());
        let jobs: Vec<_> = kinds.into_iter().filter_map(|(kind, bytes)| Some((kind.ok()?, bytes))).collect();
        let many = is_worth_threads(jobs.len());
        let held = map_parallel(&jobs, |(kind, bytes)| {
            let before = self.held.get(&bytes.path);
            self.with_last_law(hold(kind, bytes, before, many), before)
        });
        for ((_, bytes), held) in jobs.iter().zip(held) {
            self.take_in(bytes.path.clone(), held, &mut touched);
        }
        for path in removed {
            self.let_go(&path, &mut touched);
        }
        touched
    }

    fn take_in(&mut self, path: Arc<str>, held: Held, touched: &mut Touched) {
        touched.mark(&held.kind);
        if let Some(skill) = held.kind.skill() {
            self.skills.entry(skill.clone()).or_default().paths.insert(path.clone());
        }
        touched.structure |= self.held.insert(path, held).is_none();
    }

    /// A source is gone; one that merely cannot be read stays as it last was.
    fn let_go(&mut self, path: &Arc<str>, touched: &mut Touched) {
        let withheld = |findings: &Vec<Finding>| findings.iter().any(|finding| self.withholds(path, finding));
        if self.disk_findings.get(path).is_some_and(withheld) {
            return;
        }
        let Some(held) = self.held.remove(path) else { return };
        touched.structure = true;
        touched.mark(&held.kind);
        if let Some(slot) = held.kind.skill().and_then(|skill| self.skills.get_mut(skill)) {
            slot.paths.remove(path);
        }
    }

    fn note(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            let path = finding.path.clone().unwrap_or_default();
            let noted = self.disk_findings.entry(path).or_default();
            if !noted.contains(&finding) {
                noted.push(finding);
            }
        }
    }

    fn count(&mut self) {
        let disk = self.index.counters();
        (self.counters.read, self.counters.hashed) = (disk.reads, disk.hashes);
    }

    /// Whether a compile asked for this path.
    fn was_asked(&self, path: &str) -> bool {
        let asked = |compiled: &SkillCompiled| compiled.asked.paths.contains_key(path);
        self.skills.values().any(|slot| slot.standing().is_some_and(|compiled| asked(compiled)))
    }

    pub(super) fn law(&self, skill: &SkillName) -> Vec<&Held> {
        let paths = self.skills.get(skill).map(|slot| &slot.paths);
        paths.into_iter().flatten().filter_map(|path| self.held.get(path)).collect()
    }

    pub(super) fn schemas(&self) -> Vec<SchemaSource> {
        let schema = |held: &Held| match &held.content {
            Content::Schema(schema) => Some((**schema).clone()),
            _ => None,
        };
        self.held.values().filter_map(schema).collect()
    }

    pub(super) fn inventory(&self) -> DiskInventory {
        DiskInventory::new(self.fs.clone(), self.root.clone(), self.names.clone())
    }

    /// The lessons of a skill whose present content a person accepted.
    pub(super) fn accepted_in(&self, skill: &SkillName) -> BTreeSet<LessonId> {
        let held = self.law(skill).into_iter();
        let lessons = held.filter_map(|held| match &held.content {
            Content::Lessons(file) => Some(&file.lessons),
            _ => None,
        });
        let lessons = lessons.flatten().map(|entry| &entry.lesson);
        lessons.filter(|lesson| self.consent.accepts(skill, lesson)).map(|lesson| lesson.id.clone()).collect()
    }

    pub(super) fn skill_options(&self) -> SkillOptions {
        SkillOptions { tokens: self.config.skill_tokens(), condense: self.condense() }
    }

    pub(super) fn workspace_options(&self) -> WorkspaceOptions {
        WorkspaceOptions {
            tokens: self.config.tokens(),
            cap_chars: self.config.max_chars(),
            schema_share: percent(self.config.schema_share()),
            unreviewed_share: percent(self.config.lessons_share()),
            condense: self.condense(),
            ..WorkspaceOptions::default()
        }
    }

    /// Every finding, each once, in the order of paths; those of the disk first.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut seen = HashSet::new();
        let once = self.all_findings().filter(|finding| {
            let place = (finding.path.as_deref(), finding.line, finding.column);
            seen.insert((place, finding.code.id(), finding.message.as_str()))
        });
        once.cloned().collect()
    }

    /// Every finding, and some of them more than once.
    pub(crate) fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let skills = self.skills.values().flat_map(|slot| {
            let compiled = slot.standing().into_iter().flat_map(|compiled| &compiled.findings);
            slot.blocked.iter().chain(compiled)
        });
        self.findings_of_sources().chain(skills).chain(self.findings_of_whole())
    }

    /// Every finding but those that the compile of a skill gave.
    pub(crate) fn findings_of_no_skill(&self) -> impl Iterator<Item = &Finding> {
        let blocked = self.skills.values().flat_map(|slot| &slot.blocked);
        self.findings_of_sources().chain(blocked).chain(self.findings_of_whole())
    }

    fn findings_of_sources(&self) -> impl Iterator<Item = &Finding> {
        let disk = self.disk_findings.values().flatten();
        let reading = self.held.values().flat_map(|held| &held.findings);
        let manifests = self.manifests.iter().flat_map(|(_, findings)| findings);
        self.set_findings.iter().chain(disk).chain(reading).chain(manifests)
    }

    /// The patterns of the configuration under which nothing stands, not even what is in the way of a source.
    pub(crate) fn empty_patterns(&self) -> Vec<Finding> {
        let paths = self.held.keys().chain(self.disk_findings.keys());
        empty_patterns(&self.config, &paths.map(|path| &**path))
    }

    fn findings_of_whole(&self) -> impl Iterator<Item = &Finding> {
        let workspace = self.workspace.iter().flat_map(|workspace| &workspace.findings);
        workspace.chain(&self.workspace_findings)
    }

    /// What the workspace's digest takes of each skill, by their names.
    pub(crate) fn standing_skills(&self) -> impl Iterator<Item = &Arc<SkillCompiled>> {
        self.skills.values().filter_map(Slot::standing)
    }
}

impl Touched {
    fn mark(&mut self, kind: &SourceKind) {
        match kind {
            SourceKind::Schema => self.schemas = true,
            SourceKind::Manifest => self.manifests = true,
            _ => match kind.skill() {
                Some(skill) => drop(self.skills.insert(skill.clone())),
                None => self.workspace_law = true,
            },
        }
    }
}

/// Whether a path that the law names can lie in the workspace.
fn is_inside(path: &str) -> bool {
    let sound = |part: &str| !part.is_empty() && part != ".." && part != ".";
    path.split('/').all(sound) && !path.contains(['\0', '*'])
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share lies between 0 and 1")]
fn percent(share: f64) -> usize {
    (share * 100.0).round() as usize
}
