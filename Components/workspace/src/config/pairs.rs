//! Layers of text: the environment's variables and the flags' `KEY=VALUE`.

use mentci_source::{Code, Finding, did_you_mean};

use super::{KEYS, Key, Kind, Layer, Place, Setting};

/// What is named as a setting is and belongs to somebody else: the extensions of harnesses.
const FOREIGN: &[&str] = &["MENTCI_POLICY_ENGINE"];

/// Variables of standards, each with the key that it sets.
const STANDARD: &[(&str, &str)] = &[("OTEL_EXPORTER_OTLP_ENDPOINT", "telemetry.endpoint")];

impl Layer {
    /// Reads `MENTCI_*` variables, and those of other standards that say the same. Lists are separated by commas.
    pub fn from_environment<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut layer = Self::default();
        let variables: Vec<_> = variables.into_iter().collect();
        // Our own name stands over the standard's.
        for (standard, key) in STANDARD {
            let told = variables.iter().filter(|(name, value)| name == standard && !value.trim().is_empty());
            for ((_, value), key) in told.zip(Key::find(key)) {
                layer.set_text(key, value, Place::Named((*standard).to_owned()));
            }
        }
        for (name, value) in variables {
            match KEYS.iter().find(|key| key.variable() == name) {
                Some(key) => layer.set_text(key, value, Place::Named(name.to_owned())),
                None if is_misspelt(name) => layer.findings.push(unknown_variable(name)),
                None => {}
            }
        }
        layer
    }

    /// Reads `KEY=VALUE` flags. One that another flag stands for has that one's name in front: `--model digest.condense_model=m`.
    pub fn from_flags<'a>(flags: impl IntoIterator<Item = &'a str>) -> Self {
        let mut layer = Self::default();
        for flag in flags {
            let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
            let (stands_for, name) = match name.trim().split_once(' ') {
                Some((flag, name)) if flag.starts_with("--") => (Some(flag), name.trim()),
                _ => (None, name.trim()),
            };
            let place = stands_for.map_or_else(|| format!("--config {name}"), str::to_owned);
            match Key::find(name) {
                Some(key) => layer.set_text(key, value.trim(), Place::Named(place)),
                None => layer.findings.push(unknown_key(name, &Place::Named(place))),
            }
        }
        layer
    }

    fn set_text(&mut self, key: &'static Key, text: &str, place: Place) {
        match from_text(key, text) {
            Some(setting) => drop(self.settings.insert(key.name, (setting, place))),
            None => self.findings.push(wrong_value(key, text, &place)),
        }
    }
}

/// Whether a variable that is no key stands in a table of keys; all other `MENTCI_*` variables are somebody else's.
fn is_misspelt(name: &str) -> bool {
    let named = name.strip_prefix("MENTCI_").unwrap_or_default();
    let in_table =
        |table: &str| named.strip_prefix(&table.to_uppercase()).is_some_and(|key| key.starts_with('_'));
    let mut tables = KEYS.iter().filter_map(|key| key.name.split_once('.'));
    !FOREIGN.contains(&name) && tables.any(|(table, _)| in_table(table))
}

/// ``unknown key `digest.tokns` ``
pub(super) fn unknown_key(name: &str, place: &Place) -> Finding {
    let help = Key::near(name).map_or_else(
        || "`policy-engine config` lists the keys".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    place.mark(Finding::new(Code::CONFIG_KEY, format!("unknown key `{name}`")).help(help))
}

fn unknown_variable(name: &str) -> Finding {
    let names: Vec<String> = KEYS.iter().map(Key::variable).collect();
    let near = did_you_mean(name, names.iter().map(String::as_str));
    let help = near.map_or_else(
        || "`policy-engine config` lists the keys".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Finding::new(Code::CONFIG_KEY, format!("unknown variable `{name}`")).help(help).in_file(name)
}

/// `` `digest.tokens` takes a whole number from 100 to 2400, not `many` ``
pub(super) fn wrong_value(key: &Key, given: &str, place: &Place) -> Finding {
    let given: String = given.chars().take(80).collect();
    let message = format!("`{}` takes {}, not `{given}`", key.name, key.takes());
    place.mark(Finding::new(Code::CONFIG_VALUE, message).help(key.about))
}

fn from_text(key: &Key, text: &str) -> Option<Setting> {
    match key.kind {
        Kind::Number(..) => text.parse().ok().and_then(|number| number_of(key, number)),
        Kind::Share(_) => text.parse().ok().and_then(|share| share_of(key, share)),
        Kind::Choice(_) => choice_of(key, text),
        Kind::Text => text_of(text),
        Kind::Globs | Kind::Names(_) | Kind::Texts => list_of(key, items_of(text)),
    }
}

/// The items of a list: as a file spells it, `["a", "b"]`, or separated by commas.
fn items_of(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_else(|_| {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(str::to_owned).collect()
    })
}

/// The value of a key of lists.
pub(super) fn list_of(key: &Key, items: Vec<String>) -> Option<Setting> {
    match key.kind {
        Kind::Globs => globs_of(items),
        Kind::Names(names) => names_of(names, &items),
        Kind::Texts => {
            (items.len() <= 1_000 && items.iter().all(|item| is_line(item))).then_some(Setting::Texts(items))
        }
        _ => None,
    }
}

fn names_of(names: &[&'static str], items: &[String]) -> Option<Setting> {
    let known = |item: &String| names.iter().find(|name| *name == item).copied();
    let found: Vec<&'static str> = items.iter().map(known).collect::<Option<_>>()?;
    let is_once = |at: usize| !found[..at].contains(&found[at]);
    (0..found.len()).all(is_once).then_some(Setting::Names(found))
}

pub(super) fn text_of(text: &str) -> Option<Setting> {
    is_line(text).then(|| Setting::Text(text.to_owned()))
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 512 && !text.chars().any(char::is_control)
}

pub(super) fn number_of(key: &Key, number: u64) -> Option<Setting> {
    let Kind::Number(least, most) = key.kind else { return None };
    (least..=most).contains(&number).then_some(Setting::Number(number))
}

pub(super) fn share_of(key: &Key, share: f64) -> Option<Setting> {
    let Kind::Share(most) = key.kind else { return None };
    (0.0..=most).contains(&share).then_some(Setting::Share(share))
}

pub(super) fn choice_of(key: &Key, name: &str) -> Option<Setting> {
    let Kind::Choice(names) = key.kind else { return None };
    names.iter().find(|known| **known == name).map(|known| Setting::Choice(known))
}

/// Patterns that stay inside the workspace.
fn globs_of(globs: Vec<String>) -> Option<Setting> {
    let inside = |glob: &String| {
        !glob.is_empty()
            && !glob.starts_with('/')
            && glob.split('/').all(|part| part != "..")
            && glob.len() <= 512
    };
    (globs.len() <= 256 && globs.iter().all(inside)).then_some(Setting::Globs(globs))
}
