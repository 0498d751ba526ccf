//! `<on>`: one rule.

use mentci_authority::{Guard, Rule};
use mentci_chatmd::Block;
use mentci_source::{Code, Span};
use serde_json::Value as Json;

use super::elements::{self, Kind, Row};
use super::{action, condition, effect, expression, prose};
use crate::fields::{File, listed};
use crate::gate::is_like_an_effect;
use crate::lower::normal::normal;
use crate::lower::rule::{self, Defaults};
use crate::tree::{Entry, Tree, Value};

/// The attributes of `<on>`, with the fields that they are.
pub(crate) const ON: &[Row] = &[
    ("id", "id", Kind::Text),
    ("event", "event", Kind::Text),
    ("tool", "tool", Kind::Pattern),
    ("if", "if", Kind::Other),
    ("priority", "priority", Kind::Int),
    ("once", "once", Kind::Flag),
    ("cooldown_turns", "cooldown_turns", Kind::Int),
    ("cooldown_ms", "cooldown_ms", Kind::Int),
    ("synthetic", "synthetic", Kind::Other),
    ("name", "name", Kind::Text),
    ("description", "description", Kind::Text),
    ("version", "version", Kind::Text),
    ("severity", "severity", Kind::Text),
    ("message", "message", Kind::Text),
    ("remind", "remind", Kind::Text),
    ("enabled", "enabled", Kind::Flag),
    ("core", "core", Kind::Flag),
    ("mode", "mode", Kind::Text),
    ("on_fault", "on_fault", Kind::Text),
    ("overrides", "overrides", Kind::List),
    ("taints", "taints", Kind::List),
    ("timezone", "timezone", Kind::Text),
];

/// What `<on>` holds beside effects, actions and conditions.
const OTHERS: &[&str] = &["description", "parameter", "test"];

const PARAMETER: &[Row] = &[
    ("name", "name", Kind::Other),
    ("value", "value", Kind::Other),
    ("min", "min", Kind::Other),
    ("max", "max", Kind::Other),
];
const TEST: &[Row] = &[("name", "name", Kind::Text)];

/// Reads a rule, whose id is `id` unless it says one.
pub(crate) fn on(file: &mut File<'_>, block: &Block, id: &str) -> Option<Rule> {
    let mut fields = elements::entries(file, block, ON);
    if block.attribute("id").is_none() {
        fields.push(elements::made("id", Value::Text(id.to_owned()), elements::name_span(block)));
    }
    check_event(file, block);
    tools(&mut fields);
    sees_synthetic(file, block, &mut fields);
    let mut parts = Parts::of(file, block, block.value("id").unwrap_or(id));
    fields.append(&mut parts.fields);
    keep_first(file, &mut fields);
    // Actions have been read: what `rule` asks is only whether there are any.
    if parts.broken || !parts.actions.is_empty() || parts.holds_a_script() {
        fields.push(elements::made("actions", stand_in(block), elements::name_span(block)));
    }
    let mut rule = rule::rule(file, &Tree::new(Value::Map(fields), block.span()), &Defaults::default())?;
    file.gates.of_rule(&rule, parts.doubtful);
    rule.actions = parts.actions;
    let condition = block.attribute("if").and_then(|condition| expression::attribute(file, condition));
    let condition = condition.map(Guard::Expr);
    if let Some(guard) = &condition {
        rule::condition_type(file, guard);
    }
    let status = std::mem::take(&mut rule.guard);
    let all = std::iter::once(status).chain(condition).chain(parts.guards);
    rule.guard = normal(Guard::All(all.collect()));
    Some(rule)
}

/// An action that stands for those that were read already.
fn stand_in(block: &Block) -> Value {
    Value::List(vec![Tree::new(Value::Text("stop".to_owned()), block.span())])
}

