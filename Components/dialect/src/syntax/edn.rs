//! EDN to trees: keywords and symbols are texts, lists stay as they are for the guard language.

use std::collections::BTreeMap;

use mentci_reader::edn::{self, Node};
use mentci_source::{Code, Finding, Severity, Source};

use crate::tree::{Entry, Tree, Value, shown};

/// Reads every top-level form; everything that is wrong where they cannot be read.
pub(crate) fn read(source: &Source) -> Result<Vec<Tree>, Vec<Finding>> {
    let reading = edn::read(source);
    let mut findings = reading.findings;
    for finding in &mut findings {
        // A rule's second `:tool` is no slip: one of the two would not be obeyed.
        finding.severity = Severity::Error;
    }
    let trees = reading.value.forms.iter().map(|form| tree(source, form, &mut findings)).collect();
    if findings.is_empty() { Ok(trees) } else { Err(findings) }
}

fn tree(source: &Source, node: &Node, findings: &mut Vec<Finding>) -> Tree {
    let span = node.span;
    let mut refuse = |what: &str| {
        let finding = Finding::new(Code::RULE_VALUE, format!("{what} is no value of a rule"));
        findings.push(
            finding.help("write a text, a plain number, a keyword, a vector or a map").at(source, span),
        );
        Value::Null
    };
    let value = match &node.value {
        edn::Value::Nil => Value::Null,
        edn::Value::Bool(value) => Value::Bool(*value),
        edn::Value::String(text) | edn::Value::Symbol(text) | edn::Value::Keyword(text) => {
            Value::Text(text.clone())
        }
        edn::Value::Char(c) => Value::Text(c.to_string()),
        edn::Value::Integer(number) => Value::Int(*number),
        edn::Value::Float(number) if number.is_finite() => Value::Float(*number),
        edn::Value::Float(_) | edn::Value::BigInteger(_) | edn::Value::Decimal(_) => {
            refuse("a number that is not finite or beyond 64 bits")
        }
        edn::Value::Tagged(tag, _) => refuse(&format!("the tag `#{}`", shown(tag))),
        edn::Value::List(_) => Value::Form(node.clone()),
        edn::Value::Vector(items) => {
            Value::List(items.iter().map(|item| tree(source, item, findings)).collect())
        }
        edn::Value::Set(set) => {
            Value::List(set.items().iter().map(|item| tree(source, item, findings)).collect())
        }
        edn::Value::Map(map) => Value::Map(entries(source, map.entries(), findings)),
    };
    Tree::new(value, span)
}

fn entries(source: &Source, nodes: &[(Node, Node)], findings: &mut Vec<Finding>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(nodes.len());
    let mut names: BTreeMap<String, &Node> = BTreeMap::new();
    for (key, value) in nodes {
        let Some(name) = name(key) else {
            let finding = Finding::new(Code::RULE_VALUE, "a key must be a keyword or a string");
            findings.push(finding.help("write it as in `{:id \"no-shell\"}`").at(source, key.span));
            continue;
        };
        // What stands twice word for word, the reader has told already.
        if names.insert(name.clone(), key).is_some_and(|earlier| earlier != key) {
            let finding = Finding::new(Code::RULE_KEY, format!("the key `{}` stands twice", shown(&name)));
            findings.push(finding.help("keep one of them").at(source, key.span));
        }
        entries.push(Entry { key: name, key_span: key.span, value: tree(source, value, findings) });
    }
    entries
}

/// `:rule/id` is `id`, `:cooldown-turns` is `cooldown_turns`; a string is a key as it stands.
fn name(key: &Node) -> Option<String> {
    match &key.value {
        edn::Value::Keyword(name) => {
            let local = name.strip_prefix("rule/").unwrap_or(name);
            Some(local.replace('-', "_"))
        }
        edn::Value::String(text) | edn::Value::Symbol(text) => Some(text.clone()),
        edn::Value::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}
