//! Conditions that an attribute cannot say: `<chain>`, `<any>`, `<requires>` and their like.

use mentci_authority::{Admission, Guard, Quota, ScriptId};
use mentci_chatmd::Block;
use mentci_source::Code;

use super::elements::{self, Kind, Row};
use super::expression;
use crate::fields::{Fields, File};
use crate::lower::{chain, rule};
use crate::tree::{Entry, Tree, Value};

/// The elements that ask.
pub(crate) const NAMES: &[&str] =
    &["when", "all", "any", "not", "chain", "requires", "quota", "cooldown", "script"];

const CHAIN: &[Row] = &[("ordered", "ordered", Kind::Flag)];
const STEP: &[Row] = &[
    ("tool", "tool", Kind::Pattern),
    ("within_seconds", "within_seconds", Kind::Number),
    ("min_count", "min_count", Kind::Int),
    ("verdict", "verdict", Kind::List),
];
const REQUIRES: &[Row] = &[("tools", "tools", Kind::List)];
const QUOTA: &[Row] = &[
    ("per_turn", "per_turn", Kind::Int),
    ("per_exchange", "per_exchange", Kind::Int),
    ("per_session", "per_session", Kind::Int),
];
const COOLDOWN: &[Row] = &[("turns", "turns", Kind::Int)];
const SCRIPT: &[Row] = &[
    ("file", "file", Kind::Text),
    ("timeout_ms", "timeout_ms", Kind::Int),
    ("memory_bytes", "memory_bytes", Kind::Int),
];
const WHEN: &[Row] = &[("if", "if", Kind::Other)];

/// Reads the condition that an element is; `None` with a finding. Elements stand at most 32 deep in each other.
pub(crate) fn condition(file: &mut File<'_>, block: &Block) -> Option<Guard> {
    match block.name() {
        "when" => when(file, block),
        "all" => inner(file, block).map(Guard::All),
        "any" => inner(file, block).map(Guard::Any),
        "not" => inner(file, block).map(|inner| Guard::Not(Box::new(Guard::All(inner)))),
        "chain" => self::chain(file, block),
        "script" => script(file, block),
        _ => admission(file, block).map(Guard::Admission),
    }
}

fn when(file: &mut File<'_>, block: &Block) -> Option<Guard> {
    elements::entries(file, block, WHEN);
    elements::expect_empty(file, block);
    let Some(condition) = block.attribute("if") else {
        let help = "write `<when if=\"turn_index > 5\"/>`";
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<when>` needs `if`", help);
        return None;
    };
    let guard = expression::attribute(file, condition).map(Guard::Expr)?;
    rule::condition_type(file, &guard);
    Some(guard)
}

fn inner(file: &mut File<'_>, block: &Block) -> Option<Vec<Guard>> {
    elements::entries(file, block, &[]);
    let children = elements::children(file, block);
    if children.is_empty() {
        let message = format!("this `<{}>` is empty", block.name());
        file.advise(
            Code::RULE_VALUE,
            elements::name_span(block),
            message,
            "take it out, or say what it asks",
        );
        return None;
    }
    let all: Vec<Option<Guard>> = children
        .into_iter()
        .map(|child| {
            if NAMES.contains(&child.name()) {
                return condition(file, child);
            }
            elements::unknown_element(file, block, child, NAMES);
            None
        })
        .collect();
    all.into_iter().collect()
}

fn chain(file: &mut File<'_>, block: &Block) -> Option<Guard> {
    let mut fields = elements::entries(file, block, CHAIN);
    let mut steps = Vec::new();
    for child in elements::children(file, block) {
        if child.name() == "step" {
            elements::expect_empty(file, child);
            steps.push(Tree::new(Value::Map(elements::entries(file, child, STEP)), child.span()));
        } else {
            elements::unknown_element(file, block, child, &["step"]);
        }
    }
    fields.push(elements::made("steps", Value::List(steps), elements::name_span(block)));
    chain::chain(file, &Tree::new(Value::Map(fields), block.span())).map(Guard::Chain)
}

fn fields<'e>(block: &Block, what: &'static str, entries: &'e [Entry]) -> Fields<'e> {
    Fields::of_entries(what, entries, elements::name_span(block))
}

/// What must be so before a tool is admitted.
pub(crate) fn admission(file: &mut File<'_>, block: &Block) -> Option<Admission> {
    elements::expect_empty(file, block);
    let table = match block.name() {
        "requires" => REQUIRES,
        "quota" => QUOTA,
        _ => COOLDOWN,
    };
    let entries = elements::entries(file, block, table);
    of_entries(file, block, &entries)
}

/// The same, of attributes that were read before.
pub(crate) fn of_entries(file: &mut File<'_>, block: &Block, entries: &[Entry]) -> Option<Admission> {
    match block.name() {
        "requires" => requires(file, block, entries),
        "quota" => quota(file, block, entries),
        _ => cooldown(file, block, entries),
    }
}

fn requires(file: &mut File<'_>, block: &Block, entries: &[Entry]) -> Option<Admission> {
    let tools = fields(block, "`<requires>`", entries).texts(file, &["tools"]).unwrap_or_default();
    if tools.is_empty() {
        let help = "name them with commas between them";
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<requires>` needs `tools`", help);
        return None;
    }
    Some(Admission::Requires(tools))
}

