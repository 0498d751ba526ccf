//! The verbs of sessions, contexts and artifacts, as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The verbs of sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum Session {
    /// List them, the last used first
    List,
    /// Show what happened in one
    Show {
        /// Its id, or a file of its events
        #[arg(value_name = "SESSION|FILE")]
        of: String,
        /// Only the last so many events
        #[arg(long, value_name = "N")]
        last: Option<usize>,
    },
    /// Check that one is as it was written; exit 1 when it is not
    Verify {
        /// Its id, or an exported file
        #[arg(value_name = "SESSION|FILE")]
        of: String,
        /// The Merkle root that it must have, as it was printed before
        #[arg(long, value_name = "ROOT")]
        expect: Option<String>,
    },
    /// Print one as lines that `session import`, `replay` and `context compile` read
    Export {
        /// Its id
        #[arg(value_name = "SESSION")]
        of: String,
        /// Leave large content in the artifact store: lines hold handles
        #[arg(long)]
        handles: bool,
        /// Write its events with the proof that none was changed, for `session verify`
        #[arg(long, conflicts_with = "handles")]
        evidence: bool,
    },
    /// Take lines into the log
    Import {
        /// The file of lines; standard input when there is none, or for `-`
        #[arg(value_name = "FILE")]
        events: Option<String>,
        /// The session that they become [default: what they say]
        #[arg(long = "as", value_name = "SESSION")]
        into: Option<String>,
    },
}

/// The verbs of contexts.
#[derive(Debug, Subcommand)]
pub(crate) enum Context {
    /// Print a session as messages that fit a budget
    Compile(Query),
    /// Show what became of each event of a session, and why
    Explain(Query),
    /// Move a tool output of 10 KB out of a context and fetch it back
    Demo {
        /// The budget in tokens
        #[arg(long, value_name = "TOKENS", default_value = "1000", allow_hyphen_values = true)]
        budget: String,
    },
    /// Check, redact and summarise a tool's output as a session would keep it; exit 1 when it is invalid
    Align {
        /// The tool
        #[arg(long, value_name = "NAME")]
        tool: String,
        /// The tools' schemas: the answer to MCP's `tools/list`, or a list of tools with `outputSchema`
        #[arg(long, value_name = "FILE")]
        schemas: Option<String>,
        /// The file of the output; standard input when there is none, or for `-`
        output: Option<String>,
    },
}

/// Which session, for whom, in how many tokens.
#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The session's id, or a file of its events
    #[arg(long, value_name = "SESSION|FILE")]
    pub(crate) session: String,
    /// The budget in tokens [default: `context.budget` of the configuration; there is no other]
    #[arg(long, value_name = "TOKENS", allow_hyphen_values = true)]
    pub(crate) budget: Option<String>,
    /// The model that it is for: its tokenizer counts
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The file of the system prompt
    #[arg(long, value_name = "FILE")]
    pub(crate) system: Option<String>,
    /// The file of the tools' schemas that are sent along: they count
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<String>,
}

/// The verbs of artifacts.
#[derive(Debug, Subcommand)]
pub(crate) enum Artifact {
    /// Store one, with its secrets redacted
    Put {
        /// The file; standard input when there is none, or for `-`
        #[arg(value_name = "FILE")]
        content: Option<PathBuf>,
        /// The session that holds it
        #[arg(long, env = "MENTCI_SESSION", default_value = "user")]
        session: String,
        /// Its type, such as text/plain [default: guessed]
        #[arg(long, value_name = "TYPE")]
        mime: Option<String>,
        /// Where it came from [default: the file's name]
        #[arg(long)]
        source: Option<String>,
        /// Store it as it is, secrets and all
        #[arg(long)]
        raw: bool,
    },
    /// Print one, or a part of it
    Get {
        /// Its id, or the start of it
        #[arg(value_name = "HANDLE")]
        id: String,
        /// `0-1023` are its first 1,024 bytes, `lines:10-40` its lines from 10 to 40; without the second number to its end
        #[arg(long, value_name = "PART")]
        range: Option<String>,
        /// Only if this session holds it
        #[arg(long)]
        session: Option<String>,
    },
    /// List them
    List {
        /// Only those of this session
        #[arg(long)]
        session: Option<String>,
    },
    /// Look for words in one, or in all
    #[command(allow_missing_positional = true)]
    Search {
        /// Its id, or the start of it; without it, all are searched
        #[arg(value_name = "HANDLE")]
        id: Option<String>,
        /// What to look for
        query: String,
        /// Only in those of this session
        #[arg(long)]
        session: Option<String>,
    },
    /// Keep one whatever becomes of its sessions
    Pin {
        /// Its id, or the start of it
        #[arg(value_name = "HANDLE")]
        id: String,
    },
    /// Keep one only as long as its sessions
    Unpin {
        /// Its id, or the start of it
        #[arg(value_name = "HANDLE")]
        id: String,
    },
    /// Delete what no recent session and no pin holds
    Gc {
        /// Sessions that were used within so many days keep what they hold
        #[arg(long, value_name = "DAYS")]
        keep_days: Option<u64>,
        /// Delete nothing, and say what would be
        #[arg(long)]
        dry_run: bool,
    },
}
