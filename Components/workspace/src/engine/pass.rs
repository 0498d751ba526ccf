//! One cycle: look, compile what is concerned, publish what moved.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{RuleLock, SkillName};
use mentci_compiler::{LawReading, SkillCompiled, SkillInput, WorkspaceInput, compile_skill};
use mentci_disk::{Change, LockGuard, Sidecar};
use mentci_source::{Code, Finding, Hash};

use super::publish::Written;
use super::{Content, DigestChange, Engine, Held, Slot, State, Touched, map_parallel};
use crate::config::Config;
use crate::consent::Consent;
use crate::inventory::DiskInventory;
use crate::layout::{DigestPaths, LessonPlace};
use crate::source_set::SourceKind;

/// Whether a cycle writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It publishes.
    Publish,
    /// It only says what it would publish.
    Check,
}

/// What a cycle did.
#[derive(Debug, Default)]
pub(crate) struct Cycle {
    /// How many source files moved.
    pub(crate) files: usize,
    /// The digests whose bytes moved on disk.
    pub(crate) digests: Vec<DigestChange>,
    /// The workspace's digest, when it was published anew.
    pub(crate) workspace: Option<Hash>,
    /// Whether something is damaged, unreadable or could not be written.
    pub(crate) impaired: bool,
}

impl Cycle {
    /// Adds what the next cycle did; how it stands after that one holds.
    pub(crate) fn join(&mut self, next: Self) {
        for change in next.digests {
            if !self.digests.iter().any(|before| before.skill == change.skill) {
                self.digests.push(change);
            }
        }
        self.files += next.files;
        self.workspace = next.workspace.or(self.workspace);
        self.impaired = next.impaired;
    }
}

impl Engine {
    /// One cycle. Without a change it looks at everything.
    pub(crate) fn cycle(&mut self, change: Option<&Change>, mode: Mode) -> Cycle {
        let touched = match change {
            Some(change) => self.look_at(change),
            None => self.scan(),
        };
        self.run(&touched, mode)
    }

    /// Takes over what holds for all sources: at the next cycle everything is compiled again.
    pub(crate) fn configure(&mut self, config: Config, consent: Consent) {
        (self.config, self.consent) = (config, consent);
        for slot in self.skills.values_mut() {
            (slot.compiled, slot.stand_in) = (None, None);
        }
        self.workspace = None;
    }

    fn run(&mut self, touched: &Touched, mode: Mode) -> Cycle {
        let mode = if self.says_nothing() { Mode::Check } else { mode };
        let mut cycle = Cycle { files: touched.files, ..Cycle::default() };
        if touched.manifests {
            self.read_manifests();
        }
        let renamed = (touched.structure || touched.manifests || touched.schemas) && self.rename();
        let inventory = self.inventory();
        let mut affected = self.affected(touched, renamed, &inventory, mode);
        self.look_elsewhere(&mut affected);
        if touched.told && !touched.structure {
            let again = affected.iter().filter_map(|name| self.skills.get(name)?.standing());
            inventory.remember(again.flat_map(|compiled| &compiled.asked.paths));
        }
        let law_moved = touched.workspace_law || touched.schemas || touched.manifests || renamed;
        let stands = self.workspace.is_some() && (self.workspace_published || mode == Mode::Check);
        if affected.is_empty() && !law_moved && stands {
            cycle.impaired = self.is_impaired();
            return cycle;
        }
        match self.guard(mode) {
            Ok(guard) => self.compile(&affected, law_moved, &inventory, guard.as_ref(), &mut cycle),
            Err(finding) => {
                self.workspace_findings = vec![finding];
                cycle.impaired = true;
            }
        }
        cycle.impaired |= self.is_impaired();
        cycle
    }

    /// Whether no source stands here and nothing was ever published: a folder that is no workspace, in which nothing is written.
    fn says_nothing(&self) -> bool {
        self.held.is_empty()
            && self.disk_findings.is_empty()
            && self.standing(&DigestPaths::workspace().digest).is_none()
    }

