//! The verb `watch`: one line a cycle.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mentci_host::Outcome;
use mentci_workspace::{WatchCycle, Workspace};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use crate::progress::Progress;
use crate::snippet::Snippets;
use crate::{output, paint};

/// Watches until SIGINT or SIGTERM; a second one ends it at once.
pub(crate) fn watch(workspace: &Workspace, json: bool) -> Outcome {
    let mut progress = Some(Progress::start((!json).then_some("reading the law")));
    let mut snippets = Snippets::new(workspace.root());
    workspace.watch(
        |stop| stop_on_signals(move || stop.stop()),
        |cycle| {
            if let Some(progress) = progress.take() {
                progress.finish();
            }
            if json { print_json(cycle) } else { print(cycle, &mut snippets, workspace) }
        },
    );
    Outcome::Ok
}

/// Stops on the first SIGINT or SIGTERM.
pub(crate) fn stop_on_signals(stop: impl FnOnce() + Send + 'static) {
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal arms the exit that the second one takes. Failing leaves the default: it ends.
        let _ = flag::register_conditional_shutdown(signal, 130, again.clone());
        let _ = flag::register(signal, again.clone());
    }
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            stop();
        }
    });
}

/// `3 changed, 1 digest, 4.2 ms`
pub(crate) fn line(cycle: &WatchCycle) -> String {
    let digests = paint::count(cycle.digests, "digest");
    format!("{} changed, {digests}, {}", cycle.changed, paint::duration(cycle.micros))
}

fn print(cycle: &WatchCycle, snippets: &mut Snippets, workspace: &Workspace) {
    output::line(&line(cycle));
    if cycle.findings.is_empty() {
        return;
    }
    // Files change between cycles.
    *snippets = Snippets::new(workspace.root());
    output::findings(&cycle.findings, snippets);
}

fn print_json(cycle: &WatchCycle) {
    if let Ok(text) = serde_json::to_string(cycle) {
        output::line(&text);
    }
}
