//! The verbs of plugins, carried out.

use std::collections::BTreeSet;
use std::path::PathBuf;

use mentci_authority::{PluginId, PluginSetting, Trust};
use mentci_host::policy::{
    CapabilityRow, PluginRequest, PluginRow, PluginShown, PluginState, PluginsAnswer, Rulebook, SettingRow,
};
use mentci_host::{Outcome, Response};
use mentci_ledger::{Change, Deed};
use mentci_source::{Code, Finding, Hash, did_you_mean};
use mentci_store::Store;
use serde_json::{Map, Value};

use super::{Found, PLUGINS, Place, Rules, capability};
use crate::policy::good::GoodVersions;
use crate::policy::label::PluginSettings;
use crate::policy::log::{SWITCHES, answered};
use crate::policy::tuned::{plugin_switch, setting_key, typed};
use crate::policy::vouched::Vouched;
use crate::workspace::Workspace;

impl Workspace {
    pub(in crate::policy) fn plugin(&self, request: PluginRequest, who: &str) -> Response {
        match request {
            PluginRequest::List => self.list_plugins(),
            PluginRequest::Show { id } => self.with_plugin(&id, |found| self.show_plugin(found)),
            PluginRequest::Switch { id, enabled } => {
                self.with_plugin(&id, |found| self.switch_plugin(found, enabled, who))
            }
            PluginRequest::Set { id, name, value } => {
                self.with_plugin(&id, |found| self.set_setting(found, &name, value.as_ref(), who))
            }
            PluginRequest::Install { path, user } => self.install_plugin(&path, user, who),
            PluginRequest::New { id, user } => self.new_plugin(&id, user, who),
        }
    }

    /// Where the user's plugins stand; none where the user has no configuration.
    pub(super) fn user_plugins(&self) -> Option<Place> {
        let folder = self.around.user_config.as_ref()?.parent()?.join("plugins");
        Some(Place { shown: folder.to_string_lossy().into_owned(), folder, trust: Trust::User })
    }

    /// Where the workspace's plugins stand; none where a link leads out of it.
    pub(super) fn workspace_plugins(&self) -> Option<Place> {
        let folder: PathBuf = self.root.join(PLUGINS);
        let stays = self.fs.canonicalize(&folder).map_or(true, |real| real.starts_with(&self.root));
        stays.then(|| Place { folder, shown: PLUGINS.to_owned(), trust: Trust::Workspace })
    }

    /// Every plugin, the user's first.
    pub(in crate::policy) fn plugins(&self, vouched: &Vouched) -> Vec<Found> {
        let fs = self.fs.as_ref();
        let places = self.plugin_places();
        let off = self.plugins_off();
        let good = GoodVersions {
            fs,
            folder: self.around.state.as_ref().map(|_| self.state_folder().join("plugins")),
        };
        let rules = Rules { off: &off, vouched: Some(vouched), good: Some(&good) };
        let mut plugins: Vec<Found> = places.iter().flat_map(|place| super::all(fs, place, &rules)).collect();
        super::refuse_twins(&mut plugins);
        plugins
    }

    /// Where plugins stand, as far as there are such folders.
    fn plugin_places(&self) -> Vec<Place> {
        let places = [self.user_plugins(), self.workspace_plugins()].into_iter().flatten();
        places.filter(|place| mentci_disk::exists(self.fs.as_ref(), &place.folder)).collect()
    }

    /// The plugins that a person switched off; where there are none the store is not asked.
    pub(in crate::policy) fn plugins_off(&self) -> BTreeSet<String> {
        let is_none = self.plugin_places().is_empty();
        if is_none { BTreeSet::new() } else { self.tuned().plugins_off }
    }

    /// The folders of plugins and every file in them, unread.
    pub(in crate::policy) fn plugin_files(&self) -> Vec<PathBuf> {
        let places = self.plugin_places();
        places.iter().flat_map(|place| super::folder::paths(self.fs.as_ref(), &place.folder)).collect()
    }

