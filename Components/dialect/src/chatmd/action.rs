//! `<insert>` and its like: what a rule does.

use mentci_authority::{Action, Assigned, StateScope};
use mentci_chatmd::Block;
use mentci_source::{Code, Severity};

use super::elements::{self, Kind, Row};
use super::{expression, prose};
use crate::fields::{File, word};
use crate::lower::action;
use crate::tree::{Entry, Tree, Value, shown};

/// The elements that act.
pub(crate) const NAMES: &[&str] =
    &["insert", "call", "agent", "compact", "set", "stop", "log", "notify", "emit"];

const VIA: Row = ("via_rule", "via_rule", Kind::Other);

const INSERT: &[Row] = &[
    ("role", "role", Kind::Text),
    ("value", "value", Kind::Other),
    ("synthetic", "synthetic", Kind::Flag),
    VIA,
];
const CALL: &[Row] = &[("tool", "tool", Kind::Text), ("synthetic", "synthetic", Kind::Other), VIA];
const AGENT: &[Row] = &[("src", "src", Kind::Text), ("local", "local", Kind::Other), VIA];
const COMPACT: &[Row] = &[
    ("keep", "keep", Kind::List),
    ("strategy", "strategy", Kind::Text),
    ("threshold_tokens", "threshold_tokens", Kind::Int),
    VIA,
];
const SET: &[Row] =
    &[("var", "var", Kind::Other), ("value", "value", Kind::Other), ("scope", "scope", Kind::Other), VIA];
const STOP: &[Row] = &[VIA];
const LOG: &[Row] = &[("level", "level", Kind::Text), VIA];
const NOTIFY: &[Row] = &[
    ("category", "category", Kind::Text),
    ("priority", "priority", Kind::Text),
    ("deliver_at", "deliver_at", Kind::Text),
    VIA,
];
const EMIT: &[Row] = &[("event", "event", Kind::Text), VIA];

/// Reads the action that an element is; `None` with a finding.
pub(crate) fn action(file: &mut File<'_>, block: &Block, rule: &str) -> Option<Action> {
    check_via_rule(file, block, rule);
    match block.name() {
        "insert" => insert(file, block),
        "log" => told(file, block, LOG, Some("message")),
        "notify" => told(file, block, NOTIFY, Some("message")),
        "agent" => told(file, block, AGENT, Some("text")),
        "compact" => told(file, block, COMPACT, None),
        "stop" => told(file, block, STOP, None),
        "emit" => emit(file, block),
        "call" => call(file, block),
        _ => set(file, block),
    }
}

/// `via_rule` names the rule that writes: any other name would be a lie in the transcript.
fn check_via_rule(file: &mut File<'_>, block: &Block, rule: &str) {
    let Some(via) = block.attribute("via_rule").filter(|via| via.text() != rule) else { return };
    let message = format!("`via_rule` says `{}`, and the rule is `{}`", shown(via.text()), shown(rule));
    file.advise(Code::RULE_VALUE, via.value_span, message, "leave it out: the rule's own id is written");
    if let Some(last) = file.findings.last_mut() {
        last.severity = Severity::Warning;
    }
}

/// An action whose attributes are its fields, and whose body is one more.
fn told(file: &mut File<'_>, block: &Block, table: &[Row], body: Option<&str>) -> Option<Action> {
    let mut fields = elements::entries(file, block, table);
    match body {
        Some(key) => fields.push(elements::made(key, Value::Text(prose::text(block)), block.inner_span())),
        None => elements::expect_empty(file, block),
    }
    lowered(file, block, fields)
}

fn lowered(file: &mut File<'_>, block: &Block, mut fields: Vec<Entry>) -> Option<Action> {
    let name = Value::Text(block.name().to_owned());
    fields.insert(0, elements::made("type", name, elements::name_span(block)));
    action::actions(file, &Tree::new(Value::Map(fields), block.span())).pop()
}

/// A message with its text in the element, or with what `value` gives.
fn insert(file: &mut File<'_>, block: &Block) -> Option<Action> {
    let Some(value) = block.attribute("value") else { return told(file, block, INSERT, Some("text")) };
    let value = expression::attribute(file, value);
    elements::expect_empty(file, block);
    let mut fields = elements::entries(file, block, INSERT);
    fields.retain(|field| field.key != "value");
    let nothing = Value::Text("-".to_owned());
    fields.push(elements::made("text", nothing, elements::name_span(block)));
    match lowered(file, block, fields)? {
        Action::Insert { role, synthetic, .. } => {
            Some(Action::InsertValue { role, value: value?, synthetic })
        }
        other => Some(other),
    }
}

fn emit(file: &mut File<'_>, block: &Block) -> Option<Action> {
    let mut fields = elements::entries(file, block, EMIT);
    if let Some(payload) = elements::json_body(file, block) {
        let span = block.inner_span();
        fields.push(elements::made("payload", elements::of_json(payload, span), span));
    }
    lowered(file, block, fields)
}

fn call(file: &mut File<'_>, block: &Block) -> Option<Action> {
    elements::entries(file, block, CALL);
    let arguments = if prose::text(block).is_empty() {
        Some(mentci_expr::Expr::json(&serde_json::json!({})))
    } else {
        expression::body(file, block)
    };
    let tool = needed(file, block, "tool")?;
    Some(Action::Call { tool, arguments: arguments? })
}

fn set(file: &mut File<'_>, block: &Block) -> Option<Action> {
    elements::entries(file, block, SET);
    let scopes = [("session", StateScope::Session), ("plugin", StateScope::Plugin)];
    let scope = match block.attribute("scope") {
        None => Some(StateScope::Session),
        Some(scope) => word(file, "scope", &elements::entry("scope", scope, Kind::Text).value, &scopes),
    };
    let key = needed(file, block, "var");
    let body = elements::json_body(file, block);
    let value = match (block.attribute("value"), body) {
        (Some(value), None) => expression::attribute(file, value).map(Assigned::Expr),
        (None, Some(json)) => Some(Assigned::Value(json)),
        (Some(value), Some(_)) => {
            let message = "a value stands in the tag and in the element";
            file.advise(
                Code::RULE_KEY,
                value.span,
                message,
                "keep `value`, an expression, or the JSON in the element",
            );
            None
        }
        (None, None) => {
            let help = "give `value`, an expression, or JSON in the element";
            file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<set>` says no value", help);
            None
        }
    };
    Some(Action::Set { scope: scope?, key: key?, value: value? })
}

fn needed(file: &mut File<'_>, block: &Block, name: &str) -> Option<String> {
    let found = block.value(name).filter(|value| !value.trim().is_empty());
    if found.is_none() {
        let message = format!("this `<{}>` needs `{name}`", block.name());
        let help = format!("write `<{} {name}=\"…\">`", block.name());
        file.advise(Code::RULE_VALUE, elements::name_span(block), message, help);
    }
    found.map(str::to_owned)
}
