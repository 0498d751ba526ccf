//! Laws: a snapshot changes nothing, and the fold agrees with counting the whole log again.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod log;

use log::Log;
use mentci_authority::{Chain, ChainStep, Effect, Event, Hook, NamePattern, ToolCall, ToolMatch, ToolStatus};
use mentci_ledger::{Decided, Delta, LedgerView, Record, SessionLedger, Shared, What, Windows};
use proptest::prelude::*;
use serde_json::json;

const WINDOWS: Windows = Windows { longest_ms: 40_000 };
const TOOLS: [&str; 4] = ["read", "write", "send", "look"];

/// One step of a random session.
#[derive(Debug, Clone)]
struct Step {
    hook: Hook,
    /// Forwards, and now and then back.
    seconds: i64,
    tool: usize,
    id: Option<u8>,
    decision: Effect,
    status: ToolStatus,
    turn: Option<u64>,
    delta: u8,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let hook = prop_oneof![
        2 => Just(Hook::TurnStart), 1 => Just(Hook::QueryStart), 6 => Just(Hook::PreToolCall),
        4 => Just(Hook::PostToolResponse), 1 => Just(Hook::SessionEnd),
    ];
    let status = prop_oneof![
        4 => Just(ToolStatus::Success), 2 => Just(ToolStatus::Error), 1 => Just(ToolStatus::Timeout),
        1 => Just(ToolStatus::Invalid),
    ];
    let step = (
        hook,
        -3..15_i64,
        0..TOOLS.len(),
        proptest::option::weighted(0.8, 0..12_u8),
        proptest::sample::select(Effect::ALL.to_vec()),
        status,
        proptest::option::weighted(0.1, 1..20_u64),
        0..6_u8,
    );
    let step = step.prop_map(|(hook, seconds, tool, id, decision, status, turn, delta)| Step {
        hook,
        seconds,
        tool,
        id,
        decision,
        status,
        turn,
        delta,
    });
    proptest::collection::vec(step, 0..120)
}

fn records(steps: &[Step]) -> Vec<Record> {
    let mut second = 1_000;
    steps
        .iter()
        .map(|step| {
            second += step.seconds;
            record(step, second)
        })
        .collect()
}

fn told(step: &Step, second: i64) -> Event {
    let answered = step.hook == Hook::PostToolResponse;
    let tool = ToolCall {
        name: TOOLS[step.tool].into(),
        args: json!({"id": step.id}),
        call_id: step.id.map(|id| format!("c{id}")),
        status: answered.then_some(step.status),
    };
    Event {
        session: "s".into(),
        at: Some(mentci_authority::At::utc(second * 1_000)),
        turn: step.turn,
        tool: step.hook.concerns_a_tool().then_some(tool),
        ..Event::new(step.hook)
    }
}

fn record(step: &Step, second: i64) -> Record {
    let event = told(step, second);
    let rule = "p/r".to_owned();
    let delta = match step.delta {
        0 => Some(Delta::Fired { rule }),
        1 => Some(Delta::Reserved { rule }),
        2 => Some(Delta::Tainted { name: "web".into(), once_run: false }),
        3 => Some(Delta::Requested {
            approval: format!("a{second}"),
            rule,
            expires_ms: second * 1_000 + 9_000,
        }),
        _ => None,
    };
    Record::of(&event, &Decided::new(step.decision, []), delta.into_iter().collect())
}

fn folded(records: &[Record]) -> SessionLedger {
    let mut session = SessionLedger::new(WINDOWS);
    for record in records {
        session.fold(record);
    }
    session
}

/// Counts the whole log again, as plainly as can be said.
struct Naive<'a>(&'a [Record]);

struct NaiveCall {
    tool: String,
    id: Option<String>,
    hash: mentci_source::Hash,
    decision: Effect,
    /// None: not answered; the moment of the log at which it counted as executed.
    status: Option<ToolStatus>,
    settled: bool,
    done: bool,
}

