//! Why the daemon could not run.

use std::net::SocketAddr;
use std::path::PathBuf;

use mentci_source::Finding;

/// Why the daemon could not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Others could reach it, and read along.
    #[error("`{0}` can be reached from other machines, and there is no TLS")]
    Plain(SocketAddr),
    /// Others could reach it, and nobody would be known.
    #[error("`{0}` can be reached from other machines, and there is no token")]
    Tokenless(SocketAddr),
    /// A file for TLS cannot be used.
    #[error("`{}`: {why}", path.display())]
    Tls {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The file of tokens cannot be used: nobody would be known.
    #[error("{}", .0.message)]
    Tokens(Box<Finding>),
    /// The address is taken or is not this machine's.
    #[error("cannot listen on `{addr}`: {error}")]
    Bind {
        /// What was asked for.
        addr: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The socket of hooks cannot be made, or another daemon has it.
    #[error("cannot listen on the socket `{}`: {why}", path.display())]
    Socket {
        /// Where.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The runtime or the listener failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ServeError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Plain(_) => {
                "give `--tls-cert` and `--tls-key`, or stay on 127.0.0.1 and reach it through a tunnel"
            }
            Self::Tokenless(_) => "`policy-engine token new NAME --scope operator` makes one",
            Self::Tls { .. } => "give a chain of certificates and its private key, both in PEM",
            Self::Tokens(_) => {
                "look who stands in `tokens.json` of the user's state, then mend or remove it, or `chmod 600` it"
            }
            Self::Bind { .. } => "name another port with `--port`, or port 0 for any free one",
            Self::Socket { .. } => {
                "end the other daemon of this workspace, or name a place in a folder that there is with `--socket`"
            }
            Self::Io(_) => "start it again",
        }
    }
}
