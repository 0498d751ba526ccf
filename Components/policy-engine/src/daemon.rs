//! The verbs `serve` and `server`: the daemon, with what the command line says of it.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use mentci_daemon::{Options, Started};
use mentci_host::Outcome;
use mentci_source::Severity;
use mentci_workspace::{WatchCycle, Workspace};

use crate::daemon_arguments::Serve;
use crate::paint;
use crate::watch::stop_on_signals;

/// Serves until SIGINT or SIGTERM.
pub(crate) fn serve(workspace: Workspace, given: &Serve, json: bool) -> Outcome {
    let (stop, stopped) = mentci_mcp::stop();
    stop_on_signals(move || stop.stop());
    let options = Options { addr: SocketAddr::new(given.host, given.port), ..Options::default() };
    let started = |started: &Started| say(started, json);
    match mentci_daemon::serve(Arc::new(workspace), options, stopped, started, log) {
        Ok(()) => Outcome::Ok,
        Err(error) => paint::refuse(&error.to_string(), error.help()),
    }
}

/// Where it listens, on standard error; as JSON on standard output, for who starts it.
fn say(started: &Started, json: bool) {
    let page = format!("http://{}/", started.addr);
    // OK to ignore: nobody reads it.
    let _ = if json {
        let line = serde_json::json!({"listening": started.addr.to_string(), "page": page});
        writeln!(std::io::stdout(), "{line}").and_then(|()| std::io::stdout().flush())
    } else {
        writeln!(std::io::stderr(), "{page}")
    };
}

fn log(cycle: &WatchCycle) {
    let mut errors = anstream::stderr();
    for finding in cycle.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let _ = writeln!(errors, "{finding}");
    }
}