impl Naive<'_> {
    /// Executed, completed, failed.
    fn counts(&self, tool: &str) -> (u64, u64, u64) {
        let mut calls: Vec<NaiveCall> = Vec::new();
        let (mut executed, mut completed, mut failed) = (0, 0, 0);
        let mut session = SessionLedger::new(WINDOWS);
        for record in self.0 {
            let What::Event(seen) = &record.what else { continue };
            let before = session.turns().turn;
            session.fold(record);
            if session.turns().turn != before
                || matches!(seen.hook, Hook::TurnStart | Hook::QueryStart | Hook::SessionEnd)
            {
                for call in
                    calls.iter_mut().filter(|call| !call.done && !call.settled && admits(call.decision))
                {
                    call.settled = true;
                    executed += u64::from(call.tool == tool);
                }
            }
            let Some(call) = &seen.call else { continue };
            if seen.hook == Hook::PreToolCall {
                if let Some(id) = &call.call_id {
                    for old in calls.iter_mut().filter(|old| old.id.as_ref() == Some(id)) {
                        old.done |= old.hash == call.hash;
                        old.id = None;
                    }
                }
                calls.push(NaiveCall {
                    tool: call.name.clone(),
                    id: call.call_id.clone(),
                    hash: call.hash,
                    decision: seen.decided.decision,
                    status: None,
                    settled: false,
                    done: false,
                });
                continue;
            }
            let status = call.status.unwrap();
            let open = |old: &NaiveCall, denied: bool| {
                old.tool == call.name && !old.done && (old.decision == Effect::Block) == denied
            };
            let found = if call.call_id.is_some() {
                calls.iter().rposition(|old| old.id == call.call_id)
            } else {
                calls
                    .iter()
                    .rposition(|old| open(old, false))
                    .or_else(|| calls.iter().rposition(|old| open(old, true)))
            };
            let found = found.map(|at| &mut calls[at]);
            let mut settled = false;
            let mut name = call.name.clone();
            if let Some(old) = found {
                name.clone_from(&old.tool);
                let ignored = old.done || old.decision == Effect::Block;
                (old.done, old.status, settled) = (true, Some(status), old.settled);
                if ignored {
                    continue;
                }
            }
            if name == tool {
                match (status, settled) {
                    (ToolStatus::Invalid, true) => executed -= 1,
                    (ToolStatus::Invalid, false) | (_, true) => {}
                    (_, false) => executed += 1,
                }
                completed += u64::from(status == ToolStatus::Success);
                failed += u64::from(matches!(status, ToolStatus::Error | ToolStatus::Timeout));
            }
        }
        (executed, completed, failed)
    }

    /// Every way of taking the steps is tried.
    fn chain(&self, chain: &Chain, now_ms: i64) -> bool {
        let mut last = i64::MIN;
        let mut calls = Vec::new();
        for record in self.0 {
            last = last.max(record.at.unwrap().ms);
            let What::Event(seen) = &record.what else { continue };
            if let (Hook::PreToolCall, Some(call)) = (seen.hook, &seen.call) {
                calls.push((last, call.name.clone(), seen.decided.decision));
            }
        }
        let now_ms = now_ms.max(last);
        let fits = |step: &ChainStep, (at, tool, decision): &(i64, String, Effect)| {
            now_ms - at <= i64::try_from(step.within_ms).unwrap()
                && (step.verdicts.is_empty() || step.verdicts.contains(decision))
                && match &step.tools {
                    ToolMatch::Any => true,
                    ToolMatch::OneOf(patterns) => patterns.iter().any(|pattern| pattern.text() == tool),
                }
        };
        if !chain.ordered {
            let enough = |step: &ChainStep| {
                calls.iter().filter(|call| fits(step, call)).count() >= step.min_count.max(1) as usize
            };
            return chain.steps.iter().all(enough);
        }
        // From the front, each step as early as it can be: windows reach to now, so nothing is gained by waiting.
        let mut from = 0;
        chain.steps.iter().all(|step| {
            for _ in 0..step.min_count.max(1) {
                match calls[from..].iter().position(|call| fits(step, call)) {
                    Some(at) => from += at + 1,
                    None => return false,
                }
            }
            true
        })
    }
}

fn admits(decision: Effect) -> bool {
    !matches!(decision, Effect::Block | Effect::Approve)
}

