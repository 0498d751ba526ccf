//! The log, the proof that it was not changed, and the live stream.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use futures_util::stream::{self, Stream};
use mentci_host::{Answer, LogFormat, LogRequest, Request};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, Interval, interval, interval_at};

use super::{Answered, Api, Asked, Operation, schema};
use crate::live::{lines, told};
use crate::{App, Bulletin, News, Scope};

/// How often a silent stream says that it is still there.
const PULSE: Duration = Duration::from_secs(15);
/// How often it is looked whether who listens may do so still.
const LOOK: Duration = Duration::from_millis(500);
/// Who may listen.
const SCOPE: Scope = Scope::Operator;
/// How many missed lines a stream that comes back is told at most.
const MISSED: usize = 1_000;

pub(super) fn routes(api: Api) -> Api {
    api.route(
        Operation::get("/api/v1/events", "lines of the log: what was decided, and what people did")
            .query("after", schema::line_number())
            .query("before", schema::line_number())
            .query("session", schema::session())
            .query("limit", schema::count()),
        events,
    )
    .route(
        Operation::get("/api/v1/stream", "what happens, as it happens: server-sent events")
            .takes(SCOPE)
            .query("after", schema::line_number())
            .kind("text/event-stream"),
        live,
    )
    .route(
        Operation::get("/api/v1/audit/verify", "whether the log is as it was written")
            .query("expect", schema::hash()),
        verify,
    )
    .route(
        Operation::get("/api/v1/audit/export", "every line of the log")
            .query("format", json!({"enum": ["csv", "json"]}))
            .query("session", schema::session())
            .kind("text/csv")
            .or_json(),
        export,
    )
    .route(
        Operation::get("/api/v1/audit/report", "the log as a page to print")
            .query("session", schema::session())
            .kind("text/html"),
        report,
    )
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    #[serde(default)]
    after: Option<u64>,
    #[serde(default)]
    before: Option<u64>,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    limit: Option<u32>,
}

async fn events(State(app): State<App>, Asked(which): Asked<Which>) -> Answered {
    let Which { after, before, session, limit } = which;
    let limit = limit.map(|limit| limit as usize);
    Answered(app.ask(Request::Log(LogRequest::Lines { after, before, session, limit })).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    #[serde(default)]
    after: Option<u64>,
}

/// From the line that the reader saw last, as it or its browser says; from now on where the log has no such line.
async fn live(State(app): State<App>, headers: HeaderMap, Asked(asked): Asked<From>) -> Response {
    let told = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (listener, last) = app.listen().await;
    let first = match asked.after.or(told) {
        Some(after) => missed(&app, after).await,
        None => Vec::new(),
    };
    let seen = first.last().and_then(|news| news.seq).unwrap_or(last);
    let first = Some(Bulletin::new(first).stream).filter(|stream| !stream.is_empty());
    let (looks, pulse) = (interval(LOOK), interval_at(Instant::now() + PULSE, PULSE));
    let reader = Reader { app, headers, looks, pulse, first, listener, seen };
    let kind = (CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    let fresh = (CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    ([kind, fresh], Body::from_stream(reader.stream())).into_response()
}

/// What was written after a line. A line that is not there yet is one of another log, which stood here before.
async fn missed(app: &App, after: u64) -> Vec<News> {
    match lines(app, None, 0).await {
        Some(log) if log.last < after => vec![News::reset(log.last)],
        _ => lines(app, Some(after), MISSED).await.as_ref().map_or_else(Vec::new, told),
    }
}

/// Somebody who listens.
struct Reader {
    app: App,
    /// What they are known by.
    headers: HeaderMap,
    /// When it is looked whether they may listen still.
    looks: Interval,
    pulse: Interval,
    /// What they missed while they were away.
    first: Option<Bytes>,
    listener: Receiver<Arc<Bulletin>>,
    /// The number of the last line that was told.
    seen: u64,
}

impl Reader {
    fn stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(self, |mut reader| async {
            let text = reader.next().await?;
            Some((Ok(text), reader))
        })
    }

    /// The next events; none when the daemon stops, or when who listens may do so no more.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.looks.tick().now_or_never().is_some() && !self.may() {
                return None;
            }
            if let Some(first) = self.first.take() {
                return Some(first);
            }
            let bulletin = tokio::select! {
                bulletin = self.listener.recv() => bulletin,
                () = self.app.stopping() => return None,
                _ = self.looks.tick() => {
                    if self.may() {
                        continue;
                    }
                    return None;
                }
                _ = self.pulse.tick() => return Some(Bytes::from_static(b":\n\n")),
            };
            match bulletin {
                Ok(bulletin) => {
                    if let Some(text) = self.told(&bulletin) {
                        self.pulse.reset();
                        return Some(text);
                    }
                }
                // The next one tells by its numbers what was missed.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// What of a bulletin is new to them, and how many lines before it they missed; none where they know all of it.
    fn told(&mut self, bulletin: &Bulletin) -> Option<Bytes> {
        let numbers = || bulletin.news.iter().filter(|news| news.name == "event").filter_map(|news| news.seq);
        let (Some(first), Some(last)) = (numbers().next(), numbers().next_back()) else {
            // Where the log is another one, its lines are counted from there.
            self.seen = bulletin.news.iter().find_map(|news| news.seq).unwrap_or(self.seen);
            return Some(bulletin.stream.clone());
        };
        let known = self.seen;
        self.seen = last.max(known);
        if first == known + 1 {
            return Some(bulletin.stream.clone());
        }
        let mut text = String::new();
        if let Some(missed) = first.checked_sub(known + 1) {
            News::lagged(missed).write(&mut text);
        }
        for news in bulletin.news.iter().filter(|news| news.seq > Some(known)) {
            news.write(&mut text);
        }
        Some(text.into()).filter(|text: &Bytes| !text.is_empty())
    }

    fn may(&self) -> bool {
        self.app.guard().still_may(&self.headers, SCOPE)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(default)]
    expect: Option<String>,
}

async fn verify(State(app): State<App>, Asked(Expected { expect }): Asked<Expected>) -> Answered {
    Answered(app.ask(Request::Log(LogRequest::Audit { expect })).await)
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Csv,
    Json,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exported {
    #[serde(default)]
    format: Format,
    #[serde(default)]
    session: Option<String>,
}

async fn export(State(app): State<App>, Asked(Exported { format, session }): Asked<Exported>) -> Response {
    let (format, kind) = match format {
        Format::Csv => (LogFormat::Csv, "text/csv; charset=utf-8"),
        Format::Json => (LogFormat::Json, "application/json"),
    };
    file(&app, LogRequest::Export { format, session }, kind, true).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whose {
    #[serde(default)]
    session: Option<String>,
}

async fn report(State(app): State<App>, Asked(Whose { session }): Asked<Whose>) -> Response {
    file(&app, LogRequest::Export { format: LogFormat::Report, session }, "text/html; charset=utf-8", false)
        .await
}

/// A text of the log as a file, or what stands in its way.
async fn file(app: &App, request: LogRequest, kind: &'static str, saved: bool) -> Response {
    let response = app.ask(Request::Log(request)).await;
    let Answer::Text(answer) = response.answer else { return Answered(response).into_response() };
    let mut response = answer.text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if saved {
        response.headers_mut().insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    }
    response
}
