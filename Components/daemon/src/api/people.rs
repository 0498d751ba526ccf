//! What people are asked and say: approvals, the kill switch, notifications.

use axum::extract::{Extension, State};
use mentci_host::Request;
use mentci_host::policy::PolicyRequest;
use serde::Deserialize;
use serde_json::json;

use super::{Answered, Api, Asked, Named, Operation, Told, schema};
use crate::{App, Caller};

pub(super) fn routes(api: Api) -> Api {
    api.route(Operation::get("/api/v1/approvals", "what people are asked, and what they said"), approvals)
        .route(
            Operation::post("/api/v1/approvals/{id}", "answers a request: for this one call")
                .body(schema::object(
                    &["grant"],
                    &[("grant", schema::yes_or_no()), ("words", schema::or_null(schema::text()))],
                ))
                .once(),
            answer,
        )
        .route(Operation::get("/api/v1/stops", "what is stopped now: why, by whom and since when"), stops)
        .route(
            Operation::get("/api/v1/notifications", "what agents are told")
                .query("session", schema::session())
                .query("all", schema::yes_or_no()),
            notifications,
        )
        .route(
            Operation::post("/api/v1/notifications/acknowledge", "takes note of notifications").body(
                schema::object(
                    &["ids"],
                    &[
                        ("ids", json!({"type": "array", "items": schema::text()})),
                        ("session", schema::or_null(schema::session())),
                    ],
                ),
            ),
            acknowledge,
        )
}

async fn approvals(State(app): State<App>) -> Answered {
    ask(&app, PolicyRequest::Approvals).await
}

async fn stops(State(app): State<App>) -> Answered {
    ask(&app, PolicyRequest::Stops).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    grant: bool,
    #[serde(default)]
    words: Option<String>,
}

async fn answer(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
    Told(Said { grant, words }): Told<Said>,
) -> Answered {
    ask(&app, PolicyRequest::Answer { id, grant, by: Some(caller.name), words }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    all: bool,
}

async fn notifications(State(app): State<App>, Asked(Which { session, all }): Asked<Which>) -> Answered {
    ask(&app, PolicyRequest::Notifications { session, all }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Noted {
    ids: Vec<String>,
    #[serde(default)]
    session: Option<String>,
}

async fn acknowledge(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(Noted { ids, session }): Told<Noted>,
) -> Answered {
    ask(&app, PolicyRequest::Acknowledge { ids, session, by: Some(caller.name) }).await
}

async fn ask(app: &App, request: PolicyRequest) -> Answered {
    Answered(app.ask(Request::Policy(request)).await)
}
