//! `<policy>`: constraints of tools, each of them a rule.

use mentci_authority::{Effect, Guard, Hook, Rule, ToolMatch};
use mentci_chatmd::Block;
use mentci_expr::Expr;
use mentci_source::Code;

use super::elements::{self, Kind, Row};
use super::names::{self, Names};
use super::{condition, expression};
use crate::fields::{File, word};
use crate::lower::name_test;
use crate::lower::normal::normal;
use crate::lower::rule::{self, Defaults};
use crate::tree::{Entry, Tree, Value};

const TOOL: &[Row] = &[("name", "tool", Kind::Pattern)];
const VALIDATE: &[Row] = &[("level", "level", Kind::Other)];

/// Every constraint takes these.
const ID: Row = ("id", "id", Kind::Text);
const MESSAGE: Row = ("message", "message", Kind::Text);
const SEVERITY: Row = ("severity", "severity", Kind::Text);
const MODE: Row = ("mode", "mode", Kind::Other);

const REQUIRES: &[Row] = &[("tools", "tools", Kind::List), MODE, ID, MESSAGE, SEVERITY];
const QUOTA: &[Row] = &[
    ("per_turn", "per_turn", Kind::Int),
    ("per_exchange", "per_exchange", Kind::Int),
    ("per_session", "per_session", Kind::Int),
    MODE,
    ID,
    MESSAGE,
    SEVERITY,
];
const COOLDOWN: &[Row] = &[("turns", "turns", Kind::Int), MODE, ID, MESSAGE, SEVERITY];
const CHECK: &[Row] = &[("if", "if", Kind::Other), ID, MESSAGE, SEVERITY];

/// What a constraint decides when it is not kept.
const MODES: &[(&str, Effect)] = &[("enforce", Effect::Block), ("warn", Effect::Warn)];
const LEVELS: &[(&str, Effect)] = &[("error", Effect::Block), ("warn", Effect::Warn)];

/// The rules of one `<tool>` of a policy.
pub(crate) fn tool(file: &mut File<'_>, block: &Block, names: &mut Names) -> Vec<Rule> {
    let entries = elements::entries(file, block, TOOL);
    let children = elements::children(file, block);
    let Some(tool) = entries.into_iter().next() else {
        let help = "write `<tool name=\"exec\">`";
        file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<tool>` needs `name`", help);
        file.gates.add(Hook::PreToolCall, ToolMatch::Any);
        return Vec::new();
    };
    let mut reader = Constraints { tool, names, rules: Vec::new() };
    for child in children {
        match child.name() {
            "requires" => reader.admission(file, child, REQUIRES),
            "quota" => reader.admission(file, child, QUOTA),
            "cooldown" => reader.admission(file, child, COOLDOWN),
            "validate" => reader.validate(file, child),
            _ => {
                elements::unknown_element(file, block, child, &["requires", "validate", "quota", "cooldown"]);
                reader.gate(file, Effect::Block);
            }
        }
    }
    reader.rules
}

/// The constraints of one tool while they are read.
struct Constraints<'n> {
    tool: Entry,
    names: &'n mut Names,
    rules: Vec<Rule>,
}

impl Constraints<'_> {
    fn name(&self) -> String {
        match &self.tool.value.value {
            Value::Text(name) => name.clone(),
            other => Tree::new(other.clone(), self.tool.value.span)
                .to_json()
                .map(|json| json.to_string())
                .unwrap_or_default(),
        }
    }

    fn admission(&mut self, file: &mut File<'_>, block: &Block, table: &[Row]) {
        elements::expect_empty(file, block);
        let all = elements::entries(file, block, table);
        let (fields, own): (Vec<Entry>, Vec<Entry>) =
            all.into_iter().partition(|entry| matches!(entry.key.as_str(), "id" | "message" | "severity"));
        let effect = chosen(file, block, "mode", MODES);
        self.gate(file, effect);
        let Some(admission) = condition::of_entries(file, block, &own) else { return };
        let id = self.names.admission(&self.name(), &admission);
        let reason = names::reason(&self.name(), &admission);
        self.push(file, block, fields, effect, &id, &reason, Guard::Admission(admission));
    }

    /// The tool is gated, also where the constraint itself does not read.
    fn gate(&self, file: &mut File<'_>, effect: Effect) {
        if effect == Effect::Block {
            // What is wrong with the pattern is told where the constraint is read.
            let told = file.findings.len();
            let tools = name_test::patterns(file, "name", &self.tool.value);
            file.findings.truncate(told);
            file.gates.add(Hook::PreToolCall, tools.map(ToolMatch::one_of).unwrap_or_default());
        }
    }

    fn validate(&mut self, file: &mut File<'_>, block: &Block) {
        elements::entries(file, block, VALIDATE);
        let effect = chosen(file, block, "level", LEVELS);
        for child in elements::children(file, block) {
            if child.name() == "check" {
                self.check(file, child, effect);
            } else {
                elements::unknown_element(file, block, child, &["check"]);
                self.gate(file, effect);
            }
        }
    }

    fn check(&mut self, file: &mut File<'_>, block: &Block, effect: Effect) {
        elements::expect_empty(file, block);
        let fields = elements::entries(file, block, CHECK);
        let id = self.names.check(&self.name());
        self.gate(file, effect);
        let Some(condition) = block.attribute("if") else {
            let help = "write `<check if=\"turn_index > 5\"/>`";
            file.advise(Code::RULE_VALUE, elements::name_span(block), "this `<check>` needs `if`", help);
            return;
        };
        let Some(expr) = expression::attribute(file, condition) else { return };
        rule::condition_type(file, &Guard::Expr(expr.clone()));
        let reason = names::check_reason(&self.name(), &expr.to_string());
        let span = expr.span();
        self.push(file, block, fields, effect, &id, &reason, Guard::Expr(Expr::negate(expr).at(span)));
    }

    #[expect(clippy::too_many_arguments, reason = "each is one field of the rule")]
    fn push(
        &mut self,
        file: &mut File<'_>,
        block: &Block,
        mut fields: Vec<Entry>,
        effect: Effect,
        id: &str,
        reason: &str,
        guard: Guard,
    ) {
        let span = elements::name_span(block);
        let mut default = |key: &str, text: &str| {
            if fields.iter().all(|entry| entry.key != key) {
                fields.push(elements::made(key, Value::Text(text.to_owned()), span));
            }
        };
        default("id", id);
        default("message", reason);
        default("then", effect.name());
        fields.push(elements::made("when", Value::Map(vec![self.tool.clone()]), self.tool.value.span));
        let tree = Tree::new(Value::Map(fields), block.span());
        if let Some(rule) = rule::rule(file, &tree, &Defaults::default()) {
            self.rules.push(Rule { guard: normal(guard), ..rule });
        }
    }
}

fn chosen(
    file: &mut File<'_>,
    block: &Block,
    name: &'static str,
    table: &[(&'static str, Effect)],
) -> Effect {
    match block.attribute(name) {
        None => Effect::Block,
        Some(attribute) => word(file, name, &elements::entry(name, attribute, Kind::Text).value, table)
            .unwrap_or(Effect::Block),
    }
}
