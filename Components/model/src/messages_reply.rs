//! An answer in the form of Anthropic's messages.

use mentci_authority::{ModelEar, StopReason};
use serde_json::Value;

use crate::Fault;
use crate::draft::{CallPiece, Draft};
use crate::refusal::stated;

/// One event of a stream. Kinds that are not known are passed over.
pub(crate) fn read(event: &Value, draft: &mut Draft, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
    if let Some(fault) = stated(event) {
        return Err(fault);
    }
    match event["type"].as_str().unwrap_or_default() {
        "message" => whole(event, draft, ear),
        "message_start" => {
            draft.began = true;
            usage(&event["message"]["usage"], draft);
            Ok(())
        }
        "content_block_start" => block(&event["content_block"], event["index"].as_u64(), draft, ear),
        "content_block_delta" => delta(&event["delta"], event["index"].as_u64(), draft, ear),
        "message_delta" => {
            usage(&event["usage"], draft);
            if let Some(reason) = event["delta"]["stop_reason"].as_str() {
                draft.stop = Some(stop(reason));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// An answer that was not streamed.
fn whole(message: &Value, draft: &mut Draft, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
    draft.began = true;
    for (place, block) in (0..).zip(message["content"].as_array().into_iter().flatten()) {
        self::block(block, Some(place), draft, ear)?;
    }
    usage(&message["usage"], draft);
    draft.stop = message["stop_reason"].as_str().map(stop);
    Ok(())
}

/// A block begins: in a stream it is empty, else it is whole.
fn block(block: &Value, place: Option<u64>, draft: &mut Draft, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    match text("type") {
        "text" => draft.text(text("text"), ear),
        "thinking" => draft.reasoning(text("thinking"), ear),
        "tool_use" => {
            let is_empty = block["input"].as_object().is_none_or(serde_json::Map::is_empty);
            let arguments = if is_empty { String::new() } else { block["input"].to_string() };
            draft.call(CallPiece { place, id: text("id"), name: text("name"), arguments: &arguments }, ear)
        }
        _ => Ok(()),
    }
}

fn delta(delta: &Value, place: Option<u64>, draft: &mut Draft, ear: &mut ModelEar<'_>) -> Result<(), Fault> {
    let text = |key: &str| delta[key].as_str().unwrap_or_default();
    match text("type") {
        "text_delta" => draft.text(text("text"), ear),
        "thinking_delta" => draft.reasoning(text("thinking"), ear),
        "input_json_delta" => {
            draft.call(CallPiece { place, arguments: text("partial_json"), ..CallPiece::default() }, ear)
        }
        _ => Ok(()),
    }
}

fn stop(reason: &str) -> StopReason {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "tool_use" => StopReason::Calls,
        "refusal" => StopReason::Filtered,
        _ => StopReason::End,
    }
}

/// What was sent counts as a whole: what the provider read from its cache, and what it wrote there, too.
fn usage(usage: &Value, draft: &mut Draft) {
    let number = |key: &str| usage[key].as_u64();
    if let Some(input) = number("input_tokens") {
        let cached = number("cache_read_input_tokens").unwrap_or(0);
        draft.usage.cached = cached;
        let written = number("cache_creation_input_tokens").unwrap_or(0);
        draft.usage.input = input.saturating_add(cached).saturating_add(written);
    }
    if let Some(output) = number("output_tokens") {
        draft.usage.output = output;
    }
}
