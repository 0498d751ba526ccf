//! What of all that is traced is told.

use tracing::Metadata;

/// The target of what is told and nothing else: decisions, and what is counted.
pub const TARGET: &str = "telemetry";
/// The target of requests over HTTP, whose spans are told and whose lines are not.
pub const REQUESTS: &str = "http";

/// Whether a span is told. What rules log never is: it may hold what a tool was called with.
pub(crate) fn is_span(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && [TARGET, REQUESTS].contains(&metadata.target())
}

/// Whether something is counted.
pub(crate) fn is_count(metadata: &Metadata<'_>) -> bool {
    metadata.is_event() && metadata.target() == TARGET
}
