//! `serve` and `server`, as they are typed.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

/// The daemon.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Ends in good order on SIGTERM or Ctrl-C. Whoever is not on this machine needs TLS and a token (`policy-engine token new`).")]
pub(crate) struct Serve {
    /// The port; 0 is any free one
    #[arg(long, value_name = "N", default_value_t = mentci_daemon::Options::PORT)]
    pub(crate) port: u16,
    /// The address to listen on; one that others can reach needs TLS and a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,
}

/// PolicyShield's server, as its own command line has it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Server {
    /// Files and folders of rules, which stand instead of the workspace's own
    #[arg(long, value_name = "PATH", required = true)]
    pub(crate) rules: PathBuf,
    #[command(flatten)]
    pub(crate) serve: Serve,
}

impl Server {
    /// As `serve` takes it.
    pub(crate) fn as_serve(&self) -> Serve {
        self.serve.clone()
    }
}
