//! What the daemon does, told to a collector of OpenTelemetry (OTLP over HTTP, as protobuf).
//!
//! - Where: a [`Collector`] is read of the configuration and the standard variables.
//! - Telling: [`Telemetry`] has the layers of `tracing` that hear it. What the daemon marks with [`TARGET`], and its requests, become spans and
//!   metrics.
//! - Joining: a request that came with a `traceparent` goes on with its sender's trace ([`join`]).
//!
//! What is told waits in a queue of bounded length for a thread of its own: a collector that is slow or gone costs what it would
//! have been told, and nobody's time. Knows nothing of rules, and is never handed what a tool was called with.

mod collector;
mod join;
mod layer;
mod sender;
mod telemetry;
mod telemetry_error;

pub use collector::Collector;
pub use join::join;
pub use layer::{REQUESTS, TARGET};
pub use telemetry::Telemetry;
pub use telemetry_error::TelemetryError;
