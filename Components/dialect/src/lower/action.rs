//! What a rule does when it fires.

use mentci_authority::{Action, Assigned, DeliverAt, NotifyPriority, Role, StateScope};
use mentci_expr::Expr;
use mentci_source::{Code, Finding, Severity, Span, did_you_mean};

use super::phrase;
use crate::fields::{Fields, File, listed};
use crate::tree::{Tree, Value, shown};

/// The actions by every name that they have.
const NAMES: &[&str] = &[
    "insert",
    "notify",
    "notify_self",
    "call",
    "agent",
    "compact",
    "set",
    "set_state",
    "log",
    "emit",
    "emit_event",
    "stop",
];

const PRIORITIES: &[(&str, NotifyPriority)] = &[
    ("low", NotifyPriority::Low),
    ("normal", NotifyPriority::Normal),
    ("high", NotifyPriority::High),
    ("critical", NotifyPriority::Critical),
];

const DELIVERIES: &[(&str, DeliverAt)] = &[
    ("turn_start", DeliverAt::TurnStart),
    ("after_tool", DeliverAt::AfterTool),
    ("turn_end", DeliverAt::TurnEnd),
    ("immediate", DeliverAt::Immediate),
];

const LEVELS: &[(&str, &str)] =
    &[("debug", "debug"), ("info", "info"), ("warn", "warn"), ("warning", "warn"), ("error", "error")];

const SCOPES: &[(&str, StateScope)] = &[("session", StateScope::Session), ("plugin", StateScope::Plugin)];

/// One action, or a list of them.
pub(crate) fn actions(file: &mut File<'_>, tree: &Tree) -> Vec<Action> {
    let items = match &tree.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(tree),
    };
    items.iter().filter_map(|item| action(file, item)).collect()
}

/// `{type: insert, …}`, `{insert: {…}}`, or `stop`.
fn action(file: &mut File<'_>, tree: &Tree) -> Option<Action> {
    match &tree.value {
        Value::Text(name) => of_kind(file, name, tree, Fields::of_entries("an action", &[], tree.span)),
        Value::Map(entries) if entries.len() == 1 && entries[0].key != "type" => {
            let entry = &entries[0];
            match &entry.value.value {
                Value::Map(inner) => {
                    let fields = Fields::of_entries("an action", inner, entry.value.span);
                    of_kind(file, &entry.key, tree, fields)
                }
                Value::Null => {
                    of_kind(file, &entry.key, tree, Fields::of_entries("an action", &[], entry.value.span))
                }
                _ if !NAMES.contains(&kind_of(&entry.key).as_str()) => untyped(file, tree.span),
                _ => {
                    file.wrong(&entry.key, "a map of the action's fields", &entry.value);
                    None
                }
            }
        }
        _ => {
            let mut fields = Fields::of(file, "an action", tree)?;
            let Some(kind) = fields.take("type") else { return untyped(file, tree.span) };
            let Some(name) = kind.value.as_text() else {
                file.unknown_word("type", &kind.value, NAMES);
                return None;
            };
            let name = name.to_owned();
            of_kind(file, &name, &kind.value, fields)
        }
    }
}

fn untyped(file: &mut File<'_>, span: Span) -> Option<Action> {
    let help = format!("its `type` is one of {}", listed(NAMES));
    file.advise(Code::RULE_VALUE, span, "an action needs its `type`", help);
    None
}

/// The name of an action, however it is written.
fn kind_of(name: &str) -> String {
    name.trim().replace('-', "_").to_ascii_lowercase()
}

