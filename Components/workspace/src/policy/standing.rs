//! What stands in for files of rules that do not read.

use std::path::Path;

use mentci_authority::{Hook, RuleSet, Trust};
use mentci_disk::{Fs, read_optional};
use mentci_host::policy::{Gates, RuleFile, Whole, Zones, closed, file_gates};
use mentci_source::{Code, Finding, Source};
use serde::{Deserialize, Serialize};

use super::files::{RULES, leaves, lies_in};
use super::good::GoodVersions;
use super::ingredient::{Ingredient, stamp};
use super::outside::World;
use super::plugins::PLUGINS;
use super::scripts::ScriptShelf;
use super::templates::TemplateShelf;
use super::vouched::Vouched;

/// What happens to a file that does not read: the key `policy.strict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Strict {
    /// Its gates are closed.
    Block,
    /// Its last good version stays; without one its gates are closed.
    LastGood,
    /// It is left out.
    Warn,
}

/// What stands in for files that do not read.
pub(super) struct Standing<'s> {
    pub(super) fs: &'s dyn Fs,
    pub(super) root: &'s Path,
    /// None where rules are tried out: then nothing is kept and nothing stands in.
    pub(super) good: Option<GoodVersions<'s>>,
    /// What counts in full; everything where rules are tried out.
    pub(super) vouched: Option<&'s Vouched>,
    pub(super) strict: Strict,
    /// What was included, and looked for in vain.
    pub(super) included: Vec<Ingredient>,
    /// The file system's own time, from before anything was read.
    pub(super) now: i64,
    pub(super) scripts: &'s ScriptShelf,
    pub(super) templates: &'s TemplateShelf,
}

impl Whole for Standing<'_> {
    fn keep(&mut self, file: &RuleFile, set: &RuleSet) {
        if let Some(good) = self.good.as_ref().filter(|_| file.trust != Trust::Builtin) {
            good.keep(&file.source, file.trust, set);
        }
    }

    /// What the same text said when its scripts could run is worth more.
    fn keep_unasked(&mut self, file: &RuleFile, set: &RuleSet) {
        if self.good.as_ref().is_some_and(|good| !good.holds(&file.source, file.trust)) {
            self.keep(file, set);
        }
    }

    fn stand_in(&mut self, file: &RuleFile) -> Option<(RuleSet, Finding)> {
        let good = self.good.as_ref().filter(|_| self.strict != Strict::Warn)?;
        let path = file.source.path();
        let last = good
            .last_rules(file, self.vouched)
            .filter(|_| self.strict == Strict::LastGood && file.left_out.is_none());
        let (set, said) = if let Some(set) = last {
            (set, "its last good version stays in force".to_owned())
        } else {
            let gates = file_gates(file, &mut |path| self.include(path));
            (closed(path, &gates), closing(&gates))
        };
        let finding = Finding::new(Code::RULES_STAND_IN, said).in_file(path);
        Some((set, finding.help("mend the file; `policy-engine check` reads it again")))
    }

    fn vouches(&mut self, source: &Source) -> bool {
        self.vouched.is_none_or(|vouched| vouched.covers(source))
    }

    fn knows_zone(&mut self, zone: &str) -> bool {
        World.offset_seconds(zone, 0).is_some()
    }

    fn include(&mut self, path: &str) -> Option<Source> {
        // What the user trusts are these folders: what is in force may not reach beyond them.
        let trusted =
            Path::new(path).is_absolute() || [RULES, PLUGINS].iter().any(|folder| lies_in(path, folder));
        if self.good.is_some() && self.vouched.is_some() && !trusted {
            return None;
        }
        let absolute = self.root.join(path);
        // A cloned repository may bring links to files of its user.
        if !Path::new(path).is_absolute() && leaves(self.fs, self.root, &absolute) {
            return None;
        }
        self.included.push(Ingredient::new(self.fs, &absolute, stamp(self.fs, &absolute), self.now));
        let bytes = read_optional(self.fs, &absolute).ok()??;
        let reading = Source::decode(path, &bytes);
        // What a rule or a script says must be certain.
        let certain = reading.findings.iter().all(|finding| finding.code != Code::NOT_UTF8);
        certain.then_some(reading.value)
    }

    fn check_script(&mut self, script: &Source, hook: Hook) -> Option<Finding> {
        self.scripts.check(script, hook)
    }

    fn check_template(&mut self, template: &str) -> Option<String> {
        self.templates.check(template)
    }

    fn template_names(&mut self, template: &str) -> Vec<String> {
        self.templates.names(template)
    }
}

/// What is closed, for whoever mends the file.
pub(super) fn closing(gates: &Gates) -> String {
    let named: Vec<String> =
        gates.named.iter().map(|gate| format!("`{}` of `{}`", gate.hook.name(), gate.tools)).collect();
    match named.as_slice() {
        _ if gates.unread => "no good version of it is kept: calls are blocked until it reads".to_owned(),
        [] => "no good version of it is kept, and nothing in it closes a gate: it is left out".to_owned(),
        named => format!("no good version of it is kept: closed until it reads is {}", named.join(", ")),
    }
}
