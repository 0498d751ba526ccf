//! A request in the form of Anthropic's messages.

use mentci_authority::{ChatMessage, ModelRequest, Picture, ToolSpec};
use serde_json::{Value, json};

use crate::arranged::{Arranged, Part, object};
use crate::chat_request::parameters;
use crate::pictures::{Piece, Unshown, encoded};
use crate::tool_names::ToolNames;

/// What is asked for where nobody says how many tokens: the wire demands a number.
const MAX_TOKENS: u64 = 8_192;

/// The body of the request.
pub(crate) fn body(model: &str, request: &ModelRequest, stream: bool) -> Value {
    let names = ToolNames::of(request);
    let arranged = Arranged::of(&request.messages);
    let max_tokens = request.max_tokens.unwrap_or(MAX_TOKENS);
    let mut body = json!({
        "model": model, "max_tokens": max_tokens, "messages": messages(&arranged, &names, &request.pictures), "stream": stream,
    });
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            body[key] = value;
        }
    };
    set("system", system(&arranged.system, !request.tools.is_empty()));
    let tools: Vec<Value> = request.tools.iter().map(|tool| self::tool(tool, &names)).collect();
    set("tools", (!tools.is_empty()).then(|| json!(tools)));
    set("temperature", request.temperature.map(|temperature| json!(temperature.min(1.0))));
    set("output_config", output(request));
    body
}

/// A session with tools sends the same beginning each turn: the provider is told to keep it.
fn system(text: &str, keep: bool) -> Option<Value> {
    let mut block = json!({ "type": "text", "text": text });
    if keep {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    (!text.trim().is_empty()).then(|| json!([block]))
}

fn output(request: &ModelRequest) -> Option<Value> {
    let mut output = serde_json::Map::new();
    output.extend(request.reasoning_effort.as_ref().map(|effort| ("effort".to_owned(), json!(effort))));
    let format = |schema: &Value| ("format".to_owned(), json!({ "type": "json_schema", "schema": schema }));
    output.extend(request.answer_schema.as_ref().map(format));
    (!output.is_empty()).then_some(Value::Object(output))
}

fn tool(tool: &ToolSpec, names: &ToolNames) -> Value {
    let mut told = json!({ "name": names.wire(&tool.name), "input_schema": parameters(tool) });
    if let Some(description) = &tool.description {
        told["description"] = json!(description);
    }
    told
}

/// Messages of one role in a row become one, because the wire takes the answers of calls in one message alone.
fn messages(arranged: &Arranged<'_>, names: &ToolNames, pictures: &[Picture]) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut pictures = Unshown::new(pictures);
    for part in &arranged.parts {
        let role = if matches!(part, Part::Assistant(..)) { "assistant" } else { "user" };
        let blocks = blocks(part, names, &mut pictures);
        // The wire begins with a user.
        if messages.is_empty() && role == "assistant" && !blocks.is_empty() {
            messages.push(("user", vec![text("(the conversation goes on)")]));
        }
        match messages.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, held)) if *last == role => held.extend(blocks),
            _ => messages.push((role, blocks)),
        }
    }
    if messages.is_empty() {
        messages.push(("user", vec![text("(nothing was said)")]));
    }
    messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn blocks<'a>(part: &'a Part<'a>, names: &ToolNames, pictures: &mut Unshown<'a>) -> Vec<Value> {
    match part {
        Part::User(said) => pictures.pieces(said).iter().flat_map(block).collect(),
        Part::Late("") => Vec::new(),
        Part::Late(said) => said_blocks(&ChatMessage::late(said)),
        Part::Answer(id, said) => {
            vec![json!({ "type": "tool_result", "tool_use_id": wire_id(id), "content": said })]
        }
        Part::Assistant(said, calls) => {
            let calls = calls.iter().map(|call| {
                let (id, name) = (wire_id(&call.id), names.wire(&call.name));
                json!({ "type": "tool_use", "id": id, "name": name, "input": object(&call.arguments) })
            });
            said_blocks(said.trim_end()).into_iter().chain(calls).collect()
        }
    }
}

fn block(piece: &Piece<'_>) -> Vec<Value> {
    match piece {
        Piece::Text(said) => said_blocks(said),
        Piece::Picture(picture) => {
            let data = encoded(picture);
            let source = json!({ "type": "base64", "media_type": picture.mime, "data": data });
            vec![json!({ "type": "image", "source": source })]
        }
    }
}

/// The wire refuses blocks of no words.
fn said_blocks(said: &str) -> Vec<Value> {
    if said.trim().is_empty() { Vec::new() } else { vec![text(said)] }
}

fn text(said: &str) -> Value {
    json!({ "type": "text", "text": said })
}

/// Ids of letters, digits, `_` and `-` as they are; others by their bytes, so that no two become one.
fn wire_id(id: &str) -> String {
    let fits = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if fits {
        id.to_owned()
    } else {
        id.bytes().fold("id_".to_owned(), |all, byte| format!("{all}{byte:02x}"))
    }
}
