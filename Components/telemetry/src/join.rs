//! Going on with a trace that somebody else began.

use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Makes a span a child of the one that a request names by its `traceparent`, and perhaps `tracestate` (W3C Trace Context).
/// One that does not read is as none.
pub fn join<'h>(span: &Span, header: impl Fn(&str) -> Option<&'h str>) {
    if span.is_disabled() {
        return;
    }
    let headers = Headers(NAMES.map(|name| (name, header(name))));
    let context = TraceContextPropagator::new().extract(&headers);
    if context.span().span_context().is_valid() {
        // OK to ignore: a span that is not told has no parent either.
        let _ = span.set_parent(context);
    }
}

const NAMES: [&str; 2] = ["traceparent", "tracestate"];

struct Headers<'h>([(&'static str, Option<&'h str>); NAMES.len()]);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == key).and_then(|(_, value)| *value)
    }

    fn keys(&self) -> Vec<&str> {
        NAMES.to_vec()
    }
}
