//! The kill switch, and taints.

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mentci_host::policy::PolicyRequest;
use mentci_host::{Answer, Request};
use mentci_source::{Code, Finding};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{
    Answered, Api, Operation, Told, json as to_json,
    schema::{object, or_null, session_name},
};
use crate::problem::problem;
use crate::{App, Caller};

pub(super) fn routes(api: Api) -> Api {
    let text = || json!({"type": ["string", "null"]});
    let name = || or_null(session_name());
    let kill = by_one_name(object(&[], &[("reason", text()), ("session", name()), ("session_id", name())]));
    let whose = by_one_name(object(&[], &[("session", name()), ("session_id", name())]));
    let clear =
        json!({"type": "object", "required": ["session_id"], "properties": {"session_id": session_name()}});
    api.route(
        Operation::post("/api/v1/kill", "stops every call, of a session or of all").body(kill.clone()),
        self::kill,
    )
    .route(Operation::post("/api/v1/kill-switch", "the same").body(kill), self::kill)
    .route(Operation::post("/api/v1/resume", "lets calls run again").body(whose), resume)
    .route(Operation::post("/api/v1/clear-taint", "clears the taints of a session").body(clear), clear_taint)
}

/// A body that names a session by one of its two keys.
fn by_one_name(mut body: Value) -> Value {
    body["not"] = json!({"required": ["session", "session_id"]});
    body
}

/// What it does not know it refuses: of a session whose key is misspelt, everything would be stopped, or let run again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kill {
    #[serde(default)]
    reason: Option<String>,
    #[serde(default, alias = "session_id")]
    session: Option<String>,
}

async fn kill(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(told): Told<Kill>,
) -> Response {
    if let Some(refused) = nameless(told.session.as_deref()) {
        return refused;
    }
    let reason = told.reason.filter(|reason| !reason.trim().is_empty());
    let reason = reason.unwrap_or_else(|| "Kill switch activated via API".to_owned());
    let kill = PolicyRequest::Kill { session: told.session, reason: reason.clone() };
    done(&app, &caller, kill, &json!({"status": "killed", "reason": reason})).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resume {
    #[serde(default, alias = "session_id")]
    session: Option<String>,
}

async fn resume(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(told): Told<Resume>,
) -> Response {
    if let Some(refused) = nameless(told.session.as_deref()) {
        return refused;
    }
    done(&app, &caller, PolicyRequest::Resume { session: told.session }, &json!({"status": "resumed"})).await
}

/// A name that is none is not everybody's.
fn nameless(session: Option<&str>) -> Option<Response> {
    session.filter(|session| session.trim().is_empty())?;
    let finding = Finding::new(Code::DAEMON_REQUEST, "`session` is empty");
    let finding = finding.help("leave it out to mean every session of every workspace");
    Some(problem(StatusCode::UNPROCESSABLE_ENTITY, finding))
}

#[derive(Debug, Deserialize)]
struct Clear {
    session_id: String,
}

async fn clear_taint(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(told): Told<Clear>,
) -> Response {
    if told.session_id.trim().is_empty() {
        let finding = Finding::new(Code::DAEMON_REQUEST, "`session_id` is empty");
        return problem(StatusCode::UNPROCESSABLE_ENTITY, finding);
    }
    let said = json!({"status": "ok", "session_id": told.session_id});
    let by = caller.name.clone();
    done(&app, &caller, PolicyRequest::ClearTaints { session: told.session_id, by }, &said).await
}

async fn done(app: &App, caller: &Caller, request: PolicyRequest, said: &Value) -> Response {
    let response = app.ask_as(caller, Request::Policy(request)).await;
    match response.answer {
        Answer::Text(_) => to_json(said),
        _ => Answered(response).into_response(),
    }
}
