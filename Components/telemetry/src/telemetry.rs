//! Telling a collector what happens.

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry::{Key, KeyValue};
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{Aggregation, Instrument, SdkMeterProvider, Stream};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::{Builder, Runtime};
use tracing::Subscriber;
use tracing_opentelemetry::{MetricsLayer, OpenTelemetryLayer};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use crate::layer::{is_count, is_span};
use crate::sender::Sender;
use crate::{Collector, TelemetryError};

/// What the service is called where no variable names it.
const SERVICE: &str = "mentci";
/// The bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 12] = [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.25, 1.0, 5.0];
/// How long what is told last may take to arrive when the process ends.
const GRACE: Duration = Duration::from_secs(1);

/// Telling a collector what happens, for as long as the process runs.
///
/// How much waits, how often it is sent, which traces are sampled, with which headers and under which name: the standard
/// variables of OpenTelemetry say it (`OTEL_BSP_*`, `OTEL_METRIC_EXPORT_INTERVAL`, `OTEL_TRACES_SAMPLER`,
/// `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`).
#[derive(Debug)]
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
    /// The last to end: what is told last is sent on it.
    runtime: Runtime,
}

impl Telemetry {
    /// Begins; nothing is sent before something is told.
    ///
    /// # Errors
    /// [`TelemetryError::Setup`]: TLS, a thread or an exporter cannot be had.
    pub fn start(collector: &Collector) -> Result<Self, TelemetryError> {
        let mut runtime = Builder::new_multi_thread();
        let runtime =
            runtime.worker_threads(1).thread_name("telemetry").enable_all().build().map_err(failed)?;
        let sender = Sender::new(collector, runtime.handle().clone())?;
        let traces = collector.traces.as_ref().map(|url| traces(url.as_str(), sender.clone())).transpose()?;
        let metrics = collector.metrics.as_ref().map(|url| metrics(url.as_str(), sender)).transpose()?;
        Ok(Self { traces, metrics, runtime })
    }

    /// What hears of spans and counts.
    pub fn layers<S>(&self) -> Vec<Box<dyn Layer<S> + Send + Sync>>
    where
        S: Subscriber + for<'s> LookupSpan<'s> + Send + Sync,
    {
        let spans = self.traces.as_ref().map(|traces| {
            OpenTelemetryLayer::new(traces.tracer(SERVICE))
                .with_location(false)
                .with_threads(false)
                .with_target(false)
                .with_level(false)
                .with_tracked_inactivity(false)
                .with_filter(filter_fn(is_span))
                .boxed()
        });
        let counts = self
            .metrics
            .as_ref()
            .map(|metrics| MetricsLayer::new(metrics.clone()).with_filter(filter_fn(is_count)).boxed());
        spans.into_iter().chain(counts).collect()
    }

    /// Sends what waits, and ends; a collector that does not answer is not waited for.
    pub fn end(self) {
        // OK to ignore: what cannot be sent now is lost, and that was said.
        let _ = self.traces.map(|traces| traces.shutdown_with_timeout(GRACE));
        let _ = self.metrics.map(|metrics| metrics.shutdown_with_timeout(GRACE));
        self.runtime.shutdown_background();
    }
}

fn traces(url: &str, sender: Sender) -> Result<SdkTracerProvider, TelemetryError> {
    let exporter = SpanExporter::builder().with_http().with_http_client(sender).with_endpoint(url).build();
    let exporter = exporter.map_err(failed)?;
    Ok(SdkTracerProvider::builder().with_resource(resource()).with_batch_exporter(exporter).build())
}

fn metrics(url: &str, sender: Sender) -> Result<SdkMeterProvider, TelemetryError> {
    let exporter = MetricExporter::builder().with_http().with_http_client(sender).with_endpoint(url).build();
    let exporter = exporter.map_err(failed)?;
    Ok(SdkMeterProvider::builder()
        .with_resource(resource())
        .with_periodic_exporter(exporter)
        .with_view(in_seconds)
        .build())
}

/// The buckets of what takes fractions of a millisecond.
fn in_seconds(instrument: &Instrument) -> Option<Stream> {
    let bounds = Aggregation::ExplicitBucketHistogram { boundaries: BOUNDS.to_vec(), record_min_max: true };
    let is_duration = instrument.name().ends_with(".duration");
    // OK because the bounds rise.
    is_duration.then(|| Stream::builder().with_unit("s").with_aggregation(bounds).build().ok()).flatten()
}

/// Who tells: as the standard variables have it, and by our own name where they name nobody.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let told = Resource::builder().with_attribute(version.clone()).build();
    let named = told.get(&Key::from_static_str("service.name"));
    if named.is_some_and(|name| !name.as_str().starts_with("unknown_service")) {
        return told;
    }
    Resource::builder().with_attribute(version).with_service_name(SERVICE).build()
}

fn failed(error: impl std::fmt::Display) -> TelemetryError {
    TelemetryError::Setup(error.to_string())
}
