//! One skill: law and lessons to its digest, coverage map and lock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{
    CoverageMap, Digest, EntryKind, LessonId, Level, NormId, Provenance, RuleLock, RuleNo, SkillName,
};
use mentci_source::{Code, Finding, Hash, Severity, Source};
use mentci_tokens::{Tokenizer, o200k};

use crate::body::{Group, groups};
use crate::case::{Case, docket, set_columns};
use crate::condense::{Condense, Question, Shortened, condense};
use crate::conflict::{LineClaim, line_claims};
use crate::coverage::verify_spans;
use crate::gather::{Gathered, gather};
use crate::harmless::harmless;
use crate::lessons::LessonFile;
use crate::line::{Class, Line};
use crate::map::{map_of, write_map};
use crate::number::assign;
use crate::remainder::{Remainder, map_source};
use crate::resolve::{Resolved, resolve};
use crate::skill_digest::Sheet;
use crate::tally::Tally;
use crate::twins::{Mark, marks};
use crate::words::subject_key;
use crate::workspace::OWN_SCOPE;
use crate::{Asked, DigestFiles, Inventory, LawReading, stale, write_lock};

/// What a skill is compiled from.
#[derive(Debug, Clone)]
pub struct SkillInput {
    /// The skill.
    pub name: SkillName,
    /// Its law; several when the skill stands in several folders. The order does not matter.
    pub law: Vec<Arc<LawReading>>,
    /// `runtime.edn`.
    pub runtime: Option<Arc<LessonFile>>,
    /// `promoted.edn`.
    pub promoted: Option<Arc<LessonFile>>,
    /// The lessons that a person accepted.
    pub acceptances: BTreeSet<LessonId>,
    /// Lessons that wait for a person whatever this skill's law says, and why: they `would loosen …` law elsewhere
    /// ([`Elsewhere`](crate::Elsewhere)), or were retired before. An acceptance outweighs it.
    pub waiting: BTreeMap<LessonId, String>,
}

/// How a skill is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkillOptions {
    /// The most tokens of its digest; without it everything is stated in full.
    pub tokens: Option<usize>,
    /// Where shorter lines come from.
    pub condense: Condense,
}

/// A compiled skill. The same input, lock, options and answers of the inventory give the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillCompiled {
    /// The skill.
    pub name: SkillName,
    /// Its digest; `text` is the body, without the seal.
    pub digest: Digest,
    /// The lock to publish.
    pub lock: RuleLock,
    /// What was odd in this pass. The findings of reading stand in the readings.
    pub findings: Vec<Finding>,
    /// What the compile asked of the inventory.
    pub asked: Asked,
    /// Names all that the workspace digest takes from this skill: equal fingerprints, equal contribution.
    pub fingerprint: Hash,
    /// The body once more, shared: what is injected while the skill is active.
    pub section: Arc<str>,
    /// The statements for which the lock holds no shorter line; only with [`Condense::Ask`].
    pub questions: Vec<Question>,
    /// What the lock knows of the statements.
    pub shortened: Vec<Shortened>,
    /// Every line, in the order of the law, lessons behind.
    pub(crate) lines: Vec<Line>,
    /// The section of each line.
    pub(crate) groups: Vec<Group>,
    /// The lines of each class.
    pub(crate) classes: Classes,
    /// The lines that other skills may state, too.
    pub(crate) marks: Vec<Mark>,
    /// What they claim beside what their subjects say.
    pub(crate) claims: Vec<LineClaim>,
    /// All lines, counted.
    pub(crate) tally: Tally,
    /// What was read.
    pub(crate) sources: Vec<Source>,
    /// For each of `sources`, what the workspace's map says of it while no line of the digest rests on it.
    pub(crate) remainders: Vec<Remainder>,
    /// Schema types and dependencies that the law mentions.
    pub(crate) mentions: BTreeSet<String>,
}

impl SkillCompiled {
    /// The coverage map.
    pub fn map(&self) -> CoverageMap {
        let sources = self.sources.iter().map(map_source).collect();
        map_of(Some(self.name.as_str()), sources, &self.digest)
    }

    /// The bytes to publish, made anew at each call.
    pub fn files(&self) -> DigestFiles {
        DigestFiles::seal(&self.digest.text, write_map(&self.map()), write_lock(&self.lock))
    }

    /// Tokens (o200k) of the digest; counted at each call, and only then.
    pub fn tokens(&self) -> usize {
        o200k().count(&self.digest.text)
    }

