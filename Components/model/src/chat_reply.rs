//! An answer in the form of chat completions.

use mentci_authority::{ModelEar, ModelUsage, StopReason};
use serde_json::Value;

use crate::Fault;
use crate::draft::{CallPiece, Draft};
use crate::refusal::stated;

/// One chunk of a stream, or the whole answer, which is one chunk with a `message`.
pub(crate) fn read(chunk: &Value, draft: &mut Draft, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
    if let Some(fault) = stated(chunk) {
        return Err(fault);
    }
    let choice = &chunk["choices"][0];
    let delta = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
    if delta.is_object() {
        said(delta, draft, ear)?;
    }
    if let Some(reason) = choice["finish_reason"].as_str() {
        draft.stop = Some(stop(reason));
    }
    if chunk["usage"].is_object() {
        draft.usage = usage(&chunk["usage"]);
    }
    Ok(())
}

fn said(delta: &Value, draft: &mut Draft, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
    let reasoning = delta["reasoning_content"].as_str().or_else(|| delta["reasoning"].as_str());
    draft.reasoning(reasoning.unwrap_or_default(), ear)?;
    draft.text(&words(&delta["content"]), ear)?;
    draft.text(delta["refusal"].as_str().unwrap_or_default(), ear)?;
    for call in delta["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let arguments = match &function["arguments"] {
            Value::String(words) => words.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let piece = CallPiece {
            place: call["index"].as_u64(),
            id: call["id"].as_str().unwrap_or_default(),
            name: function["name"].as_str().unwrap_or_default(),
            arguments: &arguments,
        };
        draft.call(piece, ear)?;
    }
    Ok(())
}

/// Content is a text, or parts with texts in them.
pub(crate) fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn stop(reason: &str) -> StopReason {
    match reason {
        "length" | "max_tokens" => StopReason::Length,
        "tool_calls" | "function_call" => StopReason::Calls,
        "content_filter" => StopReason::Filtered,
        _ => StopReason::End,
    }
}

fn usage(usage: &Value) -> ModelUsage {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    ModelUsage {
        input: number(&usage["prompt_tokens"]),
        cached: number(&usage["prompt_tokens_details"]["cached_tokens"]),
        output: number(&usage["completion_tokens"]),
    }
}
