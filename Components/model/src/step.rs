//! One step of a script: what the model answers once, and what it must have been shown.

use mentci_authority::{ChatCall, ModelReply, ModelUsage, StopReason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Mishap, Shown};

/// One answer of a script.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// Texts that the request must hold for this step to be the answer, whenever it comes. A step without any has its place in
    /// the order.
    pub when: Vec<String>,
    /// Texts that the request must hold; without one of them the model fails.
    pub expect: Vec<String>,
    /// Texts that the request must not hold.
    pub expect_not: Vec<String>,
    /// What goes wrong before the answer comes, in order.
    pub fail: OneOrMore<Mishap>,
    /// What it thinks.
    pub reasoning: OneOrMore<String>,
    /// What it says, in the pieces in which it comes.
    pub text: OneOrMore<String>,
    /// The tools that it calls.
    pub calls: Vec<ScriptedCall>,
    /// Why it stops, unless it is done or waits for its calls.
    pub stop: Option<StopReason>,
    /// What it takes, unless a token is four bytes.
    pub usage: Option<ModelUsage>,
    /// A remark of the script's author.
    pub note: String,
}

/// A call in a script.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool.
    pub name: String,
    /// The arguments: an object, or words that are given as they are.
    #[serde(default, alias = "arguments")]
    pub args: Value,
    /// What ties the answer to it; none: `call_1` and so on, by step and place.
    #[serde(default)]
    pub id: Option<String>,
}

/// One of something, or a list of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore<T> {
    /// A list.
    More(Vec<T>),
    /// One.
    One(T),
}

impl<T> Default for OneOrMore<T> {
    fn default() -> Self {
        Self::More(Vec::new())
    }
}

impl<T> OneOrMore<T> {
    /// All of them, in order.
    pub fn all(&self) -> &[T] {
        match self {
            Self::More(all) => all,
            Self::One(one) => std::slice::from_ref(one),
        }
    }
}

impl Step {
    /// Whether it has its place in the order.
    pub fn is_in_order(&self) -> bool {
        self.when.is_empty()
    }

    /// What goes wrong before the answer comes, one by one.
    pub fn mishaps(&self) -> impl Iterator<Item = &Mishap> {
        self.fail.all().iter().flat_map(|mishap| std::iter::repeat_n(mishap, mishap.times as usize))
    }

    /// Whether an answer follows what goes wrong.
    pub fn answers(&self) -> bool {
        let says = !self.text.all().is_empty() || !self.reasoning.all().is_empty() || !self.calls.is_empty();
        says || self.fail.all().is_empty()
    }

    /// What the request lacks of what is expected, or holds of what is not: the words for it.
    pub(crate) fn unmet(&self, shown: &Shown) -> Option<String> {
        let lacks = self.expect.iter().find(|text| !shown.holds(text));
        let holds = self.expect_not.iter().find(|text| shown.holds(text));
        let lacks = lacks.map(|text| format!("expects the request to hold `{text}`, and it does not"));
        lacks.or_else(|| holds.map(|text| format!("expects the request not to hold `{text}`, and it does")))
    }

    /// The whole answer to a request that looks like this; `number` counts the steps from 1.
    pub(crate) fn reply(&self, number: usize, shown: &Shown) -> ModelReply {
        let calls: Vec<ChatCall> =
            self.calls.iter().enumerate().map(|(at, call)| call.chat(number, at)).collect();
        let (text, reasoning) = (self.text.all().concat(), self.reasoning.all().concat());
        let stop = if calls.is_empty() { StopReason::End } else { StopReason::Calls };
        let said = text.len() + reasoning.len();
        let called: usize = calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        let guess = ModelUsage { input: tokens(shown.bytes()), cached: 0, output: tokens(said + called) };
        let stop = self.stop.unwrap_or(stop);
        ModelReply {
            text,
            reasoning,
            calls,
            stop,
            usage: self.usage.unwrap_or(guess),
            ..ModelReply::default()
        }
    }
}

impl ScriptedCall {
    fn chat(&self, step: usize, at: usize) -> ChatCall {
        let arguments = match &self.args {
            Value::String(words) => words.clone(),
            Value::Null => "{}".to_owned(),
            other => other.to_string(),
        };
        let id = self.id.clone().unwrap_or_else(|| format!("call_{step}_{}", at + 1));
        ChatCall { id, name: self.name.clone(), arguments }
    }
}

/// Four bytes are a token: a guess that is the same everywhere.
pub(crate) fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}
