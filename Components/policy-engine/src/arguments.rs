//! argv, as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use mentci_authority::LessonStatus;
use mentci_host::Harness;

/// What is typed.
#[derive(Debug, Parser)]
#[command(
    name = "policy-engine",
    version,
    about = "Compiles law and lessons into Absolute Rules that an agent cannot forget",
    after_help = EXIT_CODES,
    max_term_width = 110,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  done, and something is not as it should be; or denied
  2  bad input, or it cannot run; nothing was changed";

/// What every verb takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// The workspace [default: the nearest folder with `mentci.toml`, `.pi` or `.git`]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Set a configuration value for this run
    #[arg(long = "config", global = true, value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Write what a workspace needs and lacks; change nothing that stands
    Init,
    /// Compile law and lessons into the Absolute Rules
    CompileRules(Compile),
    /// Keep the Absolute Rules true while files change
    Watch,
    /// Say whether all is well; write nothing
    Check,
    /// Print the Absolute Rules
    Digest {
        /// Of this skill instead of the workspace
        #[arg(long)]
        skill: Option<String>,
    },
    /// Show where a rule comes from, what a finding's code means, or a lesson
    Explain {
        /// A rule's number, a code or a lesson's id
        #[arg(value_name = "RULE|CODE|LESSON")]
        what: String,
    },
    /// Show how much of the sources the rules account for
    Coverage {
        /// Only this skill
        #[arg(long)]
        skill: Option<String>,
    },
    /// Show tokens in and out, by skill and section
    Stats,
    /// Show what the rules are made of
    Sources,
    /// Show whether what is published is whole and current
    Status,
    /// What agents learned
    #[command(subcommand)]
    Lessons(Lessons),
    /// Serve the Model Context Protocol, on standard input and output or over HTTP
    Mcp {
        /// Listen on this address instead, such as 127.0.0.1:7341
        #[arg(long, value_name = "ADDR")]
        http: Option<std::net::SocketAddr>,
    },
    /// Print the text to inject into a harness
    Inject {
        /// pi, claude-code, codex, gemini, opencode, openclaw, cline or any
        #[arg(value_parser = harness)]
        harness: Harness,
        /// The skills that are active in the session, in the order of their activation
        #[arg(long, value_name = "SKILL", value_delimiter = ',')]
        active: Vec<String>,
        /// The harness's session
        #[arg(long, env = "MENTCI_SESSION")]
        session: Option<String>,
    },
    /// Show the configuration that is in force, each value with its layer
    Config,
    /// Trust `mentci.toml` as it stands now
    Trust {
        /// Take the trust back
        #[arg(long)]
        revoke: bool,
    },
    /// Find what fails silently
    Doctor,
    /// Print completions for a shell
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Man {
        /// The folder; it must exist
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Compile {
    /// Write nothing; exit 1 when something is out of date
    #[arg(long)]
    pub(crate) check: bool,
    /// Show the lines that change
    #[arg(long)]
    pub(crate) diff: bool,
    /// Show each line with its place in the law
    #[arg(long)]
    pub(crate) explain: bool,
}

/// The verbs of lessons.
#[derive(Debug, Subcommand)]
pub(crate) enum Lessons {
    /// Teach one
    Add(Add),
    /// List them
    List {
        /// Only this skill's
        #[arg(long)]
        skill: Option<String>,
        /// active, pending, promoted, archived or rejected
        #[arg(long, value_parser = status)]
        status: Option<LessonStatus>,
    },
    /// Show one
    Show {
        /// Its id, or the start of it
        id: String,
    },
    /// Let one that waits into the rules
    Accept {
        /// Its id, or the start of it
        id: String,
    },
    /// Refuse one for good
    Reject {
        /// Its id, or the start of it
        id: String,
        /// Why
        #[arg(long)]
        reason: Option<String>,
    },
    /// Retire one into `archive.edn`
    Archive {
        /// Its id, or the start of it
        id: String,
        /// Why
        #[arg(long)]
        reason: String,
    },
    /// Move one into `promoted.edn`
    Promote {
        /// Its id, or the start of it
        id: String,
    },
    /// Teach every lesson of another EDN file
    Import {
        /// The file
        file: PathBuf,
        /// The skill that learns them
        #[arg(long)]
        skill: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The skill that learns it
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) skill: String,
    /// When it applies
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) condition: String,
    /// What to do then
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) resolution: String,
    /// How it was learned
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) context: Option<String>,
    /// The session in which it was learned
    #[arg(long, env = "MENTCI_SESSION")]
    pub(crate) session: Option<String>,
    /// Who tells it
    #[arg(long)]
    pub(crate) author: Option<String>,
    /// Through which door it comes
    #[arg(long, default_value = "cli")]
    pub(crate) source: String,
}

fn harness(name: &str) -> Result<Harness, String> {
    Harness::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Harness::ALL.into_iter().map(Harness::name).collect();
        format!("the harnesses are {}", names.join(", "))
    })
}

fn status(name: &str) -> Result<LessonStatus, String> {
    LessonStatus::parse(name).ok_or_else(|| "active, pending, promoted, archived or rejected".to_owned())
}
