//! Sessions, their contexts and their artifacts. Only what the log knows: no path is read for whoever asks over HTTP.

use axum::extract::State;
use mentci_host::session::{ArtifactRequest, ContextQuery, ContextRequest, SessionRequest};
use mentci_host::{Answer, Request, Response};
use mentci_source::{Code, Finding};
use serde::Deserialize;

use super::{Answered, Api, Asked, Named, Operation, Told, schema};
use crate::App;

pub(super) fn routes(api: Api) -> Api {
    let budgeted =
        |operation: Operation| operation.query("budget", schema::count()).query("model", schema::text());
    api.route(Operation::get("/api/v1/sessions", "every session of the log"), list)
        .route(
            Operation::get("/api/v1/sessions/{id}", "what happened in one").query("last", schema::count()),
            show,
        )
        .route(Operation::get("/api/v1/sessions/{id}/verify", "whether one is as it was written"), verify)
        .route(Operation::get("/api/v1/sessions/{id}/export", "one as lines that `replay` reads"), export)
        .route(budgeted(Operation::get("/api/v1/sessions/{id}/context", "one as messages that fit")), context)
        .route(
            budgeted(Operation::get(
                "/api/v1/sessions/{id}/context/explain",
                "what became of each event, and why",
            )),
            explain,
        )
        .route(
            Operation::get("/api/v1/artifacts", "large content beside the log")
                .query("session", schema::session()),
            artifacts,
        )
        .route(
            Operation::get("/api/v1/artifacts/search", "looks for words")
                .needs("query", schema::words())
                .query("session", schema::session()),
            search,
        )
        .route(
            Operation::get("/api/v1/artifacts/{id}", "one artifact, or a part of it")
                .query("range", schema::text()),
            artifact,
        )
        .route(
            Operation::put(
                "/api/v1/artifacts/{id}/pin",
                "keeps an artifact whatever becomes of its sessions",
            )
            .body(schema::object(&["pinned"], &[("pinned", schema::yes_or_no())])),
            pin,
        )
}

async fn list(State(app): State<App>) -> Answered {
    Answered(app.ask(Request::Session(SessionRequest::List)).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Last {
    #[serde(default)]
    last: Option<u32>,
}

async fn show(
    State(app): State<App>,
    Named(of): Named<String>,
    Asked(Last { last }): Asked<Last>,
) -> Answered {
    let last = last.map(|last| last as usize);
    of_the_log(&app, &of.clone(), Request::Session(SessionRequest::Show { of, last })).await
}

async fn verify(State(app): State<App>, Named(of): Named<String>) -> Answered {
    of_the_log(&app, &of.clone(), Request::Session(SessionRequest::Verify { of, root: None })).await
}

async fn export(State(app): State<App>, Named(of): Named<String>) -> Answered {
    let export = SessionRequest::Export { of: of.clone(), handles: true, evidence: false };
    of_the_log(&app, &of, Request::Session(export)).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    #[serde(default)]
    budget: Option<u32>,
    #[serde(default)]
    model: Option<String>,
}

async fn context(State(app): State<App>, Named(id): Named<String>, Asked(asked): Asked<Budget>) -> Answered {
    of_the_log(&app, &id.clone(), Request::Context(ContextRequest::Compile(query(id, asked)))).await
}

async fn explain(State(app): State<App>, Named(id): Named<String>, Asked(asked): Asked<Budget>) -> Answered {
    of_the_log(&app, &id.clone(), Request::Context(ContextRequest::Explain(query(id, asked)))).await
}

fn query(session: String, Budget { budget, model }: Budget) -> ContextQuery {
    ContextQuery { session, budget: budget.map(u64::from), model, ..ContextQuery::default() }
}

/// Asks about a session that the log knows: where it does not, the verbs would read a file of that name.
async fn of_the_log(app: &App, id: &str, request: Request) -> Answered {
    let known = app.ask(Request::Session(SessionRequest::List)).await;
    let Answer::Sessions(sessions) = &known.answer else { return Answered(known) };
    if sessions.sessions.iter().any(|session| session.session == id) {
        return Answered(app.ask(request).await);
    }
    let message = format!("the log knows no session `{}`", id.escape_debug());
    Answered(Response::bad([
        Finding::new(Code::SESSION_UNKNOWN, message).help("`/api/v1/sessions` lists them")
    ]))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whose {
    #[serde(default)]
    session: Option<String>,
}

async fn artifacts(State(app): State<App>, Asked(Whose { session }): Asked<Whose>) -> Answered {
    ask(&app, ArtifactRequest::List { session }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    #[serde(default)]
    session: Option<String>,
}

async fn search(State(app): State<App>, Asked(Search { query, session }): Asked<Search>) -> Answered {
    ask(&app, ArtifactRequest::Search { query, id: None, session }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    #[serde(default)]
    range: Option<String>,
}

/// How many bytes of an artifact are answered at a time, whatever is asked for.
const MOST: u64 = 1 << 20;

async fn artifact(
    State(app): State<App>,
    Named(id): Named<String>,
    Asked(Part { range }): Asked<Part>,
) -> Answered {
    ask(&app, ArtifactRequest::Get { id, range, session: None, most: Some(MOST) }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    pinned: bool,
}

async fn pin(State(app): State<App>, Named(id): Named<String>, Told(Pin { pinned }): Told<Pin>) -> Answered {
    ask(&app, ArtifactRequest::Pin { id, pinned }).await
}

async fn ask(app: &App, request: ArtifactRequest) -> Answered {
    Answered(app.ask(Request::Artifact(request)).await)
}
