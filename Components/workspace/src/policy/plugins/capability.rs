//! What a plugin may need of the engine.

use mentci_authority::Plugin;
use mentci_host::policy::{PluginHome, Tools};
use mentci_source::{Code, Finding, Source, did_you_mean};

/// Everything that this build can do for plugins. `Library/guide/plugins.md` tells what each is.
const CAPABILITIES: &[(&str, bool)] = &[
    ("luau", mentci_script::RUNS_LUAU),
    ("notifications", true),
    ("redaction", true),
    ("shell-facts", true),
    ("state", true),
    ("templates", true),
];

/// What stands before the name of a tool: whether there is one is known where the tools are.
const TOOL: &str = "tool:";

/// Whether a capability is there.
pub(super) fn is_there(name: &str) -> bool {
    let tool = name.strip_prefix(TOOL).is_some_and(|tool| !tool.is_empty());
    tool || CAPABILITIES.iter().any(|(known, is_there)| *known == name && *is_there)
}

/// A finding for each capability that a plugin needs and does not get.
pub(super) fn missing(plugin: &Plugin, manifest: &Source) -> Vec<Finding> {
    let lacking = plugin.requires.iter().filter(|stated| !is_there(&stated.text));
    let finding = |stated: &mentci_authority::Stated| {
        let shown = stated.text.escape_debug();
        let message = format!("`{}` needs `{shown}`, which is not there: the plugin is left out", plugin.id);
        Finding::new(Code::PLUGIN_CAPABILITY, message).help(help(&stated.text)).at(manifest, stated.span)
    };
    lacking.map(finding).collect()
}

/// A finding for each tool that a plugin needs and that is none of those that there are.
pub(in crate::policy) fn missing_tools(home: &PluginHome, tools: &Tools) -> Vec<Finding> {
    let needed = home.plugin.requires.iter().filter_map(|stated| stated.text.strip_prefix(TOOL));
    let finding = |tool: &str| {
        let shown = tool.escape_debug();
        let message = format!("`{}` needs the tool `{shown}`, which is not there", home.plugin.id);
        let near = did_you_mean(tool, tools.keys().map(String::as_str));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let finding = Finding::new(Code::PLUGIN_CAPABILITY, message);
        let finding =
            finding.help(help.unwrap_or_else(|| "names of tools are told apart by case".to_owned()));
        finding.in_file(&format!("{}/{}", home.folder, super::MANIFEST))
    };
    needed.filter(|tool| !tools.contains_key(*tool)).map(finding).collect()
}

fn help(name: &str) -> String {
    let known = || CAPABILITIES.iter().map(|(known, _)| *known);
    if known().any(|known| known == name) {
        return "this build of the engine was made without it".to_owned();
    }
    if let Some(near) = did_you_mean(name, known()) {
        return format!("did you mean `{near}`?");
    }
    let names: Vec<String> = known().map(|name| format!("`{name}`")).collect();
    format!("the capabilities are {} and `tool:NAME`", names.join(", "))
}
