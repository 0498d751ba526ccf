//! Language models as the configuration names them.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mentci_authority::Model;
use mentci_disk::read_optional;
use mentci_model::{
    Address, ApiKey, Caps, HttpModel, HttpOptions, PROVIDERS, Parallel, Provider, Purse, Script,
    ScriptedModel, Spending, Timeouts, TimerPause,
};
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
        self.model_of(&config, name, retries(&config)).map(|(model, _)| model)
    }

    /// The model, and where it answers; none for a script.
    pub(crate) fn model_of(
        &self,
        config: &Config,
        name: Option<&str>,
        retries: u32,
    ) -> Result<(Arc<dyn Model>, Option<Address>), Finding> {
        let caps = caps(config).map_err(|finding| config.mark("model.cap_cost", finding))?;
        let purse = Purse::new(caps, self.asked.spending.clone());
        // What is wrong with a name that was given stands where its giver knows.
        let at_name = |finding| if name.is_none() { config.mark("model.name", finding) } else { finding };
        let named = name.or_else(|| config.text("model.name")).ok_or_else(unnamed)?;
        let (model, address): (Arc<dyn Model>, _) = if let Some(path) = named.strip_prefix("script:") {
            let script = self.script(path).map_err(at_name)?;
            (Arc::new(ScriptedModel::new(script, retries).paid_from(purse)), None)
        } else {
            let chosen = Chosen::named(config, name).map_err(at_name)?;
            let address = chosen.address.clone();
            (Arc::new(self.http_model(config, chosen, retries, purse)?), Some(address))
        };
        Ok((model, address))
    }

    /// The provider of this name, else the configured one, to be asked for its models.
    pub(crate) fn provider(&self, name: Option<&str>) -> Result<(HttpModel, &'static Provider), Finding> {
        let config = self.model_config()?;
        let provider = match name {
            Some(name) => Provider::find(name).ok_or_else(|| unknown_provider(name))?,
            None => configured(&config).or_else(|| named_provider(&config)).ok_or_else(unnamed)?,
        };
        let chosen = Chosen::of(&config, provider, "")?;
        Ok((self.http_model(&config, chosen, 0, Purse::default())?, provider))
    }

    /// A model over HTTP.
    fn http_model(
        &self,
        config: &Config,
        chosen: Chosen,
        retries: u32,
        purse: Purse,
    ) -> Result<HttpModel, Finding> {
        let key = key(chosen.key_env.as_deref(), self.around.variable)?;
        let seconds = |key, otherwise| Duration::from_secs(config.count(key, otherwise));
        let options = HttpOptions {
            provider: chosen.provider,
            model: chosen.name,
            address: chosen.address,
            key,
            stream: config.choice("model.stream") != "off",
            max_tokens: config.number("model.max_tokens").map(|most| most as u64),
            retries,
            timeouts: Timeouts {
                connect: seconds("model.connect_seconds", 10),
                first: seconds("model.first_seconds", 180),
                idle: seconds("model.idle_seconds", 90),
                total: seconds("model.total_seconds", 1_800),
            },
            pause: Arc::new(TimerPause),
            seed: self.clock.micros() ^ u64::from(std::process::id()),
            purse,
            parallel: self.asked.parallel(config.number("model.max_parallel").unwrap_or(4)),
        };
        HttpModel::new(options).map_err(|failure| Finding::new(Code::MODEL_FAILED, failure.message))
    }

    /// Reads a script.
    ///
    /// # Errors
    /// `E1104`: there is no such file, or it does not read.
    pub fn script(&self, path: &str) -> Result<Script, Finding> {
        let missing = |words: String| Finding::new(Code::MODEL_SCRIPT, words);
        let absolute = self.root.join(Path::new(path));
        match read_optional(self.fs.as_ref(), &absolute) {
            Ok(Some(bytes)) => Script::read(&Source::decode(path, &bytes).value),
            Ok(None) => Err(missing(format!("there is no script `{path}`"))
                .help("a script's path is relative to the workspace, or absolute")),
            Err(error) => Err(error.finding(Code::MODEL_SCRIPT).help("a script is a file of answers")),
        }
    }

    pub(crate) fn model_config(&self) -> Result<Config, Finding> {
        let mut inner = self.lock();
        self.reload(&mut inner);
        let wrong = inner.settings.findings.iter().find(|finding| finding.severity == Severity::Error);
        wrong.cloned().map_or_else(|| Ok(inner.settings.config.clone()), Err)
    }
}

