//! The verbs `compile-rules` and `check`.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{Digest, Model, SkillName};
use mentci_compiler::{Condense, Question};
use mentci_host::{CompileAnswer, CompiledRow, Outcome, Response};
use mentci_source::{Code, Finding, Hash, Severity};
use mentci_tokens::{Tokenizer, o200k};

use crate::condensing::{Asked, Limits, ask, open};
use crate::config::Config;
use crate::engine::{Cycle, DigestChange, Engine, Mode};
use crate::held::Content;
use crate::layout::DigestPaths;
use crate::models::retries;
use crate::workspace::{Inner, Workspace};

/// Above this many skills counting all their tokens would take longer than compiling them.
const COUNTED_SKILLS: usize = 100;

/// How a compile is to be done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compiling {
    pub(crate) diff: bool,
    pub(crate) explain: bool,
    /// Publishes nothing when the model gives no answer.
    pub(crate) require_model: bool,
}

/// Who shortens lines, and how many requests it takes at a time.
pub(crate) struct Shortening {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) limits: Limits,
}

impl Workspace {
    /// Promotes what is due, compiles and publishes; then asks for shorter lines, where that is configured, and publishes those.
    pub(crate) fn compile(&self, how: Compiling) -> Response {
        let start = self.clock.micros();
        let mut inner = self.lock();
        self.reload(&mut inner);
        if inner.settings.is_wrong() {
            return Response::bad(inner.settings.findings.clone());
        }
        let asks = inner.engine.condense() == Condense::Ask;
        let model = asks.then(|| self.shortening(&inner.settings.config)).transpose();
        let model = match model {
            Err(finding) if is_bad_input(&finding) => return Response::bad([finding]),
            model => model,
        };
        let (promoted, refused) = self.promote_due(&mut inner);
        // The law waits for no model, unless somebody wants both or nothing.
        let mode = if asks && how.require_model { Mode::Check } else { Mode::Publish };
        let mut cycle = self.refresh(&mut inner, mode);
        let mut asked = Asked::default();
        if asks {
            let questions = inner.engine.questions();
            drop(inner);
            asked = ask_shorter(model, questions);
            if how.require_model && !asked.is_whole() {
                return Response::bad(asked.findings(&self.lock().engine, true));
            }
            inner = self.lock();
            let lines = std::mem::take(&mut asked.lines);
            if !lines.is_empty() || mode == Mode::Check {
                inner.engine.answer(lines);
                cycle.join(self.refresh(&mut inner, Mode::Publish));
            }
        }
        let changes = cycle.digests.clone();
        let mut answer = inner.engine.rows(&changes, how.diff, how.explain);
        let was_asked = inner.engine.shortened().next().is_some();
        if asks || (how.explain && was_asked) {
            answer.condensed = Some(Box::new(inner.engine.condense_answer(&asked, how.explain)));
        }
        answer.promoted = promoted;
        answer.micros = self.clock.micros().saturating_sub(start);
        let mut findings = all_findings(&inner, refused);
        findings.extend(asked.findings(&inner.engine, false));
        let outcome = outcome(&cycle, &findings, Severity::Error);
        if outcome != Outcome::Bad {
            self.remember(&mut inner);
        }
        Response::ok(answer).with(findings).at_least(outcome)
    }

    /// The model that shortens lines, and how many requests it takes at a time.
    ///
    /// # Errors
    /// What is wrong, at the place where it is written: [`is_bad_input`] tells it from what only lacks here.
    pub(crate) fn shortening(&self, config: &Config) -> Result<Shortening, Finding> {
        let name = config.text("digest.condense_model");
        let model = self.model_of(config, name, retries(config));
        let key = if name.is_some() { "digest.condense_model" } else { "digest.condense" };
        let (model, _) = model.map_err(|finding| match finding.path {
            // It stands at its own key already.
            Some(_) => finding,
            None => config.mark(key, finding),
        })?;
        Ok(Shortening { model, limits: Limits::of(config) })
    }

