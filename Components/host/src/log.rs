//! The whole log: its lines, and the proof that none was changed.

use mentci_authority::{At, Effect};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The verbs of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "log", rename_all = "snake_case", deny_unknown_fields)]
pub enum LogRequest {
    /// Lines in their order. -> [`LogAnswer`]
    Lines {
        /// After the line with this number; when absent, the newest ones.
        #[serde(default)]
        after: Option<u64>,
        /// Before the line with this number, the newest ones of those.
        #[serde(default)]
        before: Option<u64>,
        /// Only of this session.
        #[serde(default)]
        session: Option<String>,
        /// At most so many; 100 when absent, and never more than 1,000.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// Whether the log is as it was written; otherwise outcome 1. -> [`AuditAnswer`]
    Audit {
        /// The hash that the last line had when it was noted: a line of this hash must be there.
        #[serde(default)]
        expect: Option<String>,
    },
    /// Every line. -> [`TextAnswer`](crate::policy::TextAnswer)
    Export {
        /// As what.
        format: LogFormat,
        /// Only of this session.
        #[serde(default)]
        session: Option<String>,
    },
}

/// What a log is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// A table with a head line.
    Csv,
    /// A list of objects.
    Json,
    /// A page to print: what was decided, by which rules, what people said, and whether the chain holds.
    Report,
}

/// Lines of the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogAnswer {
    /// The lines, the oldest first.
    pub lines: Vec<LogRow>,
    /// The number of the newest line there is.
    pub last: u64,
}

/// A line of the log at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogRow {
    /// Its number in the whole log, from 1.
    pub seq: u64,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// Whose session; empty for what concerns all.
    pub session: String,
    /// What happened: the hook of an event; or what a person did: `granted`, `denied`, `taken`, `killed`, `resumed`, `taint_cleared`,
    /// `acknowledged`; or what they changed: the name of a [`Deed`](mentci_ledger::Deed).
    pub what: String,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its arguments, or the start of them.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub args: Value,
    /// What it returned, or the start of that.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub result: Value,
    /// Who called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// As whom the daemon knows whoever told it: by the name of a token, or `local`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// What was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Effect>,
    /// The rules that took part, the deciding one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The rules that would have, were they enforced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shadow: Vec<String>,
    /// The request for approval that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// What was changed: a rule or its parameter, a plugin or its setting, a lesson, a token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// What it is since then.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub to: Value,
    /// The person who acted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why, in the person's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The hash of the line: it covers the line, and with it every line before it.
    pub hash: Hash,
}

/// Whether the log is as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditAnswer {
    /// How many lines were walked.
    pub lines: u64,
    /// The hash of the last one: noted elsewhere, it proves later that no line before it was changed or taken.
    pub last: Option<Hash>,
    /// Whether all is as it was written.
    pub holds: bool,
    /// What is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// As whom the daemon knows whoever asks, and what they say that they are called: a claim, where it knows them.
///
/// ```
/// use mentci_host::asker;
/// assert_eq!(asker(Some("ci"), Some("agent-7")).as_deref(), Some("ci as agent-7"));
/// assert_eq!(asker(None, Some("agent-7")).as_deref(), Some("agent-7"));
/// assert_eq!(asker(None, None), None);
/// ```
pub fn asker(caller: Option<&str>, sender: Option<&str>) -> Option<String> {
    match (caller, sender) {
        (Some(caller), Some(sender)) => Some(format!("{caller} as {sender}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}
