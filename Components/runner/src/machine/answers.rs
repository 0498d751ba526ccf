//! How calls ended, written down.

use mentci_authority::{Event, Hook, Message, NewArtifact, Role, ToolCall, ToolResult, ToolStatus, Verdict};
use mentci_chatmd::{Block, Element};
use mentci_context::{RedactedPart, ToolEvent, ToolEventKind};
use serde_json::{Map, Value};

use super::Machine;
use super::calls::{Call, Fate};
use crate::end::Stop;
use crate::machine::Cause;
use crate::transcript::{Said, body_value};

/// How a call ended, before rules saw it.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: ToolStatus,
    /// By whom it was refused or given up.
    denied: Option<&'static str>,
    text: String,
    /// What was taken out.
    redacted: Vec<String>,
    /// The whole, where the text is its summary.
    artifact: Option<NewArtifact>,
}

impl Answer {
    pub(crate) fn of(event: ToolEvent) -> Self {
        let part = |name: &str| event.data.get(name).filter(|value| !value.is_null());
        let told = |name: &str| part(name).map(text_of).filter(|text| !text.is_empty());
        let (status, denied) = match event.kind {
            ToolEventKind::Timeout => (ToolStatus::Timeout, None),
            ToolEventKind::Error if part("status").and_then(Value::as_str) == Some("invalid") => {
                (ToolStatus::Invalid, None)
            }
            ToolEventKind::Error => (ToolStatus::Error, None),
            ToolEventKind::Cancelled => (ToolStatus::Error, Some("cancelled")),
            ToolEventKind::Denied => (ToolStatus::Error, Some("policy")),
            ToolEventKind::Call | ToolEventKind::Success => (ToolStatus::Success, None),
        };
        let value = if event.artifact.is_some() { told("summary") } else { told("value") };
        let parts: Vec<String> =
            [told("error"), errors(part("errors")), value].into_iter().flatten().collect();
        let redactions = part("redactions").cloned().unwrap_or_default();
        let redacted: Vec<RedactedPart> = serde_json::from_value(redactions).unwrap_or_default();
        let mut redacted: Vec<String> = redacted.into_iter().map(|part| part.kind).collect();
        redacted.sort();
        redacted.dedup();
        Self { status, denied, text: parts.join("\n"), redacted, artifact: event.artifact }
    }

    /// What it says, where the tool did what it was asked.
    pub(crate) fn success(&self) -> Result<&str, &str> {
        if self.status == ToolStatus::Success { Ok(&self.text) } else { Err(&self.text) }
    }

    /// The whole, where the text is its summary.
    pub(crate) fn artifact(&self) -> Option<&NewArtifact> {
        self.artifact.as_ref()
    }

    pub(crate) fn cancelled() -> Self {
        let text = "the call was given up before its tool answered; it may have done its work".to_owned();
        Self {
            status: ToolStatus::Error,
            denied: Some("cancelled"),
            text,
            redacted: Vec::new(),
            artifact: None,
        }
    }

    /// What rules read of it: all of it, also where the model reads a summary.
    fn value(&self) -> Value {
        match &self.artifact {
            Some(artifact) => body_value(&String::from_utf8_lossy(&artifact.content)),
            None => body_value(&self.text),
        }
    }
}

impl Machine {
    pub(crate) fn refused(&mut self, by: &'static str, why: &str) -> Answer {
        self.tally.denied += 1;
        let status = if by == "arguments" { ToolStatus::Invalid } else { ToolStatus::Error };
        let text = self.aligner.redact_text(why);
        Answer { status, denied: Some(by), text, redacted: Vec::new(), artifact: None }
    }

    /// Asks the rules about an answer, and writes it.
    pub(crate) fn write_answer(
        &mut self,
        call: &Call,
        mut answer: Answer,
        after: &mut Vec<(Cause, Verdict)>,
    ) -> Result<(), Stop> {
        let verdict = match answer.denied {
            None => Some(self.judge_answer(call, answer.status, answer.value())?),
            Some(_) => None,
        };
        if let Some(verdict) = &verdict
            && let Some(result) = &verdict.result
        {
            self.redact(call, &mut answer, result, verdict);
        }
        if let Some(artifact) = &answer.artifact {
            self.workspace().keep_artifacts(&self.session, std::slice::from_ref(artifact))?;
        }
        let block = self.put(&said(call, &answer))?;
        self.tell_reserved()?;
        self.commit()?;
        let cause =
            || Cause { hook: Hook::PostToolResponse, chain: call.chain.clone(), call: Some(call.id.clone()) };
        after.extend(verdict.map(|verdict| (cause(), verdict)));
        self.hear_answer(call, &block, after)
    }

