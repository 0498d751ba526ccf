//! Requests that are sent again: a client that heard no answer sends the same key, and is told what the first one was told.
//!
//! Nothing is done twice, neither of two that come at once nor of one whose client left while it was carried out. What is
//! kept is bounded in number, size and age. A decision is good under the law that gave it: while rules, switches or stops are
//! others, it is decided afresh, and stands again when they are as they were.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mentci_source::{Code, Finding, Hash};
use mentci_workspace::Workspace;
use tokio::sync::OnceCell;
use tokio::time::Instant;
use tracing::Instrument;

use crate::api::{MOST_BYTES, body};
use crate::problem::problem;
use crate::request_line::Verdict;
use crate::{App, Caller};

/// The header that names a request.
pub(crate) const KEY: &str = "x-idempotency-key";
/// What an answer says that was given before.
const AGAIN: HeaderName = HeaderName::from_static("x-idempotency-replayed");
/// How long a key may be.
pub(crate) const KEY_CHARS: usize = 255;
/// How many answers are kept, and for how long.
const MOST: usize = 4_096;
const LASTS: Duration = Duration::from_mins(10);
/// How many bytes of answers are kept.
const BYTES: usize = 32 * 1024 * 1024;

/// The answers that were given to requests with a key.
#[derive(Debug, Default)]
pub(crate) struct Repeats(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    answers: HashMap<Hash, Known>,
    /// The oldest first.
    order: VecDeque<(Instant, Hash)>,
    bytes: usize,
}

/// One request, and its answer as soon as there is one.
#[derive(Debug)]
struct Known {
    content: Hash,
    /// Names the rules, switches and stops under which it was decided; none of what is no decision.
    law: Option<Hash>,
    bytes: usize,
    answer: Arc<OnceCell<Told>>,
    /// The answer under the law that holds since that one changed. The first one stands again where its law does.
    later: Option<(Option<Hash>, Arc<OnceCell<Told>>)>,
}

/// An answer that can be given again.
#[derive(Debug, Clone)]
struct Told {
    status: StatusCode,
    kind: Option<HeaderValue>,
    body: Bytes,
    /// The request for approval that it makes: the answer stands until that is answered.
    approval: Option<String>,
}

impl Repeats {
    /// The place of the answer to a request; none when the key was another request's.
    fn place(
        &self,
        request: Hash,
        content: Hash,
        law: Option<Hash>,
        now: Instant,
    ) -> Option<Arc<OnceCell<Told>>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.forget(now);
        if let Some(known) = kept.answers.get_mut(&request) {
            return (known.content == content).then(|| known.under(law));
        }
        let answer = Arc::new(OnceCell::new());
        kept.answers.insert(request, Known { content, law, bytes: 0, answer: answer.clone(), later: None });
        kept.order.push_back((now, request));
        Some(answer)
    }

    /// Makes the place of an answer that is good no more empty, unless somebody did by now.
    fn renew(&self, request: &Hash, stale: &Arc<OnceCell<Told>>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = kept.answers.get_mut(request) else { return };
        let later = known.later.iter_mut().map(|(_, answer)| answer);
        let mut places = std::iter::once(&mut known.answer).chain(later);
        if let Some(place) = places.find(|place| Arc::ptr_eq(place, stale)) {
            *place = Arc::new(OnceCell::new());
        }
    }

    /// Notes how large the answer is that was given.
    fn weigh(&self, request: &Hash, bytes: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.answers.get_mut(request) {
            let before = std::mem::replace(&mut known.bytes, bytes);
            kept.bytes = kept.bytes - before + bytes;
        }
    }
}

impl Known {
    /// The place of the answer under this law: another one where it was decided under another.
    fn under(&mut self, law: Option<Hash>) -> Arc<OnceCell<Told>> {
        if self.law == law || !self.answer.initialized() {
            return self.answer.clone();
        }
        match &self.later {
            Some((known, answer)) if *known == law => answer.clone(),
            _ => self.later.insert((law, Arc::new(OnceCell::new()))).1.clone(),
        }
    }
}

