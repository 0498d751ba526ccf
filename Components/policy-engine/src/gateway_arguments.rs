//! argv of the Model Context Protocol.

use clap::Subcommand;

/// What else is done over the Model Context Protocol.
#[derive(Debug, Subcommand)]
pub(crate) enum Mcp {
    /// Stand between an agent and another MCP server: all goes through, and every tool call passes the policy
    #[command(
        after_help = "With `--config FILE`, where FILE is a client's configuration of MCP servers, it is printed so that each \
                            server stands behind a gateway."
    )]
    Gateway(Gateway),
}

/// Which server stands behind the gateway, and how the gateway behaves.
#[derive(Debug, clap::Args)]
pub(crate) struct Gateway {
    /// The program of the server and its arguments, behind `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<std::ffi::OsString>,
    /// The address of a server over streamable HTTP instead
    #[arg(long, conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// A header for that server, as `Name: value`; where it is a secret, in the variable `MCP_GATEWAY_HEADERS`, a line each
    #[arg(long, value_name = "HEADER", requires = "url")]
    pub(crate) header: Vec<String>,
    /// With `--config FILE`: change that file in place; what it was is kept beside it as FILE.before-mentci
    #[arg(long)]
    pub(crate) write: bool,
    /// With `--config FILE`: take the gateways out of that file again
    #[arg(long)]
    pub(crate) restore: bool,
    /// What a server's entry was: its address, in the words of its client
    #[arg(long, hide = true)]
    pub(crate) was: Option<String>,
    /// The server's name: rules know its tools as `mcp__NAME__tool` [default: what the server calls itself]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The session to which the calls belong [default: a new one]
    #[arg(long, env = "MENTCI_SESSION")]
    pub(crate) session: Option<String>,
    /// How long a call may take without a sign of progress, in seconds; 0 for ever
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) timeout: u32,
    /// From how many bytes a text of an answer is kept as an artifact, with a summary in its place; 0 for never
    #[arg(long, value_name = "BYTES", default_value_t = 32 * 1024)]
    pub(crate) artifacts: usize,
    /// Ask nobody: where a rule wants approval the call is denied, and says how it is approved
    #[arg(long)]
    pub(crate) no_elicitation: bool,
}
