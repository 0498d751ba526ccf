//! Why the server could not run.

use std::net::SocketAddr;

/// Why the server could not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address can be reached from other machines.
    #[error("`{0}` can be reached from other machines, and this server has no access tokens")]
    NotLoopback(SocketAddr),
    /// The address is taken or is not this machine's.
    #[error("cannot listen on `{addr}`: {error}")]
    Bind {
        /// What was asked for.
        addr: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The connection broke before the client had introduced itself.
    #[error("the client did not begin as the protocol wants: {0}")]
    Handshake(String),
    /// The server behind the gateway ended before the client did.
    #[error("the server behind the gateway has ended: {0}")]
    UpstreamEnded(String),
    /// The server behind the gateway could not be started or reached.
    #[error("cannot start `{program}`: {error}")]
    Start {
        /// What was to be started.
        program: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The server behind the gateway cannot be reached so.
    #[error("{0}")]
    Address(String),
    /// Reading, writing or the runtime failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ServeError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::NotLoopback(_) => {
                "listen on `127.0.0.1:0` or `[::1]:0`, and reach it from elsewhere through a tunnel"
            }
            Self::Bind { .. } => "name another port, or port 0 for any free one",
            Self::Handshake(_) => "start it from an MCP client; it speaks JSON-RPC, not text",
            Self::UpstreamEnded(_) => {
                "start the server by itself to see why; what it wrote on standard error stands above"
            }
            Self::Address(_) => "`policy-engine mcp gateway --url URL --header 'Name: value'`",
            Self::Start { .. } => "name a program that is on the `PATH`, behind `--`",
            Self::Io(_) => "start it again",
        }
    }
}
