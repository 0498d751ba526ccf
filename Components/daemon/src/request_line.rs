//! A request in the log: one line with its id, route, status, duration and verdict, and never what its path, query, head or
//! body hold.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use mentci_authority::Effect;
use mentci_telemetry::{REQUESTS, join};
use tokio::time::Instant;
use tracing::Instrument;

use crate::App;
use crate::access::secret;

/// The header that names a request, whoever names it.
const ID: HeaderName = HeaderName::from_static("x-request-id");
/// How long a client's own name for a request may be.
const ID_CHARS: usize = 64;

tokio::task_local! {
    static VERDICT: Verdict;
}

/// What was decided while a request was answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict(Arc<OnceLock<Effect>>);

impl Verdict {
    /// Of the request that is answered now; nobody's where none is.
    pub(crate) fn current() -> Self {
        VERDICT.try_with(Clone::clone).unwrap_or_default()
    }

    /// Notes what was decided; of several the first.
    pub(crate) fn note(effect: Effect) {
        // OK to ignore: a hook over the socket is no request.
        let _ = VERDICT.try_with(|verdict| verdict.0.set(effect));
    }

    /// Goes on answering the same request, on another task.
    pub(crate) async fn within<T>(self, work: impl Future<Output = T>) -> T {
        VERDICT.scope(self, work).await
    }
}

/// The name of the request that is answered, as its line and its answer's head have it.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) String);

/// Counts a request, and writes its line.
pub(crate) async fn measured(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let (method, id) = (request.method().clone(), id(request.headers()));
    let span = tracing::info_span!(
        target: REQUESTS, "request", otel.kind = "server", otel.name = format!("{method} {route}"), id, http.request.method = %method,
        http.route = route, http.response.status_code = tracing::field::Empty, verdict = tracing::field::Empty,
    );
    join(&span, |name| request.headers().get(name).and_then(|value| value.to_str().ok()));
    request.extensions_mut().insert(RequestId(id.clone()));
    let verdict = Verdict::default();
    let mut response = verdict.clone().within(next.run(request)).instrument(span.clone()).await;
    let (status, took) = (response.status().as_u16(), start.elapsed());
    app.metrics().request(method.as_str(), &route, status, took);
    let verdict = verdict.0.get().map(|effect| effect.name());
    span.record("http.response.status_code", status);
    span.record("verdict", verdict);
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(target: REQUESTS, id, %method, route, status, micros, verdict, "answered");
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(ID, id);
    }
    response
}

/// The client's own name for a request, if it is a plain one; otherwise one of ours.
fn id(headers: &HeaderMap) -> String {
    let plain = |id: &&str| {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !id.is_empty() && id.len() <= ID_CHARS && id.bytes().all(letter)
    };
    let told = headers.get(ID).and_then(|id| id.to_str().ok()).filter(plain);
    told.map_or_else(fresh, str::to_owned)
}

/// A name of ours, in the form of a UUID: the process, drawn once, and a number.
fn fresh() -> String {
    static PROCESS: LazyLock<String> = LazyLock::new(|| {
        // OK to fall back: the number alone tells requests of one process apart.
        let drawn = secret("").unwrap_or_else(|_| "0".repeat(64));
        format!("{}-{}-4{}-8{}", &drawn[..8], &drawn[8..12], &drawn[12..15], &drawn[15..18])
    });
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("{}-{:012x}", *PROCESS, NUMBER.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{ID, id};

    #[test]
    fn a_plain_name_of_the_clients_stays_and_another_is_replaced() {
        for (told, stays) in [("a-1.b_C", true), ("", false), ("two words", false), ("a\"b", false)] {
            let mut headers = HeaderMap::new();
            headers.insert(ID, HeaderValue::from_str(told).unwrap_or(HeaderValue::from_static("")));
            assert_eq!(id(&headers) == told, stays, "{told}");
        }
        assert_ne!(id(&HeaderMap::new()), id(&HeaderMap::new()));
    }

    #[test]
    fn a_name_of_ours_has_the_form_of_a_uuid() {
        let name = id(&HeaderMap::new());
        let parts: Vec<&str> = name.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{name}");
        assert!(parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
        assert!(parts[2].starts_with('4') && parts[3].starts_with('8'), "{name}");
    }
}
