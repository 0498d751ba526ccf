//! What holds in the end.

use std::collections::BTreeMap;

use mentci_host::{ConfigAnswer, ConfigRow, InjectMode};
use mentci_pdp::NotifyOptions;
use mentci_source::Finding;

use super::{KEYS, LayerName, Place, Setting};

/// One value and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Effective {
    /// The value.
    pub setting: Setting,
    /// The layer that gave it.
    pub layer: LayerName,
    /// Where it is written; none for what holds when nobody says otherwise.
    pub place: Option<Place>,
}

/// The effective configuration: a value for every key of [`KEYS`].
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    values: BTreeMap<&'static str, Effective>,
}

impl Config {
    pub(super) fn new(values: BTreeMap<&'static str, Effective>) -> Self {
        Self { values }
    }

    /// One value; `None` for a key that is not in [`KEYS`].
    pub fn get(&self, key: &str) -> Option<&Effective> {
        self.values.get(key)
    }

    /// `digest.tokens`.
    pub fn tokens(&self) -> usize {
        self.number("digest.tokens").unwrap_or(1_500)
    }

    /// `digest.max_chars`.
    pub fn max_chars(&self) -> usize {
        self.number("digest.max_chars").unwrap_or(9_500)
    }

    /// `digest.skill_tokens`; none: no bound.
    pub fn skill_tokens(&self) -> Option<usize> {
        self.number("digest.skill_tokens")
    }

    /// `digest.schema_share`.
    pub fn schema_share(&self) -> f64 {
        self.share("digest.schema_share")
    }

    /// `lessons.share`.
    pub fn lessons_share(&self) -> f64 {
        self.share("lessons.share")
    }

    /// `lessons.promote = "auto"`.
    pub fn promotes(&self) -> bool {
        self.choice("lessons.promote") == "auto"
    }

    /// `lessons.promote_sessions`.
    pub fn promote_sessions(&self) -> usize {
        self.number("lessons.promote_sessions").unwrap_or(2)
    }

    /// `inject.mode`.
    pub fn inject_mode(&self) -> InjectMode {
        if self.choice("inject.mode") == "full-every-turn" {
            InjectMode::FullEveryTurn
        } else {
            InjectMode::SystemPrompt
        }
    }

    /// `notify.dedupe`, `notify.expires` and `notify.batch`.
    pub fn notify(&self) -> NotifyOptions {
        let default = NotifyOptions::default();
        let ms = |key, default| self.number(key).map_or(default, |seconds| seconds as u64 * 1_000);
        NotifyOptions {
            dedupe_ms: ms("notify.dedupe", default.dedupe_ms),
            expires_ms: ms("notify.expires", default.expires_ms),
            batch: self.number("notify.batch").unwrap_or(default.batch),
        }
    }

    /// `watch.debounce_ms`.
    pub fn debounce_ms(&self) -> u64 {
        self.number("watch.debounce_ms").map_or(40, |ms| ms as u64)
    }

    /// `watch.poll = "always"`.
    pub fn always_polls(&self) -> bool {
        self.choice("watch.poll") == "always"
    }

    /// `sources.skills` and its kin.
    pub fn globs(&self, key: &str) -> &[String] {
        match self.values.get(key).map(|value| &value.setting) {
            Some(Setting::Globs(globs)) => globs,
            _ => &[],
        }
    }

    /// As the answer of `config`.
    pub fn answer(&self) -> ConfigAnswer {
        let row = |key: &'static super::Key| {
            self.values.get(key.name).map(|value| ConfigRow {
                key: key.name,
                value: value.setting.to_json(),
                layer: value.layer.name(),
                origin: value.place.as_ref().map(Place::origin),
                about: key.about,
            })
        };
        ConfigAnswer { values: KEYS.iter().filter_map(row).collect() }
    }

    /// Sets the place of what is wrong with the value of a key to where that is written; one that has a line keeps it.
    pub(crate) fn mark(&self, key: &str, finding: Finding) -> Finding {
        match self.values.get(key).and_then(|value| value.place.as_ref()) {
            Some(place) if finding.line.is_none() => place.mark(finding),
            _ => finding,
        }
    }

    /// The number of a key, or another where nothing is set.
    pub(crate) fn count(&self, key: &str, otherwise: u64) -> u64 {
        self.number(key).map_or(otherwise, |number| number as u64)
    }

    /// The lines of a key of texts.
    pub(crate) fn texts(&self, key: &str) -> &[String] {
        match self.values.get(key).map(|value| &value.setting) {
            Some(Setting::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The line of a key of one text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.values.get(key).map(|value| &value.setting) {
            Some(Setting::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The names of a key of lists of names.
    pub(crate) fn names(&self, key: &str) -> &[&'static str] {
        match self.values.get(key).map(|value| &value.setting) {
            Some(Setting::Names(names)) => names,
            _ => &[],
        }
    }

    /// The number of a key; none where nothing is set.
    pub(crate) fn number(&self, key: &str) -> Option<usize> {
        match self.values.get(key)?.setting {
            Setting::Number(number) => usize::try_from(number).ok(),
            _ => None,
        }
    }

    fn share(&self, key: &str) -> f64 {
        self.amount(key).unwrap_or(0.0)
    }

    /// The share or the amount of a key; none where nothing is set.
    pub(crate) fn amount(&self, key: &str) -> Option<f64> {
        match self.values.get(key)?.setting {
            Setting::Share(share) => Some(share),
            _ => None,
        }
    }

    /// The name that a key of choices has; empty for other keys.
    pub(crate) fn choice(&self, key: &str) -> &'static str {
        match self.values.get(key).map(|value| &value.setting) {
            Some(Setting::Choice(name)) => name,
            _ => "",
        }
    }
}
