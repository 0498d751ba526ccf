//! Trying one rule: would it be asked about an event, and what does each part of its condition give?

use mentci_authority::{Admission, Event, Guard, Rule, RuleSet};
use mentci_expr::{Budget, Outcome, Trace, trace};
use mentci_ledger::LedgerView;
use serde::Serialize;
use serde_json::{Value, json};

use crate::guard::CompiledGuard;
use crate::names::Names;
use crate::program::{Options, Program};
use crate::script::{Questioning, Scripts};
use crate::truth::Truth;
use crate::world::World;

/// What trying a rule showed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    /// Why it is not asked about this event; empty when it is.
    pub unasked: Vec<String>,
    /// Its condition, part by part.
    pub guard: GuardTrace,
}

/// A part of a condition, what it gave, and the parts that were looked at for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GuardTrace {
    /// What it says.
    pub text: String,
    /// What it gave: a value, or `{"fault": …}`.
    pub gave: Value,
    /// In order; what `and` and `or` pass over is not among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<GuardTrace>,
}

/// A program of one rule, which decides as if no other were there.
pub fn alone(rule: &Rule) -> Program {
    let mut set = RuleSet::new(rule.origin.pack.as_ref());
    set.rules.push(rule.clone());
    Program::new(&[set], Options::default())
}

/// Looks at a rule's condition at an event, whether or not the rule would be asked about it.
pub fn try_rule(rule: &Rule, event: &Event, view: LedgerView<'_>, scripts: &dyn Scripts) -> Trial {
    let questioning = Questioning::new(scripts);
    let world = World { event, view, rule, scripts: Some(&questioning) };
    let full_name = format!("{}/{}", rule.origin.pack, rule.id);
    Trial {
        unasked: unasked(rule, &full_name, event, view),
        guard: traced(&rule.guard.clone().normal(), &world, &full_name),
    }
}

/// Everything that the scripts and templates of a rule may read about an event.
pub fn facts_of(rule: &Rule, event: &Event, view: LedgerView<'_>) -> Value {
    World { event, view, rule, scripts: None }.facts()
}

fn unasked(rule: &Rule, full_name: &str, event: &Event, view: LedgerView<'_>) -> Vec<String> {
    let mut why = Vec::new();
    let mut say = |holds: bool, text: String| holds.then(|| why.push(text));
    let (own, hook) = (rule.hook.name(), event.hook.name());
    say(own != hook, format!("it is asked at {own}, and this is {hook}"));
    let tool = event.tool_name();
    let other = event.tool.is_some() && !event.tool_names().any(|name| Names::new(&rule.tools).fits(name));
    say(other, format!("it is about {}, and the tool is {}", rule.tools, tool.escape_debug()));
    let named = |name: &String| name == rule.id.as_str() || name == full_name;
    say(!rule.enabled, "its file switches it off".to_owned());
    say(!rule.core && event.disabled.iter().any(named), "the user switched it off".to_owned());
    say(rule.once && view.has_fired(full_name), "it fires once, and has".to_owned());
    say(view.is_resting(full_name, rule.cooldown), "it rests after it fired".to_owned());
    why
}

fn traced(guard: &Guard, world: &World<'_>, full_name: &str) -> GuardTrace {
    match guard {
        Guard::Expr(expr) => of_expr(trace(expr, world)),
        Guard::All(inner) => group("all of", inner, Some(false), world, full_name),
        Guard::Any(inner) => group("any of", inner, Some(true), world, full_name),
        Guard::Not(inner) => group("not", std::slice::from_ref(inner.as_ref()), None, world, full_name),
        Guard::Always => GuardTrace { text: "always".to_owned(), gave: true.into(), parts: Vec::new() },
        leaf => GuardTrace { text: described(leaf), gave: gave(leaf, world, full_name), parts: Vec::new() },
    }
}

fn of_expr(trace: Trace) -> GuardTrace {
    let gave = match trace.outcome {
        Outcome::Value(value) => value,
        Outcome::Fault(fault) => json!({"fault": fault.message}),
    };
    GuardTrace { text: trace.text, gave, parts: trace.parts.into_iter().map(of_expr).collect() }
}

/// A group of guards, looked at up to the one that `decides`.
fn group(
    text: &str,
    inner: &[Guard],
    decides: Option<bool>,
    world: &World<'_>,
    full_name: &str,
) -> GuardTrace {
    let mut parts = Vec::new();
    for guard in inner {
        let part = traced(guard, world, full_name);
        let is_enough = decides.is_some_and(|value| part.gave == Value::Bool(value));
        parts.push(part);
        if is_enough {
            break;
        }
    }
    let mut given = parts.iter().map(|part| truth_of(&part.gave));
    let truth = match decides {
        Some(false) => Truth::all(given),
        Some(true) => Truth::any(given),
        None => given.next().unwrap_or(Truth::Fails).negated(),
    };
    GuardTrace { text: text.to_owned(), gave: told(truth), parts }
}

fn truth_of(gave: &Value) -> Truth {
    match gave {
        Value::Bool(value) => Truth::of(*value),
        other => {
            let said = other.get("fault").and_then(Value::as_str).unwrap_or("a guard must be true or false");
            Truth::Faults(Box::new(mentci_expr::Fault::new(mentci_expr::FaultKind::NotBoolean, said)))
        }
    }
}

fn gave(guard: &Guard, world: &World<'_>, full_name: &str) -> Value {
    told(CompiledGuard::new(guard, full_name).truth(world, &mut Budget::default()))
}

fn told(truth: Truth) -> Value {
    match truth {
        Truth::Holds => true.into(),
        Truth::Fails => false.into(),
        Truth::Faults(fault) => json!({"fault": fault.message}),
    }
}

/// The guards that are no expressions, in words.
fn described(guard: &Guard) -> String {
    match guard {
        Guard::Chain(chain) => {
            let step = |step: &mentci_authority::ChainStep| {
                let (times, seconds) = (step.min_count, step.within_ms / 1_000);
                format!("{} at least {times} times within {seconds} s", step.tools)
            };
            let steps: Vec<String> = chain.steps.iter().map(step).collect();
            let order = if chain.ordered { "in this order" } else { "in any order" };
            format!("the session called {} ({order})", steps.join(" and "))
        }
        Guard::Admission(Admission::Requires(tools)) => {
            format!("one of {} was not called yet", tools.join(", "))
        }
        Guard::Admission(Admission::Quota(_)) => "the quota is used up".to_owned(),
        Guard::Admission(Admission::Cooldown { turns }) => {
            format!("a call was admitted within the last {turns} turns")
        }
        Guard::Script(script) => format!("the script {}", script.file),
        _ => String::new(),
    }
}
