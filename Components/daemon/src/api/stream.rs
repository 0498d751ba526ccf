//! The log, the proof that it was not changed, and the live stream.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use futures_util::stream::{self, Stream};
use mentci_host::{Answer, LogFormat, LogRequest, Request};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Interval, interval};

use super::{Answered, Api, Asked, Operation, schema};
use crate::live::lines;
use crate::{App, News, Scope};

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
            .query("session", schema::text())
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
            .query("session", schema::text())
            .kind("text/csv")
            .or_json(),
        export,
    )
    .route(
        Operation::get("/api/v1/audit/report", "the log as a page to print")
            .query("session", schema::text())
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
    session: Option<String>,
    #[serde(default)]
    limit: Option<u32>,
}

async fn events(State(app): State<App>, Asked(which): Asked<Which>) -> Answered {
    let Which { after, session, limit } = which;
    let limit = limit.map(|limit| limit as usize);
    Answered(app.ask(Request::Log(LogRequest::Lines { after, session, limit })).await)
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
    let missed = match asked.after.or(told) {
        Some(after) => missed(&app, after).await,
        None => Vec::new(),
    };
    let seen = missed.last().map_or(last, |news| news.seq.unwrap_or(0));
    let looks = interval(LOOK);
    let reader = Reader { app, headers, looks, missed: missed.into_iter(), listener, seen };
    Sse::new(reader.stream()).keep_alive(KeepAlive::new().interval(PULSE)).into_response()
}

/// What was written after a line. A line that is not there yet is one of another log, which stood here before.
async fn missed(app: &App, after: u64) -> Vec<News> {
    match lines(app, None, 0).await {
        Some(log) if log.last < after => vec![News::reset(log.last)],
        _ => {
            let answer = lines(app, Some(after), MISSED).await;
            let rows = answer.map_or_else(Vec::new, |answer| answer.lines);
            rows.iter().map(|row| News::new("event", Some(row.seq), row)).collect()
        }
    }
}

/// Somebody who listens.
struct Reader {
    app: App,
    /// What they are known by.
    headers: HeaderMap,
    /// When it is looked whether they may listen still.
    looks: Interval,
    missed: std::vec::IntoIter<News>,
    listener: Receiver<News>,
    /// The number of the last line that was told.
    seen: u64,
}

impl Reader {
    fn stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(self, |mut reader| async {
            let event = reader.next().await?;
            Some((Ok(event), reader))
        })
    }

    /// The next event; none when the daemon stops, or when who listens may do so no more.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if self.looks.tick().now_or_never().is_some() && !self.may() {
                return None;
            }
            if let Some(news) = self.missed.next() {
                return Some(event(&news));
            }
            let news = tokio::select! {
                news = self.listener.recv() => news,
                () = self.app.stopping() => return None,
                _ = self.looks.tick() => {
                    if self.may() {
                        continue;
                    }
                    return None;
                }
            };
            match news {
                Ok(news) if news.name == News::RESET => {
                    self.seen = 0;
                    return Some(event(&news));
                }
                Ok(news) if news.seq.is_some_and(|seq| seq <= self.seen) => {}
                Ok(news) => {
                    self.seen = news.seq.unwrap_or(self.seen);
                    return Some(event(&news));
                }
                Err(RecvError::Lagged(missed)) => {
                    return Some(
                        Event::default().event("lagged").data(json!({ "missed": missed }).to_string()),
                    );
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Reader {
    fn may(&self) -> bool {
        self.app.guard().still_may(&self.headers, SCOPE)
    }
}

fn event(news: &News) -> Event {
    let event = Event::default().event(news.name).data(&*news.data);
    match news.seq {
        Some(seq) => event.id(seq.to_string()),
        None => event,
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
