//! One line of the log.

use std::sync::Arc;

use mentci_authority::{At, Effect, Event, Hook, Message, Role, StateScope, ToolResult, ToolStatus, Usage};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call_hash::call_hash;
use crate::excerpt::{TEXT_BYTES, cut, short_value};
use crate::{Change, Notice};

/// The format of the lines of the log. A newer one is refused.
pub const LOG_FORMAT: u32 = 1;

/// One line of the log: what happened, what was decided about it, and what that changed.
///
/// ```
/// use mentci_authority::{Effect, Event};
/// use mentci_ledger::{Decided, Delta, Record};
/// let line = r#"{"event":"pre_tool_call","at":5,"session":"s1","tool":{"name":"exec","args":{"command":"ls"}}}"#;
/// let event: Event = serde_json::from_str(line)?;
/// let fired = Delta::Fired { rule: "pack/no-exec".into() };
/// let record = Record::of(&event, &Decided::new(Effect::Block, ["pack/no-exec"]), vec![fired]);
/// let line = serde_json::to_string(&record)?;
/// assert_eq!(serde_json::from_str::<Record>(&line)?, record);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`LOG_FORMAT`].
    pub format: u32,
    /// Whose session.
    pub session: String,
    /// When; the log's last time stands when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// What happened.
    pub what: What,
    /// What that changed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deltas: Vec<Delta>,
}

/// What a line of the log tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Something happened in the session and was decided.
    Event(Box<Seen>),
    /// A person decided.
    Act(Act),
}

/// What is kept of an event, and what was decided about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The point of the session.
    pub hook: Hook,
    /// The turn, when the event said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallSeen>,
    /// The message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageSeen>,
    /// What had been used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Who called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// As whom the daemon knows whoever told it: by the name of a token, or `local`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// What was decided, and by which rules.
    #[serde(flatten)]
    pub decided: Decided,
}

/// A call, as much of it as is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallSeen {
    /// The tool.
    pub name: String,
    /// [`call_hash`](crate::call_hash()) of the arguments as they came.
    pub hash: Hash,
    /// What ties the answer to the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The arguments, when they are short; otherwise the start of their text.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub args: Value,
    /// How it ended; `None` before it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ToolStatus>,
    /// What it returned, when that is short; otherwise the start of its text.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
}

/// A message, as much of it as is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageSeen {
    /// Whose.
    pub role: Role,
    /// At most [`TEXT_BYTES`](crate::TEXT_BYTES) of it.
    pub text: String,
    /// Its length in bytes, when more than that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_bytes: Option<u64>,
    /// Its tokens, when they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Whether a rule made it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synthetic: bool,
}

/// What was decided about an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The decision.
    pub decision: Effect,
    /// The rules that took part, the deciding one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The rules that would have, were they enforced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shadow: Vec<String>,
    /// No answer of this call will be reported: it counts as executed as soon as it is admitted. Set by who knows: a
    /// replay whose log has none, a client that shows only calls. Otherwise it counts once its answer or the next turn
    /// arrives.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
    /// The arguments or result as they were changed: what is kept instead of the event's own. Not written.
    #[serde(skip)]
    pub redacted: Option<Value>,
}

impl Decided {
    /// A decision by `rules`.
    pub fn new<'a>(decision: Effect, rules: impl IntoIterator<Item = &'a str>) -> Self {
        let rules = rules.into_iter().map(str::to_owned).collect();
        Self { decision, rules, shadow: Vec::new(), unanswered: false, redacted: None }
    }

    /// Allowed, by nobody.
    pub fn allowed() -> Self {
        Self::new(Effect::Allow, [])
    }

    /// Whether the call may run: neither blocked nor waiting for a person.
    pub fn admits(&self) -> bool {
        !matches!(self.decision, Effect::Block | Effect::Approve)
    }
}

/// What a line changes beyond the counts that follow from the event itself. Turn and time are the line's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// A rule fired: `once` and cooldowns are consumed.
    Fired {
        /// `pack/rule-id`.
        rule: String,
    },
    /// A rule's quota holds this call: reserved at admission.
    Reserved {
        /// `pack/rule-id`.
        rule: String,
    },
    /// A reservation is given back: the call never ran.
    Released {
        /// `pack/rule-id`.
        rule: String,
        /// The turn in which it was reserved.
        turn: u64,
        /// The exchange in which it was reserved.
        exchange: u64,
    },
    /// A variable was set.
    Set {
        /// Where it lives.
        scope: StateScope,
        /// Who [keeps](crate::keeper()) it; read for [`StateScope::Plugin`] only.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        owner: String,
        /// Its name.
        key: String,
        /// What it is now.
        value: Value,
    },
    /// The session is tainted.
    Tainted {
        /// By what.
        name: String,
        /// Not before the line's call has run: it was refused, or waits for a person.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        once_run: bool,
    },
    /// A person is asked about the line's call.
    Requested {
        /// The approval's id.
        approval: String,
        /// The rule that asks.
        rule: String,
        /// Until when it is good, in milliseconds since 1970 UTC.
        expires_ms: i64,
    },
    /// A granted approval was used by the line's call. It is good for one.
    Used {
        /// The approval's id.
        approval: String,
    },
    /// A rule has something to tell the agent.
    Queued(Arc<Notice>),
    /// The agent is told with the answer to the line's event. It is not told again.
    Delivered {
        /// The notice's id.
        notice: String,
    },
    /// A notice fell out of the full queue: the agent is never told.
    Dropped {
        /// The notice's id.
        notice: String,
    },
}

