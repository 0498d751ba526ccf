//! The verb `mcp`: the protocol's server, with a watcher beside it that keeps its answers current.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use mentci_host::{Ask, Outcome};
use mentci_mcp::{ServeError, Stopped, block_on, serve_http, serve_stdio, stop};
use mentci_source::Severity;
use mentci_workspace::{WatchCycle, Workspace};

use crate::paint;
use crate::watch::stop_on_signals;

/// Serves until the client leaves, or until SIGINT or SIGTERM.
pub(crate) fn mcp(workspace: Workspace, http: Option<SocketAddr>) -> Outcome {
    let workspace = Arc::new(workspace);
    let (stop, stopped) = stop();
    stop_on_signals(move || stop.stop());
    let (started, watch) = channel();
    let watcher = workspace.clone();
    let watcher = thread::spawn(move || {
        // OK to ignore: it is received below, as soon as the server ends.
        watcher.watch(|stop| drop(started.send(stop)), log);
    });
    let served = serve(workspace, http, stopped);
    if let Ok(watch) = watch.recv() {
        watch.stop();
    }
    // OK to ignore: a watcher that panicked has said so.
    let _ = watcher.join();
    match served {
        Ok(()) => Outcome::Ok,
        Err(error) => paint::refuse(&error.to_string(), error.help()),
    }
}

fn serve(ask: Arc<dyn Ask>, http: Option<SocketAddr>, stopped: Stopped) -> Result<(), ServeError> {
    match http {
        Some(addr) => block_on(serve_http(ask, addr, stopped))?,
        None => block_on(serve_stdio(ask, stopped))?,
    }
}

/// Standard output is the protocol's.
fn log(cycle: &WatchCycle) {
    let mut errors = anstream::stderr();
    for finding in cycle.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let _ = writeln!(errors, "{finding}");
    }
}
