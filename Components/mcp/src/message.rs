//! One message before the server reads it: what it could not read is answered here, so that whoever asked hears of it.

use rmcp::model::{ClientRequest, JsonRpcMessage, JsonRpcRequest, RequestId};
use rmcp::service::RxJsonRpcMessage;
use rmcp::{ErrorData, RoleServer};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::arguments::kind;
use crate::params;

/// The message breaks the protocol.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// The method is there, and cannot be called so.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// The line is no JSON.
pub(crate) const NO_JSON: i32 = -32700;

/// What becomes of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The server reads it.
    HandedOn,
    /// It is answered with this line, and goes no further.
    Answered(Vec<u8>),
    /// It goes no further, and nobody waits for an answer to it.
    Dropped,
}

impl Fate {
    /// Of a message, as JSON and as the bytes that the server would read.
    pub(crate) fn of(message: &Value, bytes: &[u8]) -> Self {
        let error = match serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(bytes) {
            Ok(JsonRpcMessage::Request(JsonRpcRequest {
                request: ClientRequest::CustomRequest(request),
                ..
            })) if request.method == "initialize" => {
                // The server would end the talk over it without an answer.
                let ErrorData { code, message: why, .. } = params::refusal(request);
                return Self::Answered(refusal(legible_id(message), code.0, &why));
            }
            Ok(_) => return Self::HandedOn,
            Err(error) => error,
        };
        if wants_no_answer(message) {
            return Self::Dropped;
        }
        let (code, why) = fault(message).unwrap_or_else(|| (INVALID_REQUEST, error.to_string()));
        Self::Answered(refusal(legible_id(message), code, &format!("nothing was done: {why}")))
    }
}

/// An error as a line of its own.
pub(crate) fn refusal(id: &Value, code: i32, message: &str) -> Vec<u8> {
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    format!("{answer}\n").into_bytes()
}

/// A notification, or an answer: to answer one would be taken for the answer to a request, or be answered in turn.
fn wants_no_answer(message: &Value) -> bool {
    let Some(method) = message.get("method") else { return answers(message) };
    method.is_string() && message["jsonrpc"] == "2.0" && message.get("id").is_none() && !answers(message)
}

fn answers(message: &Value) -> bool {
    message.get("result").is_some() || message.get("error").is_some()
}

/// The id of a request, also one that the server cannot read: its sender knows it again.
fn legible_id(message: &Value) -> &Value {
    message.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&Value::Null)
}

/// What is wrong with a request, and what is right.
fn fault(message: &Value) -> Option<(i32, String)> {
    let invalid = |why: String| Some((INVALID_REQUEST, why));
    if !message.is_object() {
        return invalid(format!("a message is an object, not {}", kind(message)));
    }
    if message["jsonrpc"] != "2.0" {
        return invalid("a message says `\"jsonrpc\": \"2.0\"`".to_owned());
    }
    match message.get("method") {
        Some(Value::String(_)) => {}
        Some(other) => return invalid(format!("`method` must be text, not {}", kind(other))),
        None => return invalid("a request has a `method`".to_owned()),
    }
    if answers(message) {
        return invalid("a request has neither `result` nor `error`".to_owned());
    }
    match message.get("id") {
        Some(id) if RequestId::deserialize(id).is_ok() => {}
        Some(id @ Value::Number(_)) => {
            return invalid(format!("`id` must be text or a whole number of 64 bits, not {id}"));
        }
        Some(id) => return invalid(format!("`id` must be text or a whole number, not {}", kind(id))),
        None => return invalid("a request has an `id`, which is text or a whole number".to_owned()),
    }
    let params = message.get("params")?;
    if !params.is_object() {
        return Some((INVALID_PARAMS, format!("`params` must be an object, not {}", kind(params))));
    }
    let meta = params.get("_meta")?;
    let why = format!("`_meta` in `params` must be an object, not {}", kind(meta));
    (!meta.is_object()).then_some((INVALID_PARAMS, why))
}
