//! What an event looks like, for the `OpenAPI` document.

use mentci_authority::Role;
use serde_json::{Value, json};

use super::schema::{object, or_null, session, text, yes_or_no};

/// One event, as `decide` takes it.
pub(super) fn event() -> Value {
    let (number, map) =
        (|| json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}), || json!({"type": "object"}));
    let names = |of: Value| json!({"type": "object", "additionalProperties": of});
    let list = |of: Value| json!({"type": "array", "items": of});
    let mut event = object(
        &["event"],
        &[
            ("event", hook()),
            (
                "at",
                json!({"type": ["string", "number", "null"], "format": "date-time", "description": "RFC 3339, or milliseconds since 1970 UTC: kept in `claimed`, since the daemon's clock decides"}),
            ),
            ("session", session()),
            ("turn", or_null(number())),
            ("tool", or_null(tool())),
            ("result", json!({})),
            ("message", or_null(message(number()))),
            ("usage", or_null(usage(&number()))),
            ("sender", or_null(text())),
            ("session_facts", map()),
            ("facts", map()),
            ("claimed", map()),
            ("disabled", list(text())),
            ("parameters", names(map())),
            ("settings", names(map())),
            ("context", json!({})),
            ("commands", list(json!({}))),
            ("files", list(json!({}))),
            ("unread", or_null(text())),
            ("zones", names(json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX}))),
            ("emitted", json!({})),
        ],
    );
    event["description"] = "An event, as `policy-engine decide` takes it.".into();
    event
}

fn hook() -> Value {
    json!({"enum": [
        "session_start", "session_end", "query_start", "turn_start", "turn_end", "pre_tool_call",
        "post_tool_response", "message_appended", "pre_compact",
    ]})
}

fn tool() -> Value {
    let status = json!({"enum": ["success", "error", "timeout", "invalid", "cancelled", "denied", null]});
    let fields = [("name", text()), ("args", json!({})), ("call_id", or_null(text())), ("status", status)];
    object(&["name"], &fields)
}

fn message(number: Value) -> Value {
    let roles: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    let (role, tokens) = (json!({ "enum": roles }), or_null(number));
    json!({
        "type": "object",
        "required": ["role"],
        "properties": {"role": role, "text": text(), "tokens": tokens, "synthetic": yes_or_no()},
    })
}

fn usage(number: &Value) -> Value {
    let count = || or_null(number.clone());
    let share = json!({"type": ["number", "null"]});
    json!({"type": "object", "properties": {
        "context_tokens": count(), "history_length": count(), "context_window": count(), "token_usage": share,
        "iteration_count": count(), "max_iterations": count(),
    }})
}

#[cfg(test)]
mod tests {
    use mentci_authority::Event;

    use super::event;

    #[test]
    fn every_key_of_an_event_is_told() {
        let event = event();
        let told =
            event["properties"].as_object().into_iter().flat_map(|told| told.keys().map(String::as_str));
        let mut told: Vec<&str> = told.collect();
        let mut keys = Event::KEYS.to_vec();
        // Another name of `event`.
        keys.retain(|key| *key != "hook");
        told.sort_unstable();
        keys.sort_unstable();
        assert_eq!(told, keys);
    }
}
