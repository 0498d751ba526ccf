//! What a person switched off and set: one store, which is read anew for each event, so that it holds at the next one.

use std::collections::{BTreeMap, BTreeSet};

use mentci_authority::{Bounds, Event, Rule};
use mentci_host::Response;
use mentci_host::policy::{ParameterRow, fault_if_set};
use mentci_ledger::{Change, Deed};
use mentci_source::{Code, Finding, did_you_mean};
use mentci_store::{DegradedStore, Setting, Store};
use serde_json::{Map, Value};

use super::label::PluginSettings;
use super::log::{SWITCHES, answered};
use super::only_rule;
use crate::workspace::Workspace;

/// The settings of the store, by what they are about.
#[derive(Debug, Clone, Default)]
pub(super) struct Tuned {
    /// Rules that are off, by full name.
    pub(super) rules_off: Vec<String>,
    /// Plugins that are off.
    pub(super) plugins_off: BTreeSet<String>,
    /// By a rule's full name, then by the parameter's name.
    pub(super) parameters: BTreeMap<String, Map<String, Value>>,
    /// By a plugin's id, then by the setting's name.
    pub(super) settings: BTreeMap<String, Map<String, Value>>,
}

/// `rules/PACK/RULE/enabled`
pub(super) fn rule_switch(full_name: &str) -> String {
    format!("rules/{full_name}/enabled")
}

/// `rules/PACK/RULE/parameters/NAME`
fn parameter_key(full_name: &str, name: &str) -> String {
    format!("rules/{full_name}/parameters/{name}")
}

/// `plugins/ID/enabled`
pub(super) fn plugin_switch(id: &str) -> String {
    format!("plugins/{id}/enabled")
}

/// `plugins/ID/settings/NAME`
pub(super) fn setting_key(id: &str, name: &str) -> String {
    format!("plugins/{id}/settings/{name}")
}

impl Tuned {
    /// Everything, as it stands now. A store that cannot be read tells nothing: what is shipped holds then.
    pub(super) fn read(store: &mut DegradedStore) -> Self {
        let mut tuned = Self::default();
        store.settings().unwrap_or_default().into_iter().for_each(|setting| tuned.take(setting));
        tuned
    }

    /// The same, as far as the plugins in force still take it, and read only after somebody changed something.
    pub(super) fn current(store: &mut DegradedStore, plugins: &PluginSettings) -> Self {
        let mut tuned = Self::default();
        let settings = store.current_settings().unwrap_or_default();
        settings.iter().cloned().for_each(|setting| tuned.take(setting));
        fit(&mut tuned.settings, plugins);
        tuned
    }

    fn take(&mut self, Setting { key, value, .. }: Setting) {
        let is_off = value == Value::Bool(false);
        if let Some(rest) = key.strip_prefix("rules/") {
            if let Some((rule, name)) = rest.rsplit_once("/parameters/") {
                self.parameters.entry(rule.to_owned()).or_default().insert(name.to_owned(), value);
            } else if let Some(rule) = rest.strip_suffix("/enabled").filter(|_| is_off) {
                self.rules_off.push(rule.to_owned());
            }
        } else if let Some(rest) = key.strip_prefix("plugins/") {
            if let Some((plugin, name)) = rest.split_once("/settings/") {
                self.settings.entry(plugin.to_owned()).or_default().insert(name.to_owned(), value);
            } else if let Some(plugin) = rest.strip_suffix("/enabled").filter(|_| is_off) {
                self.plugins_off.insert(plugin.to_owned());
            }
        }
    }

    /// Tells an event of it. Who calls has no say: whatever the event brought along goes.
    pub(super) fn onto(self, event: &mut Event) {
        event.disabled = self.rules_off;
        event.parameters = self.parameters;
        event.settings = self.settings;
    }
}

impl Workspace {
    /// Everything that a person switched off and set.
    pub(super) fn tuned(&self) -> Tuned {
        self.with_store(Tuned::read).0
    }

    /// Tells an event of everything that a person switched off and set, as far as the plugins in force still take it; what is odd about the store is told with it.
    pub(super) fn tune(&self, event: &mut Event, plugins: &PluginSettings) -> Vec<Finding> {
        let (mut tuned, findings) = self.with_store(Tuned::read);
        fit(&mut tuned.settings, plugins);
        tuned.onto(event);
        self.place(event);
        findings
    }

    /// Tells an event who the user is and which project this is, where it does not say so: the name of the system's user, and
    /// of the workspace's folder.
    pub(super) fn place(&self, event: &mut Event) {
        let project = self.root.file_name().and_then(std::ffi::OsStr::to_str);
        for (fact, name) in [("user_id", self.around.user.as_deref()), ("project_id", project)] {
            if let Some(name) = name.filter(|_| !event.facts.contains_key(fact)) {
                event.facts.insert(fact.to_owned(), name.into());
            }
        }
    }

