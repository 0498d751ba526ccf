//! A session as lines that can be read again.

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{ArtifactError, ArtifactId, Event, Hook, ToolResult, ToolStatus, told_text};
use mentci_context::Counts;
use mentci_host::policy::{Line, LinesAnswer};
use mentci_host::{Response, Unambiguous};
use mentci_ledger::{Act, Decided, Record, What};
use mentci_source::{Finding, Severity};
use serde_json::{Map, Value, json};

use super::artifacts::refused;
use super::import::concerns_one;
use super::kept::{JSON, TEXT};
use crate::workspace::Workspace;

/// An export on its way.
struct Export {
    /// Whether artifacts stay where they are.
    with_handles: bool,
    /// What the lines name.
    named: BTreeSet<ArtifactId>,
    odd: Vec<Finding>,
}

impl Workspace {
    /// A session as lines. What people did is among them; what rules emitted is not, because they emit it again.
    pub(super) fn export_session(
        &self,
        of: &str,
        with_handles: bool,
        evidence: bool,
    ) -> Result<Response, Finding> {
        if evidence {
            let counts = Arc::new(Counts::new(mentci_tokens::o200k()));
            let session = self.stored_session(of, &counts)?.ok_or_else(|| self.no_session(of, ""))?;
            let lines = session.export().map(Line::Text);
            return Ok(Response::ok(LinesAnswer { lines: lines.collect() }));
        }
        let mut raw = Vec::new();
        self.walk(of, &mut |record, body| {
            raw.push((record.clone(), body.map(str::to_owned)));
            Ok(())
        })?;
        if raw.is_empty() {
            return Err(self.no_session(of, ""));
        }
        let mut export = Export { with_handles, named: BTreeSet::new(), odd: Vec::new() };
        let mut lines = Vec::new();
        for (record, body) in raw {
            lines.extend(self.exported(&record, body.as_deref(), &mut export)?);
        }
        let lost = self.lost(&export.named, "that the lines name")?;
        Ok(Response::ok(LinesAnswer { lines }).with(lost).with(export.odd))
    }

    fn exported(
        &self,
        record: &Record,
        body: Option<&str>,
        export: &mut Export,
    ) -> Result<Option<Line>, Finding> {
        let seen = match &record.what {
            What::Act(act) => return Ok(Some(Line::Value(act_line(record, act)))),
            What::Event(seen) => seen,
        };
        if seen.hook == Hook::EventEmitted {
            return Ok(None);
        }
        let Some(mut event) = body.and_then(|body| Event::from_line(body).ok()) else {
            return Ok(None);
        };
        event.at = record.at.or(event.at);
        if seen.hook == Hook::PreToolCall && !seen.decided.admits() {
            deny(&mut event, &seen.decided);
        }
        if let Some(result) = &mut event.result
            && let Some(id) = handle_of(&result.value)
        {
            let whole = if export.with_handles { None } else { self.brought_back(&id, export)? };
            match whole {
                Some(bytes) => put_back(result, &bytes),
                None => drop(export.named.insert(id)),
            }
        }
        if event.has_text() {
            return Ok(event.to_line().ok().map(Line::Told));
        }
        Ok(serde_json::to_value(&event).ok().map(Line::Value))
    }

    /// The content of an artifact; none when it is gone. Of one that was changed it is told so, and the handle stays.
    fn brought_back(&self, id: &ArtifactId, export: &mut Export) -> Result<Option<Vec<u8>>, Finding> {
        match self.artifacts()?.retrieve(id) {
            Err(error @ ArtifactError::Tampered(_)) => {
                export.odd.push(refused(error).severity(Severity::Warning));
                Ok(None)
            }
            // What is lost is told with the lines.
            Err(error) if concerns_one(&error) => Ok(None),
            content => content.map_err(refused),
        }
    }
}

/// A call that did not run says so, and why.
fn deny(event: &mut Event, decided: &Decided) {
    let Some(tool) = &mut event.tool else { return };
    tool.status = Some(ToolStatus::Denied);
    let by = decided.rules.first().map_or("policy", String::as_str);
    let told = event.result.take().filter(|told| told.error.is_some());
    let denied = || ToolResult { error: Some(format!("denied by {by}")), ..ToolResult::default() };
    event.result = Some(told.unwrap_or_else(denied));
}

/// Puts a content into the place of what stands for it, as it was told: a value as a value with each of its digits, a text as a text.
fn put_back(result: &mut ToolResult, content: &[u8]) {
    let text = String::from_utf8_lossy(content).into_owned();
    // In lines of older versions nothing says which it was: what would be written otherwise was a text, or is safe as one.
    let (may_be_value, must_be_exact) = match result.value["form"].as_str() {
        Some(TEXT) => (false, true),
        Some(JSON) => (true, false),
        _ => (result.value["artifact"]["mime_type"] == json!("application/json"), true),
    };
    let value: Option<Value> = may_be_value.then(|| serde_json::from_str(&text).ok()).flatten();
    let told = value.as_ref().and_then(|value| told_text(&text, value));
    match value {
        Some(value) if told.is_none() || !must_be_exact => {
            // Of a key that stands twice no reader of lines takes any.
            result.told = told.filter(|text| serde_json::from_str::<Unambiguous>(text).is_ok());
            result.value = value;
        }
        _ => result.value = Value::String(text),
    }
}

/// The artifact that stands in a value's place.
fn handle_of(value: &Value) -> Option<ArtifactId> {
    value["artifact"]["artifact_id"].as_str()?.parse().ok()
}

fn act_line(record: &Record, act: &Act) -> Value {
    let mut line = Map::new();
    line.insert("act".into(), serde_json::to_value(act).unwrap_or_default());
    line.insert("at".into(), serde_json::to_value(record.at.unwrap_or_default()).unwrap_or_default());
    line.insert("session".into(), record.session.clone().into());
    Value::Object(line)
}
