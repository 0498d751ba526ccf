//! A request as a scripted server reads it back from either wire.

use mentci_authority::{ChatCall, ChatMessage, ModelRequest, ToolSpec};
use serde_json::Value;

use crate::Wire;
use crate::chat_reply::words;

/// What was asked.
pub(crate) fn request(wire: Wire, body: &Value) -> ModelRequest {
    let tools = body["tools"].as_array().into_iter().flatten().map(|tool| match wire {
        Wire::ChatCompletions => self::tool(&tool["function"], "parameters"),
        Wire::Messages => self::tool(tool, "input_schema"),
    });
    let mut messages = Vec::new();
    if wire == Wire::Messages {
        let system = words(&body["system"]);
        messages.extend((!system.is_empty()).then(|| ChatMessage::said("system", system)));
    }
    for message in body["messages"].as_array().into_iter().flatten() {
        match wire {
            Wire::ChatCompletions => messages.push(chat_message(message)),
            Wire::Messages => blocks(message, &mut messages),
        }
    }
    let schema = [
        &body["response_format"]["json_schema"]["schema"],
        &body["response_format"]["schema"],
        &body["output_config"]["format"]["schema"],
    ];
    let json_mode = body["response_format"]["type"] == "json_object";
    let answer_schema = schema.into_iter().find(|schema| schema.is_object()).cloned();
    ModelRequest { tools: tools.collect(), messages, answer_schema, json_mode, ..ModelRequest::default() }
}

fn tool(tool: &Value, schema: &str) -> ToolSpec {
    ToolSpec {
        name: text(&tool["name"]),
        description: tool["description"].as_str().map(str::to_owned),
        input_schema: tool[schema].clone(),
        output_schema: None,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn chat_message(message: &Value) -> ChatMessage {
    let call = |call: &Value| ChatCall {
        id: text(&call["id"]),
        name: text(&call["function"]["name"]),
        arguments: text(&call["function"]["arguments"]),
    };
    let calls = message["tool_calls"].as_array().into_iter().flatten().map(call).collect();
    let mut read = ChatMessage::said(&text(&message["role"]), words(&message["content"]));
    read.tool_calls = calls;
    read.tool_call_id = message["tool_call_id"].as_str().map(str::to_owned);
    read
}

/// A message of blocks is one message, and one for each answer of a call in it.
fn blocks(message: &Value, messages: &mut Vec<ChatMessage>) {
    let mut said = ChatMessage::said(&text(&message["role"]), words(&message["content"]));
    for block in message["content"].as_array().into_iter().flatten() {
        match block["type"].as_str().unwrap_or_default() {
            "tool_use" => {
                let (id, name) = (text(&block["id"]), text(&block["name"]));
                said.tool_calls.push(ChatCall { id, name, arguments: block["input"].to_string() });
            }
            "tool_result" => {
                let mut answer = ChatMessage::said("tool", words(&block["content"]));
                answer.tool_call_id = Some(text(&block["tool_use_id"]));
                messages.push(answer);
            }
            _ => {}
        }
    }
    let says = said.content.as_ref().is_some_and(|content| !content.is_empty());
    if says || !said.tool_calls.is_empty() {
        messages.push(said);
    }
}