fn chains() -> impl Strategy<Value = Chain> {
    let tools = prop_oneof![
        1 => Just(ToolMatch::Any),
        3 => (0..TOOLS.len()).prop_map(|tool| ToolMatch::exact(TOOLS[tool])),
        1 => Just(ToolMatch::one_of(["read", "send"].map(|name| NamePattern::Exact(name.into())))),
    ];
    let verdicts = prop_oneof![3 => Just(vec![]), 1 => Just(vec![Effect::Allow, Effect::Warn]), 1 => Just(vec![Effect::Block])];
    let step = (tools, 0..=40_u64, 0..4_u32, verdicts).prop_map(|(tools, seconds, min_count, verdicts)| {
        ChainStep { tools, within_ms: seconds * 1_000, min_count, verdicts }
    });
    (proptest::collection::vec(step, 1..4), any::<bool>())
        .prop_map(|(steps, ordered)| Chain { steps, ordered })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// What an event sees of the calls that ran is what the log says of them once it has the event.
    #[test]
    fn an_event_sees_the_calls_that_the_log_has_after_it(steps in steps()) {
        let (mut session, shared, mut second) = (SessionLedger::new(WINDOWS), Shared::default(), 1_000);
        for step in &steps {
            second += step.seconds;
            let event = told(step, second);
            let view = LedgerView::new(&session, &shared, &event);
            let seen: Vec<_> = view.recent_tools().into_iter().map(std::borrow::Cow::into_owned).collect();
            let failed: u64 = view.tallies().map(|(_, tally)| tally.failed).sum();
            session.fold(&record(step, second));
            // A call enters the history when it ran.
            if step.hook != Hook::PreToolCall {
                prop_assert_eq!(&seen, &session.recent_tools().cloned().collect::<Vec<_>>());
                prop_assert_eq!(failed, session.tallies().map(|(_, tally)| tally.failed).sum::<u64>());
            }
        }
    }

    #[test]
    fn a_snapshot_changes_nothing(steps in steps(), cut in any::<proptest::sample::Index>()) {
        let records = records(&steps);
        let cut = cut.index(records.len() + 1);
        let text = serde_json::to_string(&folded(&records[..cut])).unwrap();
        let mut session: SessionLedger = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&session, &folded(&records[..cut]));
        records[cut..].iter().for_each(|record| session.fold(record));
        prop_assert_eq!(session, folded(&records));
    }

    #[test]
    fn a_line_says_what_the_record_says(steps in steps()) {
        for record in records(&steps) {
            let line = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
        }
    }

    #[test]
    fn counts_agree_with_counting_again(steps in steps()) {
        let records = records(&steps);
        let session = folded(&records);
        for tool in TOOLS {
            let tally = session.tally(tool);
            prop_assert_eq!((tally.executed, tally.completed, tally.failed), Naive(&records).counts(tool), "{}", tool);
        }
    }

    #[test]
    fn an_event_sees_what_will_have_been_counted(steps in steps(), last in steps()) {
        let mut log = Log::new(40);
        for record in records(&steps) {
            log.ledger.fold(&Record { session: "s".into(), ..record });
        }
        for step in last.iter().filter(|step| step.hook != Hook::PreToolCall).take(5) {
            let record = record(step, 5_000);
            let seen = record.seen().unwrap();
            let event = event(&record);
            let before: Vec<_> = TOOLS.iter().map(|tool| {
                let tally = log.ledger.view(&event).tally(tool);
                (tally.executed, tally.failed, tally.completed)
            }).collect();
            let turns = log.ledger.view(&event).turns();
            let mut after = log.ledger.session("s").cloned().unwrap_or_default();
            after.fold(&record);
            let folded: Vec<_> = TOOLS.iter().map(|tool| {
                let tally = after.tally(tool);
                (tally.executed, tally.failed, tally.completed)
            }).collect();
            prop_assert_eq!(before, folded, "{:?}", seen);
            prop_assert_eq!(turns, after.turns());
        }
    }

    #[test]
    fn chains_agree_with_trying_again(steps in steps(), chain in chains(), later in 0..60_i64) {
        let records = records(&steps);
        let session = folded(&records);
        let now_ms = session.now_ms() + later * 1_000;
        let holds = session.chain_holds(&chain, now_ms, &|_, _| false).unwrap();
        prop_assert_eq!(holds, Naive(&records).chain(&chain, now_ms));
    }
}

/// The event of which the record is made.
fn event(record: &Record) -> Event {
    let seen = record.seen().unwrap();
    let tool = seen.call.as_ref().map(|call| ToolCall {
        name: call.name.clone(),
        args: call.args.clone(),
        call_id: call.call_id.clone(),
        status: call.status,
    });
    Event { session: "s".into(), at: record.at, turn: seen.turn, tool, ..Event::new(seen.hook) }
}
