//! What a pack says of where it comes from: everything that changes what the program is.

use std::collections::BTreeMap;
use std::sync::Arc;

use mentci_authority::PluginSetting;
use mentci_source::{Code, Finding, Hash, Severity, Span};
use serde::{Deserialize, Serialize};

use super::ingredient::Ingredient;
use super::standing::Strict;

/// The sources of this program: one of other sources may make another program out of the same rules.
pub(crate) const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("MENTCI_BUILD"));

/// What may be set of plugins, by plugin.
pub(super) type PluginSettings = BTreeMap<String, Vec<PluginSetting>>;

/// What a pack was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Label {
    /// The program that made it.
    pub(super) build: String,
    /// What was asked for.
    pub(super) asked: Asked,
    /// Names what the user vouched for; none where the rules are not the workspace's own.
    pub(super) vouched: Option<Hash>,
    /// The files in the folders of rules, or those that were named.
    pub(super) rules: Vec<Ingredient>,
    /// What they include and what their rules ask.
    pub(super) included: Vec<Ingredient>,
    /// How many rules there are.
    pub(super) count: usize,
    /// The settings of the plugins whose rules are in force, by plugin.
    #[serde(default)]
    pub(super) settings: PluginSettings,
    /// What was odd in the files: it is said as often as they decide.
    pub(super) findings: Vec<Kept>,
}

/// What somebody who decides asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The paths; none for the workspace's own rules.
    pub(super) paths: Vec<String>,
    /// What the configuration adds to the rules, in words.
    pub(super) options: String,
    pub(super) strict: Strict,
    /// Whether the shipped packs take part, beside the core.
    pub(super) packs: bool,
    /// The plugins that are switched off.
    pub(super) plugins_off: Vec<String>,
}

/// A finding, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    code: String,
    severity: u8,
    message: String,
    help: Option<String>,
    path: Option<Arc<str>>,
    line: Option<u32>,
    column: Option<u32>,
    span: Option<(u32, u32)>,
}

impl Label {
    /// The findings; none where one of them is not known to this program.
    pub(super) fn findings(&self) -> Option<Vec<Finding>> {
        self.findings.iter().map(Kept::finding).collect()
    }
}

impl Kept {
    pub(super) fn new(finding: &Finding) -> Self {
        Self {
            code: finding.code.id().to_owned(),
            severity: finding.severity as u8,
            message: finding.message.clone(),
            help: finding.help.clone(),
            path: finding.path.clone(),
            line: finding.line,
            column: finding.column,
            span: finding.span.map(|span| (span.start, span.end)),
        }
    }

    fn finding(&self) -> Option<Finding> {
        let severity =
            [Severity::Note, Severity::Warning, Severity::Error].get(usize::from(self.severity))?;
        let Self { message, help, path, line, column, span, .. } = self.clone();
        let (code, severity) = (Code::find(&self.code)?, *severity);
        let span = span.map(|(start, end)| Span { start, end });
        Some(Finding { code, severity, message, help, path, line, column, span })
    }
}
