//! A decision in words.

use mentci_authority::{Effect, Event, Hook, Reason, RuleFault, SuppressedRule, Verdict};
use mentci_expr::{Fault, FaultKind};

use crate::act::Acts;
use crate::decision::{Applied, Basis, Decision, Suppressed, Surplus};
use crate::program::{CompiledRule, Program};
use crate::redaction::redacted;

/// What is told of a decision: every rule that took part, the deciding one first, each with its place; what was taken out;
/// what was done; what could not be decided.
pub fn explain(program: &Program, event: &Event, decision: &Decision, acts: Acts) -> Verdict {
    let mut verdict = Verdict { decision: decision.effect(), ..Verdict::default() };
    let basis = basis(program, event, decision);
    verdict.rules.extend(basis.iter().filter(|_| decides(&decision.basis)).map(|reason| reason.rule.clone()));
    verdict.reasons.extend(basis);
    verdict.reasons.extend(decision.applied.iter().map(|one| reason(program, *one, decision)));
    let told = |one: &Applied| program.told_of(program.rules.get(one.rule)).to_owned();
    verdict.rules.extend(decision.applied.iter().map(told));
    verdict.shadow = decision.shadow.iter().map(|one| reason(program, *one, decision)).collect();
    verdict.suppressed = decision.suppressed.iter().map(|one| suppressed(program, *one)).collect();
    verdict.faults = faults(program, decision, &acts);
    verdict.actions = acts.actions;
    if decision.obligations.redact && decision.permission != mentci_authority::Permission::Block {
        redact(program, event, decision, &mut verdict);
    }
    verdict
}

/// Whether it decides as a rule does, and is named among them.
fn decides(basis: &Basis) -> bool {
    matches!(basis, Basis::Default | Basis::Killed(_) | Basis::Honeypot(_) | Basis::Unread(_))
}

/// Why, where no rule says so.
fn basis(program: &Program, event: &Event, decision: &Decision) -> Option<Reason> {
    let (rule, effect, message) = match &decision.basis {
        Basis::Rules => return None,
        Basis::Default if decision.effect() != Effect::Block && decision.effect() != Effect::Approve => {
            return None;
        }
        Basis::Default => {
            let asks = decision.effect() == Effect::Approve;
            let default = if asks { "ask a person" } else { "refuse" };
            let message = format!("no rule permits this call, and the default is to {default}");
            ("__default__", decision.effect(), message)
        }
        Basis::Killed(reason) => {
            ("__kill_switch__", Effect::Block, format!("the kill switch is on: {reason}"))
        }
        Basis::Honeypot(at) => {
            let pot = &program.honeypots[*at];
            let message = pot.message.clone();
            let message =
                message.unwrap_or_else(|| format!("`{}` is a honeypot: no honest agent calls it", pot.tool));
            ("__honeypot__", Effect::Block, message)
        }
        Basis::Approved(id) => {
            ("__approval__", Effect::Allow, format!("a person has allowed this call ({id})"))
        }
        Basis::Unwritten(id, why) => {
            let message = format!(
                "a person has allowed this call ({id}), once, and it cannot be written down that it ran: {why}"
            );
            ("__approval__", Effect::Approve, message)
        }
        Basis::Unread(why) => {
            let message = format!("no call is let through while what happened before cannot be read: {why}");
            ("__unread__", Effect::Block, message)
        }
        Basis::Refused(id, None) => {
            ("__approval__", Effect::Block, format!("a person has refused this call ({id})"))
        }
        Basis::Refused(id, Some(words)) => {
            ("__approval__", Effect::Block, format!("a person has refused this call ({id}): {words}"))
        }
    };
    let (at, severity) = match &decision.basis {
        Basis::Honeypot(at) => {
            let pot = &program.honeypots[*at];
            (pot.at.clone(), Some(pot.severity))
        }
        _ => (event.tool_name().to_owned(), None),
    };
    Some(Reason { rule: rule.to_owned(), effect, message, at, severity })
}

fn reason(program: &Program, one: Applied, decision: &Decision) -> Reason {
    let compiled = program.rules.get(one.rule);
    let rule = &compiled.rule;
    let fault = decision.faults.iter().find(|fault| fault.rule == one.rule).filter(|_| one.by_fault);
    let message = match fault {
        Some(fault) => format!("the rule could not be decided: {}", fault.fault.message),
        None => message(compiled, one.effect),
    };
    Reason {
        rule: program.told_of(compiled).to_owned(),
        effect: one.effect,
        message,
        at: rule.origin.to_string(),
        severity: Some(rule.severity),
    }
}

/// The rule's own words; where it has none, its description or its name.
pub(crate) fn message(compiled: &CompiledRule, effect: Effect) -> String {
    let rule = &compiled.rule;
    let own = rule.message.as_ref().or(rule.description.as_ref()).or(rule.name.as_ref());
    own.cloned().unwrap_or_else(|| format!("rule `{}` says {}", rule.id, effect.name()))
}

fn faults(program: &Program, decision: &Decision, acts: &Acts) -> Vec<RuleFault> {
    let told = |index: u32, fault: &Fault, decided| {
        let compiled = program.rules.get(index);
        let (told, at) = (program.told_of(compiled).to_owned(), compiled.rule.origin.to_string());
        let is_absence = fault.kind == FaultKind::Absent;
        RuleFault { rule: told, message: fault.message.clone(), at, decided, is_absence }
    };
    let decided = decision.faults.iter().map(|fault| told(fault.rule, &fault.fault, fault.decided));
    decided.chain(acts.faults.iter().map(|(index, fault)| told(*index, fault, None))).collect()
}

fn suppressed(program: &Program, one: Suppressed) -> SuppressedRule {
    let compiled = program.rules.get(one.rule);
    let why = match one.why {
        Surplus::Rules => "max_actions_per_event",
        Surplus::Calls => "allow_auto_calls",
        Surplus::Stopped => "stop",
    };
    let trace = program.traces(compiled);
    SuppressedRule { rule: program.told_of(compiled).to_owned(), why: why.to_owned(), trace }
}

/// Takes out of the arguments, or of the result, what the rules that oblige to it look for.
fn redact(program: &Program, event: &Event, decision: &Decision, verdict: &mut Verdict) {
    let obliging = decision.applied.iter().filter(|one| one.effect == Effect::Redact);
    let own = |one: &Applied| program.rules.get(one.rule).detector.as_ref().unwrap_or(&program.detector);
    let detectors: Vec<_> = obliging.map(own).collect();
    let told: serde_json::Value;
    let value = match (event.hook, &event.tool, &event.result) {
        (Hook::PostToolResponse, _, Some(result)) if result.value.is_null() => {
            told = result.error.as_deref().into();
            &told
        }
        (Hook::PostToolResponse, _, Some(result)) => &result.value,
        (_, Some(tool), _) => &tool.args,
        _ => return,
    };
    let (value, places) = redacted(value, detectors.into_iter());
    verdict.redacted = places;
    if verdict.redacted.is_empty() {
        return;
    }
    match event.hook {
        Hook::PostToolResponse => verdict.result = Some(value),
        _ => verdict.args = Some(value),
    }
}
