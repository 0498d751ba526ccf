//! The verb `mcp gateway`: between an agent and another MCP server.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mentci_host::{Ask, Outcome};
use mentci_mcp::{
    GatewayOptions, ServeError, Upstream, block_on, new_session, serve_gateway, start_program, stdio_pipes,
    stop,
};
use mentci_workspace::Workspace;

use crate::arguments::Gateway;
use crate::paint;
use crate::watch::stop_on_signals;

/// Stands before a server until either side ends, or until SIGINT or SIGTERM.
pub(crate) fn gateway(workspace: Workspace, gateway: &Gateway) -> Outcome {
    let Some((program, arguments)) = gateway.command.split_first() else {
        let help = "name the server's program behind `--`: `policy-engine mcp gateway -- npx some-server`";
        return paint::refuse("there is no server to stand before", help);
    };
    let (stop, stopped) = stop();
    stop_on_signals(move || stop.stop());
    let ask: Arc<dyn Ask> = Arc::new(workspace);
    let options = options(gateway, program);
    let served = block_on(async {
        let server = started(program, arguments)?;
        serve_gateway(ask, options, stdio_pipes(), server, stopped).await
    });
    match served.map_err(ServeError::from).flatten() {
        Ok(()) => Outcome::Ok,
        Err(error) => paint::refuse(&error.to_string(), error.help()),
    }
}

fn started(program: &OsString, arguments: &[OsString]) -> Result<Upstream, ServeError> {
    start_program(program, arguments)
        .map_err(|error| ServeError::Start { program: program.to_string_lossy().into_owned(), error })
}

fn options(gateway: &Gateway, program: &OsString) -> GatewayOptions {
    let fallback = Path::new(program).file_stem().map(|name| name.to_string_lossy().into_owned());
    GatewayOptions {
        name: gateway.name.clone(),
        fallback: fallback.unwrap_or_default(),
        session: gateway.session.clone().unwrap_or_else(new_session),
        timeout: Duration::from_secs(gateway.timeout.into()),
        artifact_bytes: gateway.artifacts,
        elicit: !gateway.no_elicitation,
    }
}
