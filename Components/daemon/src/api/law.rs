//! The Absolute Rules, and what they are made of.

use axum::extract::State;
use mentci_host::{Harness, HistoryRequest, Request};
use mentci_workspace::Workspace;
use serde::Deserialize;

use super::{Answered, Api, Asked, Named, Operation, Told, schema};
use crate::{App, Scope};

pub(super) fn routes(api: Api) -> Api {
    let harnesses: Vec<_> = Harness::ALL.into_iter().map(Some).chain([None]).collect();
    api.route(
        Operation::get("/api/v1/digest", "the Absolute Rules, as an agent reads them")
            .takes(Scope::Agent)
            .query("skill", schema::skill()),
        digest,
    )
    .route(
        Operation::get("/api/v1/digest/map", "each rule with the sources that it comes from")
            .query("skill", schema::skill()),
        map,
    )
    .route(
        Operation::get("/api/v1/digest/history", "the versions that were kept since a daemon first ran"),
        history,
    )
    .route(
        Operation::get(
            "/api/v1/digest/diff",
            "what changed between two versions; the newest is the other when none is named",
        )
        .needs("from", schema::hash())
        .query("to", schema::hash()),
        diff,
    )
    .route(
        Operation::post("/api/v1/inject", "the text to show a model this turn").takes(Scope::Agent).body(
            schema::object(
                &[],
                &[
                    ("harness", serde_json::json!({ "enum": harnesses })),
                    ("active", serde_json::json!({"type": "array", "items": {"type": "string"}})),
                    ("session", schema::or_null(schema::session())),
                ],
            ),
        ),
        inject,
    )
    .route(Operation::get("/api/v1/explain/{what}", "where a rule comes from, or what a code means"), explain)
    .route(Operation::get("/api/v1/stats", "tokens in and out, by skill and section"), stats)
    .route(Operation::get("/api/v1/sources", "what the Absolute Rules are made of"), sources)
    .route(Operation::get("/api/v1/config", "the effective configuration, each value with its layer"), config)
    .route(
        Operation::get(
            "/api/v1/findings",
            "what is odd in law and rules, as `check` says it, and a log that was damaged",
        ),
        findings,
    )
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whose {
    #[serde(default)]
    skill: Option<String>,
}

async fn digest(State(app): State<App>, Asked(Whose { skill }): Asked<Whose>) -> Answered {
    Answered(app.ask(Request::Digest { skill }).await)
}

async fn map(State(app): State<App>, Asked(Whose { skill }): Asked<Whose>) -> Answered {
    Answered(app.ask(Request::Coverage { skill }).await)
}

async fn history(State(app): State<App>) -> Answered {
    Answered(app.ask(Request::History(HistoryRequest::List)).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Versions {
    from: String,
    #[serde(default)]
    to: Option<String>,
}

async fn diff(State(app): State<App>, Asked(Versions { from, to }): Asked<Versions>) -> Answered {
    Answered(app.ask(Request::History(HistoryRequest::Diff { from, to })).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inject {
    #[serde(default)]
    harness: Option<Harness>,
    #[serde(default)]
    active: Vec<String>,
    #[serde(default)]
    session: Option<String>,
}

async fn inject(State(app): State<App>, Told(told): Told<Inject>) -> Answered {
    let Inject { harness, active, session } = told;
    let harness = harness.unwrap_or(Harness::Any);
    Answered(app.ask(Request::Inject { harness, active, session, event: None }).await)
}

async fn explain(State(app): State<App>, Named(what): Named<String>) -> Answered {
    Answered(app.ask(Request::Explain { what }).await)
}

async fn stats(State(app): State<App>) -> Answered {
    Answered(app.ask(Request::Stats).await)
}

async fn sources(State(app): State<App>) -> Answered {
    Answered(app.ask(Request::Sources).await)
}

async fn config(State(app): State<App>) -> Answered {
    Answered(app.ask(Request::Config).await)
}

async fn findings(State(app): State<App>) -> Answered {
    // OK to ignore: what cannot be looked at now is in the daemon's own log too.
    let damaged = app.work(Workspace::damaged_logs).await.unwrap_or_default();
    Answered(app.ask(Request::Check).await.with(damaged))
}
