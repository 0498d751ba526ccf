//! Deciding: a program, an event and what the ledger remembers, to a decision.

use std::cmp::Reverse;

use mentci_authority::{Action, Effect, Event, Hook, Permission};
use mentci_expr::{Budget, Fault, FaultKind};
use mentci_ledger::{ApprovalState, LedgerView, call_hash};
use smallvec::SmallVec;

use crate::decision::{
    Applied, Basis, DecidedFault, Decision, Obligations, RuleIndex, Scripted, Suppressed, Surplus,
};
use crate::names::Names;
use crate::program::{CompiledRule, Program};
use crate::script::{NoScripts, Questioning, Said, Scripts};
use crate::truth::Truth;
use crate::world::World;

/// Decides one event. Pure: the same program, event and ledger give the same decision, on any machine, at any time.
///
/// All rules whose hook, tool and guard fit take part; the strictest permission wins, obligations ride on it, and what
/// cannot be decided closes the gate that it stands in. Work is bounded in steps that are counted, never by a clock.
///
/// Rules that ask a script fault: [`decide_with`] asks them.
pub fn decide(program: &Program, event: &Event, view: LedgerView<'_>) -> Decision {
    decide_with(program, event, view, &NoScripts)
}

/// [`decide`], with scripts. As pure as these are.
pub fn decide_with(
    program: &Program,
    event: &Event,
    view: LedgerView<'_>,
    scripts: &dyn Scripts,
) -> Decision {
    let scripts = Questioning::new(scripts);
    let mut hearing = Hearing { program, event, view, scripts: &scripts, found: Found::default() };
    program.hooks[event.hook as usize].candidates(event, &program.rules, &mut |rule| hearing.ask(rule));
    hearing.found.take_out_overridden(program);
    hearing.conclude()
}

struct Hearing<'e> {
    program: &'e Program,
    event: &'e Event,
    view: LedgerView<'e>,
    scripts: &'e Questioning<'e>,
    found: Found,
}

/// The rules that apply, in the order in which they were asked.
#[derive(Default)]
struct Found {
    applied: SmallVec<[Applied; 4]>,
    /// Those that only act.
    acting: SmallVec<[RuleIndex; 4]>,
    shadow: SmallVec<[Applied; 2]>,
    faults: Vec<DecidedFault>,
    scripted: Vec<Scripted>,
}