    /// Compiles and compares; writes nothing.
    pub(crate) fn check(&self, diff: bool, explain: bool) -> Response {
        let start = self.clock.micros();
        let mut inner = self.lock();
        let cycle = self.refresh(&mut inner, Mode::Check);
        if inner.settings.is_wrong() {
            return Response::bad(inner.settings.findings.clone());
        }
        let changes = inner.engine.stale();
        let mut answer = inner.engine.rows(&changes, diff, explain);
        answer.promoted = self.due(&inner).into_iter().map(|(_, id)| id).collect();
        // What is due moves at the next compile, and the digests with it.
        let due = if answer.promoted.is_empty() { Outcome::Ok } else { Outcome::Findings };
        answer.stale = !changes.is_empty() || due != Outcome::Ok;
        answer.micros = self.clock.micros().saturating_sub(start);
        let stale = changes.iter().map(out_of_date).chain(uncommitted(&inner.engine)).collect();
        let mut findings = all_findings(&inner, stale);
        drop(inner);
        let (rules, whole) = self.own_rule_findings();
        findings.extend(rules);
        let outcome = if whole { outcome(&cycle, &findings, Severity::Warning) } else { Outcome::Bad };
        Response::ok(answer).with(findings).at_least(outcome).at_least(due)
    }
}

/// The workspace's digest stands, and its seal matches neither its map nor its lock: another hand, or a publish that was killed.
pub(crate) fn uncommitted(engine: &Engine) -> Option<Finding> {
    let paths = DigestPaths::workspace();
    let is_broken = engine.standing_files(&paths).is_some_and(|files| !files.is_committed());
    let finding = || {
        Finding::new(Code::UNCOMMITTED, "the published digest does not match its map and lock")
            .help("`policy-engine compile-rules` makes it anew; the lock keeps the numbers")
            .in_file(&paths.digest)
    };
    is_broken.then(finding)
}

/// Asks the model about those of `questions` that it was not refused before; there may be none that can be asked.
fn ask_shorter(model: Result<Option<Shortening>, Finding>, questions: Vec<Question>) -> Asked {
    match model {
        Ok(Some(Shortening { model, limits })) => {
            let questions = open(questions, model.name());
            ask(&model, questions, limits)
        }
        Ok(None) => Asked::default(),
        Err(finding) => Asked {
            unanswered: questions.iter().filter(|question| !question.is_known).count(),
            failure: (!questions.is_empty()).then_some(finding.message),
            ..Asked::default()
        },
    }
}

/// Whether somebody wrote something wrong. A key that this machine does not have is none: who has no key has no model, and a
/// digest all the same.
pub(crate) fn is_bad_input(finding: &Finding) -> bool {
    !matches!(finding.code, Code::MODEL_KEY | Code::MODEL_FAILED)
}

fn all_findings(inner: &Inner, more: Vec<Finding>) -> Vec<Finding> {
    let mut findings = inner.settings.findings.clone();
    findings.extend(inner.engine.findings());
    findings.extend(unfound(&inner.engine));
    findings.extend(more);
    findings
}

/// What was looked for and does not stand: law at all, and what the configuration names.
pub(crate) fn unfound(engine: &Engine) -> Vec<Finding> {
    let named = engine.empty_patterns();
    no_sources(engine).into_iter().chain(named).collect()
}

fn no_sources(engine: &Engine) -> Option<Finding> {
    let has_law = engine.held.values().any(|held| match &held.content {
        Content::Law(_) => true,
        Content::Schema(schema) => !schema.law.norms.is_empty(),
        Content::Manifest(_) | Content::Lessons(_) => false,
    });
    (!has_law).then(|| {
        Finding::new(Code::NO_SOURCES, "no law was found")
            .help("`policy-engine init` finds the skills in `.pi/skills`, `.claude/skills` and `.agents/skills`, or writes a first one; `mentci.toml` names other places")
    })
}

/// Whether law was passed over because of how its folder is called, or where the configuration says that it stands.
fn is_refused(finding: &Finding) -> bool {
    finding.severity == Severity::Error && matches!(finding.code, Code::SKILL_NAME | Code::CONFIG_VALUE)
}