fn quota(file: &mut File<'_>, block: &Block, entries: &[Entry]) -> Option<Admission> {
    let mut fields = fields(block, "`<quota>`", entries);
    let said = entries.len();
    let quota = Quota {
        per_turn: fields.count(file, &["per_turn"], 0),
        per_exchange: fields.count(file, &["per_exchange"], 0),
        per_session: fields.count(file, &["per_session"], 0),
    };
    if quota == Quota::default() {
        if said == 0 {
            let message = "this `<quota>` needs `per_turn`, `per_exchange` or `per_session`";
            let help = "write `<quota per_session=\"10\"/>`";
            file.advise(Code::RULE_VALUE, elements::name_span(block), message, help);
        }
        return None;
    }
    Some(Admission::Quota(quota))
}

fn cooldown(file: &mut File<'_>, block: &Block, entries: &[Entry]) -> Option<Admission> {
    if entries.iter().all(|entry| entry.key != "turns") {
        let help = "write `<cooldown turns=\"3\"/>`";
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<cooldown>` needs `turns`", help);
    }
    let turns = fields(block, "`<cooldown>`", entries).count(file, &["turns"], 1)?;
    Some(Admission::Cooldown { turns })
}

fn script(file: &mut File<'_>, block: &Block) -> Option<Guard> {
    elements::expect_empty(file, block);
    let entries = elements::entries(file, block, SCRIPT);
    let mut fields = fields(block, "`<script>`", &entries);
    let path = fields.text(file, &["file"]);
    let timeout_ms = fields.int(file, &["timeout_ms"]).map(u64::try_from);
    let memory_bytes = fields.int(file, &["memory_bytes"]).map(u64::try_from);
    let fits = |bytes: u64| (ScriptId::LEAST_MEMORY..=ScriptId::MOST_MEMORY).contains(&bytes);
    if memory_bytes.is_some_and(|bytes| bytes.is_ok_and(|bytes| !fits(bytes))) {
        let (least, most) = (ScriptId::LEAST_MEMORY, ScriptId::MOST_MEMORY);
        let message = format!("`memory_bytes` is {least} at least and {most} at most");
        let help = "write `memory_bytes=\"16777216\"`, or leave it out";
        file.advise(Code::RULE_VALUE, elements::name_span(block), message, help);
        return None;
    }
    let path = path.filter(|path| !path.trim().is_empty() && !path.chars().any(char::is_control));
    if let (Some(file), Ok(timeout_ms), Ok(memory_bytes)) =
        (path, timeout_ms.transpose(), memory_bytes.transpose())
    {
        return Some(Guard::Script(ScriptId { timeout_ms, memory_bytes, ..ScriptId::new(file) }));
    }
    let message = "this `<script>` needs a `file`, and numbers above 0";
    let help = "write `<script file=\"gate.js\" timeout_ms=\"500\"/>`";
    file.advise(Code::RULE_VALUE, elements::name_span(block), message, help);
    None
}