/// What a person did, or an agent where that is its own affair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Granted an approval.
    Granted {
        /// The approval's id.
        approval: String,
        /// Who.
        by: String,
        /// What they said to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// Denied an approval.
    Denied {
        /// The approval's id.
        approval: String,
        /// Who.
        by: String,
        /// Why, in that person's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// Took a granted approval to run its call at once: a client that asks no second time. The line's delta uses it up.
    Taken {
        /// The approval's id.
        approval: String,
        /// Who.
        by: String,
    },
    /// Cleared a taint.
    TaintCleared {
        /// Which.
        name: String,
        /// Who.
        by: String,
    },
    /// Took note of a notice.
    Acknowledged {
        /// The notice's id.
        notice: String,
        /// Who.
        by: String,
    },
    /// Stopped every call of the session.
    Killed {
        /// Why.
        reason: String,
        /// Who.
        by: String,
    },
    /// Let calls run again.
    Resumed {
        /// Who.
        by: String,
    },
    /// Changed what holds: a switch, a setting, a lesson's standing, whom the user trusts.
    Changed(Change),
}

impl Record {
    /// The line for an event that was decided.
    pub fn of(event: &Event, decided: &Decided, deltas: Vec<Delta>) -> Self {
        let seen = Seen {
            hook: event.hook,
            turn: event.turn,
            call: call_seen(event, decided.redacted.as_ref()),
            message: event.message.as_ref().map(message_seen),
            usage: event.usage.clone(),
            sender: event.sender.clone(),
            caller: event.caller.clone(),
            decided: Decided { redacted: None, ..decided.clone() },
        };
        let what = What::Event(Box::new(seen));
        Self { format: LOG_FORMAT, session: event.session.clone(), at: event.at, what, deltas }
    }

    /// The line with the texts of `kept`, which is the line's event as it may be kept: what it says in the place of what
    /// was said. The call's hash stays, so that an approval goes on fitting its call.
    #[must_use]
    pub fn keeping(mut self, kept: &Event) -> Self {
        if let What::Event(seen) = &mut self.what {
            if let (Some(own), Some(call)) = (&mut seen.call, call_seen(kept, None)) {
                (own.name, own.call_id) = (call.name, call.call_id);
                (own.args, own.result) = (call.args, call.result);
            }
            seen.sender.clone_from(&kept.sender);
            seen.message = kept.message.as_ref().map(message_seen);
        }
        self
    }

    /// The line for what a person did.
    pub fn act(session: &str, at: At, act: Act) -> Self {
        let what = What::Act(act);
        Self { format: LOG_FORMAT, session: session.to_owned(), at: Some(at), what, deltas: Vec::new() }
    }

    /// Whether the line must survive a loss of power, and not only the death of the process: approvals, the kill switch
    /// and quota reservations.
    pub fn is_vital(&self) -> bool {
        let vital = |delta: &Delta| {
            matches!(
                delta,
                Delta::Reserved { .. }
                    | Delta::Released { .. }
                    | Delta::Requested { .. }
                    | Delta::Used { .. }
            )
        };
        let notes = matches!(self.what, What::Act(Act::Acknowledged { .. }));
        (matches!(self.what, What::Act(_)) && !notes) || self.deltas.iter().any(vital)
    }

    /// Whether it uses up what a person granted.
    pub fn uses_grant(&self) -> bool {
        self.deltas.iter().any(|delta| matches!(delta, Delta::Used { .. }))
    }

    /// What is known of the event, unless a person acted.
    pub fn seen(&self) -> Option<&Seen> {
        match &self.what {
            What::Event(seen) => Some(seen),
            What::Act(_) => None,
        }
    }
}

fn call_seen(event: &Event, redacted: Option<&Value>) -> Option<CallSeen> {
    let tool = event.tool.as_ref()?;
    let answered = event.hook == Hook::PostToolResponse;
    let result = event.result.as_ref().filter(|_| answered);
    let args = redacted.filter(|_| !answered).unwrap_or(&tool.args);
    let value = redacted.filter(|_| answered).or(result.map(|result| &result.value));
    Some(CallSeen {
        name: tool.name.clone(),
        hash: call_hash(&tool.name, &tool.args),
        call_id: tool.call_id.clone(),
        args: short_value(args),
        status: answered.then(|| status(event)),
        result: value.map_or(Value::Null, short_value),
        duration_ms: result.and_then(|result| result.duration_ms),
    })
}

/// How the call ended that the event answers: success unless it says otherwise.
pub(crate) fn status(event: &Event) -> ToolStatus {
    let stated = event.tool.as_ref().and_then(|tool| tool.status);
    let told = event.result.as_ref().map(|result| match result {
        ToolResult { status: Some(status), .. } => *status,
        ToolResult { error: Some(_), .. } => ToolStatus::Error,
        _ => ToolStatus::Success,
    });
    stated.or(told).unwrap_or(ToolStatus::Success)
}

fn message_seen(message: &Message) -> MessageSeen {
    let text = cut(&message.text, TEXT_BYTES);
    MessageSeen {
        role: message.role,
        text: text.to_owned(),
        whole_bytes: (text.len() < message.text.len()).then_some(message.text.len() as u64),
        tokens: message.tokens,
        synthetic: message.synthetic,
    }
}
