//! argv of what waits for a person: approvals and notifications.

use clap::Subcommand;

/// The verbs of approvals.
#[derive(Debug, Subcommand)]
pub(crate) enum Approvals {
    /// List the requests
    List,
    /// Let one call run, once
    Grant {
        /// The request's id, or the start of it
        id: String,
        /// What is kept with it
        #[arg(long, value_name = "TEXT")]
        words: Option<String>,
    },
    /// Refuse one
    Deny {
        /// The request's id, or the start of it
        id: String,
        /// Why: the agent is told
        #[arg(long, value_name = "TEXT")]
        words: Option<String>,
    },
}

/// The verbs of notifications.
#[derive(Debug, Subcommand)]
pub(crate) enum Notifications {
    /// List those that nobody has taken note of
    List {
        /// Only those of this session
        #[arg(long)]
        session: Option<String>,
        /// Those that were noted, have expired or fell out of a full queue, too
        #[arg(long)]
        all: bool,
    },
    /// Take note of some: what still waits is not told any more
    Ack {
        /// Their ids, or the starts of them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Only in this session
        #[arg(long)]
        session: Option<String>,
    },
}
