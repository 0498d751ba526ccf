//! Messages that the gateway itself writes.

use serde_json::{Value, json};

/// The result of a call that did not run or whose answer is withheld: the agent reads the sentence.
pub(super) fn refusal(id: &str, sentence: &str) -> Vec<u8> {
    result(id, &json!({"content": [{"type": "text", "text": sentence}], "isError": true}))
}

/// An answer of the protocol.
pub(super) fn result(id: &str, result: &Value) -> Vec<u8> {
    line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
}

/// An error of the protocol.
pub(super) fn error(id: &str, code: i64, message: &str) -> Vec<u8> {
    let error = json!({"code": code, "message": message});
    line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#))
}

/// A request of our own.
pub(super) fn request(id: &str, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string())
}

/// `notifications/cancelled` of a request, by the JSON of its id.
pub(super) fn cancelled(id: &str, reason: &str) -> Vec<u8> {
    let reason = Value::from(reason);
    line(&format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":{reason}}}}}"#
    ))
}

/// A message with its end of line.
pub(super) fn line(message: &str) -> Vec<u8> {
    let mut line = Vec::with_capacity(message.len() + 1);
    line.extend_from_slice(message.as_bytes());
    line.push(b'\n');
    line
}

/// A result with notes for the agent behind its content.
pub(super) fn with_notes(result: &mut Value, notes: &str) {
    let note = json!({"type": "text", "text": format!("Notes of the policy engine:\n{notes}")});
    let mut contents = contents(result);
    contents.push(note);
    match result {
        Value::Object(members) => {
            members.insert("content".to_owned(), contents.into());
        }
        other => *other = json!({"content": contents}),
    }
}

/// The content of a result as a list, whatever shape the server gave it; taken out of it.
pub(super) fn contents(result: &mut Value) -> Vec<Value> {
    let content = match result {
        Value::Object(members) => members.remove("content").unwrap_or_default(),
        other => other.take(),
    };
    match content {
        Value::Null => Vec::new(),
        Value::Array(contents) => contents,
        content @ Value::Object(_) if content.get("type").is_some() => vec![content],
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        other => vec![json!({"type": "text", "text": other.to_string()})],
    }
}
