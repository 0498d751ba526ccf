//! argv, as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use mentci_authority::Dialect;
use mentci_host::Harness;

use crate::approval_arguments::{Approvals, Notifications};
use crate::chatmd_arguments::Chatmd;
use crate::compile_arguments::Compile;
use crate::daemon_arguments::{Audit, Serve, Server, Tokens};
use crate::gateway_arguments::Mcp;
use crate::harness_arguments::{HarnessVerb, InstallScope, harness};
use crate::lesson_arguments::Lessons;
use crate::model_arguments::Model;
use crate::plugin_arguments::Plugins;
use crate::rules_arguments::{Rules, Script};
use crate::run_arguments::Run;
use crate::session_arguments::{Artifact, Context, Session};

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
  2  bad input, or it cannot run; what that concerns was left as it stood";

/// What every verb takes.
#[derive(Debug, Clone, Default, Args)]
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

impl Common {
    /// The file that `--config` names before a gateway; what sets a value has a `=`.
    pub(crate) fn take_file(&mut self) -> Option<PathBuf> {
        let at = self.settings.iter().position(|setting| !setting.contains('='))?;
        Some(PathBuf::from(self.settings.remove(at)))
    }
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Write what a workspace needs and lacks; change nothing that stands
    Init,
    /// Compile law and lessons into the Absolute Rules
    CompileRules(Compile),
    /// Measure how much of the law the digests still say, with a model's shorter lines and without; write nothing
    EvalDigest {
        /// Let a model judge, too: provider/name, or script:PATH [default without a name: `model.name`]
        #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
        judge: Option<String>,
        /// Show the judge this many norms at most
        #[arg(long, value_name = "N", default_value_t = 100, requires = "judge", value_parser = at_least_one)]
        probes: usize,
        /// Exit code 1 when a norm is lost, turned round, or short of a literal
        #[arg(long)]
        strict: bool,
    },
    /// Keep the Absolute Rules true while files change
    Watch,
    /// Say whether all is well; write nothing
    Check {
        /// Files and folders of rules, or `builtin`; the whole workspace when there are none
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
        /// The tools that there are, as MCP's `tools/list` or a list of schemas: rules about others are told
        #[arg(long, value_name = "FILE", requires = "paths")]
        tools: Option<String>,
    },
    /// Run the unit tests that stand beside rules
    Test {
        /// Files and folders of rules; the workspace's own when there are none
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Decide one event; exit 1 when it is denied or must be asked for
    Decide {
        /// Rules, from an empty log; without them the workspace's own decide, and its log remembers
        #[arg(long, value_name = "PATH", num_args = 1..)]
        rules: Vec<String>,
        /// A ChatMD document whose rules take part beside the workspace's own
        #[arg(long, value_name = "FILE", conflicts_with = "rules")]
        beside: Option<String>,
        /// Write nothing down: the event is looked at, and has not happened
        #[arg(long)]
        dry_run: bool,
        /// Pass over keys of the event that are not known, with a warning each
        #[arg(long)]
        lenient: bool,
        /// The file that holds the event; standard input when there is none, or for `-`
        event: Option<String>,
    },
    /// Put a recorded session through rules: one event a line in, one outcome a line out
    Replay {
        /// Files and folders of rules, or `builtin`; the workspace's own when there are none
        #[arg(long, value_name = "PATH", num_args = 1..)]
        rules: Vec<String>,
        /// Leave out files that do not load, but for those of other rules
        #[arg(long)]
        lenient: bool,
        /// Other rules: show only the events whose outcome differs
        #[arg(long, value_name = "PATH", num_args = 1..)]
        against: Vec<String>,
        /// The zone in which schedules are read, such as Europe/Berlin [default: UTC]
        #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
        tz: Option<String>,
        /// The file of events; standard input when there is none, or for `-`
        events: Option<String>,
    },
    /// Evaluate an expression of the guard language
    Expr {
        /// The expression
        #[arg(required_unless_present = "jsonl", allow_hyphen_values = true)]
        expr: Option<String>,
        /// What it may read: a JSON object
        #[arg(long, value_name = "JSON", conflicts_with = "jsonl")]
        facts: Option<String>,
        /// Read lines of `{"expr", "facts"}` from this file, or from `-`, and write `{"value"}` or `{"fault"}`
        #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", conflicts_with = "expr")]
        jsonl: Option<String>,
    },
    /// Rewrite files of rules in their canonical form
    Fmt {
        /// Write nothing; exit 1 when something would change
        #[arg(long)]
        check: bool,
        /// Files and folders
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Print a file of rules in another dialect
    Convert {
        /// yaml, toml, chatmd or edn
        #[arg(long, value_parser = dialect)]
        to: Dialect,
        /// The file
        #[arg(value_name = "PATH")]
        path: String,
    },
    /// The rules of policy
    #[command(subcommand)]
    Rules(Rules),
    /// The Luau scripts that rules ask
    #[command(subcommand)]
    Script(Script),
    /// Make the rules into a file that opens at once; decisions make and refresh the workspace's own by themselves
    Pack {
        /// The file to write, which other rules than the workspace's own need
        #[arg(long, value_name = "FILE")]
        out: Option<String>,
        /// Show what a pack holds and whether it is fresh, and make nothing; exit 1 when it is not
        #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["out", "paths"])]
        show: Option<String>,
        /// Files and folders of rules, or `builtin`; the workspace's own when there are none
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Rules, scripts and settings that come together
    #[command(subcommand)]
    Plugins(Plugins),
    /// Stop every tool call of every workspace, or of one session
    Kill {
        /// Only this session of this workspace
        #[arg(long)]
        session: Option<String>,
        /// Why
        #[arg(long, default_value = "stopped by hand")]
        reason: String,
        /// Stop nothing: show what is stopped, why, by whom and since when
        #[arg(long, conflicts_with_all = ["session", "reason"])]
        list: bool,
    },
    /// Let tool calls run again
    Resume {
        /// Only this session
        #[arg(long)]
        session: Option<String>,
    },
    /// What people are asked, and their answers
    #[command(subcommand)]
    Approvals(Approvals),
    /// What rules tell agents
    #[command(subcommand)]
    Notifications(Notifications),
    /// What happened in sessions: the log, checked, exported and imported
    #[command(subcommand)]
    Session(Session),
    /// Sessions as messages that fit a budget
    #[command(subcommand)]
    Context(Context),
    /// ChatMD documents: prompts, transcripts and the rules in them
    #[command(subcommand)]
    Chatmd(Chatmd),
    /// Large content that stands outside of contexts and is fetched back in parts
    #[command(subcommand)]
    Artifact(Artifact),
    /// Language models: whether one answers, which there are, and a server that plays a script
    #[command(subcommand)]
    Model(Model),
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
    /// Run a ChatMD document: its model, its tools, under its rules; what happens is appended to it
    Run(Run),
    /// Serve the Model Context Protocol, on standard input and output or over HTTP; or stand before another server
    #[command(args_conflicts_with_subcommands = true)]
    Mcp {
        /// Listen on this address instead, such as 127.0.0.1:7341
        #[arg(long, value_name = "ADDR")]
        http: Option<std::net::SocketAddr>,
        #[command(subcommand)]
        verb: Option<Mcp>,
    },
    /// Keep the law current and answer over HTTP: the API, the page and PolicyShield's clients
    Serve(Serve),
    /// The same under the command line of PolicyShield's server
    #[command(hide = true)]
    Server(Server),
    /// The tokens by which programs and people are known to the daemon
    #[command(subcommand)]
    Token(Tokens),
    /// The log, as an auditor takes it: proof that nothing was changed, and what was decided
    #[command(subcommand)]
    Audit(Audit),
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
        /// What happens in the harness, as `decide` takes it, from this file or `-`: the answer has its verdict too
        #[arg(long, value_name = "FILE")]
        event: Option<String>,
    },
    /// Put what a harness needs beside its settings, so that its sessions are guarded
    Install {
        /// pi, claude, codex, gemini, opencode, openclaw or cline
        #[arg(value_parser = harness)]
        harness: Harness,
        #[command(flatten)]
        scope: InstallScope,
    },
    /// Take away what `install` put there; what stood before stands again
    Uninstall {
        /// pi, claude, codex, gemini, opencode, openclaw or cline
        #[arg(value_parser = harness)]
        harness: Harness,
        #[command(flatten)]
        scope: InstallScope,
    },
    /// The harnesses, and what each lets a guard do
    #[command(subcommand)]
    Harness(HarnessVerb),
    /// Answer a hook of a harness: its payload on standard input, its answer on standard output
    Hook {
        /// claude, codex, gemini, cline, opencode, openclaw or pi
        #[arg(value_parser = harness)]
        harness: Harness,
        /// The event, as the harness spells it: `PreToolUse`
        event: String,
    },
    /// Show the configuration that is in force, each value with its layer
    Config,
    /// Trust `mentci.toml` and the rules of the workspace as they stand now
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

/// A count of what is shown: none is no measure.
fn at_least_one(text: &str) -> Result<usize, String> {
    let count = text.parse::<usize>().ok().filter(|count| *count > 0);
    count.ok_or_else(|| "it is a whole number from 1".to_owned())
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::ALL.into_iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.into_iter().map(Dialect::name).collect();
        format!("the dialects are {}", names.join(", "))
    })
}
