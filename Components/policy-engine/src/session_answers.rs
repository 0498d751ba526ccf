//! The answers about sessions, contexts and artifacts as a person reads them.

use std::fmt::Write;

use mentci_authority::{ArtifactHandle, ArtifactId};
use mentci_host::session::{
    AlignedAnswer, ArtifactHits, ArtifactRow, ArtifactsAnswer, ChatMessage, CollectedAnswer, ContextAnswer,
    ContextExplained, DemoAnswer, SessionEvents, SessionVerified, SessionsAnswer,
};
use mentci_host::{AuditAnswer, HistoryAnswer, LogAnswer};
use owo_colors::OwoColorize;
use serde_json::Value;

use crate::answers::table;
use crate::paint::{count, line, plain};

pub(crate) fn sessions(answer: &SessionsAnswer) -> String {
    if answer.sessions.is_empty() {
        return "no session has a log yet\n".to_owned();
    }
    let rows = answer.sessions.iter().map(|row| {
        let stopped = row.stopped.as_deref().map_or_else(String::new, |why| format!("stopped: {why}"));
        vec![row.session.clone(), row.events.to_string(), row.first.clone(), row.last.clone(), stopped]
    });
    table(&["session", "lines", "first", "last", ""], rows, &[1])
}

pub(crate) fn events(answer: &SessionEvents) -> String {
    let mut text = String::new();
    if answer.left_out > 0 {
        let _ = writeln!(text, "{} before these", count(answer.left_out, "event"));
    }
    let rows = answer.events.iter().map(|event| {
        let said = Value::Object(event.data.clone());
        vec![
            event.event_id.clone(),
            event.kind.name().to_owned(),
            event.token_estimate.to_string(),
            short(&said),
        ]
    });
    text + &table(&["event", "kind", "tokens", "says"], rows, &[2])
}

