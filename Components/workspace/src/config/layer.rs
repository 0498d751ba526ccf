//! One layer: what one file, the environment or the flags say.

use std::collections::BTreeMap;

use mentci_source::{Finding, Source, Span};

use super::Setting;

/// The layers, the weakest first; the managed one caps all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerName {
    /// What holds when nobody says otherwise.
    BuiltIn,
    /// The user's own file.
    User,
    /// `mentci.toml` in the workspace.
    Workspace,
    /// `MENTCI_*`.
    Environment,
    /// `--config KEY=VALUE`.
    Flags,
    /// The machine's administrator.
    Managed,
}

impl LayerName {
    /// `built-in`: the name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Workspace => "workspace",
            Self::Environment => "environment",
            Self::Flags => "flags",
            Self::Managed => "managed",
        }
    }
}

/// Where a setting is written.
#[derive(Debug, Clone)]
pub enum Place {
    /// In a file.
    File(Source, Span),
    /// In a variable or a flag of this name.
    Named(String),
}

/// The same place is the same file, variable or flag: where in a file a value stands says nothing about it.
impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.origin() == other.origin()
    }
}

impl Place {
    /// Sets a finding's place to it.
    pub(crate) fn mark(&self, finding: Finding) -> Finding {
        match self {
            Self::File(source, span) => finding.at(source, *span),
            Self::Named(name) => finding.in_file(name),
        }
    }

    /// The file or the variable.
    pub(crate) fn origin(&self) -> String {
        match self {
            Self::File(source, _) => source.path().to_string(),
            Self::Named(name) => name.clone(),
        }
    }
}

/// What one layer says, and what was odd in it.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    /// Setting by key.
    pub settings: BTreeMap<&'static str, (Setting, Place)>,
    /// What was odd.
    pub findings: Vec<Finding>,
}
