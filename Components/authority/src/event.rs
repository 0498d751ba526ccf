//! What happened, as every door tells it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::plainly::map;
use crate::{At, HeardAt, Hook, HookName, ToolStatus, json_text};

/// One event of a session: the line that `replay` and `decide` read.
///
/// Unknown fields are an error, so that a misspelt fact is not a silent absence.
///
/// ```
/// use mentci_authority::{Event, Hook};
/// let line = r#"{"event":"pre_tool_call","at":"2026-03-02T10:00:00Z","session":"s1","turn":3,
///                "tool":{"name":"exec","args":{"command":"ls"},"call_id":"c1"},"session_facts":{"user_role":"admin"}}"#;
/// let event: Event = serde_json::from_str(line)?;
/// assert_eq!((event.hook, event.turn), (Hook::PreToolCall, Some(3)));
/// assert_eq!(event.tool.unwrap().args["command"], "ls");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The point of the session; any dialect's name for it.
    #[serde(rename = "event", alias = "hook")]
    pub hook: Hook,
    /// When. Without it, the log's last time stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// Whose session.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// The turn, from 1; counted from the log's turn events when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The call that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "map")]
    pub tool: Option<ToolCall>,
    /// What the call returned: a text or a list, or an object; one with keys of its own is its own value.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "told_result")]
    pub result: Option<ToolResult>,
    /// The message that was appended.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "map")]
    pub message: Option<Message>,
    /// What has been used up.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "map")]
    pub usage: Option<Usage>,
    /// Who calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// What the host knows of the session: `user_role`, and whatever it is told to know.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub session_facts: Map<String, Value>,
    /// What the host knows of its surroundings: `environment`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub facts: Map<String, Value>,
    /// What the caller says of itself. Never evidence.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub claimed: Map<String, Value>,
    /// The rules that are switched off, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disabled: Vec<String>,
    /// What a person set the parameters of rules to: by the rule's full name or id, then by the parameter's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Map<String, Value>>,
    /// What a person set the settings of plugins to: by the plugin's id, then by the setting's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Map<String, Value>>,
    /// The whole context of TOML rules (`turn history user project state event result`), which then stands instead of what
    /// the log gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Value>,
    /// The commands that a shell call runs, as admission found them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Value>,
    /// The words of the command that the call runs, where a document declares its tool as one: found by who runs it, told by
    /// no door.
    #[serde(skip)]
    pub runs: Vec<String>,
    /// The text of the call's arguments as it came, where another one would be written of what was read. Set by the door.
    #[serde(skip)]
    pub told_args: Option<String>,
    /// The name that tools of this kind have in every harness, as admission found it: `shell` of `Bash`. Rules may name it.
    #[serde(skip)]
    pub canonical: Option<&'static str>,
    /// The files that the call touches, as admission found them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Value>,
    /// The call's arguments could not be taken apart within the bounds of work: gates that read commands or files close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// Seconds east of UTC of the zones that rules name, at the time of the event: filled in at admission.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, i32>,
    /// The event's own name and payload, for rules that subscribe to emitted events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emitted: Option<Value>,
    /// Where whoever asks can show the model something: set by the door, told by none. Without it, at every hook.
    #[serde(skip)]
    pub heard_at: Option<HeardAt>,
    /// As whom the daemon knows whoever told it: by the name of a token, or `local`. Set by the door, told by none; what `sender` says is a
    /// claim.
    #[serde(skip)]
    pub caller: Option<String>,
}

impl Event {
    /// An event of which nothing but the hook is known.
    pub fn new(hook: Hook) -> Self {
        Self {
            hook,
            at: None,
            session: String::new(),
            turn: None,
            tool: None,
            result: None,
            message: None,
            usage: None,
            sender: None,
            session_facts: Map::new(),
            facts: Map::new(),
            claimed: Map::new(),
            disabled: Vec::new(),
            parameters: BTreeMap::new(),
            settings: BTreeMap::new(),
            context: None,
            commands: Vec::new(),
            runs: Vec::new(),
            told_args: None,
            canonical: None,
            files: Vec::new(),
            unread: None,
            zones: BTreeMap::new(),
            emitted: None,
            heard_at: None,
            caller: None,
        }
    }

    /// The keys of an event's line that are known, other names for them included.
    pub const KEYS: &'static [&'static str] = &[
        "event",
        "hook",
        "at",
        "session",
        "turn",
        "tool",
        "result",
        "message",
        "usage",
        "sender",
        "session_facts",
        "facts",
        "claimed",
        "disabled",
        "parameters",
        "settings",
        "context",
        "commands",
        "files",
        "unread",
        "zones",
        "emitted",
    ];

    /// The point of the session at which it happens: of an emitted event, the hook of what it was emitted about.
    pub fn cause_hook(&self) -> Hook {
        let told = self.emitted.as_ref().filter(|_| self.hook == Hook::EventEmitted);
        let name = told.and_then(|emitted| emitted.get("hook")?.as_str());
        name.and_then(HookName::parse).map_or(self.hook, |name| name.hook)
    }

    /// The tool's name, empty without a call.
    pub fn tool_name(&self) -> &str {
        self.tool.as_ref().map_or("", |tool| &tool.name)
    }

    /// The names by which rules know the tool: its own, and the canonical one where that is another.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        let own = self.tool_name();
        let canonical = self.canonical.filter(|name| *name != own && self.tool.is_some());
        std::iter::once(own).chain(canonical)
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// Its arguments: an object, as the tool will receive it.
    #[serde(default, alias = "arguments", alias = "input")]
    pub args: Value,
    /// What ties the answer to the call.
    #[serde(default, alias = "id", skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// How it ended, when it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ToolStatus>,
}

