//! The law of a document that takes part beside the workspace's own.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_authority::{Effect, Hook, RuleSet, Trust};
use mentci_host::policy::{RuleFile, Rulebook, Whole, closed, file_gates};
use mentci_host::transcript::RuleNames;
use mentci_pdp::Program;
use mentci_source::{Code, Finding, Source};

use super::in_force::InForce;
use super::ingredient::{Ingredient, stamp};
use super::label::PluginSettings;
use super::standing::{Standing, Strict, closing};
use crate::workspace::Workspace;

/// A ChatMD document whose rules are asked together with the workspace's own: whoever names it vouches for it.
///
/// What its head says is read once, and again when a file that it imports or a rule of the workspace changes. The same
/// handle is good for every event of a run, also while the run appends to the document: what is appended is no law.
#[derive(Debug)]
pub struct Beside {
    document: Source,
    askers: Vec<Source>,
    held: Mutex<Option<Arc<Law>>>,
}

impl Beside {
    /// The document as it stands.
    pub fn new(document: Source) -> Self {
        Self::under(document, Vec::new())
    }

    /// The document of an agent, under the law of those who ask it: what their documents deny, ask about, redact and warn of
    /// holds in it too. What they permit, take out or do is their own.
    pub fn under(document: Source, askers: Vec<Source>) -> Self {
        Self { document, askers, held: Mutex::default() }
    }

    /// The document.
    pub fn document(&self) -> &Source {
        &self.document
    }
}

/// What is in force with a document beside.
#[derive(Debug)]
pub struct Law {
    pub(super) program: Program,
    pub(super) settings: PluginSettings,
    findings: Vec<Finding>,
    names: RuleNames,
    reads_clock: bool,
    is_closed: bool,
    /// The workspace's own, of which it was made.
    base: Arc<InForce>,
    imports: Vec<Ingredient>,
}

impl Law {
    /// What is odd in the workspace's rules and in the document.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The names under which the document's transcript tells rules.
    pub fn names(&self) -> &RuleNames {
        &self.names
    }

    /// What decides.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// Whether a rule that a person wrote reads the clock: then a transcript must say when its blocks were written.
    pub fn reads_clock(&self) -> bool {
        self.reads_clock
    }

    /// The files that it was read from beside the document: what is imported, and the scripts that rules ask.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.imports.iter().map(|import| import.path.as_path())
    }

    /// The document's law does not read: what it gates is closed.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

impl Workspace {
    /// What is in force with a document beside, as the files stand now.
    pub fn law(&self, beside: &Beside) -> Arc<Law> {
        let base = self.in_force();
        let mut held = beside.held.lock().unwrap_or_else(PoisonError::into_inner);
        let stands = |law: &&Arc<Law>| {
            let fs = self.fs.as_ref();
            Arc::ptr_eq(&law.base, &base)
                && law.imports.iter().all(|import| import.stands(fs, stamp(fs, &import.path)))
        };
        if let Some(law) = held.as_ref().filter(stands) {
            return law.clone();
        }
        let law = Arc::new(self.joined(beside, base));
        *held = Some(law.clone());
        law
    }

    /// The handle of a document that a request brings: the one before, when it says the same.
    pub(super) fn beside_of(&self, document: Source) -> Arc<Beside> {
        let mut held = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |beside: &&Arc<Beside>| {
            beside.document.hash() == document.hash() && beside.document.path() == document.path()
        };
        if let Some(beside) = held.as_ref().filter(same) {
            return beside.clone();
        }
        let beside = Arc::new(Beside::new(document));
        *held = Some(beside.clone());
        beside
    }

    fn joined(&self, beside: &Beside, base: Arc<InForce>) -> Law {
        let document = &beside.document;
        let Joined { book, settings, imports, is_closed } = self.join(document, &beside.askers);
        Law {
            names: RuleNames::of(document.path(), &book.program),
            reads_clock: book.program.reads_clock(),
            program: book.program,
            findings: book.findings,
            settings,
            is_closed,
            base,
            imports,
        }
    }

    /// The workspace's own rules with those of a document, as they are read now.
    pub(super) fn book_beside(&self, document: &Source) -> Rulebook {
        self.join(document, &[]).book
    }

