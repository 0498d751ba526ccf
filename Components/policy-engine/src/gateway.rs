//! The verb `mcp gateway`: between an agent and another MCP server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mentci_host::{Ask, Outcome, Request, ServersRequest};
use mentci_mcp::{
    GatewayOptions, ServeError, Upstream, block_on, new_session, serve_gateway, start_program, stdio_pipes,
    stop,
};
use mentci_workspace::Workspace;

use crate::gateway_arguments::Gateway;
use crate::paint;
use crate::run::show;
use crate::surroundings::{absolute, gateway_headers, own_command};
use crate::watch::stop_on_signals;

/// Stands before a server until either side ends, or until SIGINT or SIGTERM.
pub(crate) fn gateway(workspace: Workspace, gateway: &Gateway, file: Option<&Path>, json: bool) -> Outcome {
    if let Some(path) = file {
        return servers(&workspace, path, gateway, json);
    }
    if gateway.command.is_empty() && gateway.url.is_none() {
        let help = "name the server's program behind `--`: `policy-engine mcp gateway -- npx some-server`";
        return paint::refuse("there is no server to stand before", help);
    }
    let (stop, stopped) = stop();
    stop_on_signals(move || stop.stop());
    let ask: Arc<dyn Ask> = Arc::new(workspace);
    let options = options(gateway);
    let served = block_on(async {
        let server = upstream(gateway)?;
        serve_gateway(ask, options, stdio_pipes(), server, stopped).await
    });
    match served.map_err(ServeError::from).flatten() {
        Ok(()) => Outcome::Ok,
        Err(error) => paint::refuse(&error.to_string(), error.help()),
    }
}

/// The configuration of a client, changed.
fn servers(workspace: &Workspace, path: &Path, gateway: &Gateway, json: bool) -> Outcome {
    let request = ServersRequest {
        path: absolute(path).to_string_lossy().into_owned(),
        engine: own_command(),
        write: gateway.write,
        restore: gateway.restore,
    };
    show(workspace, &workspace.ask(Request::Servers(request)), json)
}

fn upstream(gateway: &Gateway) -> Result<Upstream, ServeError> {
    if let Some(url) = &gateway.url {
        return Upstream::over_http(url, &headers(gateway)?).map_err(ServeError::Address);
    }
    let (program, arguments) = gateway.command.split_first().ok_or(ServeError::Address(String::new()))?;
    start_program(program, arguments)
        .map_err(|error| ServeError::Start { program: program.to_string_lossy().into_owned(), error })
}

/// The headers of the command line, and those of the environment, which other users cannot see.
fn headers(gateway: &Gateway) -> Result<Vec<(String, String)>, ServeError> {
    let hidden = gateway_headers();
    let lines = hidden.lines().map(str::trim).filter(|line| !line.is_empty());
    let all = gateway.header.iter().map(String::as_str).chain(lines);
    all.map(|line| {
        let (name, value) = line.split_once(':').ok_or_else(|| {
            let name = line.split_whitespace().next().unwrap_or_default();
            ServeError::Address(format!("the header `{name}` has no `:` between its name and its value"))
        })?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    })
    .collect()
}

/// What the server is called where it does not say so: its program, or its host.
fn fallback(gateway: &Gateway) -> Option<String> {
    match (&gateway.url, gateway.command.first()) {
        (Some(url), _) => url.split('/').nth(2).map(str::to_owned),
        (None, program) => Path::new(program?).file_stem().map(|name| name.to_string_lossy().into_owned()),
    }
}

fn options(gateway: &Gateway) -> GatewayOptions {
    GatewayOptions {
        name: gateway.name.clone(),
        fallback: fallback(gateway).unwrap_or_default(),
        session: gateway.session.clone().unwrap_or_else(new_session),
        timeout: Duration::from_secs(gateway.timeout.into()),
        artifact_bytes: gateway.artifacts,
        elicit: !gateway.no_elicitation,
    }
}
