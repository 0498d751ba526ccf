//! How the daemon is to run.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::Router;

/// How the daemon is to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where it listens; port 0 is any free port.
    pub addr: SocketAddr,
    /// Routes of another door, such as MCP's, which agents may take.
    pub mounted: Option<Router>,
}

impl Options {
    /// PolicyShield's port, on loopback.
    pub const PORT: u16 = 8100;
}

impl Default for Options {
    /// Loopback, without anything mounted.
    fn default() -> Self {
        Self { addr: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), Self::PORT), mounted: None }
    }
}
