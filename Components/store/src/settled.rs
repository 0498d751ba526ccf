//! What the lines of the log make of the settings, beside the table of them.

use std::collections::BTreeMap;

use mentci_ledger::{Act, Deed, Record, What};
use serde_json::Value;

use crate::Setting;
use crate::audit::AuditFault;

/// The settings as the lines make them: by what was done and to what, the value and the line that gave it. A switch that is on
/// and a value that was taken back have no row, and neither has null.
#[derive(Debug, Default)]
pub(crate) struct Settled(BTreeMap<(Deed, String), (Value, u64)>);

impl Settled {
    /// What a line says of settings.
    pub(crate) fn fold(&mut self, record: &Record, line: u64) {
        let What::Act(Act::Changed(change)) = &record.what else { return };
        let value = match (change.deed, &change.to) {
            (Deed::RuleSwitched | Deed::PluginSwitched, Value::Bool(true)) => Value::Null,
            (Deed::RuleSwitched | Deed::PluginSwitched | Deed::RuleSet | Deed::PluginSet, to) => to.clone(),
            _ => return,
        };
        self.0.insert((change.deed, change.of.clone()), (value, line));
    }

    /// Whether the lines make a setting so.
    pub(crate) fn says(&self, setting: &(Deed, String), value: &Value) -> bool {
        self.0.get(setting).is_some_and(|(told, _)| told == value)
    }

    /// Whether the lines take a setting back.
    pub(crate) fn is_taken_back(&self, key: &str) -> bool {
        let told = Deed::of_setting(key).and_then(|deed| self.0.get(&deed));
        told.is_some_and(|(value, _)| value.is_null())
    }

    /// The first setting that is not, or not so, in the table; or is there and in no line.
    pub(crate) fn strange(&self, table: &[Setting], lines: u64) -> Option<(u64, AuditFault)> {
        let fault = |key: String| AuditFault::Setting { key };
        let named = |row: &Setting| Deed::of_setting(&row.key);
        let differs = |row: &&Setting| {
            let told = named(row).and_then(|deed| self.0.get(&deed));
            told.map_or(&Value::Null, |(value, _)| value) != &row.value
        };
        if let Some(row) = table.iter().find(differs) {
            let line = named(row).and_then(|deed| self.0.get(&deed)).map_or(lines + 1, |(_, line)| *line);
            return Some((line, fault(row.key.clone())));
        }
        let mut told = self.0.iter().filter(|(_, (value, _))| !value.is_null());
        let gone = told.find(|(deed, _)| !table.iter().any(|row| named(row).as_ref() == Some(deed)));
        gone.map(|((deed, of), (_, line))| (*line, fault(key(*deed, of))))
    }
}

/// The key of a setting, as people know it.
fn key(deed: Deed, of: &str) -> String {
    let (whose, name) = of.rsplit_once('/').unwrap_or((of, ""));
    match deed {
        Deed::RuleSet => format!("rules/{whose}/parameters/{name}"),
        Deed::PluginSet => format!("plugins/{whose}/settings/{name}"),
        Deed::PluginSwitched => format!("plugins/{of}/enabled"),
        _ => format!("rules/{of}/enabled"),
    }
}
