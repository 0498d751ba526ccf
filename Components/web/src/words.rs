//! Words that several pages use: effects, hooks, numbers, and texts that others wrote.

use mentci_authority::{Effect, Hook, RuleSeverity, Trust};
use mentci_page::{Html, grouped};
use serde_json::Value;

/// What a decision is called, as a mark: its word and its own shape, so that no one needs to see colours.
pub(crate) fn effect(effect: Effect, html: &mut Html) {
    mark(effect.name(), effect.name(), html);
}

/// A mark of a kind.
pub(crate) fn mark(kind: &str, text: &str, html: &mut Html) {
    html.leaf("span", &[("class", &format!("mark {kind}"))], text);
    html.own(" ");
}

/// When a hook is, in words.
pub(crate) fn hook(hook: Hook) -> &'static str {
    match hook {
        Hook::SessionStart => "When a session begins",
        Hook::QueryStart => "When a person asks something",
        Hook::TurnStart => "Before each request to the model",
        Hook::TurnEnd => "After each answer of the model",
        Hook::PreToolCall => "Before a tool runs",
        Hook::PostToolResponse => "After a tool answered",
        Hook::MessageAppended => "When a message is added",
        Hook::PreCompact => "Before the history is compacted",
        Hook::SessionEnd => "When a session ends",
        Hook::EventEmitted => "When a rule emits an event",
    }
}

pub(crate) fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Untrusted => "nobody yet: this workspace is not trusted, so it may only tighten",
        Trust::Builtin => "shipped with the program",
        Trust::Workspace => "this workspace, which you trust",
        Trust::User => "you",
        Trust::Managed => "your organisation",
    }
}

pub(crate) fn severity(severity: RuleSeverity, html: &mut Html) {
    if severity >= RuleSeverity::High {
        mark("severity", severity.name(), html);
    }
}

/// `1 rule`, `5 rules`
pub(crate) fn count(number: usize, one: &str) -> String {
    let many = if one.ends_with('s') { format!("{one}es") } else { format!("{one}s") };
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { &many })
}

/// The start of a text, on one line.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A sentence of our own or of a finding: what stands in backticks is code.
pub(crate) fn sentence(text: &str, html: &mut Html) {
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => html.text(part),
            _ => html.leaf("code", &[], part),
        }
    }
}

/// JSON as people read it, with what it may be long enough to scroll.
pub(crate) fn json(value: &Value, html: &mut Html) {
    pre(&pretty(value), html);
}

/// Text as it is written.
pub(crate) fn pre(text: &str, html: &mut Html) {
    html.leaf("pre", &[("tabindex", "0")], text);
}

/// JSON on several lines; a text is itself.
pub(crate) fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string()),
    }
}

/// The start of a call's arguments: the command of a shell, the path of a file, else the JSON.
pub(crate) fn short_args(args: &Value) -> String {
    let told = ["command", "cmd", "file_path", "path", "url", "query"]
        .into_iter()
        .find_map(|key| args.get(key).and_then(Value::as_str));
    match (told, args) {
        (Some(told), _) => excerpt(told, 120),
        (None, Value::Null) => String::new(),
        (None, Value::String(text)) => excerpt(text, 120),
        (None, Value::Object(map)) if map.is_empty() => String::new(),
        (None, other) => excerpt(&other.to_string(), 120),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_counts_read_well() {
        assert_eq!(grouped(41_200), "41,200");
        assert_eq!(count(1, "rule"), "1 rule");
        assert_eq!(count(1_200, "rule"), "1,200 rules");
        assert_eq!(count(2, "process"), "2 processes");
    }

    #[test]
    fn arguments_are_told_by_what_matters() {
        let told = |json: &str| short_args(&serde_json::from_str(json).unwrap());
        assert_eq!(told(r#"{"command":"rm  -rf\n/"}"#), "rm -rf /");
        assert_eq!(told(r#"{"x":1}"#), r#"{"x":1}"#);
        assert_eq!(told("{}"), "");
    }
}
