//! What the user vouched for, file by file: a rule, a script or a manifest counts in full only as it stood when the user
//! trusted it. A file that appears or changes takes nothing from the others.

use std::collections::BTreeMap;

use mentci_authority::Trust;
use mentci_source::{Code, Finding, Hash, Source};

use super::files::{Found, RULES, beside_rules, lies_in};
use super::plugins::PLUGINS;
use crate::consent::Consent;
use crate::workspace::Workspace;

/// The workspace's files of rules and of plugins that the user trusts, by path, with what they held then.
#[derive(Debug, Clone, Default)]
pub(super) struct Vouched {
    files: BTreeMap<String, Hash>,
}

impl Vouched {
    /// Who vouches for what a file of the workspace says now.
    pub(super) fn trust(&self, source: &Source) -> Trust {
        let is_vouched = self.files.get(&**source.path()) == Some(&source.hash());
        if is_vouched { Trust::Workspace } else { Trust::Untrusted }
    }

    /// Whether a file may count in full. What lies outside these folders is vouched for by whoever names it.
    pub(super) fn covers(&self, source: &Source) -> bool {
        let is_own = [RULES, PLUGINS].iter().any(|folder| lies_in(source.path(), folder));
        !is_own || self.trust(source) > Trust::Untrusted
    }

    /// What a file held when the user trusted it.
    pub(super) fn hash_of(&self, path: &str) -> Option<Hash> {
        self.files.get(path).copied()
    }
}

impl Workspace {
    /// What the user vouched for, with what is odd about the record of it.
    pub(super) fn vouched(&self) -> (Vouched, Option<Finding>) {
        let Consent { policy, files, .. } = self.lock().settings.consent.clone();
        let Some(all) = policy.filter(|_| files.is_empty()) else { return (Vouched { files }, None) };
        let own = self.workspace_files();
        if rules_hash(&own) == Some(all) {
            return (Vouched { files: hashes(&own).collect() }, None);
        }
        let message =
            "trust in this workspace's rules was given by an earlier version, and a file changed since";
        let finding = Finding::new(Code::CONFIG_UNTRUSTED, message);
        let help = "read the rules, then run `policy-engine trust`: from then on a change takes the trust of its file alone";
        (Vouched::default(), Some(finding.help(help).in_file(RULES)))
    }

    /// Everything that trust in the workspace's rules covers, as it stands now.
    pub(crate) fn policy_files(&self) -> BTreeMap<String, Hash> {
        hashes(&self.workspace_files()).collect()
    }

    /// The workspace's files of rules and plugins for which the user did not vouch as they stand.
    pub(crate) fn unvouched(&self) -> Vec<String> {
        let (vouched, _) = self.vouched();
        let own = self.workspace_files();
        let odd = hashes(&own).filter(|(path, hash)| vouched.hash_of(path) != Some(*hash));
        odd.map(|(path, _)| path).collect()
    }

    /// The hash of the workspace's rules and plugins as they stand; none where there are none.
    pub(crate) fn policy_hash(&self) -> Option<Hash> {
        rules_hash(&self.workspace_files())
    }

    /// The folders that trust in the workspace's rules covers.
    pub(crate) fn policy_folders(&self) -> &'static str {
        let (has_rules, plugins) = (!self.workspace_files().files.is_empty(), self.plugin_hashes());
        match (has_rules, plugins.is_empty()) {
            (true, false) => ".pi/rules and .pi/plugins",
            (false, false) => PLUGINS,
            _ => RULES,
        }
    }

    /// The workspace's own files of rules, nobody having vouched for them yet, with the hashes of all else that trust covers.
    pub(super) fn workspace_files(&self) -> Found {
        let mut own = Found::default();
        own.folder_within(self.fs.as_ref(), &self.root, RULES, Trust::Untrusted);
        own.hashes = self.plugin_hashes();
        own.hashes.extend(beside_rules(self.fs.as_ref(), &self.root, RULES));
        own
    }
}

fn hashes(found: &Found) -> impl Iterator<Item = (String, Hash)> {
    let rules = found.files.iter().map(|file| (file.source.path().to_string(), file.source.hash()));
    rules.chain(found.hashes.iter().cloned())
}

/// The hash of files of rules and plugins with their paths; none where there are none.
fn rules_hash(found: &Found) -> Option<Hash> {
    let hashes: Vec<(String, Hash)> = hashes(found).collect();
    let parts = hashes.iter().flat_map(|(path, hash)| [path.as_bytes(), hash.as_bytes().as_slice()]);
    (!hashes.is_empty()).then(|| Hash::of("mentci rules v1", parts))
}
