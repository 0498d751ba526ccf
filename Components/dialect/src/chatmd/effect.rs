//! `<deny>`, `<approve>`, `<redact>`, `<warn>`, `<allow>`: what a rule says about a call.

use mentci_authority::Effect;
use mentci_chatmd::Block;
use mentci_source::{Code, Span};

use super::elements::{self, Kind, Row};
use super::prose;
use crate::fields::File;
use crate::tree::{Entry, Tree, Value};

/// The elements and their effects.
pub(crate) const EFFECTS: &[(&str, Effect)] = &[
    ("deny", Effect::Block),
    ("approve", Effect::Approve),
    ("redact", Effect::Redact),
    ("warn", Effect::Warn),
    ("allow", Effect::Allow),
];

const PLAIN: &[Row] = &[("reason", "message", Kind::Text), ("remind", "remind", Kind::Text)];

const APPROVE: &[Row] =
    &[("reason", "message", Kind::Text), ("remind", "remind", Kind::Text), ("seconds", "approve", Kind::Int)];

const REDACT: &[Row] =
    &[("reason", "message", Kind::Text), ("remind", "remind", Kind::Text), ("kinds", "kinds", Kind::List)];

const PATTERN: &[Row] = &[("name", "name", Kind::Text), ("regex", "regex", Kind::Text)];

/// The effect of an element by its name.
pub(crate) fn find(name: &str) -> Option<Effect> {
    EFFECTS.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect)
}

/// The fields that the element says: `then`, and what comes with it.
pub(crate) fn entries(file: &mut File<'_>, block: &Block, effect: Effect) -> Vec<Entry> {
    let name = elements::name_span(block);
    let mut all = vec![elements::made("then", Value::Text(effect.name().to_owned()), name)];
    match effect {
        Effect::Redact => all.extend(redaction(file, block)),
        Effect::Approve => all.extend(elements::entries(file, block, APPROVE)),
        Effect::Block | Effect::Warn | Effect::Allow => all.extend(elements::entries(file, block, PLAIN)),
    }
    if effect != Effect::Redact {
        all.extend(body(file, block, &all));
    }
    all
}

/// A reason may stand in the element as well.
fn body(file: &mut File<'_>, block: &Block, said: &[Entry]) -> Option<Entry> {
    let text = prose::text(block);
    if text.is_empty() {
        return None;
    }
    let span = block.inner_span();
    if said.iter().any(|entry| entry.key == "message") {
        file.advise(
            Code::RULE_KEY,
            span,
            "the reason stands twice",
            "keep `reason`, or what stands in the element",
        );
        return None;
    }
    Some(elements::made("message", Value::Text(text), span))
}

fn redaction(file: &mut File<'_>, block: &Block) -> Vec<Entry> {
    let (mut inner, mut rest): (Vec<Entry>, Vec<Entry>) =
        elements::entries(file, block, REDACT).into_iter().partition(|entry| entry.key == "kinds");
    let patterns: Vec<Tree> = elements::children(file, block)
        .into_iter()
        .filter_map(|child| {
            if child.name() == "pattern" {
                return Some(pattern(file, child));
            }
            elements::unknown_element(file, block, child, &["pattern"]);
            None
        })
        .collect();
    let span = block.span();
    if !patterns.is_empty() {
        inner.push(elements::made("patterns", Value::List(patterns), span));
    }
    if !inner.is_empty() {
        rest.push(elements::made("redact", Value::Map(inner), span));
    }
    rest
}

fn pattern(file: &mut File<'_>, block: &Block) -> Tree {
    elements::expect_empty(file, block);
    let span: Span = block.span();
    Tree::new(Value::Map(elements::entries(file, block, PATTERN)), span)
}
