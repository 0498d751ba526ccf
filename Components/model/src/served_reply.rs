//! An answer as a scripted server writes it, in either wire.

use mentci_authority::{ModelReply, StopReason};
use serde_json::{Value, json};

use crate::{Step, Wire};

/// The body of an answer in the pieces in which it is sent.
pub(crate) fn pieces(wire: Wire, stream: bool, model: &str, step: &Step, reply: &ModelReply) -> Vec<String> {
    match (wire, stream) {
        (Wire::ChatCompletions, true) => chat_events(model, step, reply),
        (Wire::ChatCompletions, false) => vec![chat(model, reply).to_string()],
        (Wire::Messages, true) => message_events(model, step, reply),
        (Wire::Messages, false) => vec![message(model, reply).to_string()],
    }
}

fn chat_stop(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "stop",
        StopReason::Calls => "tool_calls",
        StopReason::Length => "length",
        StopReason::Filtered => "content_filter",
    }
}

fn chat_usage(reply: &ModelReply) -> Value {
    let usage = reply.usage;
    json!({
        "prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": usage.total(),
        "prompt_tokens_details": { "cached_tokens": usage.cached },
    })
}

fn chat(model: &str, reply: &ModelReply) -> Value {
    let mut message = json!({ "role": "assistant", "content": reply.text });
    if !reply.reasoning.is_empty() {
        message["reasoning_content"] = json!(reply.reasoning);
    }
    if !reply.calls.is_empty() {
        message["tool_calls"] = json!(reply.calls);
    }
    let choice = json!({ "index": 0, "message": message, "finish_reason": chat_stop(reply.stop) });
    json!({
        "id": "scripted", "object": "chat.completion", "created": 0, "model": model, "choices": [choice],
        "usage": chat_usage(reply),
    })
}

fn chat_events(model: &str, step: &Step, reply: &ModelReply) -> Vec<String> {
    let chunk = |delta: Value, stop: Option<&str>| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": stop });
        let chunk = json!({
            "id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": [choice],
        });
        format!("data: {chunk}\n\n")
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), None)];
    events
        .extend(step.reasoning.all().iter().map(|piece| chunk(json!({ "reasoning_content": piece }), None)));
    events.extend(step.text.all().iter().map(|piece| chunk(json!({ "content": piece }), None)));
    for (index, call) in reply.calls.iter().enumerate() {
        let function = json!({ "name": call.name, "arguments": "" });
        let begin = json!([{ "index": index, "id": call.id, "type": "function", "function": function }]);
        events.push(chunk(json!({ "tool_calls": begin }), None));
        for half in halves(&call.arguments) {
            let more = json!([{ "index": index, "function": { "arguments": half } }]);
            events.push(chunk(json!({ "tool_calls": more }), None));
        }
    }
    events.push(chunk(json!({}), Some(chat_stop(reply.stop))));
    let usage = json!({
        "id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": [],
        "usage": chat_usage(reply),
    });
    events.extend([format!("data: {usage}\n\n"), "data: [DONE]\n\n".to_owned()]);
    events
}

fn message_stop(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "end_turn",
        StopReason::Calls => "tool_use",
        StopReason::Length => "max_tokens",
        StopReason::Filtered => "refusal",
    }
}

fn message_usage(reply: &ModelReply) -> Value {
    let usage = reply.usage;
    let input = usage.input.saturating_sub(usage.cached);
    json!({ "input_tokens": input, "cache_read_input_tokens": usage.cached, "output_tokens": usage.output })
}

fn message(model: &str, reply: &ModelReply) -> Value {
    let mut content = Vec::new();
    if !reply.reasoning.is_empty() {
        content.push(json!({ "type": "thinking", "thinking": reply.reasoning, "signature": "scripted" }));
    }
    if !reply.text.is_empty() {
        content.push(json!({ "type": "text", "text": reply.text }));
    }
    for call in &reply.calls {
        let input = crate::arranged::object(&call.arguments);
        content.push(json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input }));
    }
    json!({
        "id": "scripted", "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": message_stop(reply.stop), "stop_sequence": null, "usage": message_usage(reply),
    })
}

fn message_events(model: &str, step: &Step, reply: &ModelReply) -> Vec<String> {
    let mut blocks = Vec::new();
    let delta = |kind: &str, key: &str, text: &str| json!({ "type": kind, (key): text });
    if !reply.reasoning.is_empty() {
        let pieces =
            step.reasoning.all().iter().map(|piece| delta("thinking_delta", "thinking", piece)).collect();
        blocks.push((json!({ "type": "thinking", "thinking": "" }), pieces));
    }
    if !reply.text.is_empty() {
        let pieces = step.text.all().iter().map(|piece| delta("text_delta", "text", piece)).collect();
        blocks.push((json!({ "type": "text", "text": "" }), pieces));
    }
    for call in &reply.calls {
        let pieces: Vec<Value> = halves(&call.arguments)
            .iter()
            .map(|half| delta("input_json_delta", "partial_json", half))
            .collect();
        blocks.push((json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} }), pieces));
    }
    framed(model, reply, blocks)
}

/// The events around blocks.
fn framed(model: &str, reply: &ModelReply, blocks: Vec<(Value, Vec<Value>)>) -> Vec<String> {
    let event =
        |value: Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default());
    let start = json!({
        "id": "scripted", "type": "message", "role": "assistant", "model": model, "content": [], "stop_reason": null,
        "usage": message_usage(&ModelReply { usage: mentci_authority::ModelUsage { output: 1, ..reply.usage }, ..Default::default() }),
    });
    let mut events = vec![event(json!({ "type": "message_start", "message": start }))];
    for (index, (begin, pieces)) in blocks.into_iter().enumerate() {
        events.push(event(json!({ "type": "content_block_start", "index": index, "content_block": begin })));
        let pieces = pieces
            .into_iter()
            .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events.extend(pieces.map(event));
        events.push(event(json!({ "type": "content_block_stop", "index": index })));
    }
    let end = json!({ "stop_reason": message_stop(reply.stop), "stop_sequence": null });
    let usage = json!({ "output_tokens": reply.usage.output });
    events.push(event(json!({ "type": "message_delta", "delta": end, "usage": usage })));
    events.push(event(json!({ "type": "message_stop" })));
    events
}

/// A text in two pieces, cut between characters: whoever reads it must join them.
fn halves(text: &str) -> Vec<&str> {
    let middle = (text.len() / 2..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let (first, second) = text.split_at(middle);
    [first, second].into_iter().filter(|half| !half.is_empty()).collect()
}
