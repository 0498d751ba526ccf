//! What the suites share.
#![allow(dead_code, reason = "no suite needs all of it")]
#![allow(clippy::unwrap_used, reason = "tests may")]

use mentci_authority::{Guard, Rule, RuleSet, Trust};
use mentci_dialect::{Dialect, OriginHint, read};
use mentci_source::{Finding, Reading, Severity, Source};

pub(crate) fn origin() -> OriginHint {
    OriginHint { pack: "mine".into(), trust: Trust::Workspace }
}

pub(crate) fn reading(text: &str, dialect: Dialect) -> Reading<Option<RuleSet>> {
    let path = format!("mine.{}", dialect.name());
    read(&Source::new(&path, text), dialect, &origin(), &mut |_| None)
}

/// A set that reads without any finding.
pub(crate) fn set(text: &str, dialect: Dialect) -> RuleSet {
    let reading = reading(text, dialect);
    let said: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    assert!(said.is_empty(), "{}\n{text}", said.join("\n"));
    reading.value.unwrap()
}

pub(crate) fn rule(text: &str, dialect: Dialect) -> Rule {
    let mut set = set(text, dialect);
    assert_eq!(set.rules.len(), 1);
    set.rules.remove(0)
}

/// All findings as people read them.
pub(crate) fn said(text: &str, dialect: Dialect) -> String {
    let reading = reading(text, dialect);
    let said: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        reading.value.is_none(),
        said.iter().any(|line| line.contains(": error[")),
        "a set never half-loads"
    );
    let is_helped = |finding: &Finding| finding.severity != Severity::Error || finding.help.is_some();
    assert!(reading.findings.iter().all(is_helped), "an error without help: {said:#?}");
    said.join("\n")
}

/// A guard in one line: expressions as text, the rest by its name.
pub(crate) fn told(guard: &Guard) -> String {
    let several = |guards: &[Guard]| guards.iter().map(told).collect::<Vec<_>>().join("; ");
    match guard {
        Guard::Always => "always".to_owned(),
        Guard::All(inner) => format!("all[{}]", several(inner)),
        Guard::Any(inner) => format!("any[{}]", several(inner)),
        Guard::Not(inner) => format!("not[{}]", told(inner)),
        Guard::Expr(expr) => expr.to_string(),
        Guard::Chain(chain) => format!("chain of {}", chain.steps.len()),
        Guard::Admission(admission) => format!("{admission:?}"),
        Guard::Script(script) => format!("script {}", script.file),
    }
}