    fn join(&self, document: &Source, askers: &[Source]) -> Joined {
        let (options, strict) = self.policy_settings();
        let super::ReadRules { mut book, settings, .. } = self.read_rules(&[], i64::MAX);
        let whole = self.standing(None, strict, self.file_time());
        let mut whole = OfDocument { whole, path: document.path().to_string(), said: Vec::new() };
        let mut is_closed = false;
        for asker in askers.iter().filter(|asker| asker.path() != document.path()) {
            let file = rule_file(
                asker,
                if pack_of(asker) == pack_of(document) { asker.path() } else { pack_of(asker) },
            );
            let law = Rulebook::read(std::slice::from_ref(&file), options, &mut whole);
            book.sets.extend(law.sets.into_iter().map(gates_alone));
            is_closed |= !law.broken.is_empty();
        }
        let file = rule_file(document, pack_of(document));
        let own = Rulebook::read(std::slice::from_ref(&file), options, &mut whole);
        let place = book.sets.len();
        is_closed |= !own.broken.is_empty();
        book.sets.extend(own.sets);
        book.findings.extend(own.findings.into_iter().chain(whole.said));
        book.broken.extend(own.broken);
        book.sources.extend(own.sources);
        book.program = Program::new(&book.sets, options).told_from(place);
        Joined { book, settings, imports: whole.whole.included, is_closed }
    }
}

fn pack_of(document: &Source) -> &str {
    document.path().rsplit('/').next().unwrap_or_default()
}

fn rule_file(document: &Source, pack: &str) -> RuleFile {
    RuleFile { pack: pack.into(), ..RuleFile::new(document.clone(), Trust::User) }
}

/// What of an asker's law holds in its agents: the gates, without what they do beside, permit or take out.
fn gates_alone(mut set: RuleSet) -> RuleSet {
    set.rules.retain(|rule| rule.effect.is_some_and(|effect| effect != Effect::Allow));
    for rule in &mut set.rules {
        rule.actions.clear();
        rule.overrides.clear();
        rule.remind = None;
    }
    set
}

/// The workspace's own rules with those of a document.
struct Joined {
    book: Rulebook,
    settings: PluginSettings,
    imports: Vec<Ingredient>,
    is_closed: bool,
}

/// What a document may import, and what stands in for it when it does not read. Nothing of it is kept: it grows with each run.
struct OfDocument<'s> {
    whole: Standing<'s>,
    path: String,
    said: Vec<Finding>,
}

impl Whole for OfDocument<'_> {
    fn keep(&mut self, _: &RuleFile, _: &RuleSet) {}

    fn stand_in(&mut self, file: &RuleFile) -> Option<(RuleSet, Finding)> {
        if self.whole.strict == Strict::Warn {
            return None;
        }
        let gates = file_gates(file, &mut |path| self.include(path));
        let finding = Finding::new(Code::RULES_STAND_IN, closing(&gates)).in_file(&self.path);
        Some((closed(&self.path, &gates), finding.help("mend the document; `policy-engine check` reads it")))
    }

    fn vouches(&mut self, source: &Source) -> bool {
        self.whole.vouches(source)
    }

    fn knows_zone(&mut self, zone: &str) -> bool {
        self.whole.knows_zone(zone)
    }

    /// What lies in the workspace, links followed.
    fn include(&mut self, path: &str) -> Option<Source> {
        let (fs, absolute) = (self.whole.fs, self.whole.root.join(path));
        let real = fs.canonicalize(&absolute).ok();
        if real.is_some_and(|real| !real.starts_with(self.whole.root)) {
            let message = format!("`{}` lies outside the workspace, and is not read", path.escape_debug());
            let finding = Finding::new(Code::LINK_LEAVES, message).in_file(&self.path);
            let finding = finding.help("a document imports files of its workspace");
            if !self.said.contains(&finding) {
                self.said.push(finding);
            }
            return None;
        }
        self.whole.include(path)
    }

    fn check_script(&mut self, script: &Source, hook: Hook) -> Option<Finding> {
        self.whole.check_script(script, hook)
    }

    fn check_template(&mut self, template: &str) -> Option<String> {
        self.whole.check_template(template)
    }

    fn template_names(&mut self, template: &str) -> Vec<String> {
        self.whole.template_names(template)
    }
}
