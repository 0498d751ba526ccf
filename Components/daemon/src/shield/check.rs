//! `check` and `post-check`: a call before it runs, and its output.

use std::sync::LazyLock;

use axum::extract::{Extension, State};
use axum::response::Response;
use mentci_authority::{Effect, Event, Hook, ToolCall, ToolResult, Verdict};
use mentci_detect::Detector;
use mentci_source::{Code, Finding};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::VERSION;
use crate::api::{Api, Operation, Told, json as to_json, status};
use crate::problem::problems;
use crate::request_line::RequestId;
use crate::{App, Caller, Scope};

pub(super) fn routes(api: Api) -> Api {
    let tool = json!({"type": "string", "minLength": 1, "maxLength": 256});
    let session = json!({"type": "string", "minLength": 1, "maxLength": 256});
    let check = json!({
        "type": "object",
        "required": ["tool_name"],
        "properties": {
            "tool_name": tool, "args": {"type": "object"}, "session_id": session,
            "sender": {"type": ["string", "null"]}, "request_id": {"type": ["string", "null"]}, "context": {"type": ["object", "null"]},
        },
    });
    let post = json!({
        "type": "object",
        "required": ["tool_name"],
        "properties": {"tool_name": tool, "args": {"type": "object"}, "result": {"type": "string"}, "session_id": session},
    });
    let checked = json!({
        "type": "object",
        "required": ["verdict", "message", "shield_version", "request_id"],
        "properties": {"verdict": {"enum": ["ALLOW", "BLOCK", "REDACT", "APPROVE"]}, "message": {"type": "string"}},
    });
    let looked = json!({"type": "object", "required": ["pii_types", "redacted_output"]});
    api.route(
        Operation::post(
            "/api/v1/check",
            "whether a call may run; whatever stands in the way is an answer: BLOCK",
        )
        .takes(Scope::Agent)
        .decided_once()
        .body(check)
        .answers(checked),
        self::check,
    )
    .route(
        Operation::post(
            "/api/v1/post-check",
            "what of an output the agent may read; what cannot be looked at is withheld",
        )
        .takes(Scope::Agent)
        .decided_once()
        .body(post)
        .answers(looked),
        post_check,
    )
}

/// A call, as PolicyShield's clients tell it. Keys that it does not know it passes over, and so do we.
#[derive(Debug, Deserialize)]
struct Asked {
    tool_name: String,
    #[serde(default)]
    args: Map<String, Value>,
    #[serde(default = "nobodys")]
    session_id: String,
    #[serde(default)]
    sender: Option<String>,
    #[serde(default)]
    request_id: Option<String>,
    #[serde(default)]
    context: Option<Map<String, Value>>,
}

fn nobodys() -> String {
    "default".to_owned()
}