    /// The content of the workspace's plugins, for the user's consent to it.
    pub(in crate::policy) fn plugin_hashes(&self) -> Vec<(String, Hash)> {
        let rules = Rules { off: &BTreeSet::new(), vouched: None, good: None };
        let place = self.workspace_plugins();
        let plugins = place.iter().flat_map(|place| super::all(self.fs.as_ref(), place, &rules));
        plugins.flat_map(|found| found.hashes).collect()
    }

    fn own_plugins(&self) -> Vec<Found> {
        self.plugins(&self.vouched().0)
    }

    fn with_plugin(&self, id: &str, work: impl FnOnce(&Found) -> Response) -> Response {
        let plugins = self.own_plugins();
        match plugins.iter().find(|found| found.id == id) {
            Some(found) => work(found),
            None => Response::bad([unknown_plugin(id, &plugins)]),
        }
    }

    fn list_plugins(&self) -> Response {
        let plugins = self.own_plugins();
        let (book, findings) = self.read_plugins(&plugins, Some(&self.vouched().0));
        let rows: Vec<PluginRow> = plugins.iter().map(|found| row(found, &book)).collect();
        let outcome = if findings.is_empty() { Outcome::Ok } else { Outcome::Findings };
        Response::ok(PluginsAnswer { plugins: rows }).with(findings).at_least(outcome)
    }

    /// The rules of plugins, with everything that is odd about them.
    pub(super) fn read_plugins(
        &self,
        plugins: &[Found],
        vouched: Option<&Vouched>,
    ) -> (Rulebook, Vec<Finding>) {
        let files: Vec<_> = plugins.iter().flat_map(|found| found.files.iter().cloned()).collect();
        let book = self.book_under(&files, vouched);
        let own = plugins.iter().flat_map(|found| found.findings.iter().cloned());
        let findings = own.chain(book.findings.iter().cloned()).collect();
        (book, findings)
    }

    fn show_plugin(&self, found: &Found) -> Response {
        let (book, findings) = self.read_plugins(std::slice::from_ref(found), Some(&self.vouched().0));
        let plugin = found.plugin.as_ref();
        let set = self.tuned().settings.remove(&found.id).unwrap_or_default();
        let requires = plugin.iter().flat_map(|plugin| &plugin.requires).map(|stated| CapabilityRow {
            is_there: capability::is_there(&stated.text),
            name: stated.text.clone(),
        });
        let settings = plugin.iter().flat_map(|plugin| &plugin.settings);
        let answer = PluginShown {
            row: row(found, &book),
            name: plugin.map(|plugin| plugin.name.clone()),
            description: plugin.and_then(|plugin| plugin.description.clone()),
            requires: requires.collect(),
            settings: settings.map(|setting| setting_row(setting, &set)).collect(),
            rules: book.sets.iter().flat_map(|set| &set.rules).map(crate::policy::row).collect(),
        };
        let outcome = if findings.is_empty() { Outcome::Ok } else { Outcome::Findings };
        Response::ok(answer).with(findings).at_least(outcome)
    }

    /// A plugin with core rules stays: they cannot be switched off, and neither can what holds them.
    fn switch_plugin(&self, found: &Found, enabled: bool, who: &str) -> Response {
        if let Some(refused) = self.unplaced() {
            return refused;
        }
        let id = &found.id;
        let (book, _) = self.read_plugins(std::slice::from_ref(found), None);
        let core = book.program.rules().find(|rule| rule.core);
        if let (Some(rule), false) = (core, enabled) {
            let message = format!("`{id}` holds the core rule `{}`: it cannot be switched off", rule.id);
            return Response::bad([Finding::new(Code::CORE_RULE, message)
                .help("take the plugin's folder away to be rid of it")
                .in_file(&found.at)]);
        }
        let off = Value::Bool(false);
        let key = plugin_switch(id);
        let told = self.told(Change::new(Deed::PluginSwitched, id, who).to(enabled.into()));
        let set = (!enabled).then_some(&off);
        let (done, findings) = self.with_store(|store| store.set_by(SWITCHES, &key, set, &told));
        answered(done, findings, format!("{id} is {}\n", if enabled { "on" } else { "off" }))
    }