/// What all models of a run share.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    spending: Arc<Spending>,
    parallel: OnceLock<Arc<Parallel>>,
}

impl Asked {
    /// As many requests at a time as were allowed when the first model was made.
    fn parallel(&self, most: usize) -> Arc<Parallel> {
        self.parallel.get_or_init(|| Arc::new(Parallel::new(most))).clone()
    }
}

pub(crate) fn retries(config: &Config) -> u32 {
    u32::try_from(config.count("model.retries", 4)).unwrap_or(u32::MAX)
}

/// The caps of the configuration: money needs prices.
fn caps(config: &Config) -> Result<Caps, Finding> {
    let (input, output) = (config.amount("model.price_input"), config.amount("model.price_output"));
    let cost = config.amount("model.cap_cost");
    if cost.is_some() && (input.is_none() || output.is_none()) {
        let finding = Finding::new(Code::CONFIG_VALUE, "`model.cap_cost` caps nothing without prices");
        return Err(
            finding.help("set `model.price_input` and `model.price_output`: what a million tokens cost")
        );
    }
    let tokens = config.number("model.cap_tokens").map(|most| most as u64);
    Ok(Caps { tokens, cost, price_input: input.unwrap_or(0.0), price_output: output.unwrap_or(0.0) })
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
    fn named(config: &Config, given: Option<&str>) -> Result<Self, Finding> {
        let configured = configured(config);
        let name = given.or_else(|| config.text("model.name")).ok_or_else(unnamed)?;
        // A configured name may hold a slash itself: `openai/gpt-oss-20b` is a model's whole name.
        let split = split(name).filter(|_| given.is_some() || configured.is_none());
        let (provider, name) = match (split, configured) {
            (Some(split), _) => split,
            (None, Some(provider)) => (provider, name),
            (None, None) => return Err(unknown_provider(name)),
        };
        if name.trim().is_empty() {
            return Err(unnamed());
        }
        Self::of(config, provider, name)
    }

    /// A model of this provider. An address and a key belong to the provider that they were written for: another one is reached
    /// at its own address, with its own key.
    fn of(config: &Config, provider: &'static Provider, name: &str) -> Result<Self, Finding> {
        let own = configured(config).or_else(|| named_provider(config)) == Some(provider);
        let base_url = config.text("model.base_url").filter(|_| own);
        let key_env = config.text("model.key_env").filter(|_| own).map(str::to_owned);
        let elsewhere = config.text("model.base_url").filter(|_| !own).and_then(|_| configured(config));
        let address = address(provider, base_url, elsewhere).map_err(|finding| {
            let key = if base_url.is_some() { "model.base_url" } else { "model.provider" };
            config.mark(key, finding)
        })?;
        let usual =
            || base_url.is_none().then(|| provider.key_env.to_owned()).filter(|name| !name.is_empty());
        Ok(Self { provider, name: name.to_owned(), address, key_env: key_env.or_else(usual) })
    }
}

/// `openai/gpt` where `openai` is a provider.
fn split(name: &str) -> Option<(&'static Provider, &str)> {
    let (first, rest) = name.split_once('/')?;
    Some((Provider::find(first)?, rest))
}

/// The provider in the configured name.
fn named_provider(config: &Config) -> Option<&'static Provider> {
    split(config.text("model.name")?).map(|(provider, _)| provider)
}

/// The provider of the configuration: `compatible` where only an address is written.
fn configured(config: &Config) -> Option<&'static Provider> {
    let named = Provider::find(config.choice("model.provider"));
    named.or_else(|| config.text("model.base_url").and_then(|_| Provider::find("compatible")))
}

fn address(
    provider: &Provider,
    base_url: Option<&str>,
    elsewhere: Option<&Provider>,
) -> Result<Address, Finding> {
    let text = base_url.unwrap_or(provider.base_url);
    if text.is_empty() {
        return Err(Finding::new(
            Code::MODEL_ADDRESS,
            format!("`{}` has no address of its own", provider.name),
        )
        .help(match elsewhere {
            Some(other) => format!(
                "`model.base_url` is the address of `{}`: set `model.provider = \"{}\"` beside it",
                other.name, provider.name
            ),
            None => format!(
                "set `model.base_url`, such as `http://127.0.0.1:8080/v1`, and `model.provider = \"{}\"`",
                provider.name
            ),
        }));
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
