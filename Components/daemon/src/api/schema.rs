//! What bodies and queries look like, for the `OpenAPI` document.

use serde_json::{Value, json};

/// A text.
pub(super) fn text() -> Value {
    json!({"type": "string"})
}

/// Yes or no.
pub(super) fn yes_or_no() -> Value {
    json!({"type": "boolean"})
}

/// A number that is not negative.
pub(super) fn count() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32})
}

/// An object of exactly these fields.
pub(crate) fn object(required: &[&str], fields: &[(&str, Value)]) -> Value {
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// One event, as `decide` takes it.
pub(super) fn event() -> Value {
    let tool = json!({
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "args": {"type": "object"}, "call_id": {"type": "string"}},
    });
    json!({
        "type": "object",
        "description": "An event, as `policy-engine decide` takes it.",
        "required": ["event"],
        "properties": {
            "event": {"enum": [
                "session_start", "session_end", "query_start", "turn_start", "turn_end", "pre_tool_call",
                "post_tool_response", "message_appended", "pre_compact",
            ]},
            "at": {"type": "string", "format": "date-time"},
            "session": {"type": "string"},
            "turn": {"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32},
            "tool": tool,
            "result": {},
            "sender": {"type": "string"},
            "session_facts": {"type": "object"},
            "facts": {"type": "object"},
            "claimed": {"type": "object"},
        },
    })
}