/// What may become of it.
#[derive(Debug, Serialize)]
struct Checked {
    verdict: &'static str,
    message: String,
    rule_id: Option<String>,
    modified_args: Option<Value>,
    pii_types: Vec<String>,
    approval_id: Option<String>,
    shield_version: &'static str,
    request_id: String,
    /// What PolicyShield has no field for: that the decision is not written down.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

async fn check(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(RequestId(ours)): Extension<RequestId>,
    Told(asked): Told<Asked>,
) -> Response {
    if let Some(finding) = odd(&asked.tool_name, &asked.session_id) {
        return problems(axum::http::StatusCode::UNPROCESSABLE_ENTITY, &[finding]);
    }
    let request_id = asked.request_id.clone().filter(|told| !told.is_empty()).unwrap_or(ours);
    let event = Event { caller: Some(caller.name.clone()), ..event(asked) };
    match decide(&app, event.clone()).await {
        Ok((verdict, findings)) => {
            app.asked_calls().note(&verdict, &caller.name);
            if let Some(approval) = &verdict.approval {
                app.asked_calls().keep(approval, event);
            }
            to_json(&Checked { findings: unheld(findings), ..checked(verdict, request_id) })
        }
        Err(findings) => problems(status(&findings), &findings),
    }
}

/// What no tool and no session is called.
fn odd(tool: &str, session: &str) -> Option<Finding> {
    let what = match (tool, session) {
        ("", _) => "`tool_name` is empty",
        (_, "") => "`session_id` is empty",
        _ if tool.len() > 256 => "`tool_name` is longer than 256 bytes",
        _ if session.len() > 256 => "`session_id` is longer than 256 bytes",
        _ => return None,
    };
    Some(Finding::new(Code::DAEMON_REQUEST, what))
}

fn event(asked: Asked) -> Event {
    let tool = ToolCall { name: asked.tool_name, args: Value::Object(asked.args), ..ToolCall::default() };
    Event {
        session: asked.session_id,
        tool: Some(tool),
        sender: asked.sender.filter(|sender| !sender.is_empty()),
        facts: asked.context.unwrap_or_default(),
        ..Event::new(Hook::PreToolCall)
    }
}

/// Decides one event; beside the verdict stands what was odd about deciding.
async fn decide(app: &App, event: Event) -> Result<(Verdict, Vec<Finding>), Vec<Finding>> {
    let response = app.decide(mentci_workspace::Told::Event(Box::new(event))).await;
    match response.verdict().cloned() {
        Some(verdict) => Ok((verdict, response.findings)),
        None => Err(response.findings),
    }
}

/// What says that a decision, or a request for approval, may be gone with this process.
fn unheld(findings: Vec<Finding>) -> Vec<Finding> {
    let tells = |finding: &Finding| {
        let told =
            [Code::STORE_HELD, Code::STORE_FULL, Code::STORE_DENIED, Code::STORE_DAMAGED, Code::STORE_LOCKED];
        told.contains(&finding.code)
    };
    findings.into_iter().filter(tells).collect()
}

fn checked(verdict: Verdict, request_id: String) -> Checked {
    let mut pii_types: Vec<String> = verdict.redacted.iter().map(|place| place.kind.clone()).collect();
    pii_types.sort();
    pii_types.dedup();
    let deciding = verdict.reasons.first();
    Checked {
        verdict: match verdict.decision {
            Effect::Block => "BLOCK",
            Effect::Approve => "APPROVE",
            Effect::Redact => "REDACT",
            Effect::Warn | Effect::Allow => "ALLOW",
        },
        message: message(&verdict),
        rule_id: deciding.map(|reason| bare(&reason.rule).to_owned()),
        modified_args: verdict.args,
        pii_types,
        approval_id: verdict.approval,
        shield_version: VERSION,
        request_id,
        findings: Vec::new(),
    }
}

/// The messages of the rules that say what is decided.
fn message(verdict: &Verdict) -> String {
    let told = verdict
        .reasons
        .iter()
        .filter(|reason| reason.effect == verdict.decision || verdict.decision == Effect::Allow);
    let lines: Vec<&str> =
        told.map(|reason| reason.message.as_str()).filter(|message| !message.is_empty()).collect();
    lines.join("\n")
}

/// A rule's id without its pack.
pub(super) fn bare(rule: &str) -> &str {
    rule.rsplit_once('/').map_or(rule, |(_, id)| id)
}

/// An output, as PolicyShield's clients tell it.
#[derive(Debug, Deserialize)]
struct Output {
    tool_name: String,
    #[serde(default)]
    args: Map<String, Value>,
    #[serde(default)]
    result: String,
    #[serde(default = "nobodys")]
    session_id: String,
}

async fn post_check(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(output): Told<Output>,
) -> Response {
    if let Some(finding) = odd(&output.tool_name, &output.session_id) {
        return problems(axum::http::StatusCode::UNPROCESSABLE_ENTITY, &[finding]);
    }
    let answered = Event {
        session: output.session_id,
        tool: Some(ToolCall {
            name: output.tool_name,
            args: Value::Object(output.args),
            ..ToolCall::default()
        }),
        result: Some(ToolResult { value: output.result.clone().into(), ..ToolResult::default() }),
        caller: Some(caller.name),
        ..Event::new(Hook::PostToolResponse)
    };
    let (verdict, findings) = match decide(&app, answered).await {
        Ok((verdict, findings)) => (verdict, unheld(findings)),
        Err(findings) => return problems(status(&findings), &findings),
    };
    if verdict.decision == Effect::Block {
        let withheld = format!("[withheld] {}", message(&verdict));
        return to_json(&looked_at(&json!([]), &json!(withheld), &findings));
    }
    let told =
        verdict.result.as_ref().and_then(Value::as_str).map_or_else(|| output.result.clone(), str::to_owned);
    let (kinds, text) = redacted(&told);
    let taken = verdict.redacted.iter().map(|place| place.kind.clone()).chain(kinds).collect();
    let changed = (text != output.result).then_some(text);
    to_json(&looked_at(&json!(sorted(taken)), &json!(changed), &findings))
}

fn looked_at(kinds: &Value, output: &Value, findings: &[Finding]) -> Value {
    let mut told = json!({"pii_types": kinds, "redacted_output": output});
    if !findings.is_empty() {
        told["findings"] = json!(findings);
    }
    told
}

/// What PolicyShield takes out of any output, whatever the rules say: personal data and secrets.
fn redacted(text: &str) -> (Vec<String>, String) {
    static DETECTOR: LazyLock<Detector> = LazyLock::new(Detector::all);
    let redaction = DETECTOR.redact(text);
    (redaction.hits.iter().map(|hit| hit.kind.name().to_owned()).collect(), redaction.text)
}

fn sorted(mut kinds: Vec<String>) -> Vec<String> {
    kinds.sort();
    kinds.dedup();
    kinds
}
