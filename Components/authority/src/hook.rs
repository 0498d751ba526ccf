//! When a rule is asked: the points of a session at which something can be decided or done.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A point of a session. Every dialect's own names are aliases of these.
///
/// ```
/// use mentci_authority::{Hook, HookName, ToolStatus};
/// assert_eq!(Hook::PreToolCall.name(), "pre_tool_call");
/// assert_eq!(HookName::parse("on_tool_call"), Some(HookName::from(Hook::PreToolCall)));
/// let failure = HookName::parse("on_tool_failure").unwrap();
/// assert_eq!(failure.hook, Hook::PostToolResponse);
/// assert_eq!(failure.statuses, [ToolStatus::Error, ToolStatus::Timeout]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hook {
    /// A session opens.
    SessionStart,
    /// A user's query arrives.
    QueryStart,
    /// Before each request to the model; turn 1 is the first.
    TurnStart,
    /// After each answer of the model.
    TurnEnd,
    /// Before a tool runs: the hook where permission is decided.
    PreToolCall,
    /// After a tool returned. Denied and cancelled calls do not raise it.
    PostToolResponse,
    /// Any message was appended.
    MessageAppended,
    /// Before history is compacted.
    PreCompact,
    /// A session closes.
    SessionEnd,
    /// A rule emitted an event: its name is `event.type`.
    EventEmitted,
}

impl Hook {
    /// Every hook, in the order of a session.
    pub const ALL: [Self; 10] = [
        Self::SessionStart,
        Self::QueryStart,
        Self::TurnStart,
        Self::TurnEnd,
        Self::PreToolCall,
        Self::PostToolResponse,
        Self::MessageAppended,
        Self::PreCompact,
        Self::SessionEnd,
        Self::EventEmitted,
    ];

    /// `pre_tool_call`: the canonical name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session_start",
            Self::QueryStart => "query_start",
            Self::TurnStart => "turn_start",
            Self::TurnEnd => "turn_end",
            Self::PreToolCall => "pre_tool_call",
            Self::PostToolResponse => "post_tool_response",
            Self::MessageAppended => "message_appended",
            Self::PreCompact => "pre_compact",
            Self::SessionEnd => "session_end",
            Self::EventEmitted => "event_emitted",
        }
    }

    /// The hook of a canonical name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.name() == name)
    }

    /// Whether its events concern a tool.
    pub fn concerns_a_tool(self) -> bool {
        matches!(self, Self::PreToolCall | Self::PostToolResponse)
    }
}

/// Reads any dialect's name. Where the name also says how the call ended, that is lost: read a [`HookName`] to keep it.
impl<'de> Deserialize<'de> for Hook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(AnyName)
    }
}

/// Reads a name where it stands: nothing is copied.
struct AnyName;

impl Visitor<'_> for AnyName {
    type Value = Hook;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Hook, E> {
        HookName::parse(name).map(|name| name.hook).ok_or_else(|| {
            let known = Hook::ALL.map(Hook::name).join(", ");
            E::custom(format!("unknown hook `{}`; the hooks are {known}", name.escape_debug()))
        })
    }
}

/// How a tool's call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    /// It returned what it was asked for.
    Success,
    /// It returned an error.
    Error,
    /// It did not return in time.
    Timeout,
    /// Its arguments were refused before it ran.
    Invalid,
    /// It was given up before it returned; it may have done its work.
    Cancelled,
    /// It was refused: it never ran.
    Denied,
}

impl ToolStatus {
    /// `success`: the name in events and guards.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Invalid => "invalid",
            Self::Cancelled => "cancelled",
            Self::Denied => "denied",
        }
    }
}

/// A hook as some dialect names it: some names also say how the call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookName {
    /// The hook.
    pub hook: Hook,
    /// The endings that the name stands for; empty for any.
    pub statuses: &'static [ToolStatus],
    /// The name of the emitted event that it stands for; none for any.
    pub emitted: Option<String>,
}

impl From<Hook> for HookName {
    fn from(hook: Hook) -> Self {
        Self { hook, statuses: &[], emitted: None }
    }
}

impl HookName {
    /// Reads a canonical name, or ChatMD's, TOML's or EDN's name for it; `-` and `_` are the same. `event:NAME` is an
    /// emitted event of that name; `event:*` is any, and `event:budget.*` those that begin so.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(hook) = Hook::named(text) {
            return Some(hook.into());
        }
        if let Some(name) = text.trim().strip_prefix("event:") {
            return match name.trim() {
                "" => None,
                "*" => Some(Hook::EventEmitted.into()),
                name => Some(Self { emitted: Some(name.to_owned()), ..Hook::EventEmitted.into() }),
            };
        }
        let name = text.trim().to_ascii_lowercase().replace('-', "_");
        let canonical = name.strip_prefix("on_").unwrap_or(&name);
        let (hook, statuses): (Hook, &'static [ToolStatus]) = match canonical {
            "tool_call" => (Hook::PreToolCall, &[]),
            "tool_complete" => (Hook::PostToolResponse, &[ToolStatus::Success]),
            "tool_failure" => (Hook::PostToolResponse, &[ToolStatus::Error, ToolStatus::Timeout]),
            "tool_response" => (Hook::PostToolResponse, &[]),
            "event" => (Hook::EventEmitted, &[]),
            other => (Hook::named(other)?, &[]),
        };
        Some(Self { hook, statuses, emitted: None })
    }
}
