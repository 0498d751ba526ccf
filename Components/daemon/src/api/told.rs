//! What a request tells: its body, its query and its path, read strictly.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use mentci_host::Unambiguous;
use mentci_source::{Code, Finding};
use serde::de::DeserializeOwned;

use crate::problem::problem;

/// How large a body may be.
pub(crate) const MOST_BYTES: usize = 8 * 1024 * 1024;
/// How long a body may take to arrive.
const ARRIVES: Duration = Duration::from_secs(20);

/// A body of JSON; an empty one is `{}`.
#[derive(Debug)]
pub(crate) struct Told<T>(pub(crate) T);

/// A body of JSON as it came, in one line.
#[derive(Debug)]
pub(crate) struct Line(pub(crate) String);

/// A query.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

/// What the path names.
#[derive(Debug)]
pub(crate) struct Named<T>(pub(crate) T);

/// Why something cannot be read.
pub(crate) struct Unread(StatusCode, String);

impl IntoResponse for Unread {
    fn into_response(self) -> Response {
        let finding = Finding::new(Code::DAEMON_REQUEST, self.1);
        problem(self.0, finding.help("`/openapi.json` says what it takes"))
    }
}

/// A body, whole: not too large, and in time.
pub(crate) async fn body(body: Body) -> Result<Bytes, Unread> {
    match tokio::time::timeout(ARRIVES, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_large(&error) => {
            let message = format!("a body has at most {MOST_BYTES} bytes");
            Err(Unread(StatusCode::PAYLOAD_TOO_LARGE, message))
        }
        Ok(Err(error)) => Err(Unread(StatusCode::BAD_REQUEST, format!("the body does not arrive: {error}"))),
        Err(_) => {
            Err(Unread(StatusCode::REQUEST_TIMEOUT, "the body takes longer than 20 seconds".to_owned()))
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Told<T> {
    type Rejection = Unread;

    async fn from_request(request: Request, _: &S) -> Result<Self, Unread> {
        let bytes = json_body(request).await?;
        // Where an object is asked for, serde takes a list of its values too.
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            let message = "a body is an object, and this one is a list".to_owned();
            return Err(Unread(StatusCode::UNPROCESSABLE_ENTITY, message));
        }
        unambiguous(&bytes)?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| unread(&error))
    }
}

/// Of a key that stands twice a rule would read one value and a tool perhaps the other: no door takes it.
fn unambiguous(bytes: &[u8]) -> Result<(), Unread> {
    serde_json::from_slice::<Unambiguous>(bytes).map(drop).map_err(|error| unread(&error))
}

impl<S: Send + Sync> FromRequest<S> for Line {
    type Rejection = Unread;

    async fn from_request(request: Request, _: &S) -> Result<Self, Unread> {
        let bytes = json_body(request).await?;
        let _: serde::de::IgnoredAny = serde_json::from_slice(&bytes).map_err(|error| unread(&error))?;
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| Unread(StatusCode::BAD_REQUEST, format!("the body is no UTF-8: {error}")))?;
        // Between what JSON holds a line's end is as good as a space, and in a text it never stands as itself.
        Ok(Self(text.trim().replace(['\r', '\n'], " ")))
    }
}

/// The bytes of a body of JSON; an empty one is `{}`.
async fn json_body(request: Request) -> Result<Bytes, Unread> {
    if !is_json(request.headers()) {
        let message = "a body is `application/json`".to_owned();
        return Err(Unread(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    if let Some(coding) = request.headers().get(CONTENT_ENCODING).filter(|coding| *coding != "identity") {
        let coding = coding.to_str().unwrap_or_default().escape_debug();
        return Err(Unread(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("a body is not coded, and this one is `{coding}`"),
        ));
    }
    let bytes = body(request.into_body()).await?;
    Ok(if bytes.iter().all(u8::is_ascii_whitespace) { Bytes::from_static(b"{}") } else { bytes })
}

fn unread(error: &serde_json::Error) -> Unread {
    let status = if error.is_data() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::BAD_REQUEST };
    Unread(status, error.to_string())
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Unread;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Unread> {
        let query = axum::extract::Query::try_from_uri(&parts.uri);
        query.map(|query| Self(query.0)).map_err(|error| Unread(StatusCode::BAD_REQUEST, error.body_text()))
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Unread;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Unread> {
        let named = Path::from_request_parts(parts, state).await;
        named
            .map(|Path(named)| Self(named))
            .map_err(|error| Unread(StatusCode::BAD_REQUEST, error.body_text()))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(CONTENT_TYPE) else { return true };
    let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn is_too_large(error: &axum::Error) -> bool {
    error.to_string().contains("length limit exceeded")
}
