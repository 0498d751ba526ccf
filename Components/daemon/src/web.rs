//! The page: what a person sees and steers. What it shows is made by [`mentci_web`]; here a request becomes a visit.

use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Extension, Form, Query, State};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use mentci_authority::At;
use mentci_source::{Code, Finding};
use mentci_web::{ACTS, Fields, ICON, PAGES, Reply, SCRIPT, STYLE, Viewer, Visit, answer};

use crate::problem::problem;
use crate::{App, Caller, Scope};

/// What is told as it happens: a page is fetched again then.
const STREAM: &str = "/api/v1/stream";
/// Assets have their hash in their address.
const FOR_EVER: &str = "private, max-age=31536000, immutable";

type Pairs = Vec<(String, String)>;

/// Every route of the page.
pub(crate) fn routes() -> Router<App> {
    let pages = PAGES.iter().fold(Router::new(), |routes, path| routes.route(path, get(look)));
    let acts = ACTS.iter().fold(pages, |routes, path| routes.route(path, get(look).post(send)));
    acts.route("/assets/page.css", get(|| asset("text/css; charset=utf-8", STYLE)))
        .route("/assets/page.js", get(|| asset("text/javascript; charset=utf-8", SCRIPT)))
        .route("/assets/icon.svg", get(|| asset("image/svg+xml", ICON)))
}

async fn look(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    query: Result<Query<Pairs>, QueryRejection>,
) -> Response {
    match query {
        Ok(Query(query)) => visited(&app, &caller, visit(&caller, &uri, query, None)).await,
        Err(error) => unread(&error.body_text()),
    }
}

async fn send(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    form: Result<Form<Pairs>, FormRejection>,
) -> Response {
    match form {
        Ok(Form(form)) => visited(&app, &caller, visit(&caller, &uri, Pairs::new(), Some(form))).await,
        Err(error) => unread(&error.body_text()),
    }
}

/// What there is not: a page that says so to a browser, and a plain 404 to all others.
pub(crate) async fn nowhere(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let wants = |accepted: &HeaderValue| accepted.to_str().is_ok_and(|kinds| kinds.contains("text/html"));
    let is_page = method == Method::GET
        && !uri.path().starts_with("/api/")
        && headers.get(ACCEPT).is_some_and(wants)
        && caller.may(Scope::Operator);
    if is_page {
        return visited(&app, &caller, visit(&caller, &uri, Pairs::new(), None)).await;
    }
    StatusCode::NOT_FOUND.into_response()
}

fn visit(caller: &Caller, uri: &Uri, query: Pairs, form: Option<Pairs>) -> Visit {
    Visit {
        path: uri.path().to_owned(),
        query: Fields::from(query),
        form: form.map(Fields::from),
        viewer: Viewer { may_act: caller.may(Scope::Operator) },
        now: At::default(),
        stream: Some(STREAM.to_owned()),
    }
}

/// The visit, answered beside the loop.
async fn visited(app: &App, caller: &Caller, visit: Visit) -> Response {
    let who = caller.name.clone();
    let answered = app.work(move |workspace| {
        // OK to fall back: a clock that cannot be read makes every time one long ago.
        let now = At::parse(&workspace.moment()).unwrap_or_default();
        answer(&workspace.by(&who), &Visit { now, ..visit })
    });
    match answered.await {
        Ok(Reply::Page { status, html }) => page(status, html),
        Ok(Reply::See { to }) => see(&to),
        Err(finding) => problem(StatusCode::SERVICE_UNAVAILABLE, finding),
    }
}

fn page(status: u16, html: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    (status, Html(html)).into_response()
}

fn see(to: &str) -> Response {
    // OK to fall back: addresses of pages are percent-encoded.
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
}

#[expect(clippy::unused_async, reason = "a handler is")]
async fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, FOR_EVER)], text).into_response()
}

fn unread(why: &str) -> Response {
    problem(StatusCode::BAD_REQUEST, Finding::new(Code::DAEMON_REQUEST, why.to_owned()))
}
