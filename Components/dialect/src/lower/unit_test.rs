//! `tests`: cases beside rules.

use mentci_authority::{Effect, Event, Hook, RuleTest};
use mentci_source::{Code, Span};
use serde_json::{Map, Value as Json};

use crate::fields::{Fields, File};
use crate::tree::{Entry, Tree, Value};

/// Fields of an event that may stand in the test itself, without an `event` around them.
const EVENT_KEYS: &[&str] = &[
    "hook",
    "at",
    "session",
    "turn",
    "tool",
    "args",
    "result",
    "message",
    "usage",
    "sender",
    "session_facts",
    "facts",
    "claimed",
    "disabled",
    "parameters",
    "settings",
    "context",
    "commands",
    "files",
];

/// A list of tests of rules that are asked at `hook`.
pub(crate) fn tests(file: &mut File<'_>, tree: &Tree, hook: Hook) -> Vec<RuleTest> {
    if let Value::List(items) = &tree.value {
        items.iter().filter_map(|item| test(file, item, hook)).collect()
    } else {
        file.wrong("tests", "a list of tests", tree);
        Vec::new()
    }
}

fn test(file: &mut File<'_>, tree: &Tree, hook: Hook) -> Option<RuleTest> {
    let mut fields = Fields::of(file, "a test", tree)?;
    let name = fields.text(file, &["name"]).unwrap_or_default();
    let effects = Effect::ALL.map(|effect| (effect.name(), effect));
    let decision = fields.word(file, &["decision", "expect"], &effects);
    let rules = fields.texts(file, &["rules"]);
    let before = match fields.take("before").map(|entry| &entry.value) {
        None => Some(Vec::new()),
        Some(Tree { value: Value::List(items), .. }) => {
            let all: Vec<Option<Event>> = items.iter().map(|item| event(file, item, hook)).collect();
            all.into_iter().collect()
        }
        Some(other) => {
            file.wrong("before", "a list of events", other);
            None
        }
    };
    let event = match fields.take("event") {
        Some(Entry { value: inner @ Tree { value: Value::Map(_), .. }, .. }) => event(file, inner, hook),
        other => {
            let mut entries: Vec<Entry> = other.into_iter().cloned().collect();
            entries.extend(EVENT_KEYS.iter().filter_map(|key| fields.take(key)).cloned());
            of_entries(file, &entries, tree.span, hook)
        }
    };
    fields.close(file, |_| None);
    if decision.is_none() && rules.is_none() {
        let help = "give `decision`, `rules` or both";
        file.advise(Code::RULE_VALUE, tree.span, "this test expects nothing", help);
    }
    let line = file.source.place(tree.span.start as usize).line;
    Some(RuleTest { name, before: before?, event: event?, decision, rules, line })
}

fn event(file: &mut File<'_>, tree: &Tree, hook: Hook) -> Option<Event> {
    if let Value::Map(entries) = &tree.value {
        of_entries(file, entries, tree.span, hook)
    } else {
        file.wrong("event", "a map", tree);
        None
    }
}

/// `tool: exec` beside `args: {…}` is a call; the hook is the rule's own where none is said.
fn of_entries(file: &mut File<'_>, entries: &[Entry], span: Span, hook: Hook) -> Option<Event> {
    let mut json = Map::new();
    let mut args = None;
    for entry in entries {
        let value = match entry.value.to_json() {
            Ok(value) => value,
            Err(span) => {
                file.advise(
                    Code::RULE_VALUE,
                    span,
                    "an expression cannot stand in a test",
                    "write the value itself",
                );
                return None;
            }
        };
        match (entry.key.as_str(), value) {
            ("args", value) => args = Some(value),
            ("tool", Json::String(name)) => {
                json.insert("tool".to_owned(), serde_json::json!({ "name": name, "args": {} }));
            }
            (key, value) => {
                json.insert(key.to_owned(), value);
            }
        }
    }
    if let Some(args) = args {
        if let Some(Json::Object(tool)) = json.get_mut("tool") {
            tool.insert("args".to_owned(), args);
        } else {
            let help = file.example("tool", "text");
            file.say(Code::RULE_VALUE, span, "this event has `args` and no `tool`", help);
            return None;
        }
    }
    if !json.contains_key("event") && !json.contains_key("hook") {
        json.insert("event".to_owned(), Json::String(hook.name().to_owned()));
    }
    match serde_json::from_value(Json::Object(json)) {
        Ok(event) => Some(event),
        Err(error) => {
            let help = format!("an event reads as `{}`", file.map(&[("tool", "\"exec\""), ("args", "{}")]));
            file.advise(Code::RULE_VALUE, span, format!("this event cannot be read: {error}"), help);
            None
        }
    }
}
