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

/// Counts a request, and writes its line.
pub(crate) async fn measured(State(app): State<App>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let (method, id) = (request.method().clone(), id(request.headers()));
    let span = tracing::info_span!(
        target: REQUESTS, "request", otel.kind = "server", otel.name = format!("{method} {route}"), id, http.request.method = %method,
        http.route = route, http.response.status_code = tracing::field::Empty, verdict = tracing::field::Empty,
    );
    join(&span, |name| request.headers().get(name).and_then(|value| value.to_str().ok()));
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

/// The client's own name for a request, if it is a plain one; otherwise one of ours: the process and a number.
fn id(headers: &HeaderMap) -> String {
    static PROCESS: LazyLock<String> =
        // OK to fall back: the number alone tells requests of one process apart.
        LazyLock::new(|| secret("").unwrap_or_default().chars().take(8).collect());
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let plain = |id: &&str| {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !id.is_empty() && id.len() <= ID_CHARS && id.bytes().all(letter)
    };
    let told = headers.get(ID).and_then(|id| id.to_str().ok()).filter(plain);
    told.map_or_else(|| format!("{}-{:06}", *PROCESS, NUMBER.fetch_add(1, Ordering::Relaxed)), str::to_owned)
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
}
