//! What went wrong, as an answer: JSON findings, whatever the route.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use mentci_source::{Code, Finding};
use serde_json::json;

/// `{"findings": […]}` with this status.
pub(crate) fn problem(status: StatusCode, finding: Finding) -> Response {
    problems(status, &[finding])
}

/// `{"findings": […]}` with this status.
pub(crate) fn problems(status: StatusCode, findings: &[Finding]) -> Response {
    let mut response = Response::new(Body::from(json!({ "findings": findings }).to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let more = match status {
        StatusCode::UNAUTHORIZED => Some((WWW_AUTHENTICATE, "Bearer")),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => Some((RETRY_AFTER, "1")),
        _ => None,
    };
    headers.extend(more.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// How long a request may take until its answer begins.
const PATIENCE: Duration = Duration::from_mins(1);

/// Gives up on requests that take too long: on a body that never comes to its end, wherever it is read.
pub(crate) async fn in_time(request: Request, next: Next) -> Response {
    let answered = tokio::time::timeout(PATIENCE, next.run(request)).await;
    answered.unwrap_or_else(|_| {
        problem(
            StatusCode::REQUEST_TIMEOUT,
            Finding::new(Code::DAEMON_BUSY, "the request takes longer than a minute"),
        )
    })
}

/// Says in our words what the router refuses in its own.
pub(crate) async fn in_findings(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    let status = response.status();
    let is_told = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json" || kind == "text/html; charset=utf-8");
    if !(status.is_client_error() || status.is_server_error()) || is_told {
        return response;
    }
    let path = path.escape_debug();
    let finding = match status {
        StatusCode::NOT_FOUND => Finding::new(Code::DAEMON_REQUEST, format!("there is no `{path}`"))
            .help("`/openapi.json` lists what there is"),
        StatusCode::METHOD_NOT_ALLOWED => {
            Finding::new(Code::DAEMON_REQUEST, format!("`{path}` takes no {method}"))
                .help("`/openapi.json` lists what there is")
        }
        _ => {
            Finding::new(Code::DAEMON_REQUEST, status.canonical_reason().unwrap_or("refused").to_lowercase())
        }
    };
    let mut told = problem(status, finding);
    if let Some(allowed) = response.headers().get(ALLOW) {
        told.headers_mut().insert(ALLOW, allowed.clone());
    }
    told
}
