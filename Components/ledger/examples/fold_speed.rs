//! How long it takes to fold and to read one event, in a session of 10 to 100,000 of them: it is to stay flat.
//!
//!     cargo run --release -p mentci-ledger --example fold_speed
#![allow(clippy::disallowed_methods, reason = "a measurement looks at the clock")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::hint::black_box;
use std::time::Instant;

use mentci_authority::{At, Chain, ChainStep, Event, Hook, ToolCall, ToolMatch, ToolStatus};
use mentci_ledger::{Decided, Delta, LedgerView, Record, SessionLedger, Shared, Windows};
use serde_json::json;

/// Ten minutes: at two events a second, 600 calls.
const WINDOWS: Windows = Windows { longest_ms: 600_000 };

fn main() {
    println!("{:>9} {:>12} {:>12} {:>12} {:>10}", "events", "fold ns", "read ns", "kept calls", "snapshot");
    for events in [10, 100, 1_000, 10_000, 100_000] {
        let records: Vec<Record> = (0..events).map(record).collect();
        let rounds = (100_000 / events).max(3);
        let mut sessions = vec![SessionLedger::new(WINDOWS); rounds];
        let start = Instant::now();
        for session in &mut sessions {
            for record in &records {
                session.fold(record);
            }
        }
        let fold = start.elapsed().as_nanos() as f64 / (events * rounds) as f64;
        let session = &sessions[0];
        let read = read(session, events);
        let snapshot = serde_json::to_string(session).map_or(0, |text| text.len());
        println!("{events:>9} {fold:>12.0} {read:>12.0} {:>12} {snapshot:>10}", session.kept_calls());
    }
}

/// A view, two counts, a quota, and a chain of two steps in order.
fn read(session: &SessionLedger, events: usize) -> f64 {
    let (shared, event) = (Shared::default(), event(events, Hook::PreToolCall));
    let step = |tool: &str| ChainStep {
        tools: ToolMatch::exact(tool),
        within_ms: WINDOWS.longest_ms,
        min_count: 1,
        verdicts: vec![],
    };
    let chain = Chain { steps: vec![step("tool-1"), step("tool-4")], ordered: true };
    let rounds = 100_000;
    let start = Instant::now();
    for _ in 0..rounds {
        let view = LedgerView::new(black_box(session), &shared, &event);
        black_box(view.ever_called("tool-2"));
        black_box(view.tally("tool-3").failed);
        black_box(view.is_spent("pack/quota", &mentci_authority::Quota::default()));
        black_box(view.chain_holds(&chain, &|_, _| false).is_ok_and(|holds| holds));
    }
    start.elapsed().as_nanos() as f64 / f64::from(rounds)
}

fn record(number: usize) -> Record {
    let hook = match number % 10 {
        0 => Hook::TurnStart,
        odd if odd % 2 == 1 => Hook::PreToolCall,
        _ => Hook::PostToolResponse,
    };
    let fired = Delta::Fired { rule: format!("pack/rule-{}", number % 20) };
    let deltas = if number.is_multiple_of(4) { vec![fired] } else { vec![] };
    Record::of(&event(number, hook), &Decided::allowed(), deltas)
}

/// Two events a second; a call and its answer have one id.
fn event(number: usize, hook: Hook) -> Event {
    let call = number.div_ceil(2);
    let tool = ToolCall {
        name: format!("tool-{}", call % 20),
        args: json!({"path": format!("src/file-{call}.rs")}),
        call_id: Some(format!("c{call}")),
        status: (hook == Hook::PostToolResponse).then_some(ToolStatus::Success),
    };
    let at = i64::try_from(number).unwrap_or(0) * 500;
    let tool = hook.concerns_a_tool().then_some(tool);
    Event { at: Some(At::utc(at)), tool, ..Event::new(hook) }
}
