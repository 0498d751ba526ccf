//! What a decision uses up: reservations, approvals.

use mentci_authority::{Admission, Effect, Event, Guard, Hook, Permission, Rule};
use mentci_expr::Budget;
use mentci_ledger::{Delta, LedgerView, call_hash};
use mentci_source::Hash;

use crate::decision::{Applied, Basis, Decision};
use crate::explain::message;
use crate::program::{CompiledRule, Program};
use crate::truth::Truth;
use crate::world::World;

/// How long an approval is good for where a rule does not say: an hour.
const APPROVAL_SECONDS: u64 = 3_600;

/// What the ledger has to remember of a decision itself: the quota that an admitted call reserves, the approval that it
/// used, the approval that it waits for.
pub fn settle(program: &Program, event: &Event, view: LedgerView<'_>, decision: &Decision) -> Vec<Delta> {
    if event.hook != Hook::PreToolCall {
        return Vec::new();
    }
    match decision.permission {
        Permission::Block => Vec::new(),
        Permission::Approve => request(program, event, view, decision).into_iter().collect(),
        Permission::Allow => {
            let used = match &decision.basis {
                Basis::Approved(id) => Some(Delta::Used { approval: id.clone() }),
                _ => None,
            };
            reserved(program, event).chain(used).collect()
        }
    }
}

/// What an admitted call reserves: every rule that counts the calls of its tool, whether or not it applied.
pub fn reserved<'p>(program: &'p Program, event: &'p Event) -> impl Iterator<Item = Delta> + 'p {
    let counting = program.reserving.iter().map(|&index| program.rules.get(index));
    counting
        .filter(|compiled| event.tool_names().any(|name| compiled.names.fits(name)))
        .map(|compiled| Delta::Reserved { rule: compiled.full_name.clone() })
}

/// The rules that count the calls of its tool and refuse one more, by what they are told as, each with why. Guards that ask a
/// script say nothing here.
pub fn spent<'p>(
    program: &'p Program,
    event: &'p Event,
    view: LedgerView<'p>,
) -> impl Iterator<Item = (&'p str, String)> + 'p {
    let counting = program.reserving.iter().map(|&index| program.rules.get(index));
    let refuses = move |compiled: &&CompiledRule| {
        let world = World { event, view, rule: &compiled.rule, scripts: None };
        let is_gate = compiled.rule.effect == Some(Effect::Block) && !compiled.is_shadow();
        is_gate && event.tool_names().any(|name| compiled.names.fits(name)) && {
            let truth = compiled.guard.truth(&world, &mut Budget::default());
            truth == Truth::Holds || truth.is_mixed() && compiled.takes_some()
        }
    };
    counting.filter(refuses).map(|compiled| (program.told_of(compiled), message(compiled, Effect::Block)))
}

/// The approval that the call waits for: a new one, unless it waits already.
fn request(program: &Program, event: &Event, view: LedgerView<'_>, decision: &Decision) -> Option<Delta> {
    let tool = event.tool.as_ref()?;
    let call = call_hash(&tool.name, &tool.args);
    if view.approval(&call).is_some() {
        return None;
    }
    let asks = |one: &&Applied| one.effect == Effect::Approve;
    let rule = decision.applied.iter().find(asks).map(|one| program.rules.get(one.rule));
    let seconds = rule.and_then(|compiled| compiled.rule.approval_seconds).unwrap_or(APPROVAL_SECONDS);
    let lasts = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
    Some(Delta::Requested {
        approval: approval_id(&event.session, &call, view.session().version()),
        rule: rule.map_or_else(|| "__default__".to_owned(), |compiled| compiled.full_name.clone()),
        expires_ms: view.now_ms().saturating_add(lasts),
    })
}

/// The id of a request: the same session, call and version of the log give the same one.
fn approval_id(session: &str, call: &Hash, version: u64) -> String {
    let parts = [session.as_bytes(), call.as_bytes().as_slice(), &version.to_le_bytes()];
    Hash::of("mentci approval v1", parts).short(12)
}

/// Whether a rule counts the calls that it admits.
pub(crate) fn reserves(rule: &Rule) -> bool {
    let mut counts = false;
    rule.guard.walk(&mut |guard| {
        counts |= matches!(guard, Guard::Admission(Admission::Quota(_) | Admission::Cooldown { .. }));
    });
    counts && rule.hook == Hook::PreToolCall && rule.enabled
}
