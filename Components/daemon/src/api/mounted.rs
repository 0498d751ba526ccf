//! The door of the Model Context Protocol, as the `OpenAPI` document tells of it: what it says, the protocol says.

use serde_json::{Value, json};

use crate::Scope;

/// What stands in the document for `/mcp`.
pub(crate) fn mounted() -> Value {
    let message =
        json!({"type": "object", "required": ["jsonrpc"], "properties": {"jsonrpc": {"const": "2.0"}}});
    let body = json!({"required": true, "content": {"application/json": {"schema": message}}});
    let mut post = verb("postmcp", "a message of the Model Context Protocol, over streamable HTTP");
    post["requestBody"] = body;
    json!({
        "post": post,
        "get": verb("getmcp", "what the server tells of its own accord, as server-sent events"),
        "delete": verb("deletemcp", "ends a session of the protocol"),
    })
}

fn verb(id: &str, summary: &str) -> Value {
    let refused = json!({"$ref": "#/components/responses/Refused"});
    let told =
        json!({"application/json": {"schema": {}}, "text/event-stream": {"schema": {"type": "string"}}});
    let session =
        json!({"name": "Mcp-Session-Id", "in": "header", "required": false, "schema": {"type": "string"}});
    json!({
        "summary": summary,
        "operationId": id,
        "description": format!("Takes a token of scope `{}` or more.", Scope::Operator),
        "security": [{"token": []}],
        "parameters": [session],
        "responses": {"2XX": {"description": "as the protocol says", "content": told}, "4XX": refused, "5XX": refused},
    })
}
