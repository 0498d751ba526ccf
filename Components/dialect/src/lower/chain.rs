//! `chain`: calls that were made before.

use mentci_authority::{Chain, ChainStep, Effect, ToolMatch};
use mentci_source::Code;

use super::name_test;
use super::when::milliseconds;
use crate::fields::{Fields, File, word};
use crate::tree::{Tree, Value};

/// A list of steps, one step, or `{steps, ordered}`.
pub(crate) fn chain(file: &mut File<'_>, tree: &Tree) -> Option<Chain> {
    match &tree.value {
        Value::List(items) => Some(Chain { steps: steps(file, tree, items)?, ordered: false }),
        Value::Map(entries) if entries.iter().any(|entry| entry.key == "tool") => {
            Some(Chain { steps: vec![step(file, tree)?], ordered: false })
        }
        Value::Map(_) => {
            let mut fields = Fields::of(file, "a chain", tree)?;
            let listed = fields.take("steps");
            let ordered = fields.flag(file, &["ordered"]).unwrap_or(false);
            fields.close(file, |_| None);
            if let Some((list, Value::List(items))) = listed.map(|entry| (&entry.value, &entry.value.value)) {
                Some(Chain { steps: steps(file, list, items)?, ordered })
            } else {
                file.wrong("chain", "a list of steps, or `steps` with `ordered`", tree);
                None
            }
        }
        _ => {
            file.wrong("chain", "a list of steps, or `steps` with `ordered`", tree);
            None
        }
    }
}

fn steps(file: &mut File<'_>, tree: &Tree, items: &[Tree]) -> Option<Vec<ChainStep>> {
    if items.is_empty() {
        let help = format!("give it one or more: `{}`", file.step());
        file.advise(Code::RULE_VALUE, tree.span, "this chain has no steps", help);
        return None;
    }
    let all: Vec<Option<ChainStep>> = items.iter().map(|item| step(file, item)).collect();
    all.into_iter().collect()
}

fn step(file: &mut File<'_>, tree: &Tree) -> Option<ChainStep> {
    let mut fields = Fields::of(file, "a step", tree)?;
    let tools = if let Some(entry) = fields.take("tool") {
        name_test::patterns(file, "tool", &entry.value).map(ToolMatch::one_of)
    } else {
        let help = file.example("tool", "text");
        file.say(Code::RULE_VALUE, tree.span, "a step needs its `tool`", help);
        None
    };
    let within_ms = if let Some(entry) = fields.take("within_seconds") {
        milliseconds(file, "within_seconds", &entry.value)
    } else {
        let help = "say how far back is looked";
        file.advise(Code::RULE_VALUE, tree.span, "a step needs `within_seconds`", help);
        None
    };
    let min_count = fields.count(file, &["min_count"], 1).unwrap_or(1);
    let verdicts = match fields.take_any(file, &["verdict", "verdicts"]) {
        Some(entry) => verdicts(file, &entry.value),
        None => Some(Vec::new()),
    };
    fields.close(file, |_| None);
    Some(ChainStep { tools: tools?, within_ms: within_ms?, min_count, verdicts: verdicts? })
}

fn verdicts(file: &mut File<'_>, tree: &Tree) -> Option<Vec<Effect>> {
    let table = Effect::ALL.map(|effect| (effect.name(), effect));
    let items = match &tree.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(tree),
    };
    let all: Vec<Option<Effect>> = items.iter().map(|item| word(file, "verdict", item, &table)).collect();
    all.into_iter().collect()
}