impl ToolCall {
    /// The keys of a call that are known, other names for them included.
    pub const KEYS: &'static [&'static str] =
        &["name", "args", "arguments", "input", "call_id", "id", "status"];
}

/// What a call returned.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToolResult {
    /// How it ended: success unless said otherwise, if only by `"success": false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ToolStatus>,
    /// What came back: text or a value.
    #[serde(default, alias = "content", alias = "output", alias = "text", alias = "result")]
    pub value: Value,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How many items it holds, when the tool says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// Whatever else the door tells.
    #[serde(flatten)]
    pub other: Map<String, Value>,
    /// The text of the value as it came, where another one would be written of what was read: digits and keys may be lost. Set by
    /// the door.
    #[serde(skip)]
    pub told: Option<String>,
}

impl ToolResult {
    /// Keeps the text of the value as it came in this line of an event, where it says more than what was read of it.
    pub fn keep_text(&mut self, line: &str) {
        const NAMES: [&str; 5] = ["value", "content", "output", "text", "result"];
        if self.value.is_string() || self.value.is_null() {
            return;
        }
        let result = json_text(line, &["result"]);
        let is_own = Value::Object(self.other.clone()) == self.value;
        let inner = |result| NAMES.iter().find_map(|name| json_text(result, &[name]));
        let text = result.filter(|_| !is_own).and_then(inner).or(result);
        self.told = text.and_then(|text| told_text(text, &self.value));
    }
}

/// The text of a value as it came, if it is not what would be written of it.
///
/// ```
/// use mentci_authority::told_text;
/// assert_eq!(told_text("[1.10]", &serde_json::json!([1.1])).as_deref(), Some("[1.10]"));
/// assert_eq!(told_text("[1.1]", &serde_json::json!([1.1])), None);
/// ```
pub fn told_text(text: &str, value: &Value) -> Option<String> {
    if value.is_string() || value.is_null() {
        return None;
    }
    let written = value.to_string();
    (written != text).then(|| text.to_owned())
}

/// A result in whatever shape a door tells it.
fn told_result<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<ToolResult>, D::Error> {
    let told = match Option::<Value>::deserialize(deserializer)? {
        None => return Ok(None),
        Some(object @ Value::Object(_)) => object,
        Some(value) => return Ok(Some(ToolResult { value, ..ToolResult::default() })),
    };
    let mut result: ToolResult = serde_json::from_value(told).map_err(serde::de::Error::custom)?;
    if result.value.is_null() && !result.other.is_empty() {
        result.value = Value::Object(result.other.clone());
    }
    if result.status.is_none()
        && result.error.is_none()
        && result.other.get("success") == Some(&Value::Bool(false))
    {
        result.status = Some(ToolStatus::Error);
    }
    Ok(Some(result))
}

/// Whose message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The system prompt.
    System,
    /// Whoever runs the agent.
    Developer,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [Self::System, Self::Developer, Self::User, Self::Assistant, Self::Tool];

    /// `assistant`.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }

    /// The role with this name, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name().eq_ignore_ascii_case(text.trim()))
    }
}

/// A message of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Whose.
    pub role: Role,
    /// What it says.
    #[serde(default, alias = "content")]
    pub text: String,
    /// Its tokens, when they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Whether a rule made it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synthetic: bool,
}

/// What a session has used up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// Messages of the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_length: Option<u64>,
    /// The most tokens that the model takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
    /// The share of the token budget that is used, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_usage: Option<f64>,
    /// Model requests since the user's last message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration_count: Option<u64>,
    /// The most model requests of one query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u64>,
}

impl Usage {
    /// The keys that are known.
    pub const KEYS: &'static [&'static str] = &[
        "context_tokens",
        "history_length",
        "context_window",
        "token_usage",
        "iteration_count",
        "max_iterations",
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that serde names when it meets another.
    fn expected<T: serde::de::DeserializeOwned>() -> Vec<String> {
        let said = serde_json::from_str::<T>(r#"{"no such key": 1}"#).err().map(|error| error.to_string());
        let said = said.unwrap_or_default();
        said.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_keys_are_those_that_are_read() {
        assert_eq!(expected::<Event>(), Event::KEYS);
        assert_eq!(expected::<ToolCall>(), ToolCall::KEYS);
        assert_eq!(expected::<Usage>(), Usage::KEYS);
    }
}
