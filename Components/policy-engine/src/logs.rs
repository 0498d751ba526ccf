//! Where logs go: to standard error, because standard output is for answers; and what a daemon does, to a collector as well.

use std::io::{IsTerminal, Write};

use mentci_source::Severity;
use mentci_telemetry::{TARGET, Telemetry, TelemetryError};
use mentci_workspace::Workspace;
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

use crate::daemon_arguments::Logs;
use crate::paint;
use crate::surroundings::collector;

/// Structured logs, from a level on.
pub(crate) fn log_from(level: &str) {
    let logs = fmt().with_max_level(parsed(level)).with_writer(std::io::stderr);
    // A second one could only be another test's.
    let _ = logs.with_ansi(std::io::stderr().is_terminal()).try_init();
}

/// The logs of a daemon, with a line a request where a format is named: whoever names one wants to read them, whatever the
/// level says. What tells a collector, where one is named; what stands in its way is said, and keeps no daemon from running.
pub(crate) fn log_daemon(workspace: &Workspace, format: Option<Logs>) -> Option<Telemetry> {
    let level = parsed(&workspace.log_level());
    let level = if format.is_some() { level.max(LevelFilter::INFO) } else { level };
    let telemetry = telemetry(workspace).unwrap_or_else(|error| {
        warn(&error);
        None
    });
    let mut layers = telemetry.as_ref().map_or_else(Vec::new, Telemetry::layers);
    layers.push(lines(format.unwrap_or_default(), level));
    // A second one could only be another test's.
    let _ = Registry::default().with(layers).try_init();
    telemetry
}

fn parsed(level: &str) -> LevelFilter {
    level.parse().unwrap_or(LevelFilter::WARN)
}

/// What is read by people and their programs.
fn lines(format: Logs, level: LevelFilter) -> Box<dyn Layer<Registry> + Send + Sync> {
    let lines = fmt::layer().with_writer(std::io::stderr);
    let told = level.and(filter_fn(|metadata| metadata.target() != TARGET).with_max_level_hint(level));
    match format {
        Logs::Text => lines.with_ansi(std::io::stderr().is_terminal()).with_filter(told).boxed(),
        Logs::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(false).with_span_list(false);
            lines.with_filter(told).boxed()
        }
    }
}

fn telemetry(workspace: &Workspace) -> Result<Option<Telemetry>, TelemetryError> {
    let (endpoint, signals) = workspace.telemetry();
    let Some(mut collector) = collector(endpoint.as_deref())? else { return Ok(None) };
    if !signals.contains(&"traces") {
        collector.traces = None;
    }
    if !signals.contains(&"metrics") {
        collector.metrics = None;
    }
    let is_any = collector.traces.is_some() || collector.metrics.is_some();
    is_any.then(|| Telemetry::start(&collector)).transpose()
}

fn warn(error: &TelemetryError) {
    let (head, help) = (paint::severity(Severity::Warning, "warning"), error.help());
    // OK to ignore: nobody reads it.
    let _ = writeln!(anstream::stderr(), "{head}: {}\n  = help: {help}", paint::line(&error.to_string()));
}
