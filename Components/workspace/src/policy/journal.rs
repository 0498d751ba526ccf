//! What rules write to the log, and what went wrong with them, as structured logs.

use mentci_authority::{RuleFault, Verdict};
use serde_json::{Map, Value};

/// Writes what a verdict's rules logged and could not decide. The binary decides where logs go, and from which level on.
pub(super) fn write(verdict: &Verdict) {
    let logged = verdict.actions.iter().filter(|action| text(action, "type") == "log");
    logged.for_each(said);
    verdict.faults.iter().for_each(faulted);
}

fn said(action: &Map<String, Value>) {
    let (rule, message) = (shown(text(action, "rule")), shown(text(action, "message")));
    match text(action, "level") {
        "error" => tracing::error!(target: "rule", rule, "{message}"),
        "warn" | "warning" => tracing::warn!(target: "rule", rule, "{message}"),
        "debug" => tracing::debug!(target: "rule", rule, "{message}"),
        "trace" => tracing::trace!(target: "rule", rule, "{message}"),
        _ => tracing::info!(target: "rule", rule, "{message}"),
    }
}

fn faulted(fault: &RuleFault) {
    let (rule, at, message) = (shown(&fault.rule), shown(&fault.at), shown(&fault.message));
    // A client that tells no usage is no error of a rule that asks for it.
    if fault.is_absence && fault.decided.is_none() {
        tracing::debug!(target: "rule", rule, at, "{message}");
    } else {
        tracing::error!(target: "rule", rule, at, "{message}");
    }
}

fn text<'a>(action: &'a Map<String, Value>, key: &str) -> &'a str {
    action.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// One line, whatever a tool's output put into it.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
