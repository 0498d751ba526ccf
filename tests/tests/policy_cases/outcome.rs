//! A verdict in one line.

use serde_json::Value;

/// `block no-rm, other | acts x:insert | faults a -> block | shadow b | redacted /to EMAIL | tells high: words | because __honeypot__`
pub(crate) fn shown(verdict: &Value) -> String {
    let mut line = text(&verdict["decision"]);
    let rules = each(&verdict["rules"], text);
    if !rules.is_empty() {
        line.extend([" ", &rules]);
    }
    let because = first_reason(verdict);
    for (name, part) in [
        ("because", because),
        ("acts", each(&verdict["actions"], |act| format!("{}:{}", text(&act["rule"]), text(&act["type"])))),
        ("faults", each(&verdict["faults"], fault)),
        ("shadow", each(&verdict["shadow"], |reason| text(&reason["rule"]))),
        ("redacted", each(&verdict["redacted"], |at| format!("{} {}", text(&at["path"]), text(&at["kind"])))),
        ("tells", each(&verdict["notifications"], notification)),
        ("args", value(&verdict["args"])),
        ("result", value(&verdict["result"])),
        ("diverged", value(&verdict["diverged"])),
    ] {
        if !part.is_empty() {
            line.extend([" | ", name, " ", &part]);
        }
    }
    line
}

/// The reason that is no rule's.
fn first_reason(verdict: &Value) -> String {
    let first = verdict["reasons"].get(0).map(|reason| text(&reason["rule"])).unwrap_or_default();
    if first.starts_with("__") { first } else { String::new() }
}

fn fault(fault: &Value) -> String {
    let decided = fault["decided"].as_str().unwrap_or("nothing");
    format!("{} -> {decided}", text(&fault["rule"]))
}

fn notification(told: &Value) -> String {
    format!("{}: {}", text(&told["priority"]), text(&told["message"]))
}

fn each(list: &Value, show: impl Fn(&Value) -> String) -> String {
    list.as_array().into_iter().flatten().map(show).collect::<Vec<_>>().join(", ")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn value(value: &Value) -> String {
    if value.is_null() { String::new() } else { value.to_string() }
}
