//! The keys of a session's lines: what stands under another one is kept, and never shown to a model.

use mentci_source::{Code, Finding, did_you_mean};
use serde_json::{Map, Value};

use super::SessionEventKind;
use super::body::{is_handle, says_something, shown_value};

/// The keys of a line.
const LINE: &[&str] = &["event_id", "timestamp", "kind", "data", "token_estimate", "hash"];

/// What is said of the first key of a line, or of its `data`, that nothing reads.
pub(super) fn unread(line: &Map<String, Value>) -> Option<Finding> {
    if let Some(key) = line.keys().find(|key| !LINE.contains(&key.as_str())) {
        return Some(finding(key, LINE));
    }
    let kind: SessionEventKind = serde_json::from_value(line.get("kind")?.clone()).ok()?;
    let known = of(kind)?;
    let data = line.get("data")?.as_object()?;
    match data.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Some(finding(&format!("data.{key}"), known)),
        None if kind.ends_a_call() => beside(data),
        None => None,
    }
}

/// What is said of an answer that says twice what came of a call: one of them is shown.
fn beside(data: &Map<String, Value>) -> Option<Finding> {
    let is_handle = data.get("artifact").is_some_and(is_handle);
    let shown = if is_handle { "artifact" } else { shown_value(data)?.0 };
    let hidden = ["value", "artifact", "summary"].into_iter().find(|part| {
        // A summary says what a handle stands for.
        let is_shown = *part == shown || (is_handle && *part == "summary");
        !is_shown && data.get(*part).is_some_and(says_something)
    })?;
    let finding =
        Finding::new(Code::SESSION_KEY, format!("nothing shows `data.{hidden}` beside `data.{shown}`"));
    Some(finding.help("an answer has one of `value` and `artifact`, and a `summary` beside an `artifact`"))
}

/// The keys of `data`; none where anything may stand there.
fn of(kind: SessionEventKind) -> Option<&'static [&'static str]> {
    use SessionEventKind as Kind;
    match kind {
        Kind::UserInput | Kind::PhaseResult => Some(&["role", "text", "content", "phase", "redactions"]),
        Kind::MemoryHit => Some(&["text", "source", "score", "redactions"]),
        Kind::ToolCall => Some(&["call_id", "tool", "args", "changed_args", "redactions"]),
        Kind::ToolSuccess | Kind::ToolError | Kind::ToolTimeout | Kind::ToolCancelled | Kind::ToolDenied => {
            Some(&[
                "call_id",
                "tool",
                "value",
                "artifact",
                "summary",
                "error",
                "errors",
                "status",
                "timeout_ms",
                "approval",
                "redactions",
            ])
        }
        Kind::GuardDecision => Some(&["decision", "rules", "call_id", "tool", "redactions"]),
        Kind::ArtifactStored => None,
        Kind::Compaction => Some(&["events", "summary", "redactions"]),
    }
}

fn finding(key: &str, known: &[&str]) -> Finding {
    let finding = Finding::new(Code::SESSION_KEY, format!("nothing reads `{}`", key.escape_debug()));
    let (table, last) = key.rsplit_once('.').map_or(("", key), |(_, last)| ("data.", last));
    match did_you_mean(last, known.iter().copied()) {
        Some(near) => finding.help(format!("did you mean `{table}{near}`?")),
        None => finding.help(format!("the keys are `{}`", known.join("`, `"))),
    }
}