    fn set_setting(&self, found: &Found, name: &str, value: Option<&Value>, who: &str) -> Response {
        if let Some(refused) = self.unplaced() {
            return refused;
        }
        let id = &found.id;
        let setting = found.plugin.as_ref().and_then(|plugin| plugin.setting(name));
        let Some(setting) = setting else { return Response::bad([unknown_setting(found, name)]) };
        let text = setting.default.is_string();
        let value = match value.map(|value| setting.accept(&typed(value, text))).transpose() {
            Ok(value) => value,
            Err(problem) => {
                let message = format!("`{name}` of `{id}` {problem}");
                return Response::bad([Finding::new(Code::PARAMETER_VALUE, message)]);
            }
        };
        let said = match &value {
            Some(value) => format!("{id}: {name} is {value}\n"),
            None => format!("{id}: {name} is {} again\n", setting.default),
        };
        let key = setting_key(id, name);
        let told = Change::new(Deed::PluginSet, &format!("{id}/{name}"), who);
        let told = self.told(told.to(value.clone().unwrap_or_default()));
        let (done, findings) = self.with_store(|store| store.set_by(SWITCHES, &key, value.as_ref(), &told));
        answered(done, findings, said)
    }

    /// What may be set of the plugins, as they are now.
    pub(in crate::policy) fn own_settings(&self) -> PluginSettings {
        let plugins = self.own_plugins().into_iter();
        plugins.filter_map(|found| Some((found.id, found.plugin?.settings))).collect()
    }
}

fn row(found: &Found, book: &Rulebook) -> PluginRow {
    let own = book.program.rules().filter(|rule| *rule.origin.pack == *found.id);
    let why = found.findings.first().map(|finding| finding.message.clone());
    let off = found.state == PluginState::Off;
    PluginRow {
        id: found.id.clone(),
        version: found.plugin.as_ref().map(|plugin| plugin.version.clone()),
        state: found.state,
        why: if off { Some("switched off".to_owned()) } else { why },
        rules: own.count(),
        trust: found.trust,
        at: found.at.clone(),
    }
}

fn setting_row(setting: &PluginSetting, set: &Map<String, Value>) -> SettingRow {
    let set = set.get(&setting.key).filter(|value| setting.accept(value).is_ok());
    SettingRow {
        setting: setting.clone(),
        value: set.unwrap_or(&setting.default).clone(),
        is_set: set.is_some(),
    }
}

fn unknown_plugin(id: &str, plugins: &[Found]) -> Finding {
    let message = match PluginId::new(id) {
        Ok(_) => format!("no plugin is called `{id}`"),
        Err(problem) => format!("{problem}: `{}`", id.escape_debug()),
    };
    let near = did_you_mean(id, plugins.iter().map(|found| found.id.as_str()));
    let near = near.map(|near| format!("did you mean `{near}`?"));
    let help = near.unwrap_or_else(|| "`policy-engine plugins list` shows the plugins".to_owned());
    Finding::new(Code::UNKNOWN_SUBJECT, message).help(help)
}

fn unknown_setting(found: &Found, name: &str) -> Finding {
    let message = format!("the plugin `{}` has no setting `{}`", found.id, name.escape_debug());
    let keys: Vec<&str> =
        found.plugin.iter().flat_map(|plugin| &plugin.settings).map(|own| own.key.as_str()).collect();
    let help = match did_you_mean(name, keys.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if keys.is_empty() => "it has no settings".to_owned(),
        None => format!("it has `{}`", keys.join("`, `")),
    };
    Finding::new(Code::PARAMETER_UNKNOWN, message).help(help)
}