    /// What was read: law and lessons, in the order of their paths.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether the inventory still answers what this compile asked as it did then.
    pub fn is_current(&self, inventory: &dyn Inventory) -> bool {
        self.asked.is_current(inventory)
    }
}

/// Compiles one skill.
pub fn compile_skill(
    input: &SkillInput,
    lock: &RuleLock,
    options: &SkillOptions,
    inventory: &dyn Inventory,
) -> SkillCompiled {
    let law = gather(&input.law);
    let norms: Vec<_> = law.norms.iter().map(|gathered| gathered.norm).collect();
    let choices = (options.condense != Condense::Deterministic).then_some(lock);
    let resolved = resolve(&norms, docket(input), &input.waiting, choices);
    let checked =
        stale::check(law.norms.iter().map(|gathered| (gathered.norm, gathered.source)), lock, inventory);
    let scope = scope_of(&input.name);
    let mut findings = law.findings;
    findings.extend(resolved.findings.iter().cloned());
    findings.extend(checked.findings);
    let (mut lines, mut numbered) = lines(&scope, &law.norms, &resolved, lock, &mut findings);
    let condensed = condense(&mut lines, &law.norms, &resolved, lock, options.condense);
    findings.extend(condensed.findings);
    (numbered.names, numbered.lines) = (checked.names, condensed.lines);
    let mut omitted = law.omitted;
    omitted.extend(resolved.omitted);
    let sources = sources(input);
    let classes = Classes::of(&lines);
    let groups = groups(&lines);
    let sheet =
        Sheet { name: &input.name, lines: &lines, classes: &classes, groups: &groups, sources: &sources };
    let digest = sheet.emit(omitted, options, &mut findings);
    findings.extend(gaps(&digest, &sources));
    findings.extend(numbered_apart(&input.name, &scope, &sources));
    set_columns(&mut findings, &sources.iter().collect::<Vec<_>>());
    SkillCompiled {
        name: input.name.clone(),
        section: digest.text.as_str().into(),
        fingerprint: fingerprint(&digest, &sources, &checked.mentions),
        lock: numbered,
        findings,
        asked: checked.asked,
        questions: condensed.questions,
        shortened: condensed.shortened,
        marks: marks(&lines, &groups),
        claims: line_claims(&law.norms),
        tally: Tally::of_all(&lines),
        lines,
        groups,
        classes,
        remainders: sources.iter().map(Remainder::of).collect(),
        sources,
        mentions: checked.mentions,
        digest,
    }
}

/// What the numbers of a skill's rules begin with: its name. The workspace's own law is numbered `workspace-N`, so a skill of that name has
/// `workspace.skill-N`, and one that is called so has one `.skill` more: no two skills share a number.
///
/// ```
/// use mentci_authority::SkillName;
/// use mentci_compiler::scope_of;
/// let scope = |name| scope_of(&SkillName::parse(name).unwrap());
/// assert_eq!(&*scope("rust"), "rust");
/// assert_eq!(&*scope("workspace"), "workspace.skill");
/// assert_eq!(&*scope("workspace.skill"), "workspace.skill.skill");
/// ```
pub fn scope_of(skill: &SkillName) -> Arc<str> {
    let name = skill.as_str();
    let is_taken = name.trim_end_matches(APART) == OWN_SCOPE;
    if is_taken { format!("{name}{APART}").into() } else { name.into() }
}

/// Behind the name of a skill that is called like the workspace's own law.
const APART: &str = ".skill";

/// The finding for a skill whose rules are not numbered by its name.
fn numbered_apart(skill: &SkillName, scope: &str, sources: &[Source]) -> Option<Finding> {
    let source = sources.first().filter(|_| scope != skill.as_str())?;
    let message = format!(
        "`{skill}` is the name of the workspace's own law; the skill's rules are numbered `{scope}-N`"
    );
    let finding = Finding::new(Code::SKILL_NAME, message).severity(Severity::Warning);
    Some(finding.help("rename the skill's folder, so that its rules bear its name").in_file(source.path()))
}

