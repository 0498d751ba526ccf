//! The rules that a transcript names: their texts and places.

use std::collections::BTreeMap;

use mentci_chatmd::{Block, Document, Element};
use mentci_source::Source;

/// A rule as its author wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// Its text.
    pub text: String,
    /// `sema.chatmd:12:3`.
    pub at: String,
}

/// The rules that blocks name, by the names that they use.
pub type RuleTexts = BTreeMap<String, RuleText>;

/// Every rule that a block of the document names, by `via_rule` or by `rule`, with the places of those blocks.
pub fn rules_named(document: &Document) -> BTreeMap<&str, Vec<usize>> {
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, block) in document.blocks().enumerate() {
        if let Some(rule) = rule_of(block) {
            named.entry(rule).or_default().push(at);
        }
    }
    named
}

fn via_rule(block: &Block) -> Option<&str> {
    block.via_rule().filter(|rule| !rule.is_empty())
}

fn event_rule(block: &Block) -> Option<&str> {
    block.value("rule").filter(|_| block.element() == Some(Element::RuleEvent))
}

/// The rule of a block, whichever way it says so.
pub(crate) fn rule_of(block: &Block) -> Option<&str> {
    via_rule(block).or_else(|| event_rule(block))
}

/// The rules in the head of their own document, by name: each `<on>`, and each constraint of `<policy>` as `deploy/quota`.
pub fn own_rules(source: &Source, document: &Document) -> RuleTexts {
    let mut own = RuleTexts::new();
    let text = |block: &Block| {
        let place = source.place(block.span().start as usize);
        let text = unindented(block.written(), place.column);
        RuleText { text, at: format!("{}:{}:{}", source.path(), place.line, place.column) }
    };
    for child in document.law().flat_map(Block::children) {
        if let (Some(id), "on") = (child.value("id"), child.name()) {
            own.entry(id.to_owned()).or_insert_with(|| text(child));
        }
        if let (Some(tool), "tool") = (child.value("name"), child.name()) {
            for name in constraints(tool, child) {
                own.entry(name).or_insert_with(|| text(child));
            }
        }
    }
    own
}

/// `deploy/requires`, `deploy/requires-2`, `deploy/validate-1`: as the reader of the law names them.
fn constraints(tool: &str, block: &Block) -> Vec<String> {
    let mut names = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for child in block.children() {
        let checks = child.children().count().max(1);
        let times = seen.entry(child.name()).or_default();
        names.extend(child.value("id").map(str::to_owned));
        for _ in 0..if child.name() == "validate" { checks } else { 1 } {
            *times += 1;
            names.push(format!("{tool}/{}-{times}", child.name()));
        }
        names.push(format!("{tool}/{}", child.name()));
    }
    names
}

/// The lines after the first without the space that stands before the first.
fn unindented(text: &str, column: u32) -> String {
    let indent = column.saturating_sub(1) as usize;
    let mut lines = text.lines();
    let first = lines.next().unwrap_or("").to_owned();
    lines.fold(first, |all, line| {
        let space = line.len() - line.trim_start_matches([' ', '\t']).len();
        all + "\n" + &line[space.min(indent)..]
    })
}