impl Kept {
    /// Forgets what is too old, and the oldest where there is too much.
    fn forget(&mut self, now: Instant) {
        while let Some((made, request)) = self.order.front() {
            let is_old = now.saturating_duration_since(*made) >= LASTS;
            if !is_old && self.order.len() < MOST && self.bytes <= BYTES {
                return;
            }
            let gone = self.answers.remove(request);
            self.bytes -= gone.map_or(0, |gone| gone.bytes);
            self.order.pop_front();
        }
    }
}

/// What is done once: a deed for good, a decision for as long as the same law holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Once {
    Deed,
    Decision,
}

/// Answers a request whose key is known as it was answered before; others are carried out, and remembered if they have one.
pub(crate) async fn once(State((app, kind)): State<(App, Once)>, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get(KEY) else { return next.run(request).await };
    let Some(key) = key.to_str().ok().filter(|key| !key.is_empty() && key.len() <= KEY_CHARS) else {
        let message = format!("a key has 1 to {KEY_CHARS} letters");
        return problem(StatusCode::UNPROCESSABLE_ENTITY, Finding::new(Code::DAEMON_KEY, message));
    };
    let caller = request.extensions().get::<Caller>().map_or("", |caller| caller.name.as_str());
    let whole = request.uri().path_and_query().map_or("", |path| path.as_str());
    let named = Hash::of("mentci repeat v1", [caller, whole, key].map(str::as_bytes));
    let (parts, rest) = request.into_parts();
    let bytes = match body(rest).await {
        Ok(bytes) => bytes,
        Err(unread) => return unread.into_response(),
    };
    let content = Hash::of("mentci repeated v1", [&bytes[..]]);
    let law = match kind {
        Once::Deed => None,
        Once::Decision => match app.work(Workspace::law_mark).await {
            Ok(law) => Some(law),
            Err(finding) => return problem(StatusCode::SERVICE_UNAVAILABLE, finding),
        },
    };
    let Some(mut answer) = app.repeats().place(named, content, law, Instant::now()) else {
        return another();
    };
    if let Some(told) = answer.get() {
        if !told.is_over(&app).await {
            return told.again();
        }
        app.repeats().renew(&named, &answer);
        let Some(anew) = app.repeats().place(named, content, law, Instant::now()) else { return another() };
        answer = anew;
    }
    // Carried out to its end, also when the client leaves.
    let carrying_out = Verdict::current().within(async move {
        let request = Request::from_parts(parts, Body::from(bytes));
        let told = answer.get_or_try_init(|| async { Told::of(next.run(request).await).await }).await;
        told.cloned().inspect(|told| app.repeats().weigh(&named, told.body.len()))
    });
    let carried_out = tokio::spawn(carrying_out.in_current_span());
    match carried_out.await {
        Ok(Ok(told)) => told.response(),
        Ok(Err(response)) => response,
        Err(_) => {
            let finding = Finding::new(Code::DAEMON_BUSY, "answering ended in a crash");
            problem(StatusCode::SERVICE_UNAVAILABLE, finding)
        }
    }
}

fn another() -> Response {
    let finding = Finding::new(Code::DAEMON_KEY, "this key was sent before with another request");
    problem(StatusCode::CONFLICT, finding.help("a new request takes a new key"))
}

impl Told {
    /// Whether it says that a person is asked, who has answered meanwhile.
    async fn is_over(&self, app: &App) -> bool {
        let Some(approval) = self.approval.clone() else { return false };
        app.work(move |workspace| workspace.is_settled(&approval)).await.unwrap_or(false)
    }

    /// An answer that stays true. What failed for the moment is no such answer: the next one with its key is carried out.
    async fn of(response: Response) -> Result<Self, Response> {
        let (status, kind) = (response.status(), response.headers().get(CONTENT_TYPE).cloned());
        if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
            return Err(response);
        }
        let (parts, rest) = response.into_parts();
        match to_bytes(rest, MOST_BYTES).await {
            Ok(body) => Ok(Self { status, kind, approval: approval(&body), body }),
            Err(_) => Err(Response::from_parts(parts, Body::empty())),
        }
    }

    fn response(self) -> Response {
        let mut headers = HeaderMap::new();
        headers.extend(self.kind.map(|kind| (CONTENT_TYPE, kind)));
        (self.status, headers, self.body).into_response()
    }

    fn again(&self) -> Response {
        let mut response = self.clone().response();
        response.headers_mut().insert(AGAIN, HeaderValue::from_static("true"));
        response
    }
}

