//! A conversation in the order in which providers take it.

use mentci_authority::{ChatCall, ChatMessage};

/// A conversation that every provider takes: the system prompt apart, and the answers of calls right after them, each once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arranged<'a> {
    /// What the system and the developer said before anybody else.
    pub(crate) system: String,
    /// What came then.
    pub(crate) parts: Vec<Part<'a>>,
}

/// One part of a conversation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// What the user said.
    User(String),
    /// What the system or the developer said later.
    Late(&'a str),
    /// What the model said and called.
    Assistant(&'a str, &'a [ChatCall]),
    /// What a call came to, by the call's id.
    Answer(&'a str, &'a str),
}

/// What stands for the answer of a call that has none on record.
const NO_ANSWER: &str = "no answer of this call is on record";

impl<'a> Arranged<'a> {
    pub(crate) fn of(messages: &'a [ChatMessage]) -> Self {
        let first = messages.iter().position(|message| !is_system(message)).unwrap_or(messages.len());
        let (leading, rest) = messages.split_at(first);
        let system: Vec<&str> = leading.iter().map(content).filter(|text| !text.is_empty()).collect();
        let mut used = vec![false; rest.len()];
        let mut parts = Vec::new();
        for (at, message) in rest.iter().enumerate() {
            match message.role.as_str() {
                "assistant" => {
                    parts.push(Part::Assistant(content(message), &message.tool_calls));
                    let answers = message.tool_calls.iter().map(|call| answer(call, at, rest, &mut used));
                    parts.extend(answers);
                }
                "tool" if used[at] => {}
                // The call that it answers is not there any more.
                "tool" => {
                    parts
                        .push(Part::User(format!("<tool_response>\n{}\n</tool_response>", content(message))));
                }
                _ if is_system(message) => parts.push(Part::Late(content(message))),
                _ => parts.push(Part::User(content(message).to_owned())),
            }
        }
        Self { system: system.join("\n\n"), parts }
    }
}

fn answer<'a>(call: &'a ChatCall, at: usize, rest: &'a [ChatMessage], used: &mut [bool]) -> Part<'a> {
    let of_it =
        |message: &ChatMessage| message.role == "tool" && message.tool_call_id.as_ref() == Some(&call.id);
    let found = (at + 1..rest.len()).find(|&at| !used[at] && of_it(&rest[at]));
    let said = found.map_or(NO_ANSWER, |found| {
        used[found] = true;
        content(&rest[found])
    });
    Part::Answer(&call.id, said)
}

fn is_system(message: &ChatMessage) -> bool {
    message.role == "system" || message.role == "developer"
}

fn content(message: &ChatMessage) -> &str {
    message.content.as_deref().unwrap_or_default()
}

/// The arguments of a call as an object: words that are none are kept under `raw`, because providers read what they are sent back.
pub(crate) fn object(arguments: &str) -> serde_json::Value {
    match serde_json::from_str(arguments) {
        Ok(serde_json::Value::Object(map)) => serde_json::Value::Object(map),
        _ if arguments.trim().is_empty() => serde_json::json!({}),
        _ => serde_json::json!({ "raw": arguments }),
    }
}