    /// An answer that stands in the document already.
    pub(crate) fn take_answer(
        &mut self,
        call: &Call,
        block: &Block,
        after: &mut Vec<(Cause, Verdict)>,
    ) -> Result<(), Stop> {
        self.see(block);
        self.pass_reserved()?;
        self.tally.denied += u64::from(block.value("denied").is_some());
        if block.value("denied").is_none() {
            let text = block.text().into_string();
            let whole = block.value("artifact").and_then(|id| self.workspace().artifact_text(id));
            let status = match block.value("status") {
                Some("error") => ToolStatus::Error,
                Some("timeout") => ToolStatus::Timeout,
                Some("invalid") => ToolStatus::Invalid,
                _ => ToolStatus::Success,
            };
            let verdict = self.judge_answer(call, status, body_value(whole.as_deref().unwrap_or(&text)))?;
            let cause = Cause {
                hook: Hook::PostToolResponse,
                chain: call.chain.clone(),
                call: Some(call.id.clone()),
            };
            after.push((cause, verdict));
        }
        self.hear_answer(call, block, after)
    }

    fn hear_answer(
        &mut self,
        call: &Call,
        block: &Block,
        after: &mut Vec<(Cause, Verdict)>,
    ) -> Result<(), Stop> {
        let message = Message { role: Role::Tool, synthetic: call.via.is_some(), ..self.message(block) };
        let event = Event { message: Some(message), ..self.event(Hook::MessageAppended) };
        let verdict = self.hear(event, &call.chain)?;
        after.push((Cause { hook: Hook::MessageAppended, chain: call.chain.clone(), call: None }, verdict));
        Ok(())
    }

    fn judge_answer(&mut self, call: &Call, status: ToolStatus, value: Value) -> Result<Verdict, Stop> {
        let error = (status != ToolStatus::Success).then(|| text_of(&value));
        let count = value.as_array().map(|items| i64::try_from(items.len()).unwrap_or(i64::MAX));
        let result = ToolResult {
            status: Some(status),
            value,
            error,
            count,
            duration_ms: None,
            other: Map::new(),
            told: None,
        };
        let (name, args, call_id) = (call.name.clone(), call.args.clone(), Some(call.id.clone()));
        let tool = ToolCall { name, args, call_id, status: Some(status) };
        let runs = self.court.runs(&tool.name, &tool.args);
        let (tool, result) = (Some(tool), Some(result));
        let event = Event { tool, result, runs, ..self.event(Hook::PostToolResponse) };
        self.hear(event, &call.chain)
    }

    /// What rules took out is taken out before anything is kept.
    fn redact(&self, call: &Call, answer: &mut Answer, result: &Value, verdict: &Verdict) {
        let aligned = self.aligner.align_text(&call.name, &text_of(result), self.workspace().seconds());
        answer.text = match &aligned.summary {
            Some(summary) => summary.text.clone(),
            None => text_of(&aligned.value),
        };
        answer.artifact = aligned.artifact;
        answer.redacted.extend(verdict.redacted.iter().map(|place| place.kind.clone()));
        answer.redacted.sort();
        answer.redacted.dedup();
    }
}

fn said(call: &Call, answer: &Answer) -> Said {
    let mut said = Said::new(Element::ToolResponse)
        .with("id", call.id.as_str())
        .with("name", call.name.as_str())
        .with("status", answer.status.name());
    if let Some(denied) = answer.denied {
        said = said.with("denied", denied);
    }
    if let Some(artifact) = &answer.artifact {
        let handle = &artifact.handle;
        said =
            said.with("artifact", handle.artifact_id.to_string()).with("size", handle.size_bytes.to_string());
        said = said.with("mime", handle.mime_type.as_str());
    }
    if !answer.redacted.is_empty() {
        said = said.with("redacted", answer.redacted.join(","));
    }
    match (&call.via, &call.fate) {
        (Some(rule), _) => said = said.by_rule(rule),
        (None, Fate::Refused { rule: Some(rule), .. }) => said = said.with("via_rule", rule.as_str()),
        _ => {}
    }
    said.text(answer.text.as_str())
}

/// A text as it stands, any other value as JSON.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn errors(errors: Option<&Value>) -> Option<String> {
    let list = errors?.as_array()?;
    let told = list.iter().map(|error| {
        let part = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or("");
        format!("at `{}`: {}", part("path"), part("message"))
    });
    Some(told.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
}
