//! Servers of tools, as a run reaches them: over the Model Context Protocol.

use std::sync::Arc;

use mentci_authority::{ToolFailure, ToolProvider};
use mentci_mcp::{ServerClient, ServerPipes};
use mentci_runner::{Connect, Connecting, Start};

/// Reaches servers that speak the Model Context Protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Servers;

impl Connect for Servers {
    fn over_pipes(&self, start: Start) -> Connecting<'_> {
        Box::pin(async move {
            let start = move || {
                let pipes = start()?;
                Ok(ServerPipes {
                    output: Box::new(pipes.output),
                    input: Box::new(pipes.input),
                    process: Box::new(pipes.process),
                })
            };
            connected(ServerClient::over_pipes(Arc::new(start)).await)
        })
    }

    fn over_http<'a>(&'a self, url: &'a str) -> Connecting<'a> {
        Box::pin(async move { connected(ServerClient::over_http(url).await) })
    }
}

fn connected(client: Result<ServerClient, ToolFailure>) -> Result<Arc<dyn ToolProvider>, ToolFailure> {
    client.map(|client| Arc::new(client) as _)
}