    /// The lock under which digests are published; none when only checking.
    fn guard(&self, mode: Mode) -> Result<Option<LockGuard>, Finding> {
        if mode == Mode::Check {
            return Ok(None);
        }
        let lock = Sidecar::publishing(&self.root).lock(self.fs.as_ref());
        lock.map(Some).map_err(|error| error.finding(Code::NOT_PUBLISHED).help("the last good digest stays"))
    }

    /// The skills to compile: those whose sources moved, and those whose references may have become stale.
    fn affected(
        &self,
        touched: &Touched,
        renamed: bool,
        inventory: &DiskInventory,
        mode: Mode,
    ) -> BTreeSet<SkillName> {
        let mut affected = touched.skills.clone();
        let look = touched.structure || renamed;
        for (name, slot) in &self.skills {
            let stands =
                slot.compiled.as_ref().is_some_and(|compiled| !look || compiled.is_current(inventory));
            let published = slot.published || mode == Mode::Check;
            if !(stands && published && slot.blocked.is_empty()) {
                affected.insert(name.clone());
            }
        }
        affected.retain(|name| self.skills.contains_key(name));
        affected
    }

    fn compile(
        &mut self,
        affected: &BTreeSet<SkillName>,
        law_moved: bool,
        inventory: &DiskInventory,
        guard: Option<&LockGuard>,
        cycle: &mut Cycle,
    ) {
        self.workspace_findings.clear();
        let names: Vec<SkillName> = affected.iter().cloned().collect();
        let results = map_parallel(&names, |name| {
            let result = self.compile_one(name, inventory);
            // What nothing is left of is not published; see `settle`.
            let published = match (&result, guard) {
                (Ok(compiled), Some(guard)) if !self.is_gone(name) => {
                    Some(self.publish_skill(compiled, guard))
                }
                _ => None,
            };
            (result, published)
        });
        let mut moved =
            law_moved || self.workspace.is_none() || (guard.is_some() && !self.workspace_published);
        for (name, (result, published)) in names.into_iter().zip(results) {
            moved |= self.settle(&name, result, published, cycle);
        }
        if moved {
            self.compile_whole(inventory, guard, cycle);
        }
    }

    /// One skill, from what is in memory and its lock on disk.
    fn compile_one(&self, name: &SkillName, inventory: &DiskInventory) -> Result<SkillCompiled, Refused> {
        let known = self.skills.get(name).and_then(|slot| slot.compiled.as_deref()).map(|last| &last.lock);
        let lock = self.numbers(&DigestPaths::skill(name), known).map(|lock| self.with_answers(lock));
        let compile =
            |lock: &_| compile_skill(&self.skill_input(name), lock, &self.skill_options(), inventory);
        if !self.block(name) {
            return lock.map(|lock| compile(&lock)).map_err(Refused::from);
        }
        let finding =
            Finding::new(Code::NOT_PUBLISHED, format!("the digest of `{name}` is not compiled anew"))
                .help("repair the source that cannot be read; the last good digest stays")
                .in_file(&DigestPaths::skill(name).digest);
        let stand_in = lock.ok().filter(|_| !self.lacks_law(name)).map(|lock| Arc::new(compile(&lock)));
        Err(Refused { findings: std::iter::once(finding).chain(self.aside(name)).collect(), stand_in })
    }

    /// What a skill is compiled from. A lessons file that was never read whole is none of it.
    pub(super) fn skill_input(&self, name: &SkillName) -> SkillInput {
        let mut input = SkillInput {
            name: name.clone(),
            law: Vec::new(),
            runtime: None,
            promoted: None,
            acceptances: self.accepted_in(name),
            waiting: self.waiting.of(name),
        };
        for held in self.law(name).into_iter().filter(|held| held.state != State::Damaged) {
            match (&held.content, &held.kind) {
                (Content::Law(law), _) => input.law.push(law.clone()),
                (Content::Lessons(file), SourceKind::Lessons(_, LessonPlace::Promoted)) => {
                    input.promoted = Some(file.clone());
                }
                (Content::Lessons(file), _) => input.runtime = Some(file.clone()),
                _ => {}
            }
        }
        input
    }

