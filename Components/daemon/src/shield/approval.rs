//! What became of a request, and what a person says to one.
//!
//! A client of PolicyShield runs the call as soon as it hears `approved`, and asks no second time: so the one answer that says
//! so uses the approval up. Asked again, it is `used`, which every client takes for no permission; and `blocked`, with nothing
//! used up, where the call would not be let through if it was decided now.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mentci_host::policy::{ApprovalRow, PolicyRequest, RuleRow};
use mentci_host::{Answer, Outcome, Request};
use mentci_source::{Code, Finding};
use serde::Deserialize;
use serde_json::{Value, json};

use super::check::bare;
use crate::api::{Answered, Api, Named, Operation, Told, json as to_json, schema::object};
use crate::problem::problem;
use crate::{App, Caller, Scope};

pub(super) fn routes(api: Api) -> Api {
    let id = json!({"type": "string", "minLength": 1});
    let status = json!({"type": "object", "required": ["approval_id", "status"]});
    api.route(
        Operation::post("/api/v1/check-approval", "what became of a request for approval")
            .takes(Scope::Agent)
            .body(json!({"type": "object", "required": ["approval_id"], "properties": {"approval_id": id}}))
            .answers(status.clone()),
        check,
    )
    .route(
        Operation::get("/api/v1/approval/{id}/status", "what became of a request for approval")
            .takes(Scope::Agent)
            .answers(status),
        by_path,
    )
    .route(
        Operation::post("/api/v1/respond-approval", "answers a request").once().body(json!({
            "type": "object",
            "required": ["approval_id", "approved"],
            "properties": {"approval_id": id, "approved": {"type": "boolean"}, "responder": {"type": "string"}, "comment": {"type": "string"}},
        })),
        respond,
    )
    .route(Operation::get("/api/v1/pending-approvals", "what waits for a person").answers(object(
        &["approvals"],
        &[("approvals", json!({"type": "array"}))],
    )), pending)
}

#[derive(Debug, Deserialize)]
struct Which {
    approval_id: String,
}

async fn check(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(which): Told<Which>,
) -> Response {
    state_of(&app, &caller, which.approval_id).await
}

async fn by_path(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
) -> Response {
    state_of(&app, &caller, id).await
}

async fn state_of(app: &App, caller: &Caller, id: String) -> Response {
    if !is_theirs(app, caller, &id).await {
        let message = format!("no approval has the id `{}`", id.escape_debug());
        return problem(StatusCode::NOT_FOUND, Finding::new(Code::UNKNOWN_SUBJECT, message));
    }
    let asked = app.asked_calls().call(&id).map(Box::new);
    let take = PolicyRequest::Take { id, asked, by: caller.name.clone() };
    let response = app.ask(Request::Policy(take)).await;
    let Answer::Approvals(answer) = &response.answer else { return Answered(response).into_response() };
    let Some(row) = answer.approvals.first() else { return Answered(response).into_response() };
    to_json(&standing(row))
}

/// Whether a request is the caller's own: an approval is used up by who hears of it. Who asked first stands with it in the store;
/// whoever asked for the same call again is known for as long as the daemon runs.
async fn is_theirs(app: &App, caller: &Caller, id: &str) -> bool {
    if caller.may(Scope::Operator) || app.asked_calls().has_asked(id, &caller.name) {
        return true;
    }
    let id = id.to_owned();
    let asker = app.work(move |workspace| workspace.asked_by(&id)).await;
    asker.is_ok_and(|asker| asker.as_ref() == Some(&caller.name))
}

#[derive(Debug, Deserialize)]
struct Said {
    approval_id: String,
    approved: bool,
    #[serde(default)]
    responder: String,
    #[serde(default)]
    comment: String,
}

async fn respond(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(said): Told<Said>,
) -> Response {
    let Said { approval_id: id, approved: grant, responder, comment } = said;
    // Whose token it is, is known; what they say that they are called, is a claim.
    let by = if responder.is_empty() { caller.name } else { format!("{} as {responder}", caller.name) };
    let words = (!comment.is_empty()).then_some(comment);
    let answer = PolicyRequest::Answer { id: id.clone(), grant, by: Some(by), words };
    let response = app.ask(Request::Policy(answer)).await;
    match &response.answer {
        Answer::Approvals(_) if response.outcome == Outcome::Ok => {
            to_json(&json!({"status": "ok", "approval_id": id}))
        }
        Answer::Approvals(answer) => settled(&id, answer.approvals.first(), &response.findings),
        _ => Answered(response).into_response(),
    }
}

/// It was answered before: 409, with how it stands.
fn settled(id: &str, row: Option<&ApprovalRow>, findings: &[Finding]) -> Response {
    let mut told = row.map_or_else(|| json!({"approval_id": id}), standing);
    told["findings"] = json!(findings);
    (StatusCode::CONFLICT, to_json(&told)).into_response()
}

/// How a request stands, in the words of PolicyShield's clients.
fn standing(row: &ApprovalRow) -> Value {
    let status = match row.state.as_str() {
        "granted" => "approved",
        "expired" => "timeout",
        other => other,
    };
    json!({"approval_id": row.id, "status": status, "responder": row.by, "comment": row.words})
}

async fn pending(State(app): State<App>) -> Response {
    let response = app.ask(Request::Policy(PolicyRequest::Approvals)).await;
    let Answer::Approvals(answer) = &response.answer else { return Answered(response).into_response() };
    let rules = app.ask(Request::Policy(PolicyRequest::Rules { paths: Vec::new() })).await;
    let rules = match rules.answer {
        Answer::Rules(rules) => rules.rules,
        // OK to go on: a rule's name stands for its words.
        _ => Vec::new(),
    };
    let waiting = answer.approvals.iter().filter(|row| row.state == "pending");
    let waiting: Vec<Value> = waiting.map(|row| item(row, words(row, &rules))).collect();
    to_json(&json!({ "approvals": waiting }))
}

/// What the rule that asks tells whoever it stops: its words as they are now, or its name where it has none or is gone.
fn words<'a>(row: &'a ApprovalRow, rules: &'a [RuleRow]) -> &'a str {
    let rule = rules.iter().find(|rule| rule.rule == row.rule);
    let told = rule.into_iter().flat_map(|rule| [&rule.message, &rule.says, &rule.name]).flatten();
    told.map(String::as_str).find(|words| !words.is_empty()).unwrap_or(&row.rule)
}

fn item(row: &ApprovalRow, message: &str) -> Value {
    let args: Value = serde_json::from_str(&row.args).unwrap_or_default();
    // Long arguments are kept as the start of their text.
    let args = if args.is_object() { args } else { json!({ "start": args }) };
    json!({"approval_id": row.id, "tool_name": row.tool, "rule_id": bare(&row.rule), "message": message, "args": args, "session_id": row.session, "expires": row.expires})
}
