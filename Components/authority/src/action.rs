//! What a rule does when it fires.

use mentci_expr::{Expr, Node};
use serde::{Deserialize, Serialize};

use crate::Role;

/// One action. A rule's actions are one atomic group, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Appends a message.
    Insert {
        /// Whose message.
        role: Role,
        /// Markdown: a template over the event's facts.
        text: String,
        /// Whether it is marked as made by a rule.
        synthetic: bool,
    },
    /// Appends a message whose text is what an expression gives; nothing where that is null.
    InsertValue {
        /// Whose message.
        role: Role,
        /// The text.
        value: Expr,
        /// Whether it is marked as made by a rule.
        synthetic: bool,
    },
    /// Tells the agent.
    Notify {
        /// A template over the event's facts.
        message: String,
        /// A word for grouping: `warning`, `info`, `context`.
        category: String,
        /// How urgent.
        priority: NotifyPriority,
        /// When the agent reads it.
        deliver_at: DeliverAt,
    },
    /// Calls a tool.
    Call {
        /// Its name.
        tool: String,
        /// An expression that gives an object. Texts that stand in it as they are, and in what stands in it so, are
        /// templates; what is computed is data.
        arguments: Expr,
    },
    /// Runs an agent.
    Agent {
        /// The agent's document.
        src: String,
        /// What it is asked: a template over the event's facts.
        text: String,
    },
    /// Compacts the history.
    Compact {
        /// What stays: `system`, `developer`, `latest:8`.
        keep: Vec<String>,
        /// `relevance+summary`.
        strategy: String,
        /// Only above so many tokens.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        threshold_tokens: Option<u64>,
    },
    /// Sets a variable.
    Set {
        /// Where it lives.
        scope: StateScope,
        /// Its name.
        key: String,
        /// What it becomes.
        value: Assigned,
    },
    /// Writes to the log.
    Log {
        /// `debug`, `info`, `warn` or `error`.
        level: String,
        /// A template over the event's facts.
        message: String,
    },
    /// Raises an event that other rules can subscribe to.
    Emit {
        /// Its name.
        event: String,
        /// What it carries; strings are templates.
        payload: serde_json::Value,
    },
    /// No further rule of the same document acts on this event. It never suppresses a denial.
    Stop,
}

impl Action {
    /// The canonical name: what outcomes call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Insert { .. } | Self::InsertValue { .. } => "insert",
            Self::Notify { .. } => "notify",
            Self::Call { .. } => "call",
            Self::Agent { .. } => "agent",
            Self::Compact { .. } => "compact",
            Self::Set { .. } => "set",
            Self::Log { .. } => "log",
            Self::Emit { .. } => "emit",
            Self::Stop => "stop",
        }
    }

    /// The expression in it, when it has one.
    pub fn expression(&self) -> Option<&Expr> {
        match self {
            Self::InsertValue { value: expr, .. }
            | Self::Call { arguments: expr, .. }
            | Self::Set { value: Assigned::Expr(expr), .. } => Some(expr),
            _ => None,
        }
    }

    /// The texts in it that are filled in with facts.
    pub fn templates(&self) -> Vec<&str> {
        let texts = match self {
            Self::Notify { message: text, .. }
            | Self::Log { message: text, .. }
            | Self::Insert { text, .. }
            | Self::Agent { text, .. } => vec![text.as_str()],
            Self::Call { arguments, .. } => written(arguments),
            Self::Set { value: Assigned::Value(value), .. } | Self::Emit { payload: value, .. } => {
                texts(value)
            }
            _ => Vec::new(),
        };
        texts.into_iter().filter(|text| text.contains('{')).collect()
    }

    /// Whether it counts against the caps of its document: `set` and `stop` are free.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Set { .. } | Self::Stop)
    }
}

/// The texts of a value.
fn texts(value: &serde_json::Value) -> Vec<&str> {
    match value {
        serde_json::Value::String(text) => vec![text],
        serde_json::Value::Array(items) => items.iter().flat_map(texts).collect(),
        serde_json::Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The texts that stand in an expression as they are, in lists and maps as deep as these do.
fn written(expr: &Expr) -> Vec<&str> {
    match expr.node() {
        Node::Text(text) => vec![text],
        Node::List(items) => items.iter().flat_map(written).collect(),
        Node::Map(entries) => entries.iter().flat_map(|(_, value)| written(value)).collect(),
        _ => Vec::new(),
    }
}

/// What a variable becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assigned {
    /// The value of an expression.
    Expr(Expr),
    /// A value as it stands; strings in it are templates.
    Value(serde_json::Value),
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateScope {
    /// In the session.
    Session,
    /// With the plugin that the rule belongs to, or with the workspace: it survives sessions.
    Plugin,
}

/// How urgent a notification is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotifyPriority {
    /// `low`.
    Low,
    /// `normal`.
    #[default]
    Normal,
    /// `high`.
    High,
    /// `critical`.
    Critical,
}

impl NotifyPriority {
    /// `high`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// When an agent reads a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliverAt {
    /// Before the next request to the model.
    #[default]
    TurnStart,
    /// With the tool's result.
    AfterTool,
    /// After the model's answer.
    TurnEnd,
    /// At the first moment that the client allows.
    Immediate,
}

impl DeliverAt {
    /// `turn_start`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TurnStart => "turn_start",
            Self::AfterTool => "after_tool",
            Self::TurnEnd => "turn_end",
            Self::Immediate => "immediate",
        }
    }
}
