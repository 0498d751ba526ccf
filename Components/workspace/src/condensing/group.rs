//! Questions in groups: what one request asks about.
//!
//! INVARIANT (law is data): the law reaches a model as strings of one JSON object, in a message of its own. No text of it can close
//! the string that it stands in; and what a model makes of it all the same is held against the law, word by word.

use std::collections::BTreeMap;

use mentci_authority::{ChatMessage, ModelRequest, StatementId};
use mentci_compiler::{Joining, Question};
use mentci_tokens::{Tokenizer, o200k};
use serde_json::{Value, json};

use super::prompt;

/// So many statements at most are asked about at a time, and so many tokens are sent of them: each request brings the prompt along, which
/// is too short for the caches of providers, so that short statements are asked about in larger groups.
const MOST: usize = 192;
const MOST_TOKENS: usize = 1_600;
/// Tokens of an id and the signs around it and its statement.
const SIGNS: usize = 3;

/// How a model is held to the form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// By the schema, which most servers know.
    Schema,
    /// By JSON mode with the schema beside it.
    Json,
    /// By the prompt alone.
    Words,
}

/// What one request asks about, in order; a statement's id in it is its place, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) questions: Vec<Question>,
    /// Tokens of the statements.
    pub(crate) law_tokens: usize,
}

/// Puts questions into groups: in their order, but each lesson right behind the rules that it may stand on.
pub(crate) fn groups(questions: Vec<Question>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for question in beside(questions) {
        let tokens = o200k().count(&question.text);
        match groups.last_mut() {
            Some(group) if group.has_room(tokens) => {
                group.questions.push(question);
                group.law_tokens += tokens;
            }
            _ => groups.push(Group { questions: vec![question], law_tokens: tokens }),
        }
    }
    groups
}

/// The questions with lessons and the rules that they may stand on side by side, where the first of them stood. A lesson that stands on
/// its rule already does so in the law's order.
fn beside(questions: Vec<Question>) -> Vec<Question> {
    let at: BTreeMap<StatementId, usize> =
        questions.iter().enumerate().map(|(at, question)| (question.id.clone(), at)).collect();
    let mut place: Vec<usize> = (0..questions.len()).collect();
    for (lesson, question) in questions.iter().enumerate() {
        let joins = question.joins.iter().filter(|joins| !joins.stands);
        let mut together: Vec<usize> =
            joins.flat_map(Joining::ids).filter_map(|id| at.get(id).copied()).collect();
        together.push(lesson);
        let first = together.iter().map(|&one| place[one]).min().unwrap_or(lesson);
        let moved: Vec<usize> = together.iter().map(|&one| place[one]).collect();
        place.iter_mut().filter(|place| moved.contains(place)).for_each(|place| *place = first);
    }
    let mut placed: Vec<(usize, Question)> = place.into_iter().zip(questions).collect();
    let is_tied = |question: &Question| question.joins.as_ref().is_some_and(|joins| !joins.stands);
    placed.sort_by_key(|(place, question)| (*place, is_tied(question)));
    placed.into_iter().map(|(_, question)| question).collect()
}

impl Group {
    /// Whether one more statement of so many tokens may be asked about along with the others.
    fn has_room(&self, tokens: usize) -> bool {
        let asked = self.questions.len() + 1;
        asked <= MOST && self.law_tokens + tokens + SIGNS * asked <= MOST_TOKENS
    }

    /// The request, and the tokens that it sends.
    pub(crate) fn request(&self, form: Form) -> (ModelRequest, usize) {
        let data = self.data();
        let told = prompt::text(!self.merges().is_empty());
        let sent = o200k().count(&told) + o200k().count(&data);
        // An answer repeats what is asked about, each with a few signs around it; models that reason think before they write.
        let most = 2_048 + 3 * self.law_tokens + 32 * self.questions.len();
        let request = ModelRequest {
            messages: vec![ChatMessage::said("system", told), ChatMessage::said("user", data)],
            max_tokens: Some(most as u64),
            answer_schema: (form != Form::Words).then(schema),
            json_mode: form == Form::Json,
            ..ModelRequest::default()
        };
        (request, sent)
    }

    /// One JSON object, in the order of the questions.
    pub(crate) fn data(&self) -> String {
        let pairs = self.questions.iter().enumerate();
        let mut pairs: Vec<String> =
            pairs.map(|(at, question)| format!("\"{}\":{}", at + 1, json!(question.text))).collect();
        let merges = self.merges();
        if !merges.is_empty() {
            let merges: Vec<String> =
                merges.iter().map(|(lesson, rules)| format!("\"{lesson}\":{}", json!(rules))).collect();
            pairs.push(format!("\"merge\":{{{}}}", merges.join(",")));
        }
        format!("{{{}}}", pairs.join(","))
    }

    /// By its id here, each lesson with the rules that it may stand on.
    fn merges(&self) -> Vec<(usize, Vec<usize>)> {
        let ids = |joins: &Joining| {
            let here = self.questions.iter().enumerate();
            here.filter(|(_, rule)| joins.norm(&rule.id).is_some()).map(|(at, _)| at + 1).collect::<Vec<_>>()
        };
        let lessons = self.questions.iter().enumerate();
        let merges = lessons.filter_map(|(at, lesson)| Some((at + 1, ids(lesson.joins.as_ref()?))));
        merges.filter(|(_, rules)| !rules.is_empty()).collect()
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
