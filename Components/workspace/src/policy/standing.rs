//! What stands in for files of rules that do not read.

use std::path::Path;

use mentci_authority::{RuleSet, Trust};
use mentci_disk::{Fs, read_optional};
use mentci_host::policy::{RuleFile, Whole, closed};
use mentci_source::{Code, Finding, Source};

use super::good::GoodVersions;
use super::scripts::ScriptShelf;

/// What happens to a file that does not read: the key `policy.strict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    pub(super) strict: Strict,
    pub(super) scripts: &'s ScriptShelf,
}

impl Whole for Standing<'_> {
    fn keep(&mut self, file: &RuleFile, set: &RuleSet) {
        if let Some(good) = self.good.as_ref().filter(|_| file.trust != Trust::Builtin) {
            good.keep(file, set);
        }
    }

    fn stand_in(&mut self, file: &RuleFile) -> Option<(RuleSet, Finding)> {
        let good = self.good.as_ref()?;
        let path = file.source.path();
        let last = || good.last(path, file.trust).filter(|_| self.strict == Strict::LastGood);
        let (set, said) = match self.strict {
            Strict::Warn => return None,
            _ => match last() {
                Some(set) => (set, "its last good version stays in force"),
                None => (closed(path), "no good version of it is kept: calls are blocked until it reads"),
            },
        };
        let finding = Finding::new(Code::RULES_STAND_IN, said).in_file(path);
        Some((set, finding.help("mend the file; `policy-engine check` reads it again")))
    }

    fn include(&mut self, path: &str) -> Option<Source> {
        let bytes = read_optional(self.fs, &self.root.join(path)).ok()??;
        Some(Source::decode(path, &bytes).value)
    }

    fn check_script(&mut self, script: &Source) -> Option<Finding> {
        self.scripts.check(script)
    }
}
