//! Trying one rule on one event.

use mentci_authority::{
    Dialect, Effect, Event, Guard, Hook, Origin, Rule, RuleFault, RuleId, ToolCall, ToolMatch, ToolResult,
    ToolStatus, Trust,
};
use mentci_expr::{Comparison, Expr, Function, Node};
use mentci_ledger::{Ledger, LedgerView, Windows};
use mentci_pdp::{GuardTrace, alone, facts_of, try_rule};
use mentci_source::Span;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Outside, admit, judge, stem};

/// What trying a rule showed. Nothing of it has happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialAnswer {
    /// `pack/id`.
    pub rule: String,
    /// Its place.
    pub at: String,
    /// The event that it was tried on.
    pub event: Box<Event>,
    /// Whether it would fire.
    pub fires: bool,
    /// Why it would not be asked; empty when it would.
    pub unasked: Vec<String>,
    /// Its condition, part by part.
    pub guard: GuardTrace,
    /// What it would say of the call, were it alone.
    pub decision: Effect,
    /// What it would do.
    pub actions: Vec<Map<String, Value>>,
    /// What could not be decided.
    pub faults: Vec<RuleFault>,
    /// How long asking it took, in microseconds.
    pub took_us: u64,
}

/// Tries a rule on an admitted event, as a log stands. `micros` says how many microseconds have gone by since some moment.
pub fn try_on(
    rule: &Rule,
    event: &Event,
    view: LedgerView<'_>,
    outside: Outside<'_>,
    micros: &dyn Fn() -> u64,
) -> TrialAnswer {
    let program = alone(rule);
    let located = outside.located(event, &program);
    let trial = try_rule(rule, &located, view, outside.scripts);
    let start = micros();
    let verdict = judge(&program, event, view, outside, false).verdict;
    let took_us = micros().saturating_sub(start);
    TrialAnswer {
        rule: format!("{}/{}", rule.origin.pack, rule.id),
        at: rule.origin.to_string(),
        fires: trial.unasked.is_empty() && (!verdict.rules.is_empty() || !verdict.actions.is_empty()),
        unasked: trial.unasked,
        guard: trial.guard,
        decision: verdict.decision,
        actions: verdict.actions,
        faults: verdict.faults,
        took_us,
        event: Box::new(event.clone()),
    }
}

/// What a rule could not do any more, were a parameter set so: the first fault that it does not have as it stands, on the events
/// of its tests and a plain one. Its actions are looked at whether or not its condition holds there.
pub fn fault_if_set(rule: &Rule, name: &str, value: &Value, outside: Outside<'_>) -> Option<String> {
    let always = Rule { guard: Guard::Always, ..rule.clone() };
    let tests = rule.tests.iter().map(|test| test.event.clone());
    tests.chain([sample_event(rule)]).find_map(|event| {
        let mut set = event.clone();
        let own = format!("{}/{}", rule.origin.pack, rule.id);
        set.parameters.entry(own).or_default().insert(name.to_owned(), value.clone());
        [rule, &always].into_iter().find_map(|rule| {
            let stood = faults(rule, event.clone(), outside);
            faults(rule, set.clone(), outside).into_iter().find(|fault| !stood.contains(fault))
        })
    })
}

fn faults(rule: &Rule, event: Event, outside: Outside<'_>) -> Vec<String> {
    let (program, event) = (alone(rule), admit(event));
    let ledger = Ledger::new(Windows::default());
    let verdict = judge(&program, &event, ledger.view(&event), outside, false).verdict;
    verdict.faults.into_iter().map(|fault| fault.message).collect()
}

/// What the script at a path may read about an event and its parameters, in a session of which nothing is known.
pub fn script_facts(path: &str, event: &Event, parameters: Map<String, Value>) -> Value {
    let ledger = Ledger::new(Windows::default());
    let (path, pack) = (path.into(), stem(path).into());
    let span = Span::default();
    let origin = Origin { dialect: Dialect::Toml, path, line: 1, column: 1, span, pack, trust: Trust::User };
    let Ok(id) = RuleId::new("script") else { return Value::Null };
    let parameters = parameters.into_iter().collect();
    let rule = Rule { parameters, ..Rule::new(id, event.hook, origin) };
    facts_of(&rule, event, ledger.view(event))
}

