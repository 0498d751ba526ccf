//! The workspace: the core of every skill, its own law and facts, inside a hard budget.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{CoverageMap, Digest, Omission, RuleLock, SkillName};
use mentci_source::{Finding, Source};

use crate::body::{Group, groups};
use crate::case::{Docket, set_columns};
use crate::condense::{Condense, Question, Shortened, condense};
use crate::conflict::{LineClaim, line_claims};
use crate::gather::gather;
use crate::line::Line;
use crate::manifest::ManifestSources;
use crate::map::{map_of, write_whole_map};
use crate::number::assign;
use crate::remainder::{Remainder, map_source};
use crate::resolve::resolve;
use crate::schema::{SchemaSource, schema_lines};
use crate::skill::{Classes, lines};
use crate::tally::Tally;
use crate::twins::{Mark, Twins, marks};
use crate::workspace_digest::{Board, Scope};
use crate::{Asked, DigestFiles, Inventory, LawReading, SkillCompiled, stale, write_lock};

/// What the workspace digest is compiled from. The order of nothing here matters.
#[derive(Debug, Clone, Copy)]
pub struct WorkspaceInput<'a> {
    /// Every skill.
    pub skills: &'a [Arc<SkillCompiled>],
    /// `AGENTS.md`, `CLAUDE.md` and kin.
    pub law: &'a [Arc<LawReading>],
    /// Every schema.
    pub schemas: &'a [SchemaSource],
    /// The Cargo manifests, if there are any.
    pub manifests: Option<&'a ManifestSources>,
}

/// How the workspace digest is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceOptions {
    /// The most tokens (o200k) of the digest; never more than `cap_tokens` hold.
    pub tokens: usize,
    /// The hard cap in tokens.
    pub cap_tokens: usize,
    /// The hard cap in characters.
    pub cap_chars: usize,
    /// Percent of the budget that schema facts may take.
    pub schema_share: usize,
    /// Percent of the budget that facts of the Cargo workspace may take.
    pub facts_share: usize,
    /// Percent of the budget that lessons no person has accepted may take.
    pub unreviewed_share: usize,
    /// Where shorter lines of the workspace's own law come from.
    pub condense: Condense,
}

impl Default for WorkspaceOptions {
    fn default() -> Self {
        Self {
            tokens: 1_500,
            cap_tokens: 2_400,
            cap_chars: 9_500,
            schema_share: 20,
            facts_share: 10,
            unreviewed_share: 15,
            condense: Condense::default(),
        }
    }
}

/// The compiled workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceCompiled {
    /// The digest; `text` is the body, without the seal.
    pub digest: Digest,
    /// Its tokens (o200k).
    pub tokens: usize,
    /// The lock to publish.
    pub lock: RuleLock,
    /// What was odd in this pass; the findings of skills stand in [`SkillCompiled`].
    pub findings: Vec<Finding>,
    /// What the compile asked of the inventory for the workspace's own law.
    pub asked: Asked,
    /// The bytes to publish.
    pub files: DigestFiles,
    /// The skills, by name.
    skills: Vec<Arc<SkillCompiled>>,
    /// The law, schemas and manifests of the workspace itself.
    own_sources: Vec<Source>,
    /// The statements of the workspace's own law for which the lock holds no shorter line; only with [`Condense::Ask`].
    pub questions: Vec<Question>,
    /// What the lock knows of the statements of the workspace's own law.
    pub shortened: Vec<Shortened>,
}

impl WorkspaceCompiled {
    /// The coverage map.
    pub fn map(&self) -> CoverageMap {
        map_of(None, self.sources().into_iter().map(map_source).collect(), &self.digest)
    }

    /// What was read, in the order of their paths.
    pub fn sources(&self) -> Vec<&Source> {
        let of_skills = self.skills.iter().flat_map(|skill| &skill.sources);
        let mut sources: Vec<&Source> = self.own_sources.iter().chain(of_skills).collect();
        sources.sort_by(|a, b| a.path().cmp(b.path()));
        sources
    }

    /// One stable section a skill, for the skills active in a session: by name.
    pub fn sections(&self) -> impl Iterator<Item = (&SkillName, &str)> {
        self.skills.iter().map(|skill| (&skill.name, &*skill.section))
    }

