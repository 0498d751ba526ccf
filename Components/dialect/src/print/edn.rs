//! EDN: a map around a vector of rules.

use std::fmt::Write as _;

use mentci_reader::edn::quoted;

use super::doc::Doc;
use super::set::Laid;

pub(super) fn write(laid: &Laid) -> String {
    let mut out = String::from("{");
    for (key, value) in &laid.head {
        let _ = write!(out, ":rules/{} {}\n ", kebab(key), line(value));
    }
    if laid.rules.is_empty() {
        out.push_str(":rules []}\n");
        return out;
    }
    out.push_str(":rules\n [");
    for (at, rule) in laid.rules.iter().enumerate() {
        out.push_str(if at > 0 { "\n\n  {" } else { "{" });
        for (at, (key, value)) in rule.fields.iter().enumerate() {
            let space = if at == 0 { "" } else { "\n   " };
            let key = if *key == "id" { "rule/id".to_owned() } else { kebab(key) };
            let _ = write!(out, "{space}:{key} {}", line(value));
        }
        out.push('}');
    }
    out.push_str("]}\n");
    out
}

fn line(doc: &Doc) -> String {
    match doc {
        Doc::Null | Doc::Unsayable(_) => "nil".to_owned(),
        Doc::Bool(value) => value.to_string(),
        Doc::Int(number) => number.to_string(),
        Doc::Float(number) => format!("{number:?}"),
        Doc::Text(text) => quoted(text),
        Doc::Word(word) => format!(":{}", kebab(word)),
        Doc::Form(form) => form.clone(),
        Doc::List(items) => format!("[{}]", items.iter().map(line).collect::<Vec<_>>().join(" ")),
        Doc::Map(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!(":{} {}", kebab(key), line(value))).collect();
            format!("{{{}}}", entries.join(" "))
        }
        Doc::Data(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{} {}", quoted(key), line(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

fn kebab(word: &str) -> String {
    word.replace('_', "-")
}
