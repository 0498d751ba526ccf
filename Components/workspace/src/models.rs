//! Language models as the configuration names them.

use std::path::Path;
use std::sync::Arc;

use mentci_authority::Model;
use mentci_disk::read_optional;
use mentci_model::{Address, ApiKey, PROVIDERS, Provider, Script, ScriptedModel};
use mentci_source::{Code, Finding, Severity, Source, did_you_mean};

use crate::config::Config;
use crate::workspace::Workspace;

impl Workspace {
    /// The model of this name, else the one of the configuration: `provider/name`, a name of the configured provider, or
    /// `script:PATH`, where a path is relative to the workspace.
    ///
    /// # Errors
    /// - `E1101`: no model is named, or its provider is not known.
    /// - `E1102`: the variable of its key is not set.
    /// - `E1103`: its address is none.
    /// - `E1104`: the script does not read.
    /// - What is wrong in the configuration: a cap that does not read would be no cap.
    pub fn model(&self, name: Option<&str>) -> Result<Arc<dyn Model>, Finding> {
        let config = self.model_config()?;
        let named = name.or_else(|| config.text("model.name")).ok_or_else(unnamed)?;
        if let Some(path) = named.strip_prefix("script:") {
            let script = self.script(path)?;
            let retries = u32::try_from(config.count("model.retries", 4)).unwrap_or(u32::MAX);
            return Ok(Arc::new(ScriptedModel::new(script, retries)));
        }
        let _chosen = Chosen::new(&config, name)?;
        Err(unnamed())
    }

    /// Reads a script.
    ///
    /// # Errors
    /// `E1104`: there is no such file, or it does not read.
    pub fn script(&self, path: &str) -> Result<Script, Finding> {
        let missing = |words: String| Finding::new(Code::MODEL_SCRIPT, words).in_file(path);
        let absolute = self.root.join(Path::new(path));
        match read_optional(self.fs.as_ref(), &absolute) {
            Ok(Some(bytes)) => Script::read(&Source::decode(path, &bytes).value),
            Ok(None) => Err(missing(format!("there is no script `{path}`"))
                .help("a script's path is relative to the workspace, or absolute")),
            Err(error) => Err(error.finding(Code::MODEL_SCRIPT).in_file(path)),
        }
    }

    fn model_config(&self) -> Result<Config, Finding> {
        let mut inner = self.lock();
        self.reload(&mut inner);
        let wrong = inner.settings.findings.iter().find(|finding| finding.severity == Severity::Error);
        wrong.cloned().map_or_else(|| Ok(inner.settings.config.clone()), Err)
    }
}

/// Which model of which provider, where and with which key.
#[derive(Debug)]
struct Chosen {
    provider: &'static Provider,
    name: String,
    address: Address,
    /// The variable of the key; none where none is sent.
    key_env: Option<String>,
}

impl Chosen {
    /// From the configuration, and from a name that was given beside it.
    fn new(config: &Config, given: Option<&str>) -> Result<Self, Finding> {
        let configured = configured(config);
        let name = given.or_else(|| config.text("model.name")).ok_or_else(unnamed)?;
        let split = name.split_once('/').and_then(|(first, rest)| Some((Provider::find(first)?, rest)));
        // A configured name may hold a slash itself: `openai/gpt-oss-20b` is a model's whole name.
        let split = split.filter(|_| given.is_some() || configured.is_none());
        let (provider, name) = match (split, configured) {
            (Some((provider, rest)), _) => (provider, rest),
            (None, Some(provider)) => (provider, name),
            (None, None) => return Err(unknown_provider(name)),
        };
        if name.trim().is_empty() {
            return Err(unnamed());
        }
        // An address and a key belong to the provider that they were written for.
        let own = configured == Some(provider);
        let base_url = config.text("model.base_url").filter(|_| own);
        let key_env = config.text("model.key_env").filter(|_| own).map(str::to_owned);
        let address = address(provider, base_url)?;
        let usual =
            || base_url.is_none().then(|| provider.key_env.to_owned()).filter(|name| !name.is_empty());
        Ok(Self { provider, name: name.to_owned(), address, key_env: key_env.or_else(usual) })
    }
}

/// The provider of the configuration: `compatible` where only an address is written.
fn configured(config: &Config) -> Option<&'static Provider> {
    let named = Provider::find(config.choice("model.provider"));
    named.or_else(|| config.text("model.base_url").and_then(|_| Provider::find("compatible")))
}

fn address(provider: &Provider, base_url: Option<&str>) -> Result<Address, Finding> {
    let text = base_url.unwrap_or(provider.base_url);
    if text.is_empty() {
        return Err(Finding::new(
            Code::MODEL_ADDRESS,
            format!("`{}` has no address of its own", provider.name),
        )
        .help("set `model.base_url`, such as `http://127.0.0.1:8080/v1`"));
    }
    Address::read(text).ok_or_else(|| {
        // The text is not shown: what is wrong with it may be a password.
        Finding::new(Code::MODEL_ADDRESS, "`model.base_url` is no address of a provider")
            .help("it begins with `http://` or `https://` and holds no user, password, query or fragment")
    })
}

/// What is in the variable of the key.
fn key(name: Option<&str>, variable: Option<fn(&str) -> Option<String>>) -> Result<Option<ApiKey>, Finding> {
    let Some(name) = name else { return Ok(None) };
    let held = variable.and_then(|variable| variable(name)).ok_or_else(|| {
        Finding::new(Code::MODEL_KEY, format!("the variable `{name}` is not set"))
            .help(format!("`export {name}=…`, or name another variable with `model.key_env`"))
    })?;
    ApiKey::new(&held).map(Some).ok_or_else(|| {
        Finding::new(Code::MODEL_KEY, format!("the variable `{name}` holds no key"))
            .help("a key is one word of ASCII characters")
    })
}

fn unnamed() -> Finding {
    Finding::new(Code::MODEL_UNKNOWN, "no model is named").help(
        "say `--model provider/name` or `--model script:PATH`, or set `model.provider` and `model.name`",
    )
}

fn unknown_provider(name: &str) -> Finding {
    let first = name.split_once('/').map_or(name, |(first, _)| first);
    let names = PROVIDERS.iter().map(|provider| provider.name);
    let near = did_you_mean(first, names.clone()).filter(|_| name.contains('/'));
    let help = near.map_or_else(
        || format!("the providers are {}", names.collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    Finding::new(Code::MODEL_UNKNOWN, format!("nobody is known who serves `{name}`")).help(help)
}

#[cfg(test)]
mod tests {
    use mentci_model::PROVIDERS;

    use crate::config::{Key, Kind};

    #[test]
    fn the_key_takes_every_provider() {
        let names: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
        let Kind::Choice(takes) = Key::find("model.provider").unwrap().kind else { panic!("it takes names") };
        assert_eq!(takes, names);
    }
}