impl Hearing<'_> {
    fn ask(&mut self, index: RuleIndex) {
        let compiled = self.program.rules.get(index);
        if self.is_disabled(compiled) || self.rests(compiled) || self.passes_over(compiled) {
            return;
        }
        let world =
            World { event: self.event, view: self.view, rule: &compiled.rule, scripts: Some(self.scripts) };
        // Each rule has a budget of its own: what others cost, or that an index passed them over, changes nothing for it.
        let truth = compiled.guard.truth(&world, &mut Budget::default());
        let truth = if truth.is_mixed() && compiled.takes_some() { Truth::Holds } else { truth };
        if compiled.asks_scripts {
            self.scripted(index, compiled, &truth);
        }
        match truth {
            Truth::Fails => {}
            Truth::Holds => self.applies(index, compiled),
            Truth::Faults(fault) => self.faults(index, compiled, *fault),
        }
    }

    /// What a script asked for while it ran is done also where it says that its rule does not apply.
    fn scripted(&mut self, index: RuleIndex, compiled: &CompiledRule, truth: &Truth) {
        let Said { asked, instead } = self.scripts.take();
        let (applies, faults) = (*truth == Truth::Holds, matches!(truth, Truth::Faults(_)));
        if compiled.is_shadow() || faults || (asked.is_empty() && (!applies || instead.is_none())) {
            return;
        }
        if !applies {
            self.found.acting.push(index);
        }
        let instead = if applies { instead } else { Some(Vec::new()) };
        self.found.scripted.push(Scripted { rule: index, asked, instead });
    }

    fn applies(&mut self, index: RuleIndex, compiled: &CompiledRule) {
        if compiled.is_shadow() {
            let effect = compiled.rule.effect.unwrap_or(Effect::Allow);
            self.found.shadow.push(Applied { rule: index, effect, by_fault: false });
            return;
        }
        if let Some(effect) = compiled.rule.effect {
            self.found.applied.push(Applied { rule: index, effect, by_fault: false });
        }
        self.found.acting.push(index);
    }

    /// A fault closes the gate that it stands in. What is not there is milder: a rule about any tool is not about calls
    /// that lack what it orders by.
    fn faults(&mut self, index: RuleIndex, compiled: &CompiledRule, fault: Fault) {
        let about_other_calls = fault.kind == FaultKind::Absent && matches!(compiled.names, Names::Any);
        let decided = if about_other_calls { None } else { compiled.on_fault };
        let applied = decided.map(|effect| Applied { rule: index, effect, by_fault: true });
        let decided = if compiled.is_shadow() {
            self.found.shadow.extend(applied);
            None
        } else {
            self.found.applied.extend(applied);
            decided
        };
        self.found.faults.push(DecidedFault { rule: index, fault, decided });
    }

    fn is_disabled(&self, compiled: &CompiledRule) -> bool {
        let rule = &compiled.rule;
        let named = |name: &String| name == rule.id.as_str() || *name == compiled.full_name;
        !rule.core && self.event.disabled.iter().any(named)
    }

    /// Whether it has fired already, or rests after it did.
    fn rests(&self, compiled: &CompiledRule) -> bool {
        if !compiled.is_once_or_rests() {
            return false;
        }
        let (name, rule) = (&compiled.full_name, &compiled.rule);
        (rule.once && self.view.has_fired(name)) || self.view.is_resting(name, rule.cooldown)
    }

    /// Whether the message that raised the event was made by a rule, and this rule does not care for such.
    fn passes_over(&self, compiled: &CompiledRule) -> bool {
        let synthetic = self.event.message.as_ref().is_some_and(|message| message.synthetic);
        synthetic && self.event.hook == Hook::MessageAppended && !compiled.rule.sees_synthetic
    }

    fn conclude(self) -> Decision {
        let (permission, basis) = self.permission();
        let Found { mut applied, acting, shadow, faults, scripted } = self.found;
        let has = |effect| applied.iter().any(|one: &Applied| one.effect == effect);
        let obligations = Obligations { warn: has(Effect::Warn), redact: has(Effect::Redact) };
        let (fired, suppressed) = fired(self.program, &acting);
        let rule = |one: &Applied| &self.program.rules.get(one.rule).rule;
        applied
            .sort_by_key(|one| (Reverse(one.effect), Reverse(rule(one).severity), rule(one).order, one.rule));
        Decision { permission, obligations, applied, shadow, fired, suppressed, faults, basis, scripted }
    }

    fn permission(&self) -> (Permission, Basis) {
        let ruled = self.found.applied.iter().filter_map(|one| one.effect.permission()).max();
        if self.event.hook != Hook::PreToolCall {
            return (ruled.unwrap_or_default(), Basis::Rules);
        }
        if let Some(reason) = self.view.killed() {
            return (Permission::Block, Basis::Killed(reason.to_owned()));
        }
        if let Some(at) = self
            .program
            .honeypots
            .iter()
            .position(|pot| self.event.tool_names().any(|name| pot.pattern.fits(name)))
        {
            return (Permission::Block, Basis::Honeypot(at));
        }
        let decided = match ruled.unwrap_or(self.program.default) {
            Permission::Approve => self.answered(ruled.is_none()),
            permission if ruled.is_none() => (permission, Basis::Default),
            permission => (permission, Basis::Rules),
        };
        match self.view.unread() {
            Some(why) if decided.0 == Permission::Allow => (Permission::Block, Basis::Unread(why.to_owned())),
            _ => decided,
        }
    }

    /// What a person has said about this very call.
    fn answered(&self, by_default: bool) -> (Permission, Basis) {
        let basis = if by_default { Basis::Default } else { Basis::Rules };
        answer(self.event, self.view).unwrap_or((Permission::Approve, basis))
    }
}

/// What a person has said about this very call; none while nobody has.
fn answer(event: &Event, view: LedgerView<'_>) -> Option<(Permission, Basis)> {
    let tool = event.tool.as_ref()?;
    let approval = view.approval(&call_hash(&tool.name, &tool.args))?;
    match approval.state {
        // INVARIANT (one grant, one call): what cannot be written down as used could be used again.
        ApprovalState::Granted => Some(match view.unwritten() {
            Some(why) => (Permission::Approve, Basis::Unwritten(approval.id.clone(), why.to_owned())),
            None => (Permission::Allow, Basis::Approved(approval.id.clone())),
        }),
        ApprovalState::Denied => {
            Some((Permission::Block, Basis::Refused(approval.id.clone(), approval.words.clone())))
        }
        ApprovalState::Pending => None,
    }
}

