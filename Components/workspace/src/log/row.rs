//! A line of the log at a glance.

use mentci_host::LogRow;
use mentci_ledger::{Act, Change, Delta, What};
use mentci_store::LogLine;
use serde_json::Value;

/// What a line says.
pub(super) fn row(line: LogLine) -> LogRow {
    let record = line.record;
    let mut row = LogRow {
        seq: line.seq,
        at: record.at,
        session: record.session,
        what: String::new(),
        tool: None,
        args: Value::Null,
        result: Value::Null,
        sender: None,
        caller: None,
        decision: None,
        rules: Vec::new(),
        shadow: Vec::new(),
        approval: record.deltas.iter().find_map(approval),
        of: None,
        to: Value::Null,
        by: None,
        why: None,
        hash: line.hash,
    };
    match record.what {
        What::Event(seen) => {
            seen.hook.name().clone_into(&mut row.what);
            (row.sender, row.caller) = (seen.sender, seen.caller);
            row.decision = Some(seen.decided.decision);
            (row.rules, row.shadow) = (seen.decided.rules, seen.decided.shadow);
            if let Some(call) = seen.call {
                (row.tool, row.args, row.result) = (Some(call.name), call.args, call.result);
            }
        }
        What::Act(act) => acted(&mut row, act),
    }
    row
}

fn approval(delta: &Delta) -> Option<String> {
    match delta {
        Delta::Requested { approval, .. } | Delta::Used { approval } => Some(approval.clone()),
        _ => None,
    }
}

fn acted(row: &mut LogRow, act: Act) {
    let (what, by) = match act {
        Act::Granted { approval, by, words } => {
            (row.approval, row.why) = (Some(approval), words);
            ("granted", by)
        }
        Act::Denied { approval, by, words } => {
            (row.approval, row.why) = (Some(approval), words);
            ("denied", by)
        }
        Act::Taken { approval, by } => {
            row.approval = Some(approval);
            ("taken", by)
        }
        Act::TaintCleared { name, by } => {
            row.why = Some(name);
            ("taint_cleared", by)
        }
        Act::Acknowledged { notice, by } => {
            row.why = Some(notice);
            ("acknowledged", by)
        }
        Act::Killed { reason, by } => {
            row.why = Some(reason);
            ("killed", by)
        }
        Act::Resumed { by } => ("resumed", by),
        Act::Changed(Change { deed, of, to, why, by }) => {
            row.of = Some(of).filter(|of| !of.is_empty());
            (row.to, row.why) = (to, why);
            (deed.name(), by)
        }
    };
    what.clone_into(&mut row.what);
    row.by = Some(by);
}