fn outcome(cycle: &Cycle, findings: &[Finding], least: Severity) -> Outcome {
    if cycle.impaired || findings.iter().any(is_refused) {
        Outcome::Bad
    } else if findings.iter().any(|finding| finding.severity >= least) {
        Outcome::Findings
    } else {
        Outcome::Ok
    }
}

pub(crate) fn out_of_date(change: &DigestChange) -> Finding {
    let path = match &change.skill {
        Some(skill) => DigestPaths::skill(skill).digest,
        None => DigestPaths::workspace().digest,
    };
    let what = if change.before.is_none() {
        "this digest was not compiled yet"
    } else {
        "this digest is out of date"
    };
    Finding::new(Code::OUT_OF_DATE, what).help("run `policy-engine compile-rules`").in_file(&path)
}

impl Engine {
    /// The workspace's row, then skill by skill.
    pub(crate) fn rows(&self, changes: &[DigestChange], diff: bool, explain: bool) -> CompileAnswer {
        let counted = self.skills.len() <= COUNTED_SKILLS;
        let row = |skill: Option<&SkillName>, digest: &Digest| {
            let change = changes.iter().find(|change| change.skill.as_ref() == skill);
            let mut row = row(skill, digest);
            row.changed = change.is_some();
            if counted {
                row.tokens_in = Some(self.tokens_in(skill));
                row.tokens_out = Some(o200k().count(&digest.text));
            }
            if let (true, Some(change)) = (diff, change) {
                row.diff = line_diff(change.before.as_deref().unwrap_or_default(), &digest.text);
            }
            if explain {
                row.explained = explained(digest);
            }
            row
        };
        let whole = self.workspace.iter().map(|whole| row(None, &whole.digest));
        let skills = self.skills.iter().filter_map(|(name, slot)| {
            slot.compiled.as_ref().map(|compiled| row(Some(name), &compiled.digest))
        });
        CompileAnswer {
            stale: false,
            hash: self.workspace.as_ref().map_or_else(|| Hash::of_bytes(b""), |whole| whole.digest.hash),
            digests: whole.chain(skills).collect(),
            promoted: Vec::new(),
            condensed: None,
            counters: self.counters,
            micros: 0,
        }
    }

    /// Tokens of the sources of one skill, or of all sources.
    fn tokens_in(&self, skill: Option<&SkillName>) -> usize {
        let wanted = self.held.values().filter(|held| skill.is_none() || held.kind.skill() == skill);
        wanted.map(|held| o200k().count(held.content.source().text())).sum()
    }
}

fn row(skill: Option<&SkillName>, digest: &Digest) -> CompiledRow {
    let rules = digest.lines.iter().filter(|line| line.rule.is_some());
    let lessons: BTreeSet<_> = digest.lines.iter().flat_map(|line| &line.provenance.lessons).collect();
    let paths = skill.map_or_else(DigestPaths::workspace, DigestPaths::skill);
    CompiledRow {
        skill: skill.cloned(),
        path: paths.digest,
        rules: rules.clone().count(),
        binding: rules.filter(|line| line.level.is_some_and(mentci_authority::Level::is_binding)).count(),
        lessons: lessons.len(),
        tokens_in: None,
        tokens_out: None,
        changed: false,
        diff: Vec::new(),
        explained: Vec::new(),
    }
}

/// Lines that went and came. Rules keep their numbers, so a changed rule shows as both.
pub(crate) fn line_diff(before: &str, after: &str) -> Vec<String> {
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (before.lines().collect(), after.lines().collect());
    let went =
        before.lines().filter(|line| !new.contains(line) && !line.is_empty()).map(|line| format!("- {line}"));
    let came =
        after.lines().filter(|line| !old.contains(line) && !line.is_empty()).map(|line| format!("+ {line}"));
    went.chain(came).collect()
}

fn explained(digest: &Digest) -> Vec<String> {
    let line = |line: &mentci_authority::DigestLine| {
        let rule = line.rule.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
        let places = line.provenance.spans.iter().map(|span| format!("{}:{}", span.path, span.start_line));
        format!("{rule} {} <- {}", line.text, places.collect::<Vec<_>>().join(", "))
    };
    digest.lines.iter().map(line).collect()
}