impl Found {
    /// Removes the rules that another one takes out for this call.
    fn take_out_overridden(&mut self, program: &Program) {
        let overrides = |index: RuleIndex| program.rules.get(index).overrides.as_slice();
        let overriding: SmallVec<[RuleIndex; 4]> =
            self.acting.iter().copied().filter(|&index| !overrides(index).is_empty()).collect();
        if overriding.is_empty() {
            return;
        }
        let taken = taken_out(&overriding, overrides);
        self.applied.retain(|one| !taken.contains(&one.rule));
        self.acting.retain(|index| !taken.contains(index));
        self.faults
            .iter_mut()
            .filter(|fault| taken.contains(&fault.rule))
            .for_each(|fault| fault.decided = None);
    }
}

/// The rules that `overriding` take out. One that is taken out itself takes nothing out, and of rules that take each other
/// out in a ring all stand.
fn taken_out<'p>(
    overriding: &[RuleIndex],
    overrides: impl Fn(RuleIndex) -> &'p [RuleIndex],
) -> SmallVec<[RuleIndex; 4]> {
    let mut taken: SmallVec<[RuleIndex; 4]> = SmallVec::new();
    let mut open: SmallVec<[RuleIndex; 4]> = overriding.into();
    loop {
        let named = |index: RuleIndex| open.iter().any(|&other| overrides(other).contains(&index));
        let Some(at) = open.iter().position(|&index| !named(index)) else { return taken };
        taken.extend_from_slice(overrides(open.remove(at)));
        open.retain(|index| !taken.contains(index));
    }
}

/// Rules, in the order in which they are asked.
type Rules<const N: usize> = SmallVec<[RuleIndex; N]>;

/// Which of the rules that apply act, and which are suppressed by the caps and the `stop`s of their own document. A denial
/// is never suppressed: it is no action.
fn fired(program: &Program, acting: &[RuleIndex]) -> (Rules<4>, SmallVec<[Suppressed; 2]>) {
    let (mut fired, mut suppressed) = (Rules::new(), SmallVec::new());
    let mut documents: SmallVec<[(usize, Tally); 4]> = SmallVec::new();
    for &index in acting {
        let compiled = program.rules.get(index);
        let at = documents.iter().position(|(own, _)| *own == compiled.document).unwrap_or_else(|| {
            documents.push((compiled.document, Tally::default()));
            documents.len() - 1
        });
        let document = &program.documents[compiled.document];
        let tally = &mut documents[at].1;
        if let Some(why) = tally.surplus(compiled, document.max_fired, document.max_calls) {
            suppressed.push(Suppressed { rule: index, why });
        } else {
            tally.count(compiled);
            fired.push(index);
        }
    }
    (fired, suppressed)
}

/// What the rules of one document have done about one event.
#[derive(Default)]
struct Tally {
    fired: u32,
    calls: u32,
    stopped: bool,
}

impl Tally {
    /// Why one more rule is too much, if it is.
    fn surplus(&self, compiled: &CompiledRule, max_fired: Option<u32>, max_calls: u32) -> Option<Surplus> {
        // A denial stands either way; what it uses up by firing is kept where it is surplus.
        if !compiled.acts() && !compiled.is_once_or_rests() {
            return None;
        }
        let (over, calls) = (max_fired.is_some_and(|most| self.fired >= most), calls(compiled));
        if self.stopped {
            Some(Surplus::Stopped)
        } else if over && counts(compiled) {
            Some(Surplus::Rules)
        } else {
            (calls > 0 && self.calls + calls > max_calls).then_some(Surplus::Calls)
        }
    }

    fn count(&mut self, compiled: &CompiledRule) {
        self.fired += u32::from(counts(compiled));
        self.calls += calls(compiled);
        self.stopped |= compiled.rule.actions.contains(&Action::Stop);
    }
}

/// Whether it counts against the cap of its document: a denial does, `set` and `stop` alone do not, and neither does a
/// constraint of `<policy>`, which stands before all rules.
fn counts(compiled: &CompiledRule) -> bool {
    let rule = &compiled.rule;
    let acts = rule.effect.is_some() || rule.actions.iter().any(|action| !action.is_free());
    acts && !compiled.is_constraint
}

fn calls(compiled: &CompiledRule) -> u32 {
    let call = |action: &&Action| matches!(action, Action::Call { .. } | Action::Agent { .. });
    u32::try_from(compiled.rule.actions.iter().filter(call).count()).unwrap_or(u32::MAX)
}
