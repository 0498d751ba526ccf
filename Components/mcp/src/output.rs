//! The shapes of structured content: answers without their `null`s, so that every property has one plain type.

use serde_json::{Value, json};

pub(crate) fn taught() -> Value {
    object(
        &json!({
            "id": text("The lesson's id"),
            "status": text("active: it is in the rules at once; pending: it waits for a person"),
            "path": text("The file that keeps it"),
            "message": text("What was done"),
        }),
        &["id", "status", "path", "message"],
    )
}

pub(crate) fn digest() -> Value {
    object(
        &json!({
            "skill": text("Whose rules; absent for the workspace's"),
            "path": text("The file that holds them"),
            "text": text("The rules"),
            "hash": text("The hash of the text"),
            "rules": count("Numbered rules"),
            "tokens": count("Tokens of the text"),
        }),
        &["path", "text", "hash", "rules", "tokens"],
    )
}

pub(crate) fn lessons() -> Value {
    let listed = json!({"type": "array", "items": lesson(), "description": "The first of them"});
    object(&json!({"total": count("How many there are"), "lessons": listed}), &["total", "lessons"])
}

/// A rule, a lesson or a code: what is there depends on what was asked for.
pub(crate) fn explained() -> Value {
    let source = object(
        &json!({
            "path": text("The file"),
            "start_line": count("From this line"),
            "end_line": count("To this line"),
            "words": text("What stands there"),
        }),
        &["path", "start_line", "end_line", "words"],
    );
    object(
        &json!({
            "rule": text("The rule's number"),
            "level": text("must, must_not, should, should_not or may"),
            "kind": text("What the line is"),
            "tier": text("core, absolute or adaptive"),
            "line": text("The line in the rules"),
            "sources": {"type": "array", "items": source, "description": "Where the law says it"},
            "lessons": {"type": "array", "items": lesson(), "description": "The lessons in it"},
            "lesson": lesson(),
            "message": text("What was done"),
            "code": text("The finding's code"),
            "name": text("The code's name"),
            "severity": text("note, warning or error"),
            "explanation": text("What the code means and what to do"),
        }),
        &[],
    )
}

/// One verdict, as `policy-engine decide` writes it.
pub(crate) fn checked() -> Value {
    let reason = object(
        &json!({
            "rule": text("The rule"),
            "effect": text("What it says"),
            "message": text("Why"),
            "at": text("Where it stands"),
            "severity": text("How much it matters to its author"),
        }),
        &["rule", "effect", "message", "at"],
    );
    let verdict = object(
        &json!({
            "decision": text("allow, warn, redact, approve or block"),
            "rules": texts("The rules that took part, the deciding one first"),
            "reasons": {"type": "array", "items": reason, "description": "Why, in the same order"},
        }),
        &["decision", "rules", "reasons"],
    );
    object(&json!({"lines": {"type": "array", "items": verdict, "description": "The verdict"}}), &["lines"])
}

/// What was taken note of.
pub(crate) fn noted() -> Value {
    let notification = object(
        &json!({
            "id": text("The notification's id"),
            "state": text("acknowledged"),
            "session": text("Whose agent is told"),
            "priority": text("low, normal, high or critical"),
            "category": text("The rule's word for grouping"),
            "rule": text("The rule that tells it"),
            "message": text("What it tells"),
        }),
        &["id", "state", "session", "message"],
    );
    let listed = json!({"type": "array", "items": notification, "description": "What was taken note of"});
    object(&json!({"notifications": listed}), &["notifications"])
}

/// A session as messages.
pub(crate) fn context() -> Value {
    let message = object(
        &json!({
            "role": text("system, developer, user, assistant or tool"),
            "content": text("What it says; absent when the model only called tools"),
            "tool_call_id": text("The call that it answers"),
        }),
        &["role"],
    );
    object(
        &json!({
            "session": text("Whose"),
            "messages": {"type": "array", "items": message, "description": "What a model is sent, as in chat completions"},
            "token_count": count("Their tokens"),
            "budget": count("The most they may have"),
            "tokenizer": text("What counted them"),
            "artifact_refs": {"type": "array", "items": handle(), "description": "What was left out and can be read by its handle"},
        }),
        &["session", "messages", "token_count", "budget", "artifact_refs"],
    )
}

pub(crate) fn artifacts() -> Value {
    let listed = json!({"type": "array", "items": handle(), "description": "The oldest first"});
    object(&json!({"artifacts": listed}), &["artifacts"])
}

pub(crate) fn hits() -> Value {
    let hit = object(
        &json!({
            "artifact_id": text("The artifact"),
            "line": count("The line, from 1"),
            "range": object(
                &json!({"start": count("The first byte, from 0"), "end": count("The byte after the last")}),
                &["start", "end"],
            ),
            "snippet": text("What stands there, in short"),
        }),
        &["artifact_id", "line", "snippet"],
    );
    object(&json!({"hits": {"type": "array", "items": hit, "description": "The best first"}}), &["hits"])
}

fn handle() -> Value {
    object(
        &json!({
            "artifact_id": text("Its id"),
            "summary": text("What it says, in short"),
            "size_bytes": count("Its length in bytes"),
            "mime_type": text("Its type"),
            "created_at": {"type": "number", "description": "When it was stored, in seconds since 1970 UTC"},
            "source": text("Where it came from"),
        }),
        &["artifact_id", "summary", "size_bytes", "mime_type", "source"],
    )
}

fn lesson() -> Value {
    object(
        &json!({
            "skill": text("Whose"),
            "id": text("Its id"),
            "status": text("pending, active, promoted, archived or rejected"),
            "condition": text("When it applies"),
            "resolution": text("What to do then"),
            "context": text("How it was learned"),
            "at": text("When it was told"),
            "author": text("Who told it"),
            "source": text("Through which door"),
            "sessions": texts("In which sessions"),
            "accepted": {"type": "boolean", "description": "Whether a person accepted it"},
            "path": text("The file that keeps it"),
            "rule": text("The rule that carries it"),
            "near": texts("Lessons that say nearly the same"),
        }),
        &["skill", "id", "status", "condition", "resolution"],
    )
}

fn object(properties: &Value, required: &[&str]) -> Value {
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

fn texts(about: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": about})
}

fn count(about: &str) -> Value {
    json!({"type": "integer", "description": about})
}
