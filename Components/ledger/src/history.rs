//! The recent past: last texts, recent messages and calls, and what was used up.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use mentci_authority::{Message, Role, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::excerpt::{EXCERPT_BYTES, cut};
use crate::{CallSeen, MessageSeen, TEXT_BYTES, Turns, canonical_json};

/// How many messages, and how many calls, the recent history holds.
pub const RECENT: usize = 64;

/// The last text of a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastText {
    /// At most [`TEXT_BYTES`] of it.
    pub text: String,
    /// Whether more was said than is kept: a search in it that finds nothing proves nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Its tokens.
    pub tokens: TokenCount,
}

/// A number of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenCount {
    /// How many; where they were not counted, the sure bound of one a byte.
    pub tokens: u64,
    /// Whether a part of it is that bound.
    pub is_estimated: bool,
}

impl TokenCount {
    fn of(counted: Option<u64>, bytes: u64) -> Self {
        Self { tokens: counted.unwrap_or(bytes), is_estimated: counted.is_none() }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let tokens = self.tokens.saturating_add(other.tokens);
        Self { tokens, is_estimated: self.is_estimated || other.is_estimated }
    }

    /// The tokens of a message.
    pub(crate) fn of_message(message: &Message) -> Self {
        Self::of(message.tokens, message.text.len() as u64)
    }
}

/// A message of the recent history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentMessage {
    /// Whose.
    pub role: Role,
    /// The start of it: at most [`EXCERPT_BYTES`].
    pub text: String,
}

/// A call of the recent history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecentTool {
    /// The tool.
    pub name: String,
    /// Its arguments, or the start of their text.
    pub args: Value,
    /// What it returned, or the start of its text; null without an answer.
    pub result: Value,
    /// Whether it succeeded; `None` without an answer.
    pub success: Option<bool>,
    /// When it was answered, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    #[serde(skip)]
    pub(crate) fact: Memo,
}

impl RecentTool {
    /// What rules read of it: `{name, arguments, result, success, timestamp}`. Made once, and shared from then on: whoever
    /// makes something of it can keep that for as long as it is the same.
    pub fn fact(&self) -> &Arc<Value> {
        self.fact.0.get_or_init(|| {
            Arc::new(json!({
                "name": self.name, "arguments": self.args, "result": self.result, "success": self.success,
                "timestamp": self.at_ms,
            }))
        })
    }
}

/// What was made of a value already. It is no part of that value: all are equal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memo(OnceLock<Arc<Value>>);

impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Bounded: [`RECENT`] messages and calls of at most about 2 KiB each, five texts of at most 64 KiB.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct History {
    pub(crate) messages: VecDeque<RecentMessage>,
    pub(crate) tools: VecDeque<RecentTool>,
    /// By [`Role::ALL`].
    last: [Option<LastText>; Role::ALL.len()],
    pub(crate) last_role: Option<Role>,
    pub(crate) length: u64,
    pub(crate) context: TokenCount,
    pub(crate) usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    told_iterations: Option<ToldIterations>,
    /// The last message came with a query: the same one, appended, is not another.
    by_query: bool,
}

/// The model requests of an exchange, as the client told them last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct ToldIterations {
    told: u64,
    /// Where the session stood then.
    exchange: u64,
    counted: u64,
}

impl History {
    /// Model requests since the user's last message: as the client told them last, with those that came since; as counted,
    /// where it told none in this exchange.
    pub(crate) fn iterations(&self, turns: Turns) -> u64 {
        let told = self.told_iterations.filter(|told| told.exchange == turns.exchange);
        told.map_or(turns.iterations, |told| {
            told.told.saturating_add(turns.iterations.saturating_sub(told.counted))
        })
    }

    pub(crate) fn last(&self, role: Role) -> Option<&LastText> {
        self.last[role as usize].as_ref()
    }

    /// Whether this message is the query's own, told again.
    pub(crate) fn repeats(&self, role: Role, text: &str, is_query: bool) -> bool {
        let kept = cut(text, TEXT_BYTES);
        self.by_query
            && !is_query
            && role == Role::User
            && self.last(role).is_some_and(|last| last.text == kept)
    }

    pub(crate) fn message(&mut self, message: &MessageSeen, is_query: bool) {
        let repeated = self.repeats(message.role, &message.text, is_query);
        self.by_query = is_query;
        if repeated {
            return;
        }
        let tokens = TokenCount::of(message.tokens, message.whole_bytes.unwrap_or(message.text.len() as u64));
        let is_cut = message.whole_bytes.is_some();
        self.last[message.role as usize] = Some(LastText { text: message.text.clone(), is_cut, tokens });
        self.last_role = Some(message.role);
        self.length = self.length.saturating_add(1);
        self.context = self.context.plus(tokens);
        let text = cut(&message.text, EXCERPT_BYTES).to_owned();
        push(&mut self.messages, RecentMessage { role: message.role, text });
    }

    /// What a tool returned is the last text of the role, until a message says it better.
    pub(crate) fn answered(&mut self, call: &CallSeen) {
        let text = match &call.result {
            Value::Null => return,
            Value::String(text) => text.clone(),
            value => canonical_json(value),
        };
        let tokens = TokenCount::of(None, text.len() as u64);
        let is_cut = text.len() >= EXCERPT_BYTES;
        self.last[Role::Tool as usize] = Some(LastText { text, is_cut, tokens });
    }

    pub(crate) fn tool(&mut self, tool: RecentTool) {
        push(&mut self.tools, tool);
    }

    /// The answer of a call that had been entered without one.
    pub(crate) fn answer_late(&mut self, tool: RecentTool, called_ms: i64) {
        let same = |entry: &&mut RecentTool| {
            entry.success.is_none()
                && entry.name == tool.name
                && entry.at_ms == called_ms
                && entry.args == tool.args
        };
        match self.tools.iter_mut().find(same) {
            Some(entry) => *entry = tool,
            None => self.tool(tool),
        }
    }

    /// `turns` is where the session stands with the event that tells it.
    pub(crate) fn used(&mut self, usage: &Usage, turns: Turns) {
        if let Some(tokens) = usage.context_tokens {
            self.context = TokenCount { tokens, is_estimated: false };
        }
        self.length = usage.history_length.unwrap_or(self.length);
        let own = &mut self.usage;
        own.context_tokens = usage.context_tokens.or(own.context_tokens);
        own.history_length = usage.history_length.or(own.history_length);
        own.context_window = usage.context_window.or(own.context_window);
        own.token_usage = usage.token_usage.or(own.token_usage);
        own.iteration_count = usage.iteration_count;
        self.told_iterations = match usage.iteration_count {
            Some(told) => Some(ToldIterations { told, exchange: turns.exchange, counted: turns.iterations }),
            None => self.told_iterations,
        };
        own.max_iterations = usage.max_iterations.or(own.max_iterations);
    }
}

fn push<T>(ring: &mut VecDeque<T>, item: T) {
    if ring.len() == RECENT {
        ring.pop_front();
    }
    ring.push_back(item);
}
