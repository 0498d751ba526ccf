//! The verb `inject`: quick on an unchanged tree, current on a changed one, the last good rules when a source is broken.

use mentci_authority::SkillName;
use mentci_compiler::DigestFiles;
use mentci_host::policy::{Input, Line, PolicyRequest};
use mentci_host::{Answer, DigestAnswer, Harness, Outcome, Response, count_rules, injection};
use mentci_source::{Finding, Severity};
use mentci_tokens::{Tokenizer, o200k};

use crate::compile::uncommitted;
use crate::engine::Mode;
use crate::layout::DigestPaths;
use crate::workspace::{Inner, Workspace};

impl Workspace {
    /// The text to inject, and what came of an event that is told with the question. The text is served whatever comes of
    /// the event.
    pub(crate) fn inject_at(&self, harness: Harness, active: &[String], event: Option<&Input>) -> Response {
        let mut response = self.inject(harness, active);
        let Some(event) = event else { return response };
        let decided = self.policy(PolicyRequest::told(event.clone()), "");
        if let (Answer::Inject(answer), Answer::Lines(lines)) = (&mut response.answer, decided.answer) {
            answer.verdict = lines.lines.into_iter().find_map(|line| match line {
                Line::Verdict(verdict) => Some(verdict),
                _ => None,
            });
        }
        response.with(decided.findings).at_least(decided.outcome.min(Outcome::Findings))
    }

    fn inject(&self, harness: Harness, active: &[String]) -> Response {
        let mut inner = self.lock();
        self.reload(&mut inner);
        let own = inner.settings.findings.clone();
        let response = match self.published(&inner, harness, active) {
            Some(response) => response,
            // By a configuration that is wrong, half-written perhaps, nothing is published; what was published before holds on.
            None if inner.settings.is_wrong() => {
                let served = last_good(&inner, harness, active);
                served.unwrap_or_else(|| self.compiled(&mut inner, harness, active, Mode::Check))
            }
            None => self.compiled(&mut inner, harness, active, Mode::Publish),
        };
        Response { findings: own.into_iter().chain(response.findings).collect(), ..response }
    }

    /// From what stands on disk, when nothing moved since it was published.
    fn published(&self, inner: &Inner, harness: Harness, active: &[String]) -> Option<Response> {
        let remembered = self.recall(inner)?;
        let files =
            inner.engine.standing_files(&DigestPaths::workspace()).filter(DigestFiles::is_committed)?;
        let sections = if active.is_empty() { None } else { Some(self.recall_sections(&remembered)?) };
        let section = |name: &SkillName| sections.as_ref()?.get(name).cloned();
        let mode = inner.engine.config.inject_mode();
        Some(injection(mode, harness, files.body(), active, section, |text| self.count(text)))
    }

    /// Compiles, publishes if it may, and serves; a tree that cannot be written is served all the same.
    fn compiled(&self, inner: &mut Inner, harness: Harness, active: &[String], how: Mode) -> Response {
        let cycle = self.refresh(inner, how);
        if how == Mode::Publish && !cycle.impaired {
            self.remember(inner);
        }
        let mut errors = errors_of(inner);
        if how == Mode::Publish && inner.engine.workspace.is_none() {
            // Where nothing can be published, as on a medium that is read-only, what stands may be current, or old.
            self.refresh(inner, Mode::Check);
            let current = inner.engine.standing_files(&DigestPaths::workspace());
            let whole = inner.engine.workspace.as_ref();
            if whole.is_some_and(|whole| current.is_some_and(|files| files.body() == whole.digest.text)) {
                errors = errors_of(inner);
            }
        }
        let mode = inner.engine.config.inject_mode();
        if let Some(whole) = &inner.engine.workspace {
            let section = |name: &SkillName| whole.section(name).map(str::to_owned);
            let count = |text: &str| self.count(text);
            return injection(mode, harness, &whole.digest.text, active, section, count).with(errors);
        }
        match last_good(inner, harness, active) {
            Some(served) => served.with(errors).at_least(Outcome::Findings),
            None => Response::bad(errors),
        }
    }
}

/// What stands in the way of a compile.
fn errors_of(inner: &Inner) -> Vec<Finding> {
    let findings = inner.engine.findings().into_iter();
    findings.filter(|finding| finding.severity == Severity::Error).collect()
}

/// The rules as they were last published; none where they never were.
fn last_good(inner: &Inner, harness: Harness, active: &[String]) -> Option<Response> {
    let files = inner.engine.last_good_files(&DigestPaths::workspace())?;
    let skill_body = |name: &SkillName| {
        let files = inner.engine.last_good_files(&DigestPaths::skill(name)).filter(DigestFiles::is_committed);
        files.map(|files| files.body().to_owned())
    };
    let (mode, count) = (inner.engine.config.inject_mode(), |text: &str| o200k().count(text));
    let response = injection(mode, harness, files.body(), active, skill_body, count);
    let uncommitted = uncommitted(&inner.engine);
    let outcome = if uncommitted.is_some() { Outcome::Findings } else { Outcome::Ok };
    Some(response.with(uncommitted).at_least(outcome))
}

/// The digest as it was last published, where a wrong configuration or a damaged source lets no other one be compiled: what a person
/// reads is what agents are told. None where it never was.
pub(crate) fn published_digest(inner: &Inner, skill: Option<&str>) -> Option<Response> {
    let skill = skill.map(SkillName::parse).transpose().ok()?;
    let is_damaged = match &skill {
        Some(skill) => inner.engine.skills.get(skill).is_some_and(|slot| slot.standing().is_none()),
        None => inner.engine.workspace.is_none(),
    };
    if !(inner.settings.is_wrong() || is_damaged) {
        return None;
    }
    let paths = skill.as_ref().map_or_else(DigestPaths::workspace, DigestPaths::skill);
    let files = inner.engine.last_good_files(&paths)?;
    let text = files.body().to_owned();
    let (rules, tokens) = (count_rules(&text), o200k().count(&text));
    let answer = DigestAnswer { skill, path: paths.digest, hash: files.hash(), text, rules, tokens };
    let wrong = inner.settings.findings.iter().cloned().chain(inner.settings.standstill());
    let errors = inner.engine.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
    Some(Response::ok(answer).with(wrong).with(errors).at_least(Outcome::Bad))
}