/// The beginning of what an event says.
fn short(said: &Value) -> String {
    const LONGEST: usize = 96;
    let told = ["text", "summary", "error", "decision", "value", "args", "phase"];
    let tool = said["tool"].as_str().map_or_else(String::new, |tool| format!("{tool} "));
    let what = told.iter().map(|key| &said[*key]).find(|value| !value.is_null());
    let what = match what {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let whole = format!("{tool}{what}");
    let mut cut: String = whole.chars().take(LONGEST).collect();
    if cut.len() < whole.len() {
        cut.push('…');
    }
    cut
}

pub(crate) fn verified(answer: &SessionVerified) -> String {
    let entries = count(usize::try_from(answer.entries).unwrap_or(usize::MAX), "record");
    let state = match (answer.holds, answer.is_proved) {
        (true, _) => "as it was written".green().to_string(),
        (false, true) => "changed".red().to_string(),
        (false, false) => "not proved".yellow().to_string(),
    };
    let mut text = format!("{}: {entries}, {state}\nroot {}\n", line(&answer.session), answer.root);
    if let Some(why) = &answer.why {
        let _ = writeln!(text, "{}", line(why));
    }
    text
}

pub(crate) fn audit(answer: &AuditAnswer) -> String {
    let lines = count(usize::try_from(answer.lines).unwrap_or(usize::MAX), "line");
    let state =
        if answer.holds { "as it was written".green().to_string() } else { "changed".red().to_string() };
    let last = answer.last.map_or_else(|| "none".to_owned(), |hash| hash.to_string());
    let mut text = format!("{lines}, {state}\nlast {last}\n");
    if let Some(why) = &answer.why {
        let _ = writeln!(text, "{}", line(why));
    }
    text
}

pub(crate) fn history(answer: &HistoryAnswer) -> String {
    let rows = answer.versions.iter().map(|version| vec![version.hash.to_string(), version.at.clone()]);
    table(&["digest", "since"], rows, &[])
}

pub(crate) fn log(answer: &LogAnswer) -> String {
    let rows = answer.lines.iter().map(|row| {
        let decision = row.decision.map_or("", mentci_authority::Effect::name);
        let at = row.at.map(|at| at.to_string()).unwrap_or_default();
        let tool = row.tool.clone().unwrap_or_default();
        vec![row.seq.to_string(), at, row.session.clone(), row.what.clone(), tool, decision.to_owned()]
    });
    table(&["line", "when", "session", "what", "tool", "decision"], rows, &[])
}

pub(crate) fn context(answer: &ContextAnswer) -> String {
    let text = messages(&answer.messages);
    let (tokens, budget) = (answer.context.token_count, answer.context.budget);
    format!("{text}{tokens} of {budget} tokens ({})\n", line(&answer.tokenizer))
}

fn messages(messages: &[ChatMessage]) -> String {
    let mut text = String::new();
    for message in messages {
        let _ = writeln!(text, "{}", format!("── {}", message.role).bold());
        for call in &message.tool_calls {
            let _ = writeln!(text, "calls {} {}", line(&call.name), line(&call.arguments));
        }
        if let Some(said) = message.content.as_deref().filter(|said| !said.is_empty()) {
            let _ = writeln!(text, "{}", plain(said).trim_end());
        }
        text.push('\n');
    }
    text
}

pub(crate) fn explained(answer: &ContextExplained) -> String {
    let table = plain(&answer.ledger.to_event_table()) + &plain(&answer.ledger.to_table());
    format!("{}, counted by {}\n", table.trim_end(), line(&answer.tokenizer))
}

pub(crate) fn demo(answer: &DemoAnswer) -> String {
    let mut text = format!("a tool answered with {} bytes\n\n", answer.output_bytes);
    text.push_str(&messages(&answer.messages));
    let _ = writeln!(text, "{} of {} tokens", answer.token_count, answer.budget);
    let whole = if answer.retrieved {
        "came back whole".green().to_string()
    } else {
        "did not come back".red().to_string()
    };
    let _ = writeln!(text, "\nartifact {} {whole}", answer.handle.artifact_id);
    let _ = writeln!(text, "it begins with: {}", line(&answer.first_line));
    let id = answer.handle.artifact_id.to_string();
    let _ = writeln!(text, "try `policy-engine artifact get {} --range lines:1-5`", &id[..12]);
    text
}

pub(crate) fn aligned(answer: &AlignedAnswer) -> String {
    let mut text = format!("{}: {}\n", line(&answer.tool), answer.status.bold());
    for error in &answer.errors {
        let _ = writeln!(text, "  breaks its schema: {}", line(error));
    }
    for place in &answer.redactions {
        let _ = writeln!(text, "  redacted: {}", line(place));
    }
    let _ = writeln!(text, "\n{}", plain(&answer.summary).trim_end());
    let value = match &answer.value {
        Value::String(text) => text.clone(),
        value => serde_json::to_string_pretty(value).unwrap_or_default(),
    };
    let _ = writeln!(text, "\n{}", plain(&value).trim_end());
    text
}

pub(crate) fn artifacts(answer: &ArtifactsAnswer) -> String {
    if answer.artifacts.is_empty() {
        return "no artifacts\n".to_owned();
    }
    let rows = answer.artifacts.iter().map(row);
    table(&["artifact", "bytes", "type", "source", "summary"], rows, &[1])
}

fn row(row: &ArtifactRow) -> Vec<String> {
    let ArtifactHandle { artifact_id, summary, size_bytes, mime_type, source, .. } = &row.handle;
    let first = summary.lines().next().unwrap_or_default();
    let mut first: String = first.chars().take(60).collect();
    if row.pinned {
        first.insert_str(0, "(pinned) ");
    }
    vec![id(artifact_id), size_bytes.to_string(), mime_type.clone(), source.clone(), first]
}

/// Long enough to be the only one, short enough for a table.
fn id(id: &ArtifactId) -> String {
    id.to_string()[..16].to_owned()
}

pub(crate) fn hits(answer: &ArtifactHits) -> String {
    if answer.hits.is_empty() {
        return "nothing was found\n".to_owned();
    }
    let mut text = String::new();
    for hit in &answer.hits {
        let place = format!("{}:{}", id(&hit.artifact_id), hit.line);
        let _ = writeln!(text, "{}: {}", place.bold(), line(&hit.snippet));
    }
    text
}

pub(crate) fn collected(answer: &CollectedAnswer) -> String {
    let did = if answer.dry_run { "would be deleted" } else { "deleted" };
    let artifacts = count(usize::try_from(answer.artifacts).unwrap_or(usize::MAX), "artifact");
    format!("{artifacts} of {} bytes {did}, {} kept\n", answer.bytes, answer.kept)
}
