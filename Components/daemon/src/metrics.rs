//! What the daemon counts, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response as HttpResponse};
use mentci_authority::{Effect, Verdict};
use mentci_host::policy::{Line, PolicyRequest};
use mentci_host::{Answer, Request as Asked, Response};
use mentci_telemetry::TARGET;
use tracing::Level;

use crate::{App, request_line};

/// The bounds of the buckets, in microseconds.
const BOUNDS: [u64; 9] = [100, 250, 500, 1_000, 2_500, 10_000, 50_000, 250_000, 1_000_000];
const DECISIONS: [Effect; 5] = [Effect::Allow, Effect::Warn, Effect::Redact, Effect::Approve, Effect::Block];

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    decisions: [AtomicU64; DECISIONS.len()],
    undecided: AtomicU64,
    buckets: [AtomicU64; BOUNDS.len()],
    micros: AtomicU64,
    requests: AtomicU64,
    /// By route and status.
    routes: Mutex<BTreeMap<(String, u16), u64>>,
}

impl Metrics {
    /// Counts what was decided.
    pub(crate) fn decided(&self, response: &Response) {
        match &response.answer {
            Answer::Hook(answer) => answer.verdicts.iter().for_each(|verdict| self.verdict(verdict)),
            Answer::Lines(answer) => answer.lines.iter().for_each(|line| {
                if let Line::Verdict(verdict) = line {
                    self.verdict(verdict);
                }
            }),
            _ => drop(self.undecided.fetch_add(1, Ordering::Relaxed)),
        }
    }

    fn verdict(&self, verdict: &Verdict) {
        request_line::Verdict::note(verdict.decision);
        let decision = verdict.decision.name();
        tracing::event!(target: TARGET, Level::TRACE, monotonic_counter.mentci.decisions = 1_u64, mentci.decision = decision);
        let counts = DECISIONS.iter().zip(&self.decisions);
        for (_, count) in counts.filter(|(decision, _)| **decision == verdict.decision) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        tracing::event!(
            target: TARGET, Level::TRACE, histogram.http.server.request.duration = took.as_secs_f64(), http.request.method = known(method),
            http.route = route, http.response.status_code = status,
        );
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        for (_, bucket) in BOUNDS.iter().zip(&self.buckets).filter(|(bound, _)| micros <= **bound) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.requests.fetch_add(1, Ordering::Relaxed);
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        *routes.entry((route.to_owned(), status)).or_default() += 1;
    }

    /// The text format of Prometheus, version 0.0.4.
    fn text(&self, listeners: usize, pending: Option<usize>) -> String {
        let mut text = String::new();
        head(&mut text, "mentci_decisions_total", "counter", "events decided over HTTP and the socket");
        for (decision, count) in DECISIONS.iter().zip(&self.decisions) {
            line(
                &mut text,
                &format!("mentci_decisions_total{{decision=\"{}\"}}", decision.name()),
                read(count),
            );
        }
        head(&mut text, "mentci_undecided_total", "counter", "questions about events that found no decision");
        line(&mut text, "mentci_undecided_total", read(&self.undecided));
        head(&mut text, "mentci_http_requests_total", "counter", "requests by route and status");
        for ((route, status), count) in self.routes.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            line(
                &mut text,
                &format!("mentci_http_requests_total{{route=\"{route}\",status=\"{status}\"}}"),
                *count,
            );
        }
        head(&mut text, "mentci_http_request_seconds", "histogram", "how long answers took");
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            let bound = Duration::from_micros(*bound).as_secs_f64();
            line(&mut text, &format!("mentci_http_request_seconds_bucket{{le=\"{bound}\"}}"), read(bucket));
        }
        let all = read(&self.requests);
        line(&mut text, "mentci_http_request_seconds_bucket{le=\"+Inf\"}", all);
        let sum = Duration::from_micros(read(&self.micros)).as_secs_f64();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "mentci_http_request_seconds_sum {sum}");
        line(&mut text, "mentci_http_request_seconds_count", all);
        head(&mut text, "mentci_stream_listeners", "gauge", "readers of the live stream");
        line(&mut text, "mentci_stream_listeners", listeners as u64);
        if let Some(pending) = pending {
            head(&mut text, "mentci_approvals_pending", "gauge", "calls that wait for a person");
            line(&mut text, "mentci_approvals_pending", pending as u64);
        }
        text
    }
}

/// A method by its name where it is one, so that nobody's inventions are counted each for itself.
fn known(method: &str) -> &str {
    let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
    methods.into_iter().find(|known| *known == method).unwrap_or("_OTHER")
}

/// Whether a question is about what may happen.
pub(crate) fn is_about_events(request: &Asked) -> bool {
    matches!(request, Asked::Hook(_) | Asked::Policy(PolicyRequest::Decide { .. }))
}

/// What is counted, as text.
pub(crate) async fn metrics(State(app): State<App>) -> HttpResponse {
    let response = app.ask(Asked::Policy(PolicyRequest::Approvals)).await;
    let pending = match response.answer {
        Answer::Approvals(answer) => {
            Some(answer.approvals.iter().filter(|row| row.state == "pending").count())
        }
        _ => None,
    };
    let text = app.metrics().text(app.live().listeners(), pending);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn line(text: &mut String, name: &str, value: u64) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name} {value}");
}

fn read(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}