    /// Sets a parameter of a rule, or with none takes back what was set.
    pub(super) fn set_parameter(&self, rule: &str, name: &str, value: Option<&Value>, who: &str) -> Response {
        if let Some(refused) = self.unplaced() {
            return refused;
        }
        let book = self.rulebook(&[]);
        let (rule, full_name) = match only_rule(&book, rule) {
            Ok(named) => named,
            Err(finding) => return Response::bad([finding]),
        };
        let Some(own) = rule.parameters.get(name) else {
            return Response::bad([unknown_parameter(rule, full_name, name)]);
        };
        let bounds = rule.bounds.get(name);
        let value = match value.map(|value| fitting(own, bounds, value)).transpose() {
            Ok(value) => value,
            Err(problem) => {
                let message = format!("`{name}` of `{full_name}` {problem}");
                return Response::bad([Finding::new(Code::PARAMETER_VALUE, message)]);
            }
        };
        let fault = value.as_ref().and_then(|value| fault_if_set(rule, name, value, self.outside()));
        if let Some(fault) = fault {
            let message = format!("`{name}` of `{full_name}` cannot be set so: {fault}");
            let finding = Finding::new(Code::PARAMETER_VALUE, message);
            return Response::bad([
                finding.help("the rule's condition and its messages must still work with it")
            ]);
        }
        let said = match &value {
            Some(value) => format!("{full_name}: {name} is {value}\n"),
            None => format!("{full_name}: {name} is {own} again\n"),
        };
        let key = parameter_key(full_name, name);
        let told = Change::new(Deed::RuleSet, &format!("{full_name}/{name}"), who);
        let told = self.told(told.to(value.clone().unwrap_or_default()));
        let (done, findings) = self.with_store(|store| store.set_by(SWITCHES, &key, value.as_ref(), &told));
        answered(done, findings, said)
    }

    /// The parameters of a rule, each with who says what it is.
    pub(super) fn parameter_rows(&self, rule: &Rule, full_name: &str) -> Vec<ParameterRow> {
        let tuned = self.tuned();
        let set = tuned.parameters.get(full_name);
        let row = |(name, own): (&String, &Value)| {
            let bounds = rule.bounds.get(name);
            let set = set.and_then(|set| set.get(name)).filter(|set| fitting(own, bounds, set).is_ok());
            ParameterRow {
                name: name.clone(),
                value: set.unwrap_or(own).clone(),
                stated: own.clone(),
                is_set: set.is_some(),
                bounds: bounds.copied(),
            }
        };
        rule.parameters.iter().map(row).collect()
    }
}

/// Leaves of what people set what the plugins, as they are now, still take.
fn fit(settings: &mut BTreeMap<String, Map<String, Value>>, plugins: &PluginSettings) {
    for (id, set) in settings {
        let own = plugins.get(id).map_or(&[][..], Vec::as_slice);
        set.retain(|name, value| {
            own.iter().any(|setting| setting.key == *name && setting.accept(value).is_ok())
        });
    }
}

fn unknown_parameter(rule: &Rule, full_name: &str, name: &str) -> Finding {
    let message = format!("`{full_name}` has no parameter `{}`", name.escape_debug());
    let near = did_you_mean(name, rule.parameters.keys().map(String::as_str));
    let names: Vec<String> = rule.parameters.keys().map(|name| format!("`{name}`")).collect();
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "it has no parameters".to_owned(),
        None => format!("it has {}", names.join(", ")),
    };
    Finding::new(Code::PARAMETER_UNKNOWN, message).help(help)
}

/// The value as it is kept, of the type that the rule states, and within its bounds. A door that has only text hands in text.
fn fitting(own: &Value, bounds: Option<&Bounds>, value: &Value) -> Result<Value, String> {
    let read = typed(value, own.is_string());
    let fits = own.is_null() || std::mem::discriminant(own) == std::mem::discriminant(&read);
    let wanted = match own {
        Value::Bool(_) => "`true` or `false`",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list, as JSON",
        Value::Object(_) => "a map, as JSON",
        Value::Null => "a value",
    };
    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(bounds) = bounds.filter(|bounds| fits && !bounds.hold(&read)) {
        return Err(format!("must be {wanted} {bounds}, not `{}`", shown.escape_debug()));
    }
    if fits { Ok(read) } else { Err(format!("must be {wanted}, not `{}`", shown.escape_debug())) }
}

/// What a text says where text is not what is wanted: `0.5`, `true`, `["a"]`.
pub(super) fn typed(value: &Value, wants_text: bool) -> Value {
    let text = value.as_str().filter(|_| !wants_text);
    text.and_then(|text| serde_json::from_str(text.trim()).ok()).unwrap_or_else(|| value.clone())
}