/// The lines of a law and its lessons, with their numbers, and the lock that keeps these.
pub(crate) fn lines(
    scope: &Arc<str>,
    norms: &[Gathered<'_>],
    resolved: &Resolved,
    lock: &RuleLock,
    findings: &mut Vec<Finding>,
) -> (Vec<Line>, RuleLock) {
    let of_law = norms.iter().zip(&resolved.exceptions).map(|(gathered, exceptions)| {
        let mut line = law_line(scope, gathered, findings);
        line.exceptions.clone_from(exceptions);
        line
    });
    let mut lines: Vec<Line> = of_law.collect();
    lines.extend(resolved.cases.iter().map(|case| case_line(scope, case)));
    let lock = assign(lock, lines.iter().map(|line| &line.norm));
    for line in &mut lines {
        line.rule.number = lock.numbers.get(&line.norm).copied().unwrap_or_default();
    }
    (lines, lock)
}

fn law_line(scope: &Arc<str>, gathered: &Gathered<'_>, findings: &mut Vec<Finding>) -> Line {
    let norm = gathered.norm;
    let mut clean = |text: &str| {
        let (text, tag) = harmless(text);
        if let Some(tag) = tag {
            let span = gathered.spans.first().map(|place| place.span).unwrap_or_default();
            let message = format!("the law holds `{tag}`, which harnesses use for themselves");
            findings.push(Finding::new(Code::HARNESS_TAG, message).at(gathered.source, span));
        }
        text
    };
    let text = clean(&norm.text);
    let terse = norm.terse.as_deref().map(|terse| harmless(terse).0);
    Line {
        rule: RuleNo { scope: scope.clone(), number: 0 },
        norm: norm.id.clone(),
        kind: norm.kind,
        level: Some(norm.level),
        class: Class::of(norm.level, norm.force),
        text,
        terse,
        exceptions: Vec::new(),
        section: norm.section.clone(),
        step: norm.step.clone(),
        subject: gathered.subject,
        provenance: Provenance { spans: gathered.spans.clone(), lessons: norm.provenance.lessons.clone() },
    }
}

fn case_line(scope: &Arc<str>, case: &Case) -> Line {
    let text = case.standing_alone();
    Line {
        rule: RuleNo { scope: scope.clone(), number: 0 },
        norm: NormId::of(Some(Level::Should), &text, None, scope),
        kind: EntryKind::Case,
        level: Some(Level::Should),
        class: if case.is_accepted { Class::Accepted } else { Class::Unreviewed },
        subject: subject_key(&text, &[]),
        text,
        terse: None,
        exceptions: Vec::new(),
        section: String::new(),
        step: None,
        provenance: Provenance { spans: case.spans.clone(), lessons: case.ids.clone() },
    }
}

/// The lines of each class, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Classes([Vec<usize>; Class::ALL.len()]);

impl Classes {
    /// Sorts lines by their class.
    pub(crate) fn of(lines: &[Line]) -> Self {
        let mut classes = Self::default();
        for (index, line) in lines.iter().enumerate() {
            classes.0[line.class.rank()].push(index);
        }
        classes
    }

    /// The lines of one class.
    pub(crate) fn get(&self, class: Class) -> &[usize] {
        &self.0[class.rank()]
    }
}

fn sources(input: &SkillInput) -> Vec<Source> {
    let lessons = input.runtime.iter().chain(&input.promoted).map(|file| file.source.clone());
    let mut sources: Vec<Source> =
        input.law.iter().map(|reading| reading.source.clone()).chain(lessons).collect();
    sources.sort_by(|a, b| a.path().cmp(b.path()));
    sources
}

/// Lines of sources that the digest accounts for nowhere.
fn gaps(digest: &Digest, sources: &[Source]) -> Option<Finding> {
    let stated = digest.lines.iter().flat_map(|line| &line.provenance.spans);
    let omitted = digest.omitted.iter().map(|omission| &omission.span);
    let gap = verify_spans(stated, omitted, sources).gaps.into_iter().next()?;
    let source = sources.iter().find(|source| *source.path() == gap.path)?;
    let finding = Finding::new(Code::COVERAGE_GAP, "this line is in neither list of the coverage map");
    Some(
        finding
            .help("this is a defect of the compiler; please report it")
            .at(source, source.span_of_line(gap.line)),
    )
}

fn fingerprint(digest: &Digest, sources: &[Source], mentions: &BTreeSet<String>) -> Hash {
    let hashes: Vec<Hash> = sources.iter().map(Source::hash).collect();
    let parts = [digest.text.as_bytes()]
        .into_iter()
        .chain(sources.iter().map(|source| source.path().as_bytes()))
        .chain(hashes.iter().map(|hash| hash.as_bytes().as_slice()))
        .chain(mentions.iter().map(String::as_bytes));
    Hash::of("mentci skill 1", parts)
}
