//! A document's law: what is said around the rules, and the rules.

use std::collections::BTreeSet;

use mentci_authority::{Honeypot, Hook, Rule, RuleSeverity};
use mentci_chatmd::{Block, Document, Element};
use mentci_source::{Code, Severity};

use super::elements::{self, Kind, Row};
use super::names::Names;
use super::{on, policy};
use crate::fields::{Fields, File};
use crate::lower::set::{self, Head, Part};
use crate::lower::unit_test;
use crate::tree::{Entry, Tree, Value};

const RULES: &[Row] = &[
    ("name", "name", Kind::Text),
    ("version", "version", Kind::Text),
    ("description", "description", Kind::Text),
    ("default", "default", Kind::Text),
    ("max_actions_per_event", "max_actions_per_event", Kind::Int),
    ("allow_auto_calls", "allow_auto_calls", Kind::Int),
    ("trace", "trace", Kind::Text),
];

const HONEYPOT: &[Row] = &[
    ("tool", "tool", Kind::Pattern),
    ("message", "message", Kind::Text),
    ("severity", "severity", Kind::Text),
];

/// Reads the law of one document: every `<policy>` first, for it is asked first, then every `<rules>`.
///
/// What the head imports is read with it, where it is a file of rules.
pub(crate) fn part(file: &mut File<'_>) -> Part {
    let document = Document::read(file.source).take(&mut file.findings);
    file.gates.unread |= file.findings.iter().any(|finding| finding.severity == Severity::Error);
    let mut part = Part::default();
    let mut names = Names::default();
    let (rules, policies): (Vec<&Block>, Vec<&Block>) =
        document.law().partition(|block| block.element() == Some(Element::Rules));
    for block in policies {
        self::policy(file, block, &mut names, &mut part);
    }
    said_around(file, &rules, &mut part.head);
    part.rules.extend(self::rules(file, &rules, &mut part.head));
    part.head.include = document.imports().filter_map(included).collect();
    part
}

/// Whether an import is a file of this workspace that may hold law.
fn included(block: &Block) -> Option<(String, mentci_source::Span)> {
    let src = block.attribute("src").or_else(|| block.attribute("file"))?;
    let path = src.text();
    let law = !path.contains("://") && crate::Dialect::of_path(path).is_some();
    law.then(|| (path.to_owned(), src.value_span))
}

fn policy(file: &mut File<'_>, block: &Block, names: &mut Names, part: &mut Part) {
    elements::entries(file, block, &[]);
    for child in elements::children(file, block) {
        match child.name() {
            "tool" => part.rules.extend(policy::tool(file, child, names)),
            "honeypot" => part.head.honeypots.extend(honeypots(file, child)),
            _ => {
                elements::unknown_element(file, block, child, &["tool", "honeypot"]);
                file.gates.unread = true;
            }
        }
    }
}

fn honeypots(file: &mut File<'_>, block: &Block) -> Vec<Honeypot> {
    elements::expect_empty(file, block);
    let entries = elements::entries(file, block, HONEYPOT);
    let mut fields = Fields::of_entries("`<honeypot>`", &entries, elements::name_span(block));
    let severities = RuleSeverity::ALL.map(|severity| (severity.name(), severity));
    let message = fields.text(file, &["message"]);
    let severity = fields.word(file, &["severity"], &severities).unwrap_or_default();
    let Some(tool) = fields.take("tool") else {
        let help = "write `<honeypot tool=\"read_secrets\"/>`";
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<honeypot>` needs `tool`", help);
        file.gates.unread = true;
        return Vec::new();
    };
    let tools = set::baits(file, "tool", &tool.value);
    let at = set::place(file, block.span());
    let make = |tool| Honeypot { tool, message: message.clone(), severity, at: at.clone() };
    tools.into_iter().map(make).collect()
}

/// The attributes of all `<rules>` together; a document says each of them once.
fn said_around(file: &mut File<'_>, rules: &[&Block], head: &mut Head) {
    let mut entries: Vec<Entry> = Vec::new();
    for block in rules {
        for entry in elements::entries(file, block, RULES) {
            match entries.iter().find(|earlier| earlier.key == entry.key) {
                Some(earlier) if earlier.value.value != entry.value.value => {
                    let message = format!("another `<rules>` says `{}` otherwise", entry.key);
                    file.advise(
                        Code::RULE_KEY,
                        entry.key_span,
                        message,
                        "it holds for the whole document: say it once",
                    );
                }
                Some(_) => {}
                None => entries.push(entry),
            }
        }
    }
    let unlimited = entries.iter().position(|entry| {
        entry.key == "max_actions_per_event"
            && entry.value.as_text().is_some_and(|text| text.trim() == "unlimited")
    });
    if let Some(at) = unlimited {
        entries.remove(at);
    }
    let span = rules.first().map(|block| elements::name_span(block)).unwrap_or_default();
    let mut fields = Fields::of_entries("`<rules>`", &entries, span);
    head.name = fields.text(file, &["name"]);
    head.version = fields.text(file, &["version"]);
    head.description = fields.text(file, &["description"]);
    head.default_effect = set::default_effect(file, &mut fields);
    head.max_fired =
        fields.count(file, &["max_actions_per_event"], 1).or(Some(1)).filter(|_| unlimited.is_none());
    head.max_calls = fields.count(file, &["allow_auto_calls"], 0);
    head.visible_trace = fields.word(file, &["trace"], &[("visible", true), ("hidden", false)]);
}

fn rules(file: &mut File<'_>, blocks: &[&Block], head: &mut Head) -> Vec<Rule> {
    let said: BTreeSet<&str> =
        blocks.iter().flat_map(|block| block.children()).filter_map(|child| child.value("id")).collect();
    let mut rules = Vec::new();
    let mut place = 0;
    for block in blocks {
        for child in elements::children(file, block) {
            match child.name() {
                "on" => {
                    place += 1;
                    rules.extend(on::on(file, child, &derived(&mut place, &said)));
                }
                "test" => tests(file, child, head),
                _ => {
                    elements::unknown_element(file, block, child, &["on", "test"]);
                    file.gates.unread = true;
                }
            }
        }
    }
    rules
}

/// `on-3` for the third rule, or the next number that no rule says.
fn derived(place: &mut usize, said: &BTreeSet<&str>) -> String {
    while said.contains(format!("on-{place}").as_str()) {
        *place += 1;
    }
    format!("on-{place}")
}

fn tests(file: &mut File<'_>, block: &Block, head: &mut Head) {
    let Some(test) = on::test(file, block) else { return };
    let span = test.span;
    head.tests.extend(unit_test::tests(file, &Tree::new(Value::List(vec![test]), span), Hook::PreToolCall));
}
