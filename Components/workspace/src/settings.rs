//! What is in force besides the sources: configuration and consent, as they stand now.

use std::path::{Path, PathBuf};

use mentci_disk::{Fs, read_optional};
use mentci_source::{Code, Finding, Hash, Severity, Source};

use crate::config::{Config, Layer, LayerName};
use crate::consent::{Consent, ConsentFile};
use crate::layout::CONFIG;

/// What lies around a workspace; the binary fills it in from the environment and the flags.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The user's own configuration: `$XDG_CONFIG_HOME/mentci/config.toml`.
    pub user_config: Option<PathBuf>,
    /// The administrator's: `/etc/mentci/managed.toml`.
    pub managed_config: Option<PathBuf>,
    /// The user's state: `$XDG_STATE_HOME/mentci`. Without it nothing is ever trusted.
    pub state: Option<PathBuf>,
    /// The `MENTCI_*` variables.
    pub environment: Vec<(String, String)>,
    /// Files and folders of rules that stand instead of the user's and the workspace's own.
    pub rules: Vec<String>,
    /// The name of the user whose system runs it.
    pub user: Option<String>,
    /// `KEY=VALUE` flags.
    pub flags: Vec<String>,
    /// What another variable of the environment holds: asked for the key of the provider that is used, and for
    /// `PATH` where programs are looked for.
    pub variable: Option<fn(&str) -> Option<String>>,
}

/// What is in force.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) config: Config,
    pub(crate) consent: Consent,
    /// Names what of policy the user trusts.
    pub(crate) vouched: Option<Hash>,
    pub(crate) findings: Vec<Finding>,
    /// The hash of `mentci.toml`, when there is one.
    pub(crate) file: Option<Hash>,
    pub(crate) trusted: bool,
    /// What `mentci.toml` said when it was last read without an error.
    kept: Option<Kept>,
}

/// A file that was read without an error.
#[derive(Debug, Clone)]
struct Kept {
    layer: Layer,
    file: Hash,
}

impl Settings {
    /// Reads all layers. Never fails: what cannot be read is a finding. Where `mentci.toml` cannot be read, half-written perhaps, or
    /// has an error, it says what it said `before`, and else as much as can be read.
    pub(crate) fn load(
        fs: &dyn Fs,
        root: &Path,
        around: &Surroundings,
        consent: &ConsentFile,
        before: Option<&Self>,
    ) -> Self {
        let mut findings = Vec::new();
        let consent = consent.load(fs).take(&mut findings);
        let seen = findings.len();
        let own = read(fs, &root.join(CONFIG), CONFIG, &mut findings);
        let file = own.as_ref().map(Source::hash);
        let own = own.map(|source| Kept { file: source.hash(), layer: Layer::from_toml(&source) });
        let is_wrong =
            is_error(&findings[seen..]) || own.as_ref().is_some_and(|own| is_error(&own.layer.findings));
        let kept = if is_wrong { before.and_then(|before| before.kept.clone()) } else { own.clone() };
        let own = match (own, &kept) {
            (Some(own), Some(kept)) if is_wrong => Some(kept.with(own.layer.findings)),
            (None, Some(kept)) => Some(kept.clone()),
            (own, _) => own,
        };
        let trusted = own.as_ref().is_none_or(|own| consent.config == Some(own.file));
        let mut layers = vec![
            (LayerName::Environment, Layer::from_environment(pairs(&around.environment))),
            (LayerName::Flags, Layer::from_flags(around.flags.iter().map(String::as_str))),
        ];
        layers.extend(own.map(|own| (LayerName::Workspace, own.layer)));
        for (name, path) in
            [(LayerName::User, &around.user_config), (LayerName::Managed, &around.managed_config)]
        {
            let source =
                path.as_ref().and_then(|path| read(fs, path, &path.to_string_lossy(), &mut findings));
            layers.extend(source.map(|source| (name, Layer::from_toml(&source))));
        }
        let config = Config::resolve(layers, trusted).take(&mut findings);
        let vouched = consent.policy_hash();
        Self { config, consent, vouched, findings, file, trusted, kept }
    }

    /// Whether the configuration is wrong somewhere: then verbs that write refuse.
    pub(crate) fn is_wrong(&self) -> bool {
        is_error(&self.findings)
    }

    /// What becomes of the digests while the configuration is wrong; none while it is right.
    pub(crate) fn standstill(&self) -> Option<Finding> {
        let finding =
            || Finding::new(Code::NOT_PUBLISHED, "the digests stand still, as they were published last");
        self.is_wrong()
            .then(finding)
            .map(|finding| finding.help("they move again when the configuration is right"))
    }

    /// Names all that a compile takes from here.
    pub(crate) fn hash(&self) -> Hash {
        let config = serde_json::to_vec(&self.config.answer().values).unwrap_or_default();
        let consent = serde_json::to_vec(&self.consent).unwrap_or_default();
        Hash::of(
            "mentci settings 1",
            [config.as_slice(), consent.as_slice(), env!("CARGO_PKG_VERSION").as_bytes()],
        )
    }
}

impl Kept {
    /// The same values, with what is wrong now.
    fn with(&self, findings: Vec<Finding>) -> Self {
        Self { layer: Layer { findings, ..self.layer.clone() }, file: self.file }
    }
}

fn is_error(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

fn pairs(variables: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
}

fn read(fs: &dyn Fs, path: &Path, shown: &str, findings: &mut Vec<Finding>) -> Option<Source> {
    match read_optional(fs, path) {
        Ok(bytes) => bytes.map(|bytes| Source::decode(shown, &bytes).take(findings)),
        Err(error) => {
            let finding = error.finding(Code::UNREADABLE).in_file(shown);
            findings.push(finding.help("nothing of this configuration holds until it can be read"));
            None
        }
    }
}
