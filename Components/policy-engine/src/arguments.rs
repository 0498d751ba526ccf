//! argv, as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use mentci_authority::{Dialect, LessonStatus};
use mentci_host::Harness;

use crate::chatmd_arguments::Chatmd;
use crate::daemon_arguments::{Audit, Serve, Server, Tokens};
use crate::model_arguments::{Model, typed};
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
        /// Leave out files that do not load
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

/// Where something is installed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct InstallScope {
    /// In this workspace [default]
    #[arg(long, conflicts_with = "user")]
    pub(crate) project: bool,
    /// In every workspace of yours
    #[arg(long)]
    pub(crate) user: bool,
    /// Write nothing; show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The verbs of harnesses.
#[derive(Debug, Subcommand)]
pub(crate) enum HarnessVerb {
    /// List them: what is possible, what is not, and why
    List,
}

/// The verbs of approvals.
#[derive(Debug, Subcommand)]
pub(crate) enum Approvals {
    /// List the requests
    List,
    /// Let one call run, once
    Grant {
        /// The request's id, or the start of it
        id: String,
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

/// The verbs of rules.
#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// List them
    List {
        /// Files and folders; the workspace's own when there are none
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Show one
    Show {
        /// Its id, or `pack/id`
        rule: String,
    },
    /// Show whether one would fire, why, and what it would do; nothing happens
    Test {
        /// Its id, or `pack/id`
        rule: String,
        /// The file that holds the event, or `-`; without it the session's last of its kind, or a plain one
        #[arg(long, value_name = "FILE")]
        event: Option<String>,
        /// The session whose log the rule sees [default: a new one]
        #[arg(long, value_name = "SESSION")]
        from_session: Option<String>,
    },
    /// Switch one on
    Enable {
        /// Its id, or `pack/id`
        rule: String,
    },
    /// Switch one off
    Disable {
        /// Its id, or `pack/id`
        rule: String,
    },
    /// Set a parameter of one; it holds from the next event on
    Set {
        /// Its id, or `pack/id`
        rule: String,
        /// The parameter
        name: String,
        /// Its value
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Take back what was set: the rule's own value holds again
    Unset {
        /// Its id, or `pack/id`
        rule: String,
        /// The parameter
        name: String,
    },
}

/// The verbs of plugins.
#[derive(Debug, Subcommand)]
pub(crate) enum Plugins {
    /// List them, and say which are in force
    List,
    /// Show one: what it needs, what may be set, and its rules
    Show {
        /// Its id
        id: String,
    },
    /// Switch one on
    Enable {
        /// Its id
        id: String,
    },
    /// Switch one off, with all its rules
    Disable {
        /// Its id
        id: String,
    },
    /// Set a setting; it holds from the next event on
    Set {
        /// Its id
        id: String,
        /// The setting
        name: String,
        /// Its value
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Take back what was set: the plugin's own value holds again
    Unset {
        /// Its id
        id: String,
        /// The setting
        name: String,
    },
    /// Copy a plugin's folder into `.pi/plugins`, once it was read whole
    Install {
        /// The folder that holds `plugin.toml`
        #[arg(value_name = "DIR")]
        path: PathBuf,
        /// For every workspace of yours instead of this one
        #[arg(long)]
        user: bool,
    },
    /// Write a plugin to begin with
    New {
        /// Its id: small letters, digits and `-`
        id: String,
        /// For every workspace of yours instead of this one
        #[arg(long)]
        user: bool,
    },
}

/// The verbs of scripts.
#[derive(Debug, Subcommand)]
pub(crate) enum Script {
    /// Run one over the context of an event, and show what it answers
    Run {
        /// The script
        file: String,
        /// The file that holds the event, or `-` [default: a turn that starts]
        #[arg(long, value_name = "FILE")]
        event: Option<String>,
        /// A parameter that it reads as `parameters.NAME`; a value that is no JSON is text
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter, allow_hyphen_values = true)]
        parameters: Vec<(String, serde_json::Value)>,
    },
}

#[expect(clippy::struct_excessive_bools, reason = "each is a flag that is typed")]
#[derive(Debug, Args)]
pub(crate) struct Compile {
    /// Write nothing; exit 1 when something is out of date
    #[arg(long)]
    pub(crate) check: bool,
    /// Show the lines that change
    #[arg(long)]
    pub(crate) diff: bool,
    /// Show each line with its place in the law, and what a model made of it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Let a model shorten the lines, or leave what it said aside, whatever `digest.condense` says
    #[arg(long, value_name = "HOW", conflicts_with = "check")]
    pub(crate) condense: Option<CondenseHow>,
    /// With `--condense model`, the model that shortens: provider/name, or script:PATH [default: `digest.condense_model`, else `model.name`]
    #[arg(long, value_name = "NAME", conflicts_with = "check")]
    pub(crate) model: Option<String>,
    /// Publish nothing and exit with 2 when the model gives no answer
    #[arg(long, conflicts_with = "check")]
    pub(crate) require_model: bool,
}

/// Where shorter lines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CondenseHow {
    /// A model is asked about what the lock does not hold
    Model,
    /// Every line is the deterministic one
    Deterministic,
}

impl Compile {
    /// What the flags say as settings, which stand over every other layer.
    pub(crate) fn settings(&self) -> Vec<String> {
        let how = match (self.condense, self.require_model) {
            (Some(CondenseHow::Deterministic), _) => Some("deterministic"),
            (Some(CondenseHow::Model), _) | (None, true) => Some("model"),
            (None, false) => None,
        };
        let how = how.map(|how| format!("--condense digest.condense={how}"));
        let model = self.model.as_deref().map(typed);
        let model = model.map(|model| format!("--model digest.condense_model={model}"));
        how.into_iter().chain(model).collect()
    }

    /// Flags that contradict each other, and what to say instead.
    pub(crate) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let asks = matches!(self.condense, Some(CondenseHow::Model));
        if self.require_model && self.condense.is_some() && !asks {
            return Some((
                "`--require-model` and `--condense deterministic` contradict each other",
                "`--condense model --require-model` publishes nothing without a model's answer",
            ));
        }
        (self.model.is_some() && !asks).then_some((
            "`--model` names who shortens the lines, and nobody is asked without `--condense model`",
            "say `--condense model --model NAME`, or leave `--model` out",
        ))
    }
}

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

/// `most=3`
fn parameter(text: &str) -> Result<(String, serde_json::Value), String> {
    let (name, value) =
        text.split_once('=').ok_or("a parameter is set by its name and its value: `most=3`")?;
    if name.trim().is_empty() {
        return Err("a parameter needs a name: `most=3`".to_owned());
    }
    let json = serde_json::from_str(value.trim());
    Ok((name.trim().to_owned(), json.unwrap_or_else(|_| value.into())))
}

/// A count of what is shown: none is no measure.
fn at_least_one(text: &str) -> Result<usize, String> {
    let count = text.parse::<usize>().ok().filter(|count| *count > 0);
    count.ok_or_else(|| "it is a whole number from 1".to_owned())
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

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::ALL.into_iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.into_iter().map(Dialect::name).collect();
        format!("the dialects are {}", names.join(", "))
    })
}