fn of_kind(file: &mut File<'_>, name: &str, at: &Tree, mut fields: Fields<'_>) -> Option<Action> {
    let action = match kind_of(name).as_str() {
        "insert" => insert(file, &mut fields),
        "notify" | "notify_self" => notify(file, &mut fields),
        "call" => call(file, &mut fields),
        "agent" => agent(file, &mut fields),
        "compact" => compact(file, &mut fields),
        "set" => set(file, &mut fields, StateScope::Session),
        "set_state" => set(file, &mut fields, StateScope::Plugin),
        "log" => log(file, &mut fields),
        "emit" | "emit_event" => emit(file, &mut fields),
        "stop" => Some(Action::Stop),
        other => {
            let help = match (other, did_you_mean(other, NAMES.iter().copied())) {
                ("deny", _) => {
                    "a rule denies by its effect `block`, with `message` and `remind` beside it".to_owned()
                }
                (_, Some(near)) => format!("did you mean `{near}`?"),
                (_, None) => format!("the actions are {}", listed(NAMES)),
            };
            file.advise(Code::RULE_VALUE, at.span, format!("there is no action `{}`", shown(name)), help);
            return None;
        }
    };
    fields.close(file, |_| None);
    action
}

/// A text that must be there.
fn needed(file: &mut File<'_>, fields: &mut Fields<'_>, keys: &[&'static str]) -> Option<String> {
    if !keys.iter().any(|key| fields.has(key)) {
        let span = fields.span;
        let help = file.example(keys[0], "text");
        file.say(Code::RULE_VALUE, span, format!("this action needs `{}`", keys[0]), help);
    }
    fields.text(file, keys)
}

/// A text that must be there and that is never filled in: others know it by this name.
fn name(file: &mut File<'_>, fields: &mut Fields<'_>, keys: &[&'static str], help: &str) -> Option<String> {
    let span = fields.span;
    let name = needed(file, fields, keys)?;
    if ["{{", "{%"].iter().any(|sign| name.contains(sign)) {
        file.advise(Code::RULE_VALUE, span, format!("`{}` is a name, and no template", keys[0]), help);
        return None;
    }
    if name.trim().is_empty() {
        let help = file.example(keys[0], "text");
        file.say(Code::RULE_VALUE, span, format!("`{}` is a name, and not empty", keys[0]), help);
        return None;
    }
    Some(name)
}

fn insert(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let roles = Role::ALL.map(|role| (role.name(), role));
    let insertable: Vec<(&str, Role)> = roles.into_iter().filter(|(_, role)| *role != Role::Tool).collect();
    let role = fields.word(file, &["role"], &insertable).unwrap_or(Role::Developer);
    let synthetic = fields.flag(file, &["synthetic"]).unwrap_or(true);
    if let Some(expr) = fields.take("expr") {
        let value = super::normal::canonical(phrase::phrase(file, "expr", &expr.value)?);
        return Some(Action::InsertValue { role, value, synthetic });
    }
    let text = needed(file, fields, &["text", "content", "message"])?;
    Some(Action::Insert { role, text, synthetic })
}

fn notify(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let category = fields.text(file, &["category"]).unwrap_or_else(|| "info".to_owned());
    let priority = fields.word(file, &["priority"], PRIORITIES).unwrap_or_default();
    let deliver_at = fields.word(file, &["deliver_at"], DELIVERIES).unwrap_or_default();
    let message = told(file, fields)?;
    Some(Action::Notify { message, category, priority, deliver_at })
}

/// What a notification says; an empty one is never told.
fn told(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<String> {
    let span = fields.span;
    let message = needed(file, fields, &["message"])?;
    if message.trim().is_empty() {
        let finding = Finding::new(Code::RULE_VALUE, "an empty `message` is never told");
        let finding = finding.severity(Severity::Warning).help("say what the agent is to know");
        file.findings.push(finding.at(file.source, span));
    }
    Some(message)
}

fn call(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let arguments = match fields.take_any(file, &["args", "arguments"]) {
        None => Some(Expr::json(&serde_json::json!({}))),
        Some(entry) => match &entry.value.value {
            Value::Map(_) => match entry.value.to_json() {
                Ok(json) => Some(super::rebuild::moved(Expr::json(&json), |_| entry.value.span)),
                Err(span) => {
                    file.advise(
                        Code::RULE_VALUE,
                        span,
                        "an expression cannot stand here",
                        "write all of `args` as one expression",
                    );
                    None
                }
            },
            _ => phrase::phrase(file, "args", &entry.value).map(super::normal::canonical),
        },
    };
    let tool = needed(file, fields, &["tool"])?;
    Some(Action::Call { tool, arguments: arguments? })
}

fn agent(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let text = fields.text(file, &["text"]).unwrap_or_default();
    let src = needed(file, fields, &["src"])?;
    Some(Action::Agent { src, text })
}

fn compact(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let keep = match fields.take("keep") {
        None => vec!["system".to_owned(), "developer".to_owned()],
        Some(entry) => keep(file, &entry.value)?,
    };
    let strategy = fields.text(file, &["strategy"]).unwrap_or_else(|| "relevance+summary".to_owned());
    let threshold_tokens = fields.whole(file, &["threshold_tokens"], 1);
    Some(Action::Compact { keep, strategy, threshold_tokens })
}

/// A list, or one text with commas; each is a role or `latest:N`.
fn keep(file: &mut File<'_>, tree: &Tree) -> Option<Vec<String>> {
    let texts = match tree.as_text() {
        Some(text) => text.split(',').map(|part| part.trim().to_owned()).collect(),
        None => crate::fields::texts(file, "keep", tree)?,
    };
    for text in &texts {
        let latest = text.strip_prefix("latest:").is_some_and(|count| count.parse::<u32>().is_ok());
        if !latest && Role::parse(text).is_none() {
            let help = "it names roles, and `latest:N` for the last N messages";
            file.advise(Code::RULE_VALUE, tree.span, format!("`keep` cannot hold `{}`", shown(text)), help);
            return None;
        }
    }
    Some(texts)
}

fn set(file: &mut File<'_>, fields: &mut Fields<'_>, scope: StateScope) -> Option<Action> {
    let scope = fields.word(file, &["scope"], SCOPES).unwrap_or(scope);
    let expr = fields.take("expr");
    let value = fields.take("value");
    let key = name(file, fields, &["key", "var"], "templates stand in `value`")?;
    let value = match (expr, value) {
        (Some(expr), None) => {
            Assigned::Expr(super::normal::canonical(phrase::phrase(file, "expr", &expr.value)?))
        }
        (None, Some(value)) => match value.value.to_json() {
            Ok(json) => Assigned::Value(json),
            Err(span) => {
                file.advise(
                    Code::RULE_VALUE,
                    span,
                    "an expression cannot be a `value`",
                    "put it under `expr`",
                );
                return None;
            }
        },
        (Some(expr), Some(_)) => {
            file.advise(
                Code::RULE_KEY,
                expr.key_span,
                "`expr` and `value` cannot stand together",
                "keep one of them",
            );
            return None;
        }
        (None, None) => {
            let span = fields.span;
            file.advise(Code::RULE_VALUE, span, "this action needs `value`", "or `expr`, an expression");
            return None;
        }
    };
    Some(Action::Set { scope, key, value })
}

fn log(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let level = fields.word(file, &["level"], LEVELS).unwrap_or("info").to_owned();
    let message = needed(file, fields, &["message"])?;
    Some(Action::Log { level, message })
}

fn emit(file: &mut File<'_>, fields: &mut Fields<'_>) -> Option<Action> {
    let payload = match fields.take_any(file, &["payload", "data"]).map(|entry| entry.value.to_json()) {
        None => serde_json::Value::Null,
        Some(Ok(payload)) => payload,
        Some(Err(span)) => {
            file.advise(
                Code::RULE_VALUE,
                span,
                "an expression cannot be a `payload`",
                "write the value itself, or a template",
            );
            return None;
        }
    };
    let event = name(file, fields, &["event", "name"], "templates stand in `payload`")?;
    Some(Action::Emit { event, payload })
}
