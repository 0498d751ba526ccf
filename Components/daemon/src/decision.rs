//! A decision as a collector is told of it: about which tool, what came of it, by which rules, and how long it took. Never what
//! the tool was called with.

use std::borrow::Cow;

use mentci_authority::{Event, Verdict};
use mentci_host::policy::{Input, PolicyRequest};
use mentci_host::{Answer, Request, Response};
use mentci_telemetry::TARGET;
use mentci_workspace::Told;
use serde::Deserialize;
use tokio::time::Instant;
use tracing::field::Empty;
use tracing::{Level, Span};

/// How much of a tool's name, and of the names of rules, is told.
const CHARS: usize = 512;

/// Decisions that are being made, one for each event. Where nobody is told, nothing is looked at.
#[derive(Debug)]
pub(crate) struct Decisions {
    spans: Vec<Span>,
    start: Instant,
}

impl Decisions {
    /// About an event.
    pub(crate) fn about(told: &Told) -> Self {
        let span = || match told {
            Told::Text { line, .. } => about_text(line),
            Told::Event(event) => about_event(event),
        };
        Self { spans: if is_told() { vec![span()] } else { Vec::new() }, start: Instant::now() }
    }

    /// About the events of a request.
    pub(crate) fn asked(request: &Request) -> Self {
        let spans = || match request {
            Request::Hook(call) => call.events.iter().map(about_event).collect(),
            Request::Policy(PolicyRequest::Decide { event, .. }) => vec![about_text(event)],
            _ => Vec::new(),
        };
        Self { spans: if is_told() { spans() } else { Vec::new() }, start: Instant::now() }
    }

    /// What came of them.
    pub(crate) fn end(self, response: &Response) {
        if self.spans.is_empty() {
            return;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let verdicts: Vec<&Verdict> = match &response.answer {
            Answer::Hook(answer) => answer.verdicts.iter().collect(),
            _ => response.verdict().into_iter().collect(),
        };
        for (at, span) in self.spans.iter().enumerate() {
            match verdicts.get(at) {
                Some(verdict) => made(span, verdict, seconds),
                None => undecided(span),
            }
        }
    }
}

/// Whether anybody is told of decisions.
fn is_told() -> bool {
    tracing::span_enabled!(target: TARGET, Level::TRACE)
        || tracing::event_enabled!(target: TARGET, Level::TRACE)
}

fn span(hook: &str, tool: Option<&str>) -> Span {
    tracing::trace_span!(
        target: TARGET, "decide", otel.kind = "internal", mentci.hook = hook, gen_ai.tool.name = tool.map(short),
        mentci.decision = Empty, mentci.rules = Empty, mentci.approval = Empty, otel.status_code = Empty,
    )
}

fn about_event(event: &Event) -> Span {
    span(event.hook.name(), event.tool.as_ref().map(|tool| tool.name.as_str()))
}

/// What of an event is told; the rest of it is passed over.
#[derive(Default, Deserialize)]
struct Subject<'t> {
    #[serde(borrow)]
    event: Cow<'t, str>,
    #[serde(borrow, default)]
    tool: Option<Tool<'t>>,
}

#[derive(Deserialize)]
struct Tool<'t> {
    #[serde(borrow)]
    name: Cow<'t, str>,
}

/// Of one that does not read there is nothing to tell.
fn about_text(input: &Input) -> Span {
    let text = match input {
        Input::Text { text, .. } => text.as_str(),
        Input::Path(_) => "",
    };
    let subject: Subject<'_> = serde_json::from_str(text).unwrap_or_default();
    span(&short(&subject.event), subject.tool.as_ref().map(|tool| &*tool.name))
}

fn made(span: &Span, verdict: &Verdict, seconds: f64) {
    let decision = verdict.decision.name();
    span.record("mentci.decision", decision);
    if !verdict.rules.is_empty() {
        span.record("mentci.rules", short(&verdict.rules.join(",")));
    }
    if let Some(approval) = &verdict.approval {
        span.record("mentci.approval", approval.as_str());
    }
    tracing::event!(target: TARGET, Level::TRACE, histogram.mentci.decision.duration = seconds, mentci.decision = decision);
}

fn undecided(span: &Span) {
    span.record("otel.status_code", "ERROR");
}

fn short(text: &str) -> String {
    text.chars().take(CHARS).collect()
}
