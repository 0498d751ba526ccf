//! What a harness tells at one of its hooks, and what it is answered.

use mentci_authority::{Event, Verdict};
use mentci_source::Hash;
use serde::{Deserialize, Serialize};

use crate::{Harness, Moment, Part};

/// One hook of a harness, in our words: what happens, and whether the rules may be shown to the model now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookCall {
    /// Which harness.
    pub harness: Harness,
    /// The harness's own name of its session.
    #[serde(default)]
    pub session: String,
    /// What happens, in order: each is decided and remembered.
    #[serde(default)]
    pub events: Vec<Event>,
    /// Where in the session a text could reach the model; none where it cannot.
    #[serde(default)]
    pub moment: Option<Moment>,
    /// How many bytes this hook tells of the conversation: they say how far away the rules are.
    #[serde(default)]
    pub said: u64,
    /// Which program asks another one, and until when it waits; none where it asks itself. It is told the verdicts alone:
    /// what the model is shown beside them is remembered as told by the program that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<Asker>,
}

/// A program that waits for another one's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asker {
    /// Its build: another one may decide otherwise, so it is not asked.
    pub build: String,
    /// When it gives up and decides by itself, in milliseconds of the machine's own clock: from then on nobody else may.
    pub until_ms: u64,
}

impl HookCall {
    /// A hook of which nothing is known but whose it is.
    pub fn new(harness: Harness) -> Self {
        let (session, events) = (String::new(), Vec::new());
        Self { harness, session, events, moment: None, said: 0, asker: None }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HookAnswer {
    /// What came of each event, in order; shorter than the events where one could not be decided.
    pub verdicts: Vec<Verdict>,
    /// The rules to be shown now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<ShownRules>,
    /// What rules warned of and told at calls of this session where nothing reached the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Verdict>,
}

/// The rules as a model is shown them at a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRules {
    /// Whether this is all of them.
    pub part: Part,
    /// The text.
    pub text: String,
    /// The hash of the whole text.
    pub hash: Hash,
    /// The o200k tokens of the whole text.
    pub tokens: usize,
}