    /// The section of one skill.
    pub fn section(&self, name: &SkillName) -> Option<&str> {
        let at = self.skills.binary_search_by(|skill| skill.name.cmp(name)).ok()?;
        Some(&self.skills[at].section)
    }
}

/// Compiles the workspace's digest from compiled skills.
pub fn compile_workspace(
    input: &WorkspaceInput<'_>,
    lock: &RuleLock,
    options: &WorkspaceOptions,
    inventory: &dyn Inventory,
) -> WorkspaceCompiled {
    WorkspaceCompiler::default().compile(input, lock, options, inventory)
}

/// Compiles the workspace's digest again and again, and keeps what skills that did not move say. It gives the same bytes as
/// [`compile_workspace`].
#[derive(Debug, Default)]
pub struct WorkspaceCompiler {
    /// The skills of the last compile, by name.
    skills: Vec<Arc<SkillCompiled>>,
    /// What the workspace's own law said then.
    own: (Vec<Mark>, Vec<LineClaim>),
    twins: Twins,
}

impl WorkspaceCompiler {
    /// Compiles the workspace's digest from compiled skills.
    pub fn compile(
        &mut self,
        input: &WorkspaceInput<'_>,
        lock: &RuleLock,
        options: &WorkspaceOptions,
        inventory: &dyn Inventory,
    ) -> WorkspaceCompiled {
        let mut skills = input.skills.to_vec();
        skills.sort_by(|a, b| a.name.cmp(&b.name));
        let own = Own::of(input, &skills, lock, options.condense, inventory);
        let scopes: Vec<Scope<'_>> =
            std::iter::once(own.scope()).chain(skills.iter().map(|skill| Scope::of(skill))).collect();
        let moved = self.moved(&skills);
        let (skills_before, own_before) = (&self.skills, &self.own);
        self.twins.renew(&scopes, &moved, |scope| match scope.checked_sub(1) {
            Some(at) => (&*skills_before[at].marks, &*skills_before[at].claims),
            None => (&*own_before.0, &*own_before.1),
        });
        let (sources, remainders) = sources(&scopes);
        let mut findings = own.findings.clone();
        self.twins.report_merged(&scopes, &mut findings);
        set_columns(&mut findings, &sources);
        self.twins.report_opposed(&scopes, &mut findings);
        let told = findings.len();
        let board = Board { scopes: &scopes, twins: &self.twins, options };
        let (digest, tokens) = board.emit(&mut findings);
        set_columns(&mut findings[told..], &sources);
        let map = write_whole_map(&digest, &remainders);
        let files = DigestFiles::seal(&digest.text, map, write_lock(&own.lock));
        let Own { lock, asked, questions, shortened, sources: own_sources, marks, claims, .. } = own;
        self.skills.clone_from(&skills);
        self.own = (marks, claims);
        WorkspaceCompiled {
            digest,
            tokens,
            lock,
            findings,
            asked,
            files,
            skills,
            own_sources,
            questions,
            shortened,
        }
    }

    /// Which scopes are other ones than at the last compile; all when skills came or went. The workspace's own is the first.
    fn moved<'a>(&'a self, skills: &'a [Arc<SkillCompiled>]) -> Vec<bool> {
        let names = |skills: &'a [Arc<SkillCompiled>]| skills.iter().map(|skill| &skill.name);
        if !names(&self.skills).eq(names(skills)) {
            return vec![true; skills.len() + 1];
        }
        let moved = self.skills.iter().zip(skills).map(|(before, now)| !Arc::ptr_eq(before, now));
        std::iter::once(true).chain(moved).collect()
    }
}

/// What the numbers of the workspace's own law and facts begin with.
pub(crate) const OWN_SCOPE: &str = "workspace";

/// What belongs to the workspace itself: its law and its facts.
struct Own {
    lines: Vec<Line>,
    groups: Vec<Group>,
    classes: Classes,
    marks: Vec<Mark>,
    claims: Vec<LineClaim>,
    omitted: Vec<Omission>,
    sources: Vec<Source>,
    remainders: Vec<Remainder>,
    lock: RuleLock,
    asked: Asked,
    findings: Vec<Finding>,
    questions: Vec<Question>,
    shortened: Vec<Shortened>,
}

