//! The verb `mcp`: the protocol's server, with a watcher beside it that keeps its answers current.

use std::net::SocketAddr;

use mentci_host::Outcome;
use mentci_workspace::Workspace;

use crate::paint;

pub(crate) fn mcp(_workspace: Workspace, _http: Option<SocketAddr>) -> Outcome {
    paint::refuse("this build has no MCP server", "build it with `mentci-mcp`")
}
