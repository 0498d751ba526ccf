//! How the daemon is to run.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use axum::Router;

use crate::{Scope, TlsFiles, TokenFile};

/// How the daemon is to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where it listens; port 0 is any free port.
    pub addr: SocketAddr,
    /// TLS; needed where others can reach the address.
    pub tls: Option<TlsFiles>,
    /// Where hooks find it; nowhere when absent.
    pub socket: Option<PathBuf>,
    /// Further names under which it may be reached.
    pub names: Vec<String>,
    /// The user's tokens; nobody's where the user has no place for state.
    pub tokens: Option<TokenFile>,
    /// Tokens beside those of the file, for as long as it runs.
    pub given: Vec<(String, Scope)>,
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
        let addr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), Self::PORT);
        Self {
            addr,
            tls: None,
            socket: None,
            names: Vec::new(),
            tokens: None,
            given: Vec::new(),
            mounted: None,
        }
    }
}
