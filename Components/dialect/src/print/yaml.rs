//! YAML, in blocks.

use super::doc::Doc;
use super::set::Laid;

/// Words that are no text where they stand alone, in one version of YAML or another.
const RESERVED: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];

pub(super) fn write(laid: &Laid) -> String {
    let mut entries = laid.head.clone();
    let rules = laid.rules.iter().map(|rule| Doc::Map(rule.fields.clone())).collect();
    entries.push(("rules", Doc::List(rules)));
    let mut out = String::new();
    map(&mut out, entries.iter().map(|(key, value)| (*key, value)), 0);
    out
}

fn map<'a>(out: &mut String, entries: impl Iterator<Item = (&'a str, &'a Doc)>, indent: usize) {
    for (at, (key, value)) in entries.enumerate() {
        if at > 0 || indent == 0 {
            out.push_str(&" ".repeat(indent));
        }
        text(out, key);
        out.push(':');
        below(out, value, indent);
    }
}

/// What stands after a key: on its line, or in lines below it.
fn below(out: &mut String, value: &Doc, indent: usize) {
    if let Some(line) = flow(value) {
        out.push(' ');
        out.push_str(&line);
        out.push('\n');
        return;
    }
    out.push('\n');
    let indent = indent + 2;
    match value {
        Doc::List(items) => list(out, items, indent),
        Doc::Map(entries) => {
            out.push_str(&" ".repeat(indent));
            map(out, entries.iter().map(|(key, value)| (*key, value)), indent);
        }
        Doc::Data(entries) => {
            out.push_str(&" ".repeat(indent));
            map(out, entries.iter().map(|(key, value)| (key.as_str(), value)), indent);
        }
        _ => {}
    }
}

fn list(out: &mut String, items: &[Doc], indent: usize) {
    for item in items {
        out.push_str(&" ".repeat(indent));
        out.push_str("- ");
        match (flow(item), item) {
            (Some(line), _) => {
                out.push_str(&line);
                out.push('\n');
            }
            (None, Doc::Map(entries)) => {
                map(out, entries.iter().map(|(key, value)| (*key, value)), indent + 2);
            }
            (None, Doc::Data(entries)) => {
                map(out, entries.iter().map(|(key, value)| (key.as_str(), value)), indent + 2);
            }
            (None, Doc::List(inner)) => {
                out.push('\n');
                list(out, inner, indent + 2);
            }
            (None, _) => {}
        }
    }
}

/// A value on one line: scalars, what is empty, and short lists of scalars.
fn flow(value: &Doc) -> Option<String> {
    const SHORT: usize = 80;
    let mut out = String::new();
    match value {
        Doc::Null => out.push_str("null"),
        Doc::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Doc::Int(number) => out.push_str(&number.to_string()),
        Doc::Float(number) => out.push_str(&format!("{number:?}")),
        Doc::Text(plain) | Doc::Form(plain) => text(&mut out, plain),
        Doc::Word(word) => text(&mut out, word),
        Doc::List(items) if items.iter().all(|item| item.is_plain() && !matches!(item, Doc::Map(_) | Doc::Data(_) | Doc::List(_))) => {
            let items: Option<Vec<String>> = items.iter().map(flow).collect();
            out = format!("[{}]", items?.join(", "));
            if out.len() > SHORT && items_of(value) > 1 {
                return None;
            }
        }
        Doc::Map(_) | Doc::Data(_) if value.is_plain() => out.push_str("{}"),
        _ => return None,
    }
    Some(out)
}

fn items_of(value: &Doc) -> usize {
    if let Doc::List(items) = value { items.len() } else { 0 }
}

/// A text: bare where every reader takes it for one, in double quotes otherwise.
fn text(out: &mut String, text: &str) {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_./- ".contains(c))
        && !text.ends_with(' ')
        && !RESERVED.contains(&text.to_ascii_lowercase().as_str());
    if plain {
        return out.push_str(text);
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
