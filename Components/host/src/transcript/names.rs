//! The names of rules, as transcripts write them.

use std::collections::BTreeMap;

use mentci_authority::{Effect, Hook};
use mentci_pdp::Program;

/// The names under which a transcript tells rules: the document's own by their ids, others by their full names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleNames {
    pack: String,
    rules: BTreeMap<String, Known>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    full: String,
    hook: Hook,
    taints: Vec<String>,
    blocks: bool,
}

impl RuleNames {
    /// The names of a document whose rules nobody has read: its pack is its file's name.
    pub fn unread(path: &str) -> Self {
        let pack = path.rsplit('/').next().unwrap_or(path);
        Self { pack: pack.to_owned(), rules: BTreeMap::new() }
    }

    /// The names of a document whose rules take part in a program: see [`Program::told_from`].
    pub fn of(path: &str, program: &Program) -> Self {
        let known = (0..).zip(program.rules()).filter_map(|(index, rule)| {
            let (told, full) = (program.told(index)?.to_owned(), program.full_name(index)?.to_owned());
            let blocks = rule.effect == Some(Effect::Block);
            Some((told, Known { full, hook: rule.hook, taints: rule.taints.clone(), blocks }))
        });
        Self { rules: known.collect(), ..Self::unread(path) }
    }

    /// `pack/id`: a name with a bar that is none of the document's own is a full one.
    pub fn full(&self, told: &str) -> String {
        match self.rules.get(told) {
            Some(known) => known.full.clone(),
            None if told.contains('/') => told.to_owned(),
            None => format!("{}/{told}", self.pack),
        }
    }

    /// What a transcript calls the rule of this full name.
    pub fn told<'n>(&'n self, full: &'n str) -> &'n str {
        self.rules.iter().find(|(_, known)| known.full == full).map_or(full, |(told, _)| told)
    }

    /// The hook at which the rule is asked, when it is known.
    pub(super) fn hook(&self, told: &str) -> Option<Hook> {
        self.rules.get(told).map(|known| known.hook)
    }

    /// Whether it refuses calls itself: what it taints by is about the attempt.
    pub(super) fn blocks(&self, told: &str) -> bool {
        self.rules.get(told).is_some_and(|known| known.blocks)
    }

    /// By what it taints the session when it fires.
    pub(super) fn taints(&self, told: &str) -> &[String] {
        self.rules.get(told).map_or(&[], |known| &known.taints)
    }
}