    /// Whether no source of a skill is left, not even one that cannot be read.
    fn is_gone(&self, name: &SkillName) -> bool {
        self.skills.get(name).is_none_or(|slot| slot.paths.is_empty())
            && !self.unread().any(|(path, _)| self.skill_at(path).as_ref() == Some(name))
    }

    /// Keeps one compiled skill, whose files may have been put in place; says whether the workspace's digest may move by it.
    fn settle(
        &mut self,
        name: &SkillName,
        result: Result<SkillCompiled, Refused>,
        published: Option<Written>,
        cycle: &mut Cycle,
    ) -> bool {
        let gone = self.is_gone(name);
        let Some(slot) = self.skills.get_mut(name) else { return false };
        if gone {
            self.skills.remove(name);
            return true;
        }
        let compiled = match result {
            Ok(compiled) => Arc::new(compiled),
            Err(refused) => return slot.refuse(refused),
        };
        slot.blocked.clear();
        let before = slot.stand_in.take().or(slot.compiled.take());
        slot.compiled = Some(compiled.clone());
        // What is only checked does not stand on disk yet.
        slot.published = matches!(published, Some(Ok(_)));
        self.counters.skills += 1;
        match published {
            Some(Ok(moved)) => self.tell(moved, cycle),
            Some(Err(finding)) => slot.blocked.push(finding),
            None => {}
        }
        before.is_none_or(|before| before.fingerprint != compiled.fingerprint)
    }

    fn compile_whole(&mut self, inventory: &DiskInventory, guard: Option<&LockGuard>, cycle: &mut Cycle) {
        if self.misses_law() {
            let finding = Finding::new(Code::NOT_PUBLISHED, "the workspace's digest is not compiled anew")
                .help("a source cannot be read; without its law the digest would be incomplete, so the last good one stays");
            self.workspace_findings.push(finding);
            return;
        }
        let known = self.workspace.as_deref().map(|last| &last.lock);
        let lock = match self.numbers(&DigestPaths::workspace(), known) {
            Ok(lock) => self.with_answers(lock),
            Err(finding) => return self.workspace_findings.push(finding),
        };
        let compiled = self.compile_with(&lock, inventory);
        self.workspace_published = false;
        if let Some(guard) = guard {
            self.publish_workspace(&compiled, guard, cycle);
        }
        self.workspace = Some(compiled);
    }

    fn compile_with(
        &mut self,
        lock: &RuleLock,
        inventory: &DiskInventory,
    ) -> Arc<mentci_compiler::WorkspaceCompiled> {
        let skills: Vec<Arc<SkillCompiled>> =
            self.skills.values().filter_map(|slot| slot.standing().cloned()).collect();
        let law: Vec<Arc<LawReading>> = self.workspace_law();
        let (schemas, options) = (self.schemas(), self.workspace_options());
        let input = WorkspaceInput {
            skills: &skills,
            law: &law,
            schemas: &schemas,
            manifests: self.manifests.as_ref().map(|(manifests, _)| manifests),
        };
        Arc::new(self.compiler.compile(&input, lock, &options, inventory))
    }

    pub(super) fn workspace_law(&self) -> Vec<Arc<LawReading>> {
        let law = |held: &Held| match (&held.content, held.kind.skill()) {
            (Content::Law(law), None) => Some(law.clone()),
            _ => None,
        };
        self.held.values().filter_map(law).collect()
    }
}

/// Why a skill's digest is not compiled anew, and what of it the workspace's digest is made of meanwhile.
#[derive(Debug)]
struct Refused {
    findings: Vec<Finding>,
    stand_in: Option<Arc<SkillCompiled>>,
}

impl From<Finding> for Refused {
    fn from(finding: Finding) -> Self {
        Self { findings: vec![finding], stand_in: None }
    }
}

impl Slot {
    /// Says whether the workspace's digest may move by it.
    fn refuse(&mut self, refused: Refused) -> bool {
        let before = self.standing().map(|compiled| compiled.fingerprint);
        self.blocked = refused.findings;
        self.published = false;
        self.stand_in = refused.stand_in;
        self.standing().map(|compiled| compiled.fingerprint) != before
    }
}
