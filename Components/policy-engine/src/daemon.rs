//! The verbs `serve` and `server`: the daemon, with what the command line says of it.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use mentci_daemon::{Options, Scope, Started, TlsFiles};
use mentci_disk::{Fs, RealFs};
use mentci_host::policy::PolicyRequest;
use mentci_host::{Ask, LogFormat, LogRequest, Outcome, Request};
use mentci_source::Severity;
use mentci_telemetry::Telemetry;
use mentci_workspace::{WatchCycle, Workspace};

use crate::daemon_arguments::{Audit, Serve, Server};
use crate::logs::log_daemon;
use crate::surroundings::{absolute, policyshield_tokens};
use crate::watch::stop_on_signals;
use crate::{paint, tokens};

/// Serves until SIGINT or SIGTERM. Some tokens the environment gives.
pub(crate) fn serve(
    workspace: Workspace,
    given: &Serve,
    by_environment: Vec<(String, Scope)>,
    json: bool,
) -> Outcome {
    let telemetry = log_daemon(&workspace, given.log_format);
    let workspace = Arc::new(workspace);
    let (stop, stopped) = mentci_mcp::stop();
    stop_on_signals(move || stop.stop());
    let options = Options {
        addr: SocketAddr::new(given.host, given.port),
        tls: given.tls_cert.clone().zip(given.tls_key.clone()).map(|(cert, key)| TlsFiles { cert, key }),
        socket: socket(&workspace, given),
        names: given.names.clone(),
        tokens: tokens::file(workspace.surroundings()),
        given: by_environment,
        mounted: Some(mentci_mcp::routes(workspace.clone())),
    };
    let started = |started: &Started| say(started, json);
    let served = mentci_daemon::serve(workspace, &options, stopped, started, log);
    telemetry.into_iter().for_each(Telemetry::end);
    match served {
        Ok(()) => Outcome::Ok,
        Err(error) => paint::refuse(&error.to_string(), error.help()),
    }
}

/// Where hooks find it.
fn socket(workspace: &Workspace, given: &Serve) -> Option<PathBuf> {
    match &given.socket {
        _ if given.no_socket => None,
        Some(named) => Some(absolute(named)),
        None => {
            let own = workspace.socket()?;
            // OK to pass over: where the folder cannot be made, the socket says why it cannot.
            let _ = own.parent().map(|folder| RealFs.create_dir_all(folder));
            Some(own)
        }
    }
}

/// The same by rules that are named, as PolicyShield's server: which must read when it starts.
pub(crate) fn server(workspace: Workspace, given: &Server, json: bool) -> Outcome {
    let rules = workspace.ask(Request::Policy(PolicyRequest::Rules { paths: Vec::new() }));
    if rules.outcome != Outcome::Ok {
        let error = rules.findings.iter().max_by_key(|finding| finding.severity);
        let message = error.map_or_else(|| "the rules cannot be read".to_owned(), ToString::to_string);
        return paint::refuse(&message, "`policy-engine check PATH` says all that is wrong with them");
    }
    let tokens = policyshield_tokens();
    if let [(agents, _), (admins, _)] = tokens.as_slice()
        && agents == admins
    {
        return paint::refuse(
            "`POLICYSHIELD_API_TOKEN` and `POLICYSHIELD_ADMIN_TOKEN` are the same: an agent would be an admin",
            "give each a secret of its own",
        );
    }
    serve(workspace, &given.serve, tokens, json)
}

/// The request of a verb of the audit.
pub(crate) fn audit(verb: &Audit) -> LogRequest {
    match verb {
        Audit::Verify { expect } => LogRequest::Audit { expect: expect.clone() },
        Audit::Export { format, session } => {
            let format = if format == "json" { LogFormat::Json } else { LogFormat::Csv };
            LogRequest::Export { format, session: session.clone() }
        }
        Audit::Report { session } => {
            LogRequest::Export { format: LogFormat::Report, session: session.clone() }
        }
    }
}

/// Where it listens, on standard error; as JSON on standard output, for who starts it.
fn say(started: &Started, json: bool) {
    // OK to ignore: nobody reads it.
    let _ = if json {
        let line = serde_json::json!({"listening": started.addr.to_string(), "login": started.login});
        writeln!(std::io::stdout(), "{line}").and_then(|()| std::io::stdout().flush())
    } else {
        writeln!(std::io::stderr(), "listening on {}\npage: {}", started.addr, started.login)
    };
}

fn log(cycle: &WatchCycle) {
    let mut errors = anstream::stderr();
    for finding in cycle.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let _ = writeln!(errors, "{finding}");
    }
}
