//! Trying one rule on one event.

use mentci_authority::{
    Dialect, Effect, Event, Guard, Hook, Origin, Rule, RuleFault, RuleId, ToolCall, ToolMatch, Trust,
};
use mentci_ledger::{Ledger, LedgerView, Windows};
use mentci_pdp::{GuardTrace, alone, facts_of, try_rule};
use mentci_source::Span;
use serde::Serialize;
use serde_json::{Map, Value};

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

/// An event that the rule is asked about, of which nothing more is known.
pub fn sample_event(rule: &Rule) -> Event {
    let mut event = Event::new(rule.hook);
    if matches!(rule.hook, Hook::PreToolCall | Hook::PostToolResponse) {
        let named = match &rule.tools {
            ToolMatch::OneOf(patterns) => patterns.first().map(|pattern| pattern.text().to_owned()),
            ToolMatch::Any => None,
        };
        let name = named.unwrap_or_else(|| "tool".to_owned());
        event.tool = Some(ToolCall { name, args: Value::Object(Map::new()), ..ToolCall::default() });
    }
    event
}
