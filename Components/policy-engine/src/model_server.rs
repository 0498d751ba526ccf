//! The verb `model serve`: a scripted model for any client on this machine.

use std::io::Write;
use std::sync::mpsc::{Receiver, channel};

use mentci_host::{Outcome, Response};
use mentci_model::{Script, ScriptServer, block_on};
use mentci_workspace::Workspace;

use crate::paint;
use crate::run::show;
use crate::surroundings::absolute;
use crate::watch::stop_on_signals;

/// Serves until SIGINT or SIGTERM. Standard output has the requests, one a line; where it listens is told on standard error.
pub(crate) fn serve(workspace: &Workspace, script: &str, port: u16, json: bool) -> Outcome {
    let script = match workspace.script(&absolute(script.as_ref()).to_string_lossy()) {
        Ok(script) => script,
        Err(finding) => return show(workspace, &Response::bad([finding]), json),
    };
    let (stop, stopped) = channel();
    stop_on_signals(move || {
        // OK to ignore: a server that has ended needs no stop.
        let _ = stop.send(());
    });
    match block_on(run(script, port, stopped)) {
        Ok(Ok(())) => Outcome::Ok,
        Ok(Err(error)) | Err(error) => {
            paint::refuse(&format!("port {port} cannot be served: {error}"), "name another with `--port`")
        }
    }
}

async fn run(script: Script, port: u16, stopped: Receiver<()>) -> std::io::Result<()> {
    let server = ScriptServer::bind(script, port).await?;
    let address = server.address()?;
    let mut errors = anstream::stderr();
    // A closed pipe is the reader's wish, here and below.
    let _ = writeln!(errors, "serving on http://{address}/v1 until it is stopped");
    server.serve(signalled(stopped), log).await;
    Ok(())
}

fn log(line: &serde_json::Value) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Comes back when the channel says so; a thread waits, because signals know no runtime.
async fn signalled(stopped: Receiver<()>) {
    // An error is a sender that is gone: no signal will come, and none is needed.
    mentci_model::wait_in_thread(move || _ = stopped.recv()).await;
}
