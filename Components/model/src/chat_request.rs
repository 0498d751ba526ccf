//! A request in the form of chat completions.

use mentci_authority::{ChatCall, ChatMessage, ModelRequest, ToolSpec};
use serde_json::{Value, json};

use crate::Provider;
use crate::arranged::{Arranged, Part, object};
use crate::pictures::{Piece, Unshown, encoded};
use crate::tool_names::ToolNames;

/// The body of the request.
pub(crate) fn body(provider: &Provider, model: &str, request: &ModelRequest, stream: bool) -> Value {
    let names = ToolNames::of(request);
    let mut body =
        json!({ "model": model, "messages": messages(provider, request, &names), "stream": stream });
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            body[key] = value;
        }
    };
    set("stream_options", stream.then(|| json!({ "include_usage": true })));
    let tools: Vec<Value> = request.tools.iter().map(|tool| self::tool(tool, &names)).collect();
    set("tools", (!tools.is_empty()).then(|| json!(tools)));
    set(most(provider), request.max_tokens.map(Value::from));
    set("temperature", request.temperature.map(Value::from));
    set("reasoning_effort", request.reasoning_effort.as_ref().map(|effort| json!(effort)));
    set(
        "response_format",
        request.answer_schema.as_ref().map(|schema| answer_format(schema, request.json_mode)),
    );
    body
}

/// The reasoning models of `openai` refuse the key that everybody else knows.
fn most(provider: &Provider) -> &'static str {
    if provider.name == "openai" { "max_completion_tokens" } else { "max_tokens" }
}

fn answer_format(schema: &Value, json_mode: bool) -> Value {
    if json_mode {
        return json!({ "type": "json_object", "schema": schema });
    }
    json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": schema, "strict": true } })
}

fn tool(tool: &ToolSpec, names: &ToolNames) -> Value {
    let mut function = json!({ "name": names.wire(&tool.name), "parameters": parameters(tool) });
    if let Some(description) = &tool.description {
        function["description"] = json!(description);
    }
    json!({ "type": "function", "function": function })
}

/// The schema of the arguments: providers take an object and nothing else.
pub(crate) fn parameters(tool: &ToolSpec) -> Value {
    if tool.input_schema.is_object() {
        tool.input_schema.clone()
    } else {
        json!({ "type": "object", "properties": {} })
    }
}

fn messages(provider: &Provider, request: &ModelRequest, names: &ToolNames) -> Vec<Value> {
    let arranged = Arranged::of(&request.messages);
    let system =
        (!arranged.system.is_empty()).then(|| json!({ "role": "system", "content": arranged.system }));
    let mut pictures = Unshown::new(&request.pictures);
    let parts = arranged.parts.iter().map(|part| message(provider, part, names, &mut pictures));
    system.into_iter().chain(parts).collect()
}

/// What the user says: a text, and parts where pictures are in it.
fn content<'a>(text: &'a str, pictures: &mut Unshown<'a>) -> Value {
    let pieces = pictures.pieces(text);
    if !pieces.iter().any(|piece| matches!(piece, Piece::Picture(_))) {
        return json!(text);
    }
    let part = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Picture(picture) => {
            let url = format!("data:{};base64,{}", picture.mime, encoded(picture));
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    };
    pieces.iter().map(part).collect()
}

fn message<'a>(
    provider: &Provider,
    part: &'a Part<'a>,
    names: &ToolNames,
    pictures: &mut Unshown<'a>,
) -> Value {
    match part {
        Part::User(text) => json!({ "role": "user", "content": content(text, pictures) }),
        Part::Late(text) => match provider.name {
            "openai" => json!({ "role": "developer", "content": text }),
            "openrouter" => json!({ "role": "system", "content": text }),
            // The templates of many models take a system message at the beginning alone.
            _ => json!({ "role": "user", "content": ChatMessage::late(text) }),
        },
        Part::Assistant(text, []) => json!({ "role": "assistant", "content": text }),
        Part::Assistant(text, calls) => {
            let calls: Vec<Value> = calls.iter().map(|call| self::call(call, names)).collect();
            let content = if text.is_empty() { Value::Null } else { json!(text) };
            json!({ "role": "assistant", "content": content, "tool_calls": calls })
        }
        Part::Answer(id, text) => json!({ "role": "tool", "tool_call_id": id, "content": text }),
    }
}

fn call(call: &ChatCall, names: &ToolNames) -> Value {
    let arguments = object(&call.arguments).to_string();
    let function = json!({ "name": names.wire(&call.name), "arguments": arguments });
    json!({ "id": call.id, "type": "function", "function": function })
}
