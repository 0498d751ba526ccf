//! What the verbs of policy answer.

use mentci_authority::{
    Bounds, DeliverAt, Dialect, Effect, Hook, NotifyPriority, Rule, RuleSeverity, Trust, Verdict,
};
use serde::Serialize;
use serde_json::Value;

/// One JSON value a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinesAnswer {
    /// The lines, in the order of what was asked.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// What came of an event.
    Verdict(Box<Verdict>),
    /// What came of an event of a transcript.
    Replayed(Box<crate::transcript::Replayed>),
    /// An event of which two rule sets make different things.
    Difference {
        /// The line of the log, from 1.
        line: u32,
        /// What the rules make of it.
        was: Box<Verdict>,
        /// What the other rules make of it.
        is: Box<Verdict>,
    },
    /// A line that is JSON already, byte for byte.
    Text(String),
    /// The same, where it says more than what is read of it; within other JSON, what is read of it.
    Told(#[serde(serialize_with = "read")] String),
    /// Anything else.
    Value(Value),
}

fn read<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<Value>(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// A text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextAnswer {
    /// It.
    pub text: String,
}

/// Rules at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulesAnswer {
    /// In source order.
    pub rules: Vec<RuleRow>,
    /// The files that did not read: none of their rules is among these.
    pub broken: Vec<String>,
    /// What the file calls itself that stands instead of the workspace's own rules; the first, where there are several.
    #[serde(skip)]
    pub titled: Option<RulesTitle>,
}

/// What a file of rules calls itself, and what holds where no rule of it speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesTitle {
    /// Its name.
    pub name: String,
    /// Its version, as its author counts.
    pub version: Option<String>,
    /// What holds for a call about which no rule speaks.
    pub default: Effect,
}

/// One rule at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleRow {
    /// `pack/id`.
    pub rule: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is for, or else what it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// What it tells whoever it stops.
    #[serde(skip)]
    pub message: Option<String>,
    /// When it is asked.
    pub hook: Hook,
    /// About which tools.
    pub tools: String,
    /// What it says.
    pub effect: Option<Effect>,
    /// How much it matters.
    pub severity: RuleSeverity,
    /// Whether it takes part.
    pub enabled: bool,
    /// Whether its file says that it takes part; what a person switched off differs from it.
    #[serde(skip)]
    pub stated: bool,
    /// Whether it cannot be switched off.
    pub core: bool,
    /// Who vouches for it.
    pub trust: Trust,
    /// Its syntax.
    pub dialect: Dialect,
    /// Its place.
    pub at: String,
}

/// One rule in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleShown {
    /// `pack/id`.
    pub full_name: String,
    /// The rule.
    pub shown: Box<Rule>,
    /// What may be set about it, by name.
    pub parameters: Vec<ParameterRow>,
    /// The rule in its own dialect.
    pub text: String,
}

/// One parameter of a rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParameterRow {
    /// What the rule reads as `parameters.name`.
    pub name: String,
    /// What holds.
    pub value: Value,
    /// What the rule itself says.
    pub stated: Value,
    /// Whether a person set it.
    pub is_set: bool,
    /// How far it may be set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
}

/// How the unit tests of rules ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestsAnswer {
    /// In source order.
    pub tests: Vec<TestRow>,
    /// How many held.
    pub passed: usize,
    /// How many did not.
    pub failed: usize,
}

/// One unit test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestRow {
    /// Its name.
    pub name: String,
    /// The rule that it stands beside; the file's own otherwise.
    pub rule: Option<String>,
    /// Its place.
    pub at: String,
    /// Why it failed.
    pub failure: Option<String>,
}

/// What formatting did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormatAnswer {
    /// The files that changed, or would.
    pub changed: Vec<String>,
    /// How many were canonical already.
    pub unchanged: usize,
}

/// A pack: rules made into a file that opens at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackAnswer {
    /// The file.
    pub path: String,
    /// How it stands.
    pub state: PackState,
    /// Why it is not fresh.
    pub why: Option<String>,
    /// How many rules it holds.
    pub rules: usize,
    /// How large it is.
    pub bytes: u64,
    /// How long making it took, in microseconds.
    pub micros: Option<u64>,
    /// The program that made it.
    pub program: Option<String>,
    /// The files that it was made from, beside what is shipped.
    pub files: Vec<String>,
}

/// How a pack stands beside the files of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PackState {
    /// It was made now.
    Made,
    /// It is what the files say.
    Fresh,
    /// The files, the settings, the user's trust or the program changed since.
    Stale,
    /// It does not read, or another version made it.
    Damaged,
    /// There is none.
    Absent,
}

/// What people are asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApprovalsAnswer {
    /// The oldest first.
    pub approvals: Vec<ApprovalRow>,
}

/// What is stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StopsAnswer {
    /// The stop of every call first, then those of sessions.
    pub stops: Vec<StopRow>,
}

/// One stop: it holds until somebody lets calls run again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StopRow {
    /// The session; every call of every session when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Why.
    pub reason: String,
    /// Who stopped it, where that was noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Since when, RFC 3339, where that was noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApprovalRow {
    /// Its id.
    pub id: String,
    /// `pending`, `granted`, `denied`, `used` or `expired`.
    pub state: String,
    /// Whose session.
    pub session: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, or the start of them.
    pub args: String,
    /// The rule that asks.
    pub rule: String,
    /// As whom the daemon knows whoever asked: by the name of a token, or `local`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// What the call says of who makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// When it was asked.
    pub asked: String,
    /// Until when.
    pub expires: String,
    /// Who answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What that person said to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// What agents are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotificationsAnswer {
    /// The oldest first.
    pub notifications: Vec<NotificationRow>,
}

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotificationRow {
    /// Its id.
    pub id: String,
    /// `queued`, `delivered`, `acknowledged`, `expired` or `dropped`.
    pub state: &'static str,
    /// Whose session.
    pub session: String,
    /// How urgent.
    pub priority: NotifyPriority,
    /// The rule's word for grouping.
    pub category: String,
    /// When the agent reads it.
    pub deliver_at: DeliverAt,
    /// The rule: `pack/rule-id`.
    pub rule: String,
    /// What it says; the start of it when it no longer waits.
    pub message: String,
    /// When the rule said it.
    pub queued: String,
    /// Until when it is worth telling.
    pub expires: String,
}