fn check_event(file: &mut File<'_>, block: &Block) {
    if block.attribute("event").is_none() {
        let help = format!(
            "say when it is asked: one of {}",
            listed(&mentci_authority::Hook::ALL.map(mentci_authority::Hook::name))
        );
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<on>` needs `event`", help);
    }
}

/// `tool` is a condition in the other dialects.
fn tools(fields: &mut Vec<Entry>) {
    if let Some(at) = fields.iter().position(|entry| entry.key == "tool") {
        let tool = fields.remove(at);
        let span = tool.value.span;
        fields.push(elements::made("when", Value::Map(vec![tool]), span));
    }
}

/// `synthetic="include"`: the rule also sees what rules wrote.
fn sees_synthetic(file: &mut File<'_>, block: &Block, fields: &mut Vec<Entry>) {
    let Some(attribute) = block.attribute("synthetic") else { return };
    match attribute.text().trim() {
        "include" => fields.push(elements::made("sees_synthetic", Value::Bool(true), attribute.span)),
        "exclude" => {}
        _ => file.unknown_word(
            "synthetic",
            &elements::entry("synthetic", attribute, Kind::Text).value,
            &["include", "exclude"],
        ),
    }
}

/// Of fields that stand twice the first stays, with a finding for the others.
fn keep_first(file: &mut File<'_>, fields: &mut Vec<Entry>) {
    for entry in std::mem::take(fields) {
        if fields.iter().any(|earlier| earlier.key == entry.key) {
            let (message, help) = match entry.key.as_str() {
                "then" => ("a rule has one effect".to_owned(), "write a rule for each"),
                key => (format!("`{key}` stands twice"), "keep one of them"),
            };
            file.advise(Code::RULE_KEY, entry.key_span, message, help);
        } else {
            fields.push(entry);
        }
    }
}

/// What stands in an `<on>`.
#[derive(Default)]
struct Parts {
    fields: Vec<Entry>,
    actions: Vec<mentci_authority::Action>,
    guards: Vec<Guard>,
    parameters: Vec<Entry>,
    bounds: Vec<Entry>,
    tests: Vec<Tree>,
    /// Something that could not be read: there are findings.
    broken: bool,
    /// Some of that may have been what the rule decides.
    doubtful: bool,
}

impl Parts {
    fn of(file: &mut File<'_>, block: &Block, id: &str) -> Self {
        let mut parts = Self::default();
        for child in elements::children(file, block) {
            parts.child(file, block, child, id);
        }
        let span = block.span();
        if !parts.parameters.is_empty() {
            let parameters = std::mem::take(&mut parts.parameters);
            parts.fields.push(elements::made("parameters", Value::Map(parameters), span));
        }
        if !parts.bounds.is_empty() {
            let bounds = std::mem::take(&mut parts.bounds);
            parts.fields.push(elements::made("bounds", Value::Map(bounds), span));
        }
        if !parts.tests.is_empty() {
            let tests = std::mem::take(&mut parts.tests);
            parts.fields.push(elements::made("tests", Value::List(tests), span));
        }
        parts
    }

    fn child(&mut self, file: &mut File<'_>, block: &Block, child: &Block, id: &str) {
        let name = child.name();
        if let Some(effect) = effect::find(name) {
            self.fields.extend(effect::entries(file, child, effect));
        } else if action::NAMES.contains(&name) {
            let action = action::action(file, child, id);
            self.broken |= action.is_none();
            self.actions.extend(action);
        } else if condition::NAMES.contains(&name) {
            self.guards.extend(condition::condition(file, child));
        } else {
            match name {
                "description" => {
                    elements::entries(file, child, &[]);
                    let text = Value::Text(prose::text(child));
                    self.fields.push(elements::made("description", text, child.inner_span()));
                }
                "parameter" => {
                    self.parameters.extend(parameter(file, child));
                    self.bounds.extend(bounds(child));
                }
                "test" => self.tests.extend(test(file, child)),
                _ => self.unknown(file, block, child),
            }
        }
    }

    /// A script may itself say what is to be done.
    fn holds_a_script(&self) -> bool {
        let mut found = false;
        for guard in &self.guards {
            guard.walk(&mut |guard| found |= matches!(guard, Guard::Script(_)));
        }
        found
    }

    fn unknown(&mut self, file: &mut File<'_>, block: &Block, child: &Block) {
        self.broken = true;
        self.doubtful |= self.actions.is_empty() || is_like_an_effect(child.name());
        let effects = effect::EFFECTS.iter().map(|(name, _)| *name);
        let all: Vec<&'static str> =
            effects.chain([action::NAMES, condition::NAMES, OTHERS].concat()).collect();
        elements::unknown_element(file, block, child, &all);
    }
}

/// `<parameter name="threshold">5</parameter>`: JSON, or else the text itself.
fn parameter(file: &mut File<'_>, block: &Block) -> Option<Entry> {
    elements::entries(file, block, PARAMETER);
    let Some(name) = block.value("name").filter(|name| !name.is_empty()) else {
        let help = "write `<parameter name=\"limit\">5</parameter>`";
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<parameter>` needs `name`", help);
        return None;
    };
    let body = prose::text(block);
    let text = block.value("value").unwrap_or(&body);
    let json = serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()));
    let span: Span = block.span();
    Some(elements::made(name, elements::of_json(json, span), span))
}

/// `<parameter name="threshold" min="0" max="1">`: how far it may be set.
fn bounds(block: &Block) -> Option<Entry> {
    let (name, span) = (block.value("name")?, block.span());
    let ends = ["min", "max"].into_iter().filter_map(|end| {
        let text = block.value(end)?;
        let json = serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()));
        Some((end.to_owned(), json))
    });
    let ends: serde_json::Map<String, Json> = ends.collect();
    (!ends.is_empty()).then(|| elements::made(name, elements::of_json(Json::Object(ends), span), span))
}

/// `<test name="…">{"event": …, "decision": "block"}</test>`.
pub(crate) fn test(file: &mut File<'_>, block: &Block) -> Option<Tree> {
    let mut fields = elements::entries(file, block, TEST);
    let span = block.span();
    if let Some(Value::Map(entries)) =
        elements::json_body(file, block).map(|json| elements::of_json(json, span))
    {
        fields.extend(entries);
        return Some(Tree::new(Value::Map(fields), span));
    }
    let help = "it holds an event and what must come of it, as a JSON object";
    file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<test>` cannot be read", help);
    None
}
