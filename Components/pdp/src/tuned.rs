//! What a person tuned: the parameters of rules and the settings of plugins, as they stand for one event. They come with the
//! event and are no state, so that no rule and no script can set them.

use mentci_authority::{Event, Rule};
use serde_json::{Map, Value};

/// A parameter of a rule: as a person set it, otherwise as the rule states it. What was set for a rule that has since changed
/// its parameter's type or bounds no longer fits, and is passed over.
pub(crate) fn parameter<'e>(event: &'e Event, rule: &'e Rule, name: &str) -> Option<&'e Value> {
    let own = rule.parameters.get(name)?;
    if event.parameters.is_empty() {
        return Some(own);
    }
    let fits = |set: &&Value| same_kind(own, set) && rule.allows(name, set);
    let set = |whose: &str| event.parameters.get(whose)?.get(name).filter(fits);
    set(&format!("{}/{}", rule.origin.pack, rule.id)).or_else(|| set(rule.id.as_str())).or(Some(own))
}

/// Every parameter of a rule.
pub(crate) fn parameters(event: &Event, rule: &Rule) -> Map<String, Value> {
    let names = rule.parameters.keys();
    names.filter_map(|name| Some((name.clone(), parameter(event, rule, name)?.clone()))).collect()
}

/// A setting of the rule's plugin: as the event's own context says, as a person set it, otherwise as the plugin states it.
pub(crate) fn setting<'e>(event: &'e Event, rule: &'e Rule, name: &str) -> Option<&'e Value> {
    let given = event.context.as_ref().and_then(|context| context.get("plugin")?.get("settings")?.get(name));
    let own = rule.settings.get(name);
    let set = || event.settings.get(rule.origin.pack.as_ref())?.get(name);
    let set = || set().filter(|set| own.is_none_or(|own| same_kind(own, set)));
    given.or_else(set).or(own)
}

/// Every setting of the rule's plugin.
pub(crate) fn settings(event: &Event, rule: &Rule) -> Map<String, Value> {
    let set = event.settings.get(rule.origin.pack.as_ref()).into_iter().flatten().map(|(name, _)| name);
    let names = rule.settings.keys().chain(set);
    names.filter_map(|name| Some((name.clone(), setting(event, rule, name)?.clone()))).collect()
}

/// Whether one may stand for the other: a whole number for any number, and otherwise the same type.
fn same_kind(own: &Value, set: &Value) -> bool {
    own.is_null() || std::mem::discriminant(own) == std::mem::discriminant(set)
}
