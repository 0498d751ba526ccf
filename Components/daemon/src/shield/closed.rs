//! What stands in the way of a check is a refusal, and a refusal is an answer.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::Next;
use axum::response::Response;
use mentci_authority::Effect;
use serde_json::{Value, json};

use super::VERSION;
use crate::api::{MOST_BYTES, json as to_json};
use crate::request_line::RequestId;

/// Answers 200 with `BLOCK` where a check, and with an output withheld where a look at an output, would end with another status.
pub(crate) async fn closed(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let id = request.extensions().get::<RequestId>().map(|id| id.0.clone());
    let response = next.run(request).await;
    if response.status().is_success() {
        return response;
    }
    match path.as_str() {
        "/api/v1/check" => to_json(&json!({
            "verdict": "BLOCK",
            "message": why(response).await,
            "rule_id": "__refused__",
            "modified_args": null,
            "pii_types": [],
            "approval_id": null,
            "shield_version": VERSION,
            "request_id": id,
        })),
        "/api/v1/post-check" => {
            let withheld = format!("[withheld] {}", why(response).await);
            to_json(&json!({"pii_types": [], "redacted_output": withheld}))
        }
        "/api/v1/decide" | "/api/v1/events" => blocked(response).await,
        _ => response,
    }
}

/// The same with a decision, for whoever looks at that alone.
async fn blocked(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let Ok(Value::Object(mut told)) = serde_json::from_slice(&bytes) else {
        return Response::from_parts(parts, bytes.into());
    };
    told.insert("decision".to_owned(), json!(Effect::Block));
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Value::Object(told).to_string().into())
}

/// What the findings say.
async fn why(response: Response) -> String {
    let status = response.status();
    let body = to_bytes(response.into_body(), MOST_BYTES).await.unwrap_or_default();
    let told: Value = serde_json::from_slice(&body).unwrap_or_default();
    let messages = told["findings"].as_array().into_iter().flatten();
    let messages: Vec<&str> = messages.filter_map(|finding| finding["message"].as_str()).collect();
    let why = if messages.is_empty() {
        status.canonical_reason().unwrap_or("refused").to_lowercase()
    } else {
        messages.join("; ")
    };
    format!("nothing was decided: {why}")
}
