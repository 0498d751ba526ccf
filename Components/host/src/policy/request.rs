//! The verbs of policy.

use mentci_authority::{Dialect, Event};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a door asks of policy. Paths are absolute or relative to the workspace; `builtin` as a path of rules stands for the
/// shipped packs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "policy", rename_all = "snake_case", deny_unknown_fields)]
pub enum PolicyRequest {
    /// The value of an expression over facts. -> [`LinesAnswer`](super::LinesAnswer) of one line
    Expr {
        /// The expression.
        expr: String,
        /// What it may read, by variable.
        #[serde(default)]
        facts: Value,
    },
    /// The values of many: each line `{"expr", "facts"}`. -> [`LinesAnswer`](super::LinesAnswer)
    ExprLines {
        /// The lines.
        lines: Input,
    },
    /// A recorded session through rules. -> [`LinesAnswer`](super::LinesAnswer)
    Replay {
        /// The files and folders of rules; the workspace's own when empty.
        #[serde(default)]
        rules: Vec<String>,
        /// Leaves out files that do not load instead of refusing.
        #[serde(default)]
        lenient: bool,
        /// Other rules: only the lines whose verdict differs are told, with both.
        #[serde(default)]
        against: Vec<String>,
        /// The zone in which schedules are read: an IANA name, `UTC` or `+02:00`. UTC when absent.
        #[serde(default)]
        zone: Option<String>,
        /// The log.
        events: Input,
    },
    /// What comes of one event. -> [`LinesAnswer`](super::LinesAnswer) of one line; denied: outcome 1
    Decide {
        /// The files and folders of rules, asked without a log; when empty the workspace's own, and then the decision is
        /// committed to its log.
        #[serde(default)]
        rules: Vec<String>,
        /// The event.
        event: Input,
        /// Writes nothing down: the event is looked at, and has not happened.
        #[serde(default)]
        dry_run: bool,
        /// Passes over keys of the event that are not known, with a finding each, instead of refusing: for doors that may be
        /// newer than this program.
        #[serde(default)]
        lenient: bool,
        /// A ChatMD document whose law takes part beside the workspace's own, and whose rules are told by their bare ids, all
        /// others by their full names. Whoever names it vouches for it.
        #[serde(default)]
        beside: Option<Input>,
        /// Lets the event's own `at` count as far as it lies in the past: for a person at their own terminal. Where an agent
        /// speaks it happens now, whatever it says, and what it said stands in `claimed`.
        #[serde(default)]
        dated: bool,
    },
    /// Runs the unit tests that stand beside rules. -> [`TestsAnswer`](super::TestsAnswer)
    Test {
        /// The files and folders; the workspace's own rules when empty.
        #[serde(default)]
        paths: Vec<String>,
    },
    /// Reads rules and says what is odd. -> [`RulesAnswer`](super::RulesAnswer) with findings
    Check {
        /// The files and folders.
        paths: Vec<String>,
        /// The tools that there are: a list of schemas, or an object with `tools`. Unknown when absent.
        #[serde(default)]
        tools: Option<Input>,
    },
    /// Rewrites rule files canonically. -> [`FormatAnswer`](super::FormatAnswer)
    Format {
        /// The files and folders.
        paths: Vec<String>,
        /// Writes nothing; findings where something would change.
        #[serde(default)]
        check: bool,
    },
    /// A file of rules in another dialect. -> [`TextAnswer`](super::TextAnswer)
    Convert {
        /// The file.
        path: String,
        /// The dialect.
        to: Dialect,
    },
    /// The rules in force. -> [`RulesAnswer`](super::RulesAnswer)
    Rules {
        /// The files and folders; the workspace's own rules when empty.
        #[serde(default)]
        paths: Vec<String>,
    },
    /// One rule in full. -> [`RuleShown`](super::RuleShown)
    Show {
        /// `id` or `pack/id`.
        rule: String,
    },
    /// What one rule would do about an event, and why. Nothing happens. -> [`TrialAnswer`](super::TrialAnswer)
    Try {
        /// `id` or `pack/id`.
        rule: String,
        /// The event; when absent the last of its kind in the session, or one that the rule is asked about.
        #[serde(default)]
        event: Option<Input>,
        /// The session whose log the rule sees; a new one when absent.
        #[serde(default)]
        session: Option<String>,
    },
    /// Runs a script over the context of an event. -> [`ScriptRunAnswer`](super::ScriptRunAnswer)
    RunScript {
        /// The script's file.
        path: String,
        /// The event; a turn that starts when absent.
        #[serde(default)]
        event: Option<Input>,
        /// What it reads as `parameters`.
        #[serde(default)]
        parameters: serde_json::Map<String, serde_json::Value>,
    },
    /// Switches a rule on or off for this user. A person's verb: never offered to an agent. -> [`TextAnswer`](super::TextAnswer)
    Switch {
        /// `id` or `pack/id`.
        rule: String,
        /// On.
        enabled: bool,
    },
    /// Packs the workspace's own rules where decisions look for them, or rules into a file. -> [`PackAnswer`](super::PackAnswer)
    Pack {
        /// The files and folders; the workspace's own rules when empty.
        #[serde(default)]
        paths: Vec<String>,
        /// The file to write; the workspace's own place when absent.
        #[serde(default)]
        out: Option<String>,
    },
    /// What a pack holds, and whether it is fresh; otherwise outcome 1. -> [`PackAnswer`](super::PackAnswer)
    ShowPack {
        /// The file; the workspace's own when absent.
        #[serde(default)]
        path: Option<String>,
    },
    /// Rules, scripts and settings that come together.
    Plugins(super::PluginRequest),
    /// Sets a parameter of a rule for this user. A person's verb: never offered to an agent. -> [`TextAnswer`](super::TextAnswer)
    Parameter {
        /// `id` or `pack/id`.
        rule: String,
        /// The parameter.
        name: String,
        /// The value, or a text that says it; absent takes back what was set.
        #[serde(default)]
        value: Option<Value>,
    },
    /// Stops every call, of a session or of all. -> [`TextAnswer`](super::TextAnswer)
    Kill {
        /// The session; all when absent.
        #[serde(default)]
        session: Option<String>,
        /// Why.
        reason: String,
    },
    /// Lets calls run again. A person's verb. -> [`TextAnswer`](super::TextAnswer)
    Resume {
        /// The session; all when absent.
        #[serde(default)]
        session: Option<String>,
    },
    /// What is stopped now, why, by whom and since when. -> [`StopsAnswer`](super::StopsAnswer)
    Stops,
    /// What people are asked. -> [`ApprovalsAnswer`](super::ApprovalsAnswer)
    Approvals,
    /// What agents are told. -> [`NotificationsAnswer`](super::NotificationsAnswer)
    Notifications {
        /// Only of this session.
        #[serde(default)]
        session: Option<String>,
        /// Also what was noted, has expired or fell out of a full queue.
        #[serde(default)]
        all: bool,
    },
    /// Takes note of notifications. -> [`NotificationsAnswer`](super::NotificationsAnswer) of those
    Acknowledge {
        /// Their ids, or the starts of them.
        ids: Vec<String>,
        /// Only in this session.
        #[serde(default)]
        session: Option<String>,
        /// Who; the user when absent.
        #[serde(default)]
        by: Option<String>,
    },
    /// Answers a request. A person's verb. -> [`ApprovalsAnswer`](super::ApprovalsAnswer)
    Answer {
        /// The request's id.
        id: String,
        /// Yes.
        grant: bool,
        /// Who says so; the user when absent.
        #[serde(default)]
        by: Option<String>,
        /// Why not: the agent is told.
        #[serde(default)]
        words: Option<String>,
    },
    /// How a request stands; a granted one is used up by being told, for clients that run the call as soon as they hear of it
    /// and do not ask again. Where the call may not run any more, it is `blocked`, with why as its words, and the grant stays.
    /// -> [`ApprovalsAnswer`](super::ApprovalsAnswer) of it, as it stood before
    Take {
        /// The request's id.
        id: String,
        /// What was asked about, as it was told; otherwise what the request keeps of it.
        #[serde(default)]
        asked: Option<Box<Event>>,
        /// Who takes it.
        by: String,
    },
    /// Clears the taints of a session. A person's verb. -> [`TextAnswer`](super::TextAnswer)
    ClearTaints {
        /// The session.
        session: String,
        /// Who.
        by: String,
    },
}

impl PolicyRequest {
    /// The session that it names.
    pub(crate) fn session(&self) -> Option<&str> {
        match self {
            Self::Try { session, .. }
            | Self::Kill { session, .. }
            | Self::Resume { session }
            | Self::Notifications { session, .. }
            | Self::Acknowledge { session, .. } => session.as_deref(),
            Self::ClearTaints { session, .. } => Some(session),
            _ => None,
        }
    }
}

impl PolicyRequest {
    /// An event that a harness tells about a question of its own: keys that are not known are passed over.
    pub fn told(event: Input) -> Self {
        let (rules, beside) = (Vec::new(), None);
        Self::Decide { rules, event, dry_run: false, lenient: true, beside, dated: false }
    }
}

/// A text that a door has, or a file that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// A file.
    Path(String),
    /// A text, with the name under which findings cite it.
    Text {
        /// `<stdin>`.
        name: String,
        /// What it says.
        text: String,
    },
}