impl Own {
    fn of(
        input: &WorkspaceInput<'_>,
        skills: &[Arc<SkillCompiled>],
        lock: &RuleLock,
        mode: Condense,
        inventory: &dyn Inventory,
    ) -> Self {
        let of_schemas = input.schemas.iter().map(|schema| &schema.law).filter(|law| !law.norms.is_empty());
        let all: Vec<Arc<LawReading>> = input.law.iter().chain(of_schemas).cloned().collect();
        let law = gather(&all);
        let norms: Vec<_> = law.norms.iter().map(|gathered| gathered.norm).collect();
        let resolved = resolve(&norms, Docket::default(), &BTreeMap::new(), None);
        let named = law.norms.iter().map(|gathered| (gathered.norm, gathered.source));
        let checked = stale::check(named, lock, inventory);
        let mut findings = law.findings;
        findings.extend(checked.findings);
        let scope: Arc<str> = OWN_SCOPE.into();
        let (mut lines, _) = lines(&scope, &law.norms, &resolved, lock, &mut findings);
        // Thousands of names are looked through only where something is told of them.
        let told = input.manifests.is_some() || !input.schemas.is_empty();
        let of_skills = skills.iter().filter(|_| told).flat_map(|skill| &skill.mentions);
        let mentions = of_skills.chain(&checked.mentions).map(String::as_str).collect();
        let (facts, left) = facts(input, &mentions);
        lines.extend(facts.into_iter().map(|fact| fact.into_line(&scope)));
        let mut numbered = assign(lock, lines.iter().map(|line| &line.norm));
        for line in &mut lines {
            line.rule.number = numbered.numbers.get(&line.norm).copied().unwrap_or_default();
        }
        let condensed = condense(&mut lines, &law.norms, &resolved, lock, mode);
        findings.extend(condensed.findings);
        (numbered.names, numbered.lines) = (checked.names, condensed.lines);
        let (lock, questions, shortened) = (numbered, condensed.questions, condensed.shortened);
        let mut omitted = law.omitted;
        omitted.extend(left);
        let groups = groups(&lines);
        let classes = Classes::of(&lines);
        let marks = marks(&lines, &groups);
        let claims = line_claims(&law.norms);
        let sources = own_sources(input);
        let remainders = sources.iter().map(Remainder::of).collect();
        let asked = checked.asked;
        Self {
            lines,
            groups,
            classes,
            marks,
            claims,
            omitted,
            sources,
            remainders,
            lock,
            asked,
            findings,
            questions,
            shortened,
        }
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            name: OWN_SCOPE,
            is_skill: false,
            lines: &self.lines,
            groups: &self.groups,
            classes: &self.classes,
            marks: &self.marks,
            claims: &self.claims,
            tally: Tally::of_all(&self.lines),
            omitted: &self.omitted,
            sources: &self.sources,
            remainders: &self.remainders,
        }
    }
}

/// Facts of the Cargo workspace first: they are short.
fn facts(
    input: &WorkspaceInput<'_>,
    mentions: &BTreeSet<&str>,
) -> (Vec<crate::fact::FactLine>, Vec<Omission>) {
    let (mut lines, mut omitted) =
        input.manifests.map_or_else(Default::default, |manifests| manifests.lines(mentions));
    let (types, left) = schema_lines(input.schemas, mentions);
    lines.extend(types);
    omitted.extend(left);
    (lines, omitted)
}

fn own_sources(input: &WorkspaceInput<'_>) -> Vec<Source> {
    let law = input.law.iter().map(|reading| reading.source.clone());
    let schemas = input.schemas.iter().map(|schema| schema.source.clone());
    let manifests = input.manifests.into_iter().flat_map(|manifests| manifests.sources.iter().cloned());
    let mut sources: Vec<Source> = law.chain(schemas).chain(manifests).collect();
    sources.sort_by(|a, b| a.path().cmp(b.path()));
    sources
}

/// All sources by their paths, with what the map says of each while no line rests on it.
fn sources<'a>(scopes: &[Scope<'a>]) -> (Vec<&'a Source>, Vec<&'a Remainder>) {
    let mut all: Vec<(&Source, &Remainder)> =
        scopes.iter().flat_map(|scope| scope.sources.iter().zip(scope.remainders)).collect();
    all.sort_by(|(a, _), (b, _)| a.path().cmp(b.path()));
    all.into_iter().unzip()
}
