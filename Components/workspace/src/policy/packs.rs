//! The packs that are shipped with the program.

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

packs!["core", "destructive", "git", "host", "injection", "packages", "production", "secrets"];

/// Where findings cite what is shipped.
pub(crate) const FOLDER: &str = "builtin/";

/// The shipped packs, in the order in which they are asked.
pub(crate) fn builtin() -> impl Iterator<Item = RuleFile> {
    PACKS.iter().map(|(name, text)| RuleFile {
        source: Source::new(&format!("{FOLDER}{name}.yaml"), text),
        pack: (*name).into(),
        trust: Trust::Builtin,
        unread: None,
    })
}
