//! Results as a model may read them: where that is asked for secrets are taken out, and a large text becomes an artifact, with
//! a summary and the way to it in its place.

use mentci_authority::{Event, Hook, Verdict};
use mentci_host::policy::canonical;
use mentci_host::session::{ArtifactRequest, Content};
use mentci_host::{Answer, HookCall};
use serde_json::Value;

use crate::workspace::Workspace;

/// A result that may have to change.
pub(crate) struct Large {
    tool: String,
    session: String,
    value: Value,
    /// From how many bytes on a text is moved.
    bound: usize,
    redacts: bool,
}

impl Workspace {
    /// The result of an event, where the harness lets it be changed and a text in it is large, or secrets are taken out of all
    /// results; none where it stays.
    pub(crate) fn large(&self, call: &HookCall, event: &Event) -> Option<Large> {
        if event.hook != Hook::PostToolResponse || !call.harness.changes_results() {
            return None;
        }
        let value = &event.result.as_ref()?.value;
        let longest = longest(value);
        let (bound, redacts) = self.changes_of_results();
        let is_large = longest >= bound && !reads_back(event);
        (is_large || redacts).then(|| Large {
            tool: event.tool_name().to_owned(),
            session: event.session.clone(),
            value: value.clone(),
            bound: if is_large { bound } else { usize::MAX },
            redacts,
        })
    }

    /// From how many bytes on a text is moved, and whether secrets are taken out.
    fn changes_of_results(&self) -> (usize, bool) {
        let inner = self.lock();
        let config = &inner.settings.config;
        let bound = config.number("hook.artifact_bytes").unwrap_or(0) as u64;
        let bound = usize::try_from(bound).ok().filter(|bound| *bound > 0).unwrap_or(usize::MAX);
        (bound, config.choice("hook.redact") == "results")
    }

    /// The verdict with the result as it may be read; a text that cannot be moved stays.
    pub(crate) fn shrunk(&self, large: Option<Large>, mut verdict: Verdict) -> Verdict {
        let Some(large) = large else { return verdict };
        // What was redacted is what is kept.
        let mut value = verdict.result.clone().unwrap_or_else(|| large.value.clone());
        let redacted = large.redacts.then(|| self.keeper().aligner().redact_value(&value));
        let redacted = redacted.filter(|redacted| *redacted != value);
        let is_redacted = redacted.is_some();
        value = redacted.unwrap_or(value);
        if self.moves(&large, &mut value) || is_redacted {
            verdict.result = Some(value);
        }
        verdict
    }

    fn moves(&self, large: &Large, value: &mut Value) -> bool {
        match value {
            Value::String(text) if text.len() >= large.bound && is_prose(text) => {
                let handle = self.kept_text(large, text);
                handle.map(|handle| *text = handle).is_some()
            }
            // Each is looked at, whatever became of the others.
            Value::Array(items) => {
                items.iter_mut().filter_map(|item| self.moves(large, item).then_some(())).count() > 0
            }
            Value::Object(fields) => {
                fields.values_mut().filter_map(|item| self.moves(large, item).then_some(())).count() > 0
            }
            _ => false,
        }
    }

    /// Keeps a text as an artifact; what stands in its place.
    fn kept_text(&self, large: &Large, text: &str) -> Option<String> {
        let content = Content::Bytes { name: "result".to_owned(), bytes: text.as_bytes().to_vec() };
        let source = Some(format!("tool:{}", large.tool));
        let put =
            ArtifactRequest::Put { content, session: large.session.clone(), mime: None, source, raw: false };
        let Answer::Artifacts(answer) = self.artifact(put).answer else { return None };
        let handle = answer.artifacts.into_iter().next()?.handle;
        let id = handle.artifact_id.to_string();
        Some(format!(
            "[{} bytes of this answer are kept as artifact {id}; what follows is a summary]\n{}\n\
             help: `policy-engine artifact get {id} --range lines:1-200` prints lines of it",
            handle.size_bytes,
            handle.summary.trim_end(),
        ))
    }
}

/// Whether the call reads an artifact back, or changes a file: what it answers then is not moved.
fn reads_back(event: &Event) -> bool {
    let name = event.tool_name();
    let command = event.tool.as_ref().and_then(|tool| tool.args.get("command")?.as_str()).unwrap_or_default();
    name.contains("artifact")
        || command.contains("artifact get")
        || matches!(canonical(name), Some("edit" | "write"))
}

/// The bytes of the longest text.
fn longest(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(longest).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(longest).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether a text is for reading: pictures and archives are long words without a gap.
fn is_prose(text: &str) -> bool {
    text.bytes().take(4_096).any(|byte| byte.is_ascii_whitespace())
}
