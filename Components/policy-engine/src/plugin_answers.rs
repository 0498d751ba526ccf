//! The answers about plugins as a person reads them.

use std::fmt::Write;

use mentci_host::policy::{PluginShown, PluginsAnswer, SettingRow};
use owo_colors::OwoColorize;

use crate::answers::table;
use crate::paint::{count, line};
use crate::policy_answers::rule_rows;

pub(crate) fn plugins(answer: &PluginsAnswer) -> String {
    if answer.plugins.is_empty() {
        return "there are no plugins\n".to_owned();
    }
    let rows = answer.plugins.iter().map(|row| {
        let version = row.version.clone().unwrap_or_default();
        vec![row.id.clone(), version, row.state.name().to_owned(), row.rules.to_string(), row.at.clone()]
    });
    table(&["plugin", "version", "state", "rules", "place"], rows, &[3])
}

pub(crate) fn plugin(answer: &PluginShown) -> String {
    let row = &answer.row;
    let version = row.version.as_deref().unwrap_or("");
    let mut text = format!("{} {version}: {}\n  {}\n", row.id.bold(), row.state.name(), line(&row.at));
    for words in [&answer.description, &row.why].into_iter().flatten() {
        let _ = writeln!(text, "  {}", line(words));
    }
    for capability in &answer.requires {
        let is_there = if capability.is_there { "is there" } else { "is not there" };
        let _ = writeln!(text, "  needs {}, which {is_there}", line(&capability.name));
    }
    answer.settings.iter().for_each(|row| text.push_str(&setting(row)));
    if !answer.rules.is_empty() {
        let _ = write!(text, "\n{}", rule_rows(&answer.rules));
        let _ = writeln!(text, "{}", count(answer.rules.len(), "rule"));
    }
    text
}

fn setting(row: &SettingRow) -> String {
    let setting = &row.setting;
    let whose = if row.is_set {
        format!("yours; the plugin says {}", setting.default)
    } else {
        "the plugin's own".to_owned()
    };
    let mut text = format!("  {} = {} ({whose}): {}\n", line(&setting.key), row.value, setting.wanted());
    if let Some(words) = &setting.description {
        let _ = writeln!(text, "    {}", line(words));
    }
    text
}