/// The request for approval that a decision makes, in our words or PolicyShield's.
fn approval(body: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Asking {
        #[serde(alias = "verdict")]
        decision: String,
        #[serde(default, alias = "approval_id")]
        approval: Option<String>,
    }
    let asking: Asking = serde_json::from_slice(body).ok()?;
    asking.approval.filter(|_| asking.decision.eq_ignore_ascii_case("approve"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::*;

    fn hash(text: &str) -> Hash {
        Hash::of_bytes(text.as_bytes())
    }

    #[test]
    fn a_key_is_one_requests_until_it_is_old() {
        let (repeats, now) = (Repeats::default(), Instant::now());
        let first = repeats.place(hash("k"), hash("body"), None, now).unwrap();
        assert!(Arc::ptr_eq(&first, &repeats.place(hash("k"), hash("body"), None, now).unwrap()));
        assert!(repeats.place(hash("k"), hash("other"), None, now).is_none());
        assert!(repeats.place(hash("k"), hash("other"), None, now + LASTS).is_some());
    }

    #[test]
    fn a_decision_is_good_under_one_law_and_stands_again_under_it() {
        for body in [r#"{"decision":"allow"}"#, r#"{"verdict":"BLOCK"}"#] {
            let (repeats, now) = (Repeats::default(), Instant::now());
            let place = |law: &str| repeats.place(hash("k"), hash("body"), Some(hash(law)), now).unwrap();
            let first = place("one");
            let told = Told { status: StatusCode::OK, kind: None, body: Bytes::from(body), approval: None };
            assert!(Arc::ptr_eq(&first, &place("two")), "one that is being carried out is waited for");
            first.set(told).unwrap();
            let second = place("two");
            assert!(!Arc::ptr_eq(&first, &second) && Arc::ptr_eq(&second, &place("two")), "{body}");
            assert!(!Arc::ptr_eq(&second, &place("three")), "{body}");
            assert!(Arc::ptr_eq(&first, &place("one")), "{body}");
        }
    }

    #[test]
    fn an_answer_that_is_over_makes_place_once() {
        let (repeats, now) = (Repeats::default(), Instant::now());
        let place = || repeats.place(hash("k"), hash("body"), None, now).unwrap();
        let (first, told) = (place(), r#"{"verdict":"APPROVE","approval_id":"a"}"#);
        first
            .set(Told {
                status: StatusCode::OK,
                kind: None,
                approval: approval(told.as_bytes()),
                body: Bytes::from(told),
            })
            .unwrap();
        assert_eq!(first.get().and_then(|told| told.approval.as_deref()), Some("a"));
        repeats.renew(&hash("k"), &first);
        let second = place();
        assert!(!Arc::ptr_eq(&first, &second));
        // Whoever comes second with the answer that is over takes nothing away.
        repeats.renew(&hash("k"), &first);
        assert!(Arc::ptr_eq(&second, &place()));
    }

    #[test]
    fn what_is_kept_is_bounded_in_number_and_in_size() {
        let (repeats, now) = (Repeats::default(), Instant::now());
        for number in 0..3 * MOST {
            let named = hash(&number.to_string());
            assert!(repeats.place(named, hash("body"), None, now).is_some());
            repeats.weigh(&named, 16 * 1024);
        }
        let kept = repeats.0.lock().unwrap();
        assert!(kept.answers.len() <= MOST && kept.answers.len() == kept.order.len());
        assert!(kept.bytes <= BYTES + 16 * 1024, "{}", kept.bytes);
        assert_eq!(kept.bytes, kept.answers.values().map(|known| known.bytes).sum::<usize>());
    }
}
