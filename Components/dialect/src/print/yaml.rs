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
    map(&mut out, entries.iter().map(|(key, value)| (*key, value)), 0, true);
    out
}

fn map<'a>(out: &mut String, entries: impl Iterator<Item = (&'a str, &'a Doc)>, indent: usize, ours: bool) {
    for (at, (key, value)) in entries.enumerate() {
        if at > 0 || indent == 0 {
            out.push_str(&" ".repeat(indent));
        }
        if ours {
            out.push_str(key);
        } else {
            text(out, key);
        }
        out.push(':');
        below(out, value, indent);
    }
}

/// The entries of either kind of map, after the indent of the first one.
fn entries(out: &mut String, value: &Doc, indent: usize) {
    match value {
        Doc::Map(entries) => map(out, entries.iter().map(|(key, value)| (*key, value)), indent, true),
        Doc::Data(entries) => {
            map(out, entries.iter().map(|(key, value)| (key.as_str(), value)), indent, false);
        }
        _ => {}
    }
}

/// What stands after a key: on its line, or in lines below it.
fn below(out: &mut String, value: &Doc, indent: usize) {
    let indent = indent + 2;
    match value {
        Doc::Text(text) if is_block(text) => block(out, text, indent),
        _ => {
            if let Some(line) = flow(value) {
                out.push(' ');
                out.push_str(&line);
                out.push('\n');
            } else {
                out.push('\n');
                if let Doc::List(items) = value {
                    return list(out, items, indent);
                }
                out.push_str(&" ".repeat(indent));
                entries(out, value, indent);
            }
        }
    }
}

/// Whether a text of several lines stands as it is, line by line.
fn is_block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        && body.lines().all(|line| line.is_empty() || line.trim_end() == line)
        && !body.starts_with(|c: char| c.is_whitespace())
        && !body.ends_with('\n')
        && body.chars().all(|c| c == '\n' || !is_special(c))
}

fn block(out: &mut String, text: &str, indent: usize) {
    let body = text.strip_suffix('\n');
    out.push_str(if body.is_some() { " |\n" } else { " |-\n" });
    for line in body.unwrap_or(text).split('\n') {
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(line);
        }
        out.push('\n');
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
            (None, Doc::List(inner)) => {
                out.push('\n');
                list(out, inner, indent + 2);
            }
            (None, _) => entries(out, item, indent + 2),
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
        Doc::Float(number) => out.push_str(&super::doc::float(*number)),
        Doc::Text(plain) | Doc::Form(plain) => text(&mut out, plain),
        Doc::Word(word) => text(&mut out, word),
        Doc::List(items)
            if items.iter().all(|item| {
                item.is_plain() && !matches!(item, Doc::Map(_) | Doc::Data(_) | Doc::List(_))
            }) =>
        {
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
    // Where there is something to escape, single quotes keep it readable.
    if text.contains(['"', '\\']) && !text.chars().any(is_special) {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        return out.push('\'');
    }
    super::doc::quoted(out, text, is_special);
}

/// What cannot stand in a file as it is, or breaks a line.
fn is_special(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}
