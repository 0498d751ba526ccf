//! What is shipped with the program: the packs, and the built-in rules.

use mentci_authority::Trust;
use mentci_host::policy::RuleFile;
use mentci_source::Source;

macro_rules! packs {
    ($($name:literal),* $(,)?) => {
        /// Each pack: its name and its text.
        const PACKS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../Library/rules/", $name, ".yaml")))),*];
    };
}

macro_rules! rules {
    ($($name:literal),* $(,)?) => {
        /// Each file of built-in rules: its name and its text.
        const RULES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../Library/rules/builtin/", $name)))),*];
    };
}

packs!["core", "destructive", "git", "host", "injection", "packages", "production", "secrets"];

rules![
    "adaptive-authority.chatmd",
    "context-limit-warning.toml",
    "iteration-budget-warning.toml",
    "large-result-hint.toml",
    "repeated-failure-warning.toml",
    "token-budget-warning.toml",
];

/// Where findings cite what is shipped.
pub(crate) const FOLDER: &str = "builtin/";

/// The pack of the built-in rules.
pub(crate) const BUILTIN: &str = "builtin";

/// What is shipped, in the order in which it is asked.
pub(crate) fn builtin() -> impl Iterator<Item = RuleFile> {
    let packs = PACKS.iter().map(|(name, text)| file(name, &format!("{name}.yaml"), text));
    packs.chain(RULES.iter().map(|(name, text)| file(BUILTIN, name, text)))
}

/// Whether something that is shipped has this name.
pub(crate) fn is_shipped(pack: &str) -> bool {
    pack == BUILTIN || PACKS.iter().any(|(name, _)| *name == pack)
}

fn file(pack: &str, name: &str, text: &str) -> RuleFile {
    RuleFile {
        source: Source::new(&format!("{FOLDER}{name}"), text),
        pack: pack.into(),
        trust: Trust::Builtin,
        unread: None,
        left_out: None,
        plugin: None,
    }
}
