//! Questions in groups: what one request asks about.
//!
//! INVARIANT (law is data): the law reaches a model as strings of one JSON object, in a message of its own. No text of it can close
//! the string that it stands in; and what a model makes of it all the same is held against the law, word by word.

use mentci_authority::{ChatMessage, ModelRequest};
use mentci_compiler::Question;
use mentci_tokens::{Tokenizer, o200k};
use serde_json::{Value, json};

use super::prompt;

/// So many statements at most are asked about at a time, and so many tokens of them.
const MOST: usize = 48;
const MOST_TOKENS: usize = 1_600;

/// What one request asks about, in order; a statement's id in it is its place, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) questions: Vec<Question>,
    /// Tokens of the statements.
    pub(crate) law_tokens: usize,
}

/// Puts questions into groups, in their order.
pub(crate) fn groups(questions: Vec<Question>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for question in questions {
        let tokens = o200k().count(&question.text);
        match groups.last_mut() {
            Some(group) if group.questions.len() < MOST && group.law_tokens + tokens <= MOST_TOKENS => {
                group.questions.push(question);
                group.law_tokens += tokens;
            }
            _ => groups.push(Group { questions: vec![question], law_tokens: tokens }),
        }
    }
    groups
}

impl Group {
    /// The request, and the tokens that it sends.
    pub(crate) fn request(&self, with_schema: bool) -> (ModelRequest, usize) {
        let data = self.data();
        let sent = o200k().count(prompt::text()) + o200k().count(&data);
        // An answer repeats what is asked about, each with a few signs around it; models that reason think before they write.
        let most = 2_048 + 3 * self.law_tokens + 32 * self.questions.len();
        let request = ModelRequest {
            messages: vec![ChatMessage::said("system", prompt::text()), ChatMessage::said("user", data)],
            max_tokens: Some(most as u64),
            answer_schema: with_schema.then(schema),
            ..ModelRequest::default()
        };
        (request, sent)
    }

    /// One JSON object, in the order of the questions.
    pub(crate) fn data(&self) -> String {
        let pairs = self.questions.iter().enumerate();
        let pairs: Vec<String> =
            pairs.map(|(at, question)| format!("\"{}\":{}", at + 1, json!(question.text))).collect();
        format!("{{{}}}", pairs.join(","))
    }
}

/// The form of an answer, for providers that hold a model to one.
fn schema() -> Value {
    let line = json!({
        "type": "object",
        "properties": { "ids": { "type": "array", "items": { "type": "integer" } }, "text": { "type": "string" } },
        "required": ["ids", "text"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": { "lines": { "type": "array", "items": line } },
        "required": ["lines"],
        "additionalProperties": false,
    })
}
