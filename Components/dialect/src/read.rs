//! Reading: a file of rules, and what it includes, to one rule set.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::{Plugin, RuleSet, Trust};
use mentci_source::{Code, Finding, Reading, Severity, Source};

use crate::Dialect;
use crate::lower::check::check_set;
use crate::lower::gather::{Gathered, gather};

/// More findings than anybody reads are counted.
const MAX_FINDINGS: usize = 256;

/// Gives the source at a path, relative to the workspace, that a file includes or extends.
pub type Loader<'a> = dyn FnMut(&str) -> Option<Source> + 'a;

/// What a file cannot say of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginHint {
    /// The pack, plugin or file stem: the first half of the rules' full names.
    pub pack: Arc<str>,
    /// Who vouches for the rules.
    pub trust: Trust,
}

/// Reads one file of rules with all that it includes and extends.
///
/// A rule set never half-loads: where there is a finding of severity error the value is `None`, and the caller keeps its
/// last good version. Warnings stand beside a whole set. Several findings of one file are told at once.
pub fn read(
    source: &Source,
    dialect: Dialect,
    origin: &OriginHint,
    loader: &mut Loader<'_>,
) -> Reading<Option<RuleSet>> {
    read_in(source, dialect, origin, None, loader)
}

/// The same for a file of a plugin: its rules know the plugin's settings, and name no others.
pub fn read_in(
    source: &Source,
    dialect: Dialect,
    origin: &OriginHint,
    plugin: Option<&Plugin>,
    loader: &mut Loader<'_>,
) -> Reading<Option<RuleSet>> {
    let Gathered { mut set, mut findings, sources, gates: _ } = gather(source, dialect, origin, loader);
    // A variable may be kept by rules of a file that could not be read.
    let whole = findings.iter().all(|finding| finding.code != Code::RULE_INCLUDE);
    if whole {
        check_set(&set, &sources, plugin, &mut findings);
    }
    for rule in &mut set.rules {
        rule.settings = plugin.map(defaults).unwrap_or_default();
    }
    let own = source.path();
    findings.sort_by_key(|finding| (finding.path.as_ref() != Some(own), finding.path.clone(), finding.span));
    let broken = findings.iter().any(|finding| finding.severity == Severity::Error);
    if findings.len() > MAX_FINDINGS {
        let more = findings.len() - MAX_FINDINGS;
        let at = findings[MAX_FINDINGS].clone();
        findings.truncate(MAX_FINDINGS);
        findings.push(Finding {
            message: format!("{more} more findings from here on"),
            help: Some("mend the first ones, and check again".to_owned()),
            ..at
        });
    }
    Reading { value: (!broken).then_some(set), findings }
}

/// What a plugin's settings are until somebody sets them.
fn defaults(plugin: &Plugin) -> BTreeMap<String, serde_json::Value> {
    plugin.settings.iter().map(|setting| (setting.key.clone(), setting.default.clone())).collect()
}
