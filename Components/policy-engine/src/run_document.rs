//! The verb `run`: a document, its model, its tools, and whoever watches.

use std::path::Path;
use std::sync::Arc;

use mentci_mcp::block_on;
use mentci_runner::{Approvals, Audience, Cancel, Parts, RunEnd, RunEvent, RunOptions, RunOutcome};
use mentci_workspace::Workspace;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::paint;
use crate::run_arguments::Run;
use crate::servers::Servers;
use crate::snippet::Snippets;
use crate::surroundings::absolute;
use crate::terminal::{Lines, Terminal};

/// Runs a document; gives the exit code.
pub(crate) fn run(workspace: Workspace, run: &Run, json: bool) -> u8 {
    let root = workspace.root().to_owned();
    let workspace = Arc::new(workspace);
    let terminal = Arc::new(Terminal::new());
    let audience: Arc<dyn Audience> = if json { Arc::new(Lines) } else { terminal.clone() };
    let cancel = Cancel::default();
    stop_on_signals(&cancel, &terminal);
    let models = workspace.clone();
    let parts = Parts {
        workspace,
        models: Arc::new(move |name| models.model(name)),
        connect: Arc::new(Servers),
        audience: audience.clone(),
        cancel,
    };
    match block_on(mentci_runner::run(options(run), parts)) {
        Ok(end) => ended(&root, &end, &*audience, json),
        Err(error) => {
            paint::refuse(&format!("the run cannot begin: {error}"), "free some threads or memory").code()
        }
    }
}

fn options(run: &Run) -> RunOptions {
    RunOptions {
        file: absolute(&run.file),
        out: run.out.as_deref().map(absolute),
        model: run.model.clone(),
        budget: run.budget,
        approvals: match (run.yes, run.no_approvals) {
            (true, _) => Approvals::Grant,
            (_, true) => Approvals::Deny,
            _ => Approvals::Ask,
        },
        max_turns: run.max_turns,
        ask: run.ask.clone(),
    }
}

/// What was odd, on standard error; with `--json` as events.
fn ended(root: &Path, end: &RunEnd, audience: &dyn Audience, json: bool) -> u8 {
    let mut snippets = Snippets::new(root);
    for finding in &end.findings {
        if json {
            audience.hear(&RunEvent::Finding { finding });
        } else {
            anstream::eprintln!("{}", snippets.render(finding));
        }
    }
    let is_cut = end.findings.iter().any(|finding| finding.code == mentci_source::Code::RUN_CUT);
    if !json && end.outcome == RunOutcome::Limit && !is_cut {
        anstream::eprintln!(
            "stopped at a bound after {}; run it again to go on",
            if end.turns == 1 { "1 reply".to_owned() } else { format!("{} replies", end.turns) }
        );
    }
    end.outcome.code()
}

/// The first signal stops what is under way; the second one, and any while a person is asked, ends the process: every whole
/// step is in the document.
fn stop_on_signals(cancel: &Cancel, terminal: &Arc<Terminal>) {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let (cancel, terminal) = (cancel.clone(), terminal.clone());
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if cancel.press() > 1 || terminal.is_asking() || signal == SIGTERM {
                signal_hook::low_level::exit(128 + signal);
            }
        }
    });
}
