//! TOML: `[rule]` with `[condition]` and `[action]`, or `[[rule]]` with them inside.

use super::doc::Doc;
use super::rule::LaidRule;
use super::set::Laid;

pub(super) fn write(laid: &Laid) -> String {
    let mut tables = Vec::new();
    if !laid.head.is_empty() || laid.rules.is_empty() {
        tables.push(table("[set]", &laid.head));
    }
    match laid.rules.as_slice() {
        [rule] => of_rule(&mut tables, rule, "[rule]", "", !matches!(rule.actions.len(), 1)),
        several => {
            for rule in several {
                of_rule(&mut tables, rule, "[[rule]]", "rule.", !matches!(rule.actions.len(), 1));
            }
        }
    }
    tables.join("\n")
}

fn of_rule(tables: &mut Vec<String>, rule: &LaidRule, head: &str, prefix: &str, listed: bool) {
    tables.push(table(head, &rule.fields));
    if !rule.condition.is_empty() {
        tables.push(table(&format!("[{prefix}condition]"), &rule.condition));
    }
    let head = if listed { format!("[[{prefix}action]]") } else { format!("[{prefix}action]") };
    for action in &rule.actions {
        if let Doc::Map(fields) = action {
            tables.push(table(&head, fields));
        }
    }
}

fn table(head: &str, fields: &[(&'static str, Doc)]) -> String {
    let mut out = format!("{head}\n");
    for (name, doc) in fields {
        key(&mut out, name);
        out.push_str(" = ");
        value(&mut out, doc, true);
        out.push('\n');
    }
    out
}

fn value(out: &mut String, doc: &Doc, outer: bool) {
    match doc {
        Doc::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Doc::Int(number) => out.push_str(&number.to_string()),
        Doc::Float(number) => out.push_str(&super::doc::float(*number)),
        Doc::Text(plain) | Doc::Form(plain) => text(out, plain),
        Doc::Word(word) => text(out, word),
        Doc::List(items) => list(out, items, outer),
        Doc::Map(entries) => inline(out, entries.iter().map(|(key, value)| (*key, value))),
        Doc::Data(entries) => inline(out, entries.iter().map(|(key, value)| (key.as_str(), value))),
        // Neither is ever laid out for TOML: `lay_out` has told.
        Doc::Null | Doc::Unsayable(_) => {}
    }
}

/// Tables in a list each get a line.
fn list(out: &mut String, items: &[Doc], outer: bool) {
    let lines = outer && items.iter().any(|item| matches!(item, Doc::Map(_) | Doc::Data(_)));
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        match (lines, at) {
            (true, _) => out.push_str("\n  "),
            (false, 0) => {}
            (false, _) => out.push_str(", "),
        }
        value(out, item, false);
        if lines {
            out.push(',');
        }
    }
    out.push_str(if lines { "\n]" } else { "]" });
}

fn inline<'a>(out: &mut String, entries: impl Iterator<Item = (&'a str, &'a Doc)>) {
    out.push('{');
    let mut is_first = true;
    for (name, doc) in entries {
        out.push_str(if is_first { " " } else { ", " });
        is_first = false;
        key(out, name);
        out.push_str(" = ");
        value(out, doc, false);
    }
    out.push_str(if is_first { "}" } else { " }" });
}

fn key(out: &mut String, name: &str) {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { out.push_str(name) } else { text(out, name) }
}

fn text(out: &mut String, text: &str) {
    // Where there is something to escape, single quotes keep it readable.
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.chars().any(char::is_control) {
        out.push('\'');
        out.push_str(text);
        return out.push('\'');
    }
    super::doc::quoted(out, text, char::is_control);
}
