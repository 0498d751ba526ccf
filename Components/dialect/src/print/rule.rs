//! A rule's fields, in canonical order and with a dialect's names.

use mentci_authority::{
    Dialect, Enforcement, Guard, Hook, HookName, NamePattern, OnFault, Redaction, Rule, RuleSeverity,
    ToolMatch,
};
use mentci_expr::{Expr, Node};
use serde_json::json;

use super::action;
use super::condition::{Words, clauses};
use super::doc::Doc;
use super::set::tests;
use crate::lower::normal::normal;
use crate::lower::rule::{TOML_PRIORITY, implied, is_plain};

/// One rule laid out; TOML writes condition and actions into tables of their own.
pub(super) struct LaidRule {
    pub(super) fields: Vec<(&'static str, Doc)>,
    pub(super) condition: Vec<(&'static str, Doc)>,
    pub(super) actions: Vec<Doc>,
}

pub(super) fn rule_fields(rule: &Rule, dialect: Dialect) -> LaidRule {
    let guard = normal(rule.guard.clone());
    let (hook, guard) =
        if dialect == Dialect::Toml { toml_hook(rule.hook, guard) } else { (rule.hook.name(), guard) };
    let mut condition = clauses(&guard, Words::of(dialect));
    let tool = tool(&rule.tools);
    let mut fields = Vec::new();
    let mut put = |key, doc: Option<Doc>| fields.extend(doc.map(|doc| (key, doc)));
    let is_toml = dialect == Dialect::Toml;
    let sayable = !is_toml || is_plain(rule.id.as_str());
    let unsayable = Doc::Unsayable("an id with other signs than letters, digits, `-`, `_` and `.`");
    put("id", Some(if sayable { Doc::text(rule.id.as_str()) } else { unsayable }));
    put("name", rule.name.as_ref().map(Doc::text));
    put("description", rule.description.as_ref().map(Doc::text));
    put("version", rule.version.as_deref().map(Doc::version));
    if is_toml {
        put("trigger", Some(Doc::Word(hook)));
        put("tool", tool);
    } else {
        put("on", (rule.hook != Hook::PreToolCall).then_some(Doc::Word(hook)));
        if dialect == Dialect::Edn {
            put("tool", tool);
        } else {
            condition.splice(0..0, tool.map(|tool| ("tool", tool)));
        }
        put("when", when(&mut condition, dialect));
    }
    let then = if is_toml { "effect" } else { "then" };
    put(then, rule.effect.map(|effect| Doc::Word(effect.name())));
    put("severity", (rule.severity != RuleSeverity::default()).then(|| Doc::Word(rule.severity.name())));
    put("message", rule.message.as_ref().map(Doc::text));
    put("remind", rule.remind.as_ref().map(Doc::text));
    order(rule, is_toml, &mut put);
    put("enabled", (!rule.enabled).then_some(Doc::Bool(false)));
    put("core", rule.core.then_some(Doc::Bool(true)));
    put("mode", (rule.mode == Enforcement::Shadow).then_some(Doc::Word("shadow")));
    put("once", rule.once.then_some(Doc::Bool(true)));
    put("cooldown_turns", (rule.cooldown.turns > 0).then(|| Doc::count(rule.cooldown.turns.into())));
    put("cooldown_ms", (rule.cooldown.ms > 0).then(|| Doc::count(rule.cooldown.ms)));
    put("on_fault", rule.on_fault.map(|fault| Doc::Word(fault_name(fault))));
    put("timezone", rule.timezone.as_ref().map(Doc::text));
    put("overrides", (!rule.overrides.is_empty()).then(|| Doc::texts(&rule.overrides)));
    put("taints", (!rule.taints.is_empty()).then(|| Doc::texts(&rule.taints)));
    put("redact", rule.redaction.as_ref().map(redaction));
    put(
        "approve",
        rule.approval_seconds.map(|seconds| Doc::Map(vec![("expires_seconds", Doc::count(seconds))])),
    );
    put("sees_synthetic", rule.sees_synthetic.then_some(Doc::Bool(true)));
    let parameters: Vec<(String, Doc)> =
        rule.parameters.iter().map(|(key, value)| (key.clone(), Doc::json(value))).collect();
    put("parameters", (!parameters.is_empty()).then_some(Doc::Data(parameters)));
    let bounds: Vec<(String, Doc)> =
        rule.bounds.iter().map(|(key, bounds)| (key.clone(), Doc::json(&json!(bounds)))).collect();
    put("bounds", (!bounds.is_empty()).then_some(Doc::Data(bounds)));
    let mut actions: Vec<Doc> = rule.actions.iter().map(|action| action::action(action, dialect)).collect();
    if !is_toml {
        put("actions", (!actions.is_empty()).then(|| Doc::List(std::mem::take(&mut actions))));
    }
    put("tests", (!rule.tests.is_empty()).then(|| tests(&rule.tests)));
    LaidRule { fields, condition, actions }
}

/// EDN writes an expression as it is.
fn when(condition: &mut Vec<(&'static str, Doc)>, dialect: Dialect) -> Option<Doc> {
    let condition = std::mem::take(condition);
    match <[(&'static str, Doc); 1]>::try_from(condition) {
        Ok([("if", form)]) if dialect == Dialect::Edn => Some(form),
        Ok(one) => Some(Doc::Map(one.into())),
        Err(condition) => (!condition.is_empty()).then_some(Doc::Map(condition)),
    }
}

fn order(rule: &Rule, is_toml: bool, put: &mut impl FnMut(&'static str, Option<Doc>)) {
    let priority = TOML_PRIORITY.checked_sub(rule.order).filter(|_| is_toml);
    match priority {
        _ if rule.order == 0 => {}
        Some(priority) => put("priority", Some(Doc::Int(priority))),
        None => put("order", Some(Doc::Int(rule.order))),
    }
}

fn fault_name(fault: OnFault) -> &'static str {
    match fault {
        OnFault::Block => "block",
        OnFault::Approve => "approve",
        OnFault::Allow => "allow",
    }
}

/// TOML's own name of a hook; a condition on how the call ended is part of it.
fn toml_hook(hook: Hook, guard: Guard) -> (&'static str, Guard) {
    for name in ["on_tool_complete", "on_tool_failure"] {
        let Some(named) = HookName::parse(name).filter(|named| named.hook == hook) else { continue };
        if let Some(Guard::Expr(first)) = implied(&named)
            && let Some(rest) = without(&guard, &first)
        {
            return (name, rest);
        }
    }
    let name = match hook {
        Hook::SessionStart => "on_session_start",
        Hook::QueryStart => "on_query_start",
        Hook::TurnStart => "on_turn_start",
        Hook::TurnEnd => "on_turn_end",
        Hook::PreToolCall => "on_tool_call",
        Hook::PostToolResponse => "post_tool_response",
        Hook::MessageAppended => "on_message_appended",
        Hook::PreCompact => "on_pre_compact",
        Hook::SessionEnd => "on_session_end",
        Hook::EventEmitted => "on_event",
    };
    (name, guard)
}

/// The guard without the condition that it starts with.
fn without(guard: &Guard, first: &Expr) -> Option<Guard> {
    match guard {
        Guard::Expr(expr) if expr == first => Some(Guard::Always),
        Guard::Expr(expr) => match expr.node() {
            Node::And(operands) if operands.first() == Some(first) => {
                Some(Guard::Expr(Expr::and(operands[1..].iter().cloned())))
            }
            _ => None,
        },
        Guard::All(inner) => {
            let (head, rest) = inner.split_first()?;
            Some(normal(Guard::All(
                std::iter::once(without(head, first)?).chain(rest.iter().cloned()).collect(),
            )))
        }
        _ => None,
    }
}

fn tool(tools: &ToolMatch) -> Option<Doc> {
    match tools {
        ToolMatch::Any => None,
        ToolMatch::OneOf(patterns) => Some(name_patterns(patterns)),
    }
}

pub(super) fn name_patterns(patterns: &[NamePattern]) -> Doc {
    match patterns {
        [] => Doc::Unsayable("no tool at all"),
        [one] => name_pattern(one),
        several => Doc::List(several.iter().map(name_pattern).collect()),
    }
}

/// A bare text where it means this pattern; otherwise its kind outright.
pub(super) fn name_pattern(pattern: &NamePattern) -> Doc {
    let text = pattern.text();
    if !text.trim().is_empty() && NamePattern::classify(text) == *pattern {
        return Doc::text(text);
    }
    let kind = match pattern {
        NamePattern::Exact(_) => "exact",
        NamePattern::Glob(_) => "glob",
        NamePattern::Regex(_) => "regex",
    };
    Doc::Map(vec![(kind, Doc::text(text))])
}

fn redaction(redaction: &Redaction) -> Doc {
    let mut fields = Vec::new();
    if !redaction.kinds.is_empty() {
        fields.push(("kinds", Doc::texts(&redaction.kinds)));
    }
    if !redaction.patterns.is_empty() {
        let patterns = redaction.patterns.iter().map(|pattern| {
            Doc::Map(vec![("name", Doc::text(&pattern.name)), ("regex", Doc::text(&pattern.regex))])
        });
        fields.push(("patterns", Doc::List(patterns.collect())));
    }
    Doc::Map(fields)
}