/// What a run of a script came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScriptRunAnswer {
    /// `no_match`, `match` or `actions`.
    pub outcome: String,
    /// What it returned to be done.
    pub actions: Vec<Map<String, Value>>,
    /// What it asked for by functions, in order.
    pub asked: Vec<Map<String, Value>>,
    /// Calls, returns, turns of loops and steps of patterns.
    pub steps: u64,
    /// How long it took, in microseconds.
    pub took_us: u64,
}

/// An event that the rule is asked about and that fits its trigger, of which nothing more is known.
pub fn sample_event(rule: &Rule) -> Event {
    let mut event = Event::new(rule.hook);
    if matches!(rule.hook, Hook::PreToolCall | Hook::PostToolResponse) {
        let named = match &rule.tools {
            ToolMatch::OneOf(patterns) => patterns.first().map(|pattern| first_name(pattern.text())),
            ToolMatch::Any => None,
        };
        let name = named.unwrap_or_else(|| "tool".to_owned());
        event.tool = Some(ToolCall { name, args: Value::Object(Map::new()), ..ToolCall::default() });
    }
    match (rule.hook, trigger(&rule.guard)) {
        (Hook::PostToolResponse, Some(("event.tool.status", name))) => answered(&mut event, name),
        (Hook::EventEmitted, Some(("event.type", name))) => event.emitted = Some(emitted(name)),
        _ => {}
    }
    event
}

/// A name that a pattern fits, where that is plain to see: the first of `exec|shell`.
fn first_name(pattern: &str) -> String {
    let first = pattern.split('|').next().unwrap_or(pattern);
    first.trim_start_matches(['^', '(']).trim_end_matches(['$', ')']).to_owned()
}

/// Whether an admitted event is of a rule's kind: at its hook, about its tool, and what its trigger asks for beside them.
pub fn is_of_kind(rule: &Rule, event: &Event, outside: Outside<'_>) -> bool {
    let of_trigger = first(&rule.guard).filter(|expr| match expr.node() {
        Node::Compare(subject, _) => is_of_trigger(subject),
        Node::Call(Function::Glob, arguments) => arguments.first().is_some_and(is_of_trigger),
        _ => false,
    });
    let guard = of_trigger.map_or(Guard::Always, |expr| Guard::Expr(expr.clone()));
    // Whether it is in force, and what happened before, is another question.
    let mut kind = Rule::new(rule.id.clone(), rule.hook, rule.origin.clone());
    (kind.tools, kind.guard, kind.core) = (rule.tools.clone(), guard, true);
    let ledger = Ledger::new(Windows::default());
    let trial = try_rule(&kind, event, ledger.view(event), outside.scripts);
    trial.unasked.is_empty() && trial.guard.gave == Value::Bool(true)
}

/// The names that triggers ask for.
const TRIGGERS: [&str; 2] = ["event.tool.status", "event.type"];

fn is_of_trigger(subject: &Expr) -> bool {
    TRIGGERS.into_iter().any(|name| *subject == Expr::name(name))
}

/// What a condition asks first.
fn first(guard: &Guard) -> Option<&Expr> {
    match guard {
        Guard::All(inner) => first(inner.first()?),
        Guard::Expr(expr) => {
            Some(if let Node::And(operands) = expr.node() { operands.first()? } else { expr })
        }
        _ => None,
    }
}

/// What a trigger asks for beside its hook, as a condition begins with it: the name, and the first text that it may be.
fn trigger(guard: &Guard) -> Option<(&'static str, &str)> {
    let Node::Compare(subject, compared) = first(guard)?.node() else { return None };
    let subject = TRIGGERS.into_iter().find(|name| **subject == Expr::name(name))?;
    let [(comparison, wanted)] = compared.as_slice() else { return None };
    match (comparison, wanted.node()) {
        (Comparison::Equal, Node::Text(text)) => Some((subject, text)),
        (Comparison::In, Node::List(all)) => match all.first()?.node() {
            Node::Text(text) => Some((subject, text)),
            _ => None,
        },
        _ => None,
    }
}

/// Tells how the call ended.
fn answered(event: &mut Event, name: &str) {
    let status: Option<ToolStatus> = serde_json::from_value(name.into()).ok();
    if let Some(tool) = &mut event.tool {
        tool.status = status;
    }
    let is_well = status == Some(ToolStatus::Success);
    event.result =
        Some(ToolResult { status, error: (!is_well).then(|| name.to_owned()), ..ToolResult::default() });
}

fn emitted(name: &str) -> Value {
    json!({"type": name, "source": "rules test", "payload": {}, "hook": Hook::TurnStart.name()})
}
