//! `serve`, `server`, `token` and `audit`, as they are typed.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use mentci_daemon::Scope;

/// The daemon.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Prints a link to the page, which is good once. Ends in good order on SIGTERM or Ctrl-C.
Whoever is not on this machine needs TLS and a token (`policy-engine token new`).")]
pub(crate) struct Serve {
    /// The port; 0 is any free one
    #[arg(long, value_name = "N", default_value_t = mentci_daemon::Options::PORT)]
    pub(crate) port: u16,
    /// The address to listen on; one that others can reach needs TLS and a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    pub(crate) host: IpAddr,
    /// A chain of certificates in PEM: answers over TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Where the socket of hooks stands [default: in the workspace's state]
    #[arg(long, value_name = "PATH", conflicts_with = "no_socket")]
    pub(crate) socket: Option<PathBuf>,
    /// Make no socket
    #[arg(long)]
    pub(crate) no_socket: bool,
    /// Write a line a request to standard error, as text or as JSON: id, route, status, duration, verdict
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) log_format: Option<Logs>,
    /// A further name under which it is reached, such as that of a container
    #[arg(long = "name", value_name = "HOST", value_parser = host_name)]
    pub(crate) names: Vec<String>,
}

/// How structured logs are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Logs {
    /// A line for people.
    #[default]
    Text,
    /// An object a line, for programs.
    Json,
}

/// PolicyShield's server, as its own command line has it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Server {
    /// Files and folders of rules, which stand instead of the workspace's own
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pub(crate) rules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) serve: Serve,
    /// What becomes of a refusal: `enforce` it, as always
    #[arg(long, hide = true, default_value = "enforce", value_parser = ["enforce"])]
    pub(crate) mode: String,
    /// Rules are read again whenever they change, as always
    #[arg(long, hide = true)]
    pub(crate) reload: bool,
    /// One process answers everybody, as always
    #[arg(long, hide = true, value_name = "N")]
    pub(crate) workers: Option<u32>,
}

/// The verbs of tokens.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Tokens {
    /// Make one, and print it: it is kept nowhere
    New {
        /// Its name: the log calls by it who acts with it
        name: String,
        /// What it is good for: agent, operator or admin
        #[arg(long, default_value = "agent", value_parser = scope)]
        scope: Scope,
    },
    /// List them
    List,
    /// Take one back: it is good no more, at once
    Revoke {
        /// Its name
        name: String,
    },
}

/// The verbs of the audit.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Audit {
    /// Say whether the log is as it was written; exit 1 when it is not
    Verify {
        /// The hash of the last line, as it was printed before: a line with it must be there
        #[arg(long, value_name = "HASH")]
        expect: Option<String>,
    },
    /// Print every line of the log
    Export {
        /// csv or json
        #[arg(long, default_value = "csv", value_parser = ["csv", "json"])]
        format: String,
        /// Only this session
        #[arg(long)]
        session: Option<String>,
    },
    /// Print the log as a page of HTML to be printed: decisions, rules, refusals, what people did
    Report {
        /// Only this session
        #[arg(long)]
        session: Option<String>,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::parse(text).ok_or_else(|| "a scope is agent, operator or admin".to_owned())
}

/// A name of a host, without a port.
fn host_name(text: &str) -> Result<String, String> {
    let plain = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    let is_name = text.len() <= 253 && text.split('.').all(plain);
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| "give the name of a host, such as mentci.example".to_owned())
}

/// An address, or `localhost`.
fn address(text: &str) -> Result<IpAddr, String> {
    let named = if text == "localhost" { "127.0.0.1" } else { text };
    named.parse().map_err(|_| "give an address, such as 127.0.0.1 or ::1".to_owned())
}
