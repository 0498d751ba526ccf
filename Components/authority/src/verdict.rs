//! What comes of an event: the decision in words, with its reasons.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Effect, NotifyPriority, RuleSeverity};

/// The outcome of one event: the line that `replay` and `decide` write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// `block`, `approve`, `redact`, `warn` or `allow`: the first that holds.
    pub decision: Effect,
    /// The rules that took part, the deciding one first.
    pub rules: Vec<String>,
    /// Why, in the same order.
    pub reasons: Vec<Reason>,
    /// The arguments as the tool may receive them, when they were changed.
    pub args: Option<Value>,
    /// The result as the agent may read it, when it was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// What was taken out, each with its place.
    pub redacted: Vec<RedactedPlace>,
    /// What fired, in order: `{"rule", "type", …}`.
    pub actions: Vec<Map<String, Value>>,
    /// What could not be decided, and what was decided instead.
    pub faults: Vec<RuleFault>,
    /// The rules that applied and did nothing, because enough was done: they use nothing up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<SuppressedRule>,
    /// The rules that would have applied, were they enforced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shadow: Vec<Reason>,
    /// The approval that is waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// What the agent is to be told at this event, the most urgent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<Notification>,
    /// The recorded call was executed, and these rules deny it: what it caused is ignored from here on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub diverged: bool,
}

impl Default for Verdict {
    /// Allowed, for no reason.
    fn default() -> Self {
        Self {
            decision: Effect::Allow,
            rules: Vec::new(),
            reasons: Vec::new(),
            args: None,
            result: None,
            redacted: Vec::new(),
            actions: Vec::new(),
            faults: Vec::new(),
            suppressed: Vec::new(),
            shadow: Vec::new(),
            approval: None,
            notifications: Vec::new(),
            diverged: false,
        }
    }
}

/// Why one rule took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The rule.
    pub rule: String,
    /// What it says.
    pub effect: Effect,
    /// Its message.
    pub message: String,
    /// Its place: `rules.yaml:3:5`.
    pub at: String,
    /// How much it matters to its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<RuleSeverity>,
}

/// What a rule tells the agent. Whoever is handed it shows it once: it is not told again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification {
    /// Its id: what `notifications ack` takes.
    pub id: String,
    /// The words, as the rule's template gave them. Data: they are never rendered again.
    pub message: String,
    /// The rule's word for grouping: `warning`, `context`.
    pub category: String,
    /// How urgent.
    pub priority: NotifyPriority,
    /// The rule: `pack/rule-id`.
    pub rule: String,
}

/// A rule that applied and did nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressedRule {
    /// The rule.
    pub rule: String,
    /// What was used up: `max_actions_per_event`, `allow_auto_calls` or `stop`.
    pub why: String,
    /// Its document asks for a trace.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trace: bool,
}

/// One place from which something was taken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RedactedPlace {
    /// A JSON pointer into the arguments or the result.
    pub path: String,
    /// What it was: `EMAIL`.
    pub kind: String,
}

/// A rule that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFault {
    /// The rule.
    pub rule: String,
    /// What went wrong.
    pub message: String,
    /// Its place: `rules.yaml:3:5`.
    pub at: String,
    /// What was decided instead; `None` when the rule was left unfired.
    pub decided: Option<Effect>,
    /// A value was ordered that is not there: milder, and no part of what is told.
    #[serde(skip)]
    pub is_absence: bool,
}
