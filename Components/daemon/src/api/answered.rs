//! A response of the workspace as one of HTTP.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::IntoResponse;
use mentci_host::{Answer, Outcome, Response};
use mentci_source::{Code, Finding, Severity};
use serde::Serialize;

use crate::problem::problems;

/// The answer's own fields with `findings` beside them; bad input is `{"findings": […]}` with a status of its own.
pub(crate) struct Answered(pub(crate) Response);

impl IntoResponse for Answered {
    fn into_response(self) -> axum::response::Response {
        match &self.0.answer {
            Answer::None {} => problems(status(&self.0.findings), &self.0.findings),
            // What stands in the way is told with why.
            Answer::Approvals(_) if self.0.outcome == Outcome::Bad => {
                (status(&self.0.findings), json(&self.0)).into_response()
            }
            _ => json(&self.0),
        }
    }
}

/// Plain data, as JSON.
pub(crate) fn json(value: &impl Serialize) -> axum::response::Response {
    // OK because answers are plain data with text for keys.
    let text = serde_json::to_vec(value).unwrap_or_default();
    let mut response = axum::response::Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// What the worst finding means in HTTP's words.
pub(crate) fn status(findings: &[Finding]) -> StatusCode {
    let worst = findings.iter().find(|finding| finding.severity == Severity::Error).or(findings.first());
    match worst.map(|finding| finding.code) {
        Some(
            Code::UNKNOWN_SUBJECT
            | Code::UNKNOWN_SKILL
            | Code::LESSON_UNKNOWN
            | Code::SESSION_UNKNOWN
            | Code::ARTIFACT_UNKNOWN,
        ) => StatusCode::NOT_FOUND,
        // Whether a context has a budget is up to the configuration, and whether it fits up to what the session holds.
        Some(Code::CORE_RULE | Code::APPROVAL_SETTLED | Code::CONTEXT_BUDGET | Code::CONTEXT_OVER_BUDGET) => {
            StatusCode::CONFLICT
        }
        Some(Code::DAEMON_REFUSED) => StatusCode::FORBIDDEN,
        Some(
            Code::DAEMON_BUSY
            | Code::NOT_PUBLISHED
            | Code::STORE_LOCKED
            | Code::STORE_FULL
            | Code::STORE_DAMAGED
            | Code::STORE_DENIED
            | Code::ARTIFACTS_UNAVAILABLE,
        ) => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
