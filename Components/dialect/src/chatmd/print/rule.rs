//! `<on>`.

use mentci_authority::{Bounds, Effect, Enforcement, Hook, OnFault, Rule, RuleSeverity, RuleTest, ToolMatch};
use serde_json::{Map, Value as Json};

use super::tag::{self, Tag};
use super::{Printer, action, guard};
use crate::chatmd::effect::EFFECTS;
use crate::chatmd::prose;
use crate::lower::normal::normal;

pub(super) fn write(printer: &mut Printer, rule: &Rule) {
    let guard = normal(rule.guard.clone());
    let (condition, children) = guard::split(&guard);
    let mut tag = Tag::new("on");
    tag.say("id", rule.id.as_str());
    tag.say("event", rule.hook.name());
    match &rule.tools {
        ToolMatch::Any => {}
        ToolMatch::OneOf(patterns) if patterns.is_empty() => printer.cannot("no tool at all"),
        ToolMatch::OneOf(patterns) => tag.say("tool", &tag::patterns(patterns)),
    }
    tag.say_some("if", condition.map(ToString::to_string).as_deref());
    timing(printer, rule, &mut tag);
    about(rule, &mut tag);
    tag.open(2, &mut printer.out);
    effect(printer, rule);
    for guard in children {
        guard::write(printer, guard, 4, 0);
    }
    for action in &rule.actions {
        action::write(printer, action);
    }
    for (name, value) in &rule.parameters {
        let mut tag = Tag::new("parameter");
        tag.say("name", name);
        let Bounds { min, max } = rule.bounds.get(name).copied().unwrap_or_default();
        tag.say_some("min", min.map(|min| min.to_string()).as_deref());
        tag.say_some("max", max.map(|max| max.to_string()).as_deref());
        let text = prose::written(&tag.begin(4), tag.name, &value.to_string(), 4);
        printer.out.push_str(&text);
        printer.out.push('\n');
    }
    for test in &rule.tests {
        write_test(printer, test, 4);
    }
    printer.out.push_str("  </on>\n");
}

fn timing(printer: &mut Printer, rule: &Rule, tag: &mut Tag) {
    if rule.order != 0 {
        tag.say("priority", &rule.order.to_string());
    }
    tag.say_true("once", rule.once);
    if rule.cooldown.turns != 0 {
        tag.say("cooldown_turns", &rule.cooldown.turns.to_string());
    }
    if rule.cooldown.ms != 0 {
        tag.say("cooldown_ms", &rule.cooldown.ms.to_string());
    }
    if rule.cooldown.ms > u64::from(u32::MAX) {
        printer.cannot("cooldown_ms");
    }
    if rule.sees_synthetic {
        tag.say("synthetic", "include");
    }
}

fn about(rule: &Rule, tag: &mut Tag) {
    tag.say_some("name", rule.name.as_deref());
    tag.say_some("description", rule.description.as_deref());
    tag.say_some("version", rule.version.as_deref());
    if rule.severity != RuleSeverity::default() {
        tag.say("severity", rule.severity.name());
    }
    if rule.effect.is_none() {
        tag.say_some("message", rule.message.as_deref());
        tag.say_some("remind", rule.remind.as_deref());
    }
    if !rule.enabled {
        tag.say("enabled", "false");
    }
    tag.say_true("core", rule.core);
    if rule.mode == Enforcement::Shadow {
        tag.say("mode", "shadow");
    }
    tag.say_some("on_fault", rule.on_fault.map(fault));
    if !rule.overrides.is_empty() {
        tag.say_list("overrides", &rule.overrides);
    }
    if !rule.taints.is_empty() {
        tag.say_list("taints", &rule.taints);
    }
    tag.say_some("timezone", rule.timezone.as_deref());
}

fn fault(on_fault: OnFault) -> &'static str {
    match on_fault {
        OnFault::Block => "block",
        OnFault::Approve => "approve",
        OnFault::Allow => "allow",
    }
}

fn effect(printer: &mut Printer, rule: &Rule) {
    let Some(effect) = rule.effect else {
        if rule.redaction.is_some() || rule.approval_seconds.is_some() {
            printer.cannot("redaction or approval without the effect");
        }
        return;
    };
    if effect.permission().is_some() && rule.hook != Hook::PreToolCall {
        printer.cannot("a permission at another hook than pre_tool_call");
    }
    let name = EFFECTS.iter().find(|(_, known)| *known == effect).map_or("deny", |(name, _)| *name);
    let mut tag = Tag::new(name);
    tag.say_some("reason", rule.message.as_deref());
    tag.say_some("remind", rule.remind.as_deref());
    match rule.approval_seconds {
        None => {}
        Some(seconds) if effect == Effect::Approve && (1..=u64::from(u32::MAX)).contains(&seconds) => {
            tag.say("seconds", &seconds.to_string());
        }
        Some(_) => printer.cannot("approve"),
    }
    if rule.redaction.is_some() && effect != Effect::Redact {
        printer.cannot("redact");
    }
    let redaction = rule.redaction.clone().unwrap_or_default();
    if rule.redaction.is_some() && (!redaction.kinds.is_empty() || redaction.patterns.is_empty()) {
        tag.say_list("kinds", &redaction.kinds);
    }
    if redaction.patterns.is_empty() {
        return tag.close(4, &mut printer.out);
    }
    tag.open(4, &mut printer.out);
    for pattern in &redaction.patterns {
        let mut tag = Tag::new("pattern");
        tag.say("name", &pattern.name);
        tag.say("regex", &pattern.regex);
        tag.close(6, &mut printer.out);
    }
    tag::end(name, 4, &mut printer.out);
}

/// `<test>` around its event.
pub(super) fn write_test(printer: &mut Printer, test: &RuleTest, indent: usize) {
    let mut tag = Tag::new("test");
    if !test.name.is_empty() {
        tag.say("name", &test.name);
    }
    let mut map = Map::new();
    let mut say = |key: &str, value: Result<Json, serde_json::Error>| match value {
        Ok(value) => drop(map.insert(key.to_owned(), value)),
        Err(_) => printer.cannot("tests"),
    };
    if !test.before.is_empty() {
        say("before", serde_json::to_value(&test.before));
    }
    say("event", serde_json::to_value(&test.event));
    if let Some(decision) = test.decision {
        say("decision", Ok(decision.name().into()));
    }
    if let Some(rules) = &test.rules {
        say("rules", serde_json::to_value(rules));
    }
    if test.decision.is_none() && test.rules.is_none() {
        printer.cannot("a test that expects nothing");
    }
    let written = prose::written(&tag.begin(indent), tag.name, &Json::Object(map).to_string(), indent);
    printer.out.push_str(&written);
    printer.out.push('\n');
}
