//! One event, judged: decided, acted on, explained, and made into a line of the log.

use std::convert::Infallible;

use mentci_authority::{At, Effect, Event, Notification, RuleFault, Verdict};
use mentci_ledger::{Decided, Ledger, LedgerView, Record};
use mentci_pdp::{Acts, Decision, Program, act, decide_with, explain, facts_of, notify_beside, settle};

use super::{Cascade, Outside, Rulebook};

/// What came of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What is told.
    pub verdict: Verdict,
    /// What is remembered.
    pub record: Record,
}

/// Judges an admitted event by a program, as the log stands. As pure as what it is handed: nothing is remembered before the record is folded.
///
/// `unanswered` says that no answer of this call will be reported, so that it counts as executed once it is admitted.
pub fn judge(
    program: &Program,
    event: &Event,
    view: LedgerView<'_>,
    outside: Outside<'_>,
    unanswered: bool,
) -> Judgement {
    judge_beside(program, event, view, outside, unanswered, &[])
}

/// The same for an event that a rule emitted, with what the agent was told already because of the same event.
pub fn judge_beside(
    program: &Program,
    event: &Event,
    view: LedgerView<'_>,
    outside: Outside<'_>,
    unanswered: bool,
    told: &[Notification],
) -> Judgement {
    if view.has_diverged() {
        return diverged(program, event, view, outside);
    }
    let located = outside.located(event, program);
    let event = located.as_ref();
    let decision = decide_with(program, event, view, outside.scripts);
    let mut acts = act(program, event, view, &decision, outside.templates);
    let mut deltas = settle(program, event, view, &decision);
    deltas.append(&mut acts.deltas);
    let mut told = notify_beside(program, event, view, (&acts.words, decision.effect()), told);
    deltas.append(&mut told.deltas);
    let approval = deltas.iter().find_map(requested);
    let mut verdict = explain(program, event, &decision, acts);
    word(program, event, view, &decision, outside, &mut verdict);
    verdict.notifications = told.notifications;
    verdict.approval = approval.or_else(|| waiting(event, view, &decision));
    let decided = Decided {
        unanswered,
        redacted: verdict.args.clone().or_else(|| verdict.result.clone()),
        shadow: names(program, decision.shadow.iter().map(|one| one.rule)),
        rules: names(program, decision.applied.iter().map(|one| one.rule)),
        ..Decided::new(decision.effect(), [])
    };
    Judgement { record: Record::of(event, &decided, deltas), verdict }
}

/// Fills in the messages of rules, which are templates as those of notifications are. One that fails stands as it was
/// written, with a fault.
fn word(
    program: &Program,
    event: &Event,
    view: LedgerView<'_>,
    decision: &Decision,
    outside: Outside<'_>,
    verdict: &mut Verdict,
) {
    for reason in &mut verdict.reasons {
        if !["{{", "{%"].iter().any(|sign| reason.message.contains(sign)) {
            continue;
        }
        let mut rules =
            decision.applied.iter().filter_map(|one| program.told(one.rule).zip(program.rule(one.rule)));
        // Only what a rule's author wrote is a template, never what a fault or a tool said.
        let own = rules
            .find(|(told, rule)| *told == reason.rule && rule.message.as_deref() == Some(&*reason.message))
            .map(|(_, rule)| rule);
        let worded = own.map(|rule| outside.templates.render(&reason.message, &facts_of(rule, event, view)));
        match worded {
            Some(Ok(text)) => reason.message = text,
            Some(Err(message)) => verdict.faults.push(RuleFault {
                rule: reason.rule.clone(),
                message,
                at: reason.at.clone(),
                decided: None,
                is_absence: false,
            }),
            None => {}
        }
    }
}

fn names(program: &Program, rules: impl Iterator<Item = u32>) -> Vec<String> {
    rules.filter_map(|index| program.full_name(index)).map(str::to_owned).collect()
}

fn requested(delta: &mentci_ledger::Delta) -> Option<String> {
    if let mentci_ledger::Delta::Requested { approval, .. } = delta { Some(approval.clone()) } else { None }
}

/// The approval that this very call has been waiting for.
fn waiting(event: &Event, view: LedgerView<'_>, decision: &Decision) -> Option<String> {
    let tool =
        event.tool.as_ref().filter(|_| decision.permission == mentci_authority::Permission::Approve)?;
    Some(view.approval(&mentci_ledger::call_hash(&tool.name, &tool.args))?.id.clone())
}

/// The answer of a call that these rules deny: what it caused is ignored. It is read all the same, so what nobody may read
/// is taken out of it.
fn diverged(program: &Program, event: &Event, view: LedgerView<'_>, outside: Outside<'_>) -> Judgement {
    let located = outside.located(event, program);
    let event = located.as_ref();
    let decision = decide_with(program, event, view, outside.scripts);
    let told = explain(program, event, &decision, Acts::default());
    let mut verdict = Verdict { diverged: true, ..Verdict::default() };
    let mut decided = Decided::allowed();
    if told.result.is_some() {
        decided.redacted.clone_from(&told.result);
        let Verdict { rules, reasons, result, redacted, .. } = told;
        verdict = Verdict { decision: Effect::Redact, rules, reasons, result, redacted, ..verdict };
    }
    Judgement { verdict, record: Record::of(event, &decided, Vec::new()) }
}

/// A rulebook and a log in memory: what a replay, a test and a single question are judged by.
#[derive(Debug)]
pub struct Court<'r> {
    rulebook: &'r Rulebook,
    ledger: Ledger,
    outside: Outside<'r>,
}

impl<'r> Court<'r> {
    /// A court in which nothing has happened yet.
    pub fn new(rulebook: &'r Rulebook, outside: Outside<'r>) -> Self {
        Self { rulebook, ledger: Ledger::new(rulebook.program.windows()), outside }
    }

    /// Judges one admitted event, and what rules emitted about it, and remembers it.
    pub fn hear(&mut self, event: &Event, unanswered: bool) -> Verdict {
        self.hear_at(event, unanswered, None)
    }

    /// The same, remembered as of another time where the event's own is not to be believed.
    pub(super) fn hear_at(&mut self, event: &Event, unanswered: bool, at: Option<At>) -> Verdict {
        let mut verdict = self.hear_alone(event, unanswered, at, &[]);
        let cascade = Cascade::of(&self.rulebook.program, event, &mut verdict);
        let heard = |event: &Event, told: &[Notification]| {
            Ok::<_, Infallible>(self.hear_alone(event, false, at, told))
        };
        let Ok(()) = cascade.run(&mut verdict, heard);
        verdict
    }

    fn hear_alone(
        &mut self,
        event: &Event,
        unanswered: bool,
        at: Option<At>,
        told: &[Notification],
    ) -> Verdict {
        let (program, view) = (&self.rulebook.program, self.ledger.view(event));
        let mut judgement = judge_beside(program, event, view, self.outside, unanswered, told);
        judgement.record.at = at.or(judgement.record.at);
        self.ledger.fold(&judgement.record);
        judgement.verdict
    }

    /// Takes in what a person did.
    pub fn fold(&mut self, record: &Record) {
        self.ledger.fold(record);
    }

    /// The log as it stands.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}
