//! Why the daemon could not run.

use std::net::SocketAddr;

/// Why the daemon could not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or is not this machine's.
    #[error("cannot listen on `{addr}`: {error}")]
    Bind {
        /// What was asked for.
        addr: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The runtime or the listener failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ServeError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Bind { .. } => "name another port with `--port`, or port 0 for any free one",
            Self::Io(_) => "start it again",
        }
    }
}
