//! What agents learned, and what a person says to it.

use axum::extract::{Extension, State};
use mentci_authority::{LessonStatus, MAX_CONTEXT_CHARS, MAX_LESSON_CHARS};
use mentci_host::{LessonRequest, Request, Teaching};
use serde::Deserialize;

use super::{Answered, Api, Asked, Named, Operation, Told, schema};
use crate::{App, Caller};

pub(super) fn routes(api: Api) -> Api {
    let text = || schema::said(MAX_LESSON_CHARS);
    let told = || schema::said(MAX_CONTEXT_CHARS);
    let reason = || schema::object(&[], &[("reason", schema::or_null(told()))]);
    api.route(
        Operation::get("/api/v1/lessons", "the lessons").query("skill", schema::text()).query(
            "status",
            serde_json::json!({"enum": ["pending", "active", "rejected", "promoted", "archived"]}),
        ),
        list,
    )
    .route(
        Operation::post("/api/v1/lessons", "teaches one").body(schema::object(
            &["skill", "condition", "resolution"],
            &[
                ("skill", schema::skill()),
                ("condition", text()),
                ("resolution", text()),
                ("context", schema::or_null(told())),
                ("session", schema::or_null(schema::text())),
            ],
        )),
        teach,
    )
    .route(Operation::get("/api/v1/lessons/{id}", "one lesson"), show)
    .route(Operation::post("/api/v1/lessons/{id}/accept", "lets a pending lesson into the digest"), accept)
    .route(Operation::post("/api/v1/lessons/{id}/reject", "refuses a lesson for good").body(reason()), reject)
    .route(Operation::post("/api/v1/lessons/{id}/archive", "retires a lesson").body(reason()), archive)
    .route(Operation::post("/api/v1/lessons/{id}/promote", "makes a lesson law of its own"), promote)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    #[serde(default)]
    skill: Option<String>,
    #[serde(default)]
    status: Option<LessonStatus>,
}

async fn list(State(app): State<App>, Asked(Which { skill, status }): Asked<Which>) -> Answered {
    ask(&app, LessonRequest::List { skill, status }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    skill: String,
    condition: String,
    resolution: String,
    #[serde(default)]
    context: Option<String>,
    #[serde(default)]
    session: Option<String>,
}

async fn teach(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(told): Told<Lesson>,
) -> Answered {
    let Lesson { skill, condition, resolution, context, session } = told;
    let (author, source) = (Some(caller.name), Some("http".to_owned()));
    ask(&app, LessonRequest::Add(Teaching { skill, condition, resolution, context, session, author, source }))
        .await
}

async fn show(State(app): State<App>, Named(id): Named<String>) -> Answered {
    ask(&app, LessonRequest::Show { id }).await
}

async fn accept(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
) -> Answered {
    judge(&app, &caller, LessonRequest::Accept { id }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    #[serde(default)]
    reason: Option<String>,
}

async fn reject(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
    Told(why): Told<Why>,
) -> Answered {
    judge(&app, &caller, LessonRequest::Reject { id, reason: why.reason }).await
}

async fn archive(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
    Told(why): Told<Why>,
) -> Answered {
    let reason = why.reason.unwrap_or_else(|| "retired by a person".to_owned());
    judge(&app, &caller, LessonRequest::Archive { id, reason }).await
}

async fn promote(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
) -> Answered {
    judge(&app, &caller, LessonRequest::Promote { id }).await
}

async fn ask(app: &App, request: LessonRequest) -> Answered {
    Answered(app.ask(Request::Lessons(request)).await)
}

async fn judge(app: &App, caller: &Caller, request: LessonRequest) -> Answered {
    Answered(app.ask_as(caller, Request::Lessons(request)).await)
}
