//! What stands in the way of a check is a refusal, and a refusal is an answer.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};

use super::VERSION;
use crate::api::{MOST_BYTES, json as to_json};

/// Answers 200 with `BLOCK` where a check, and with an output withheld where a look at an output, would end with another status.
pub(crate) async fn closed(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
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
            "request_id": "",
        })),
        "/api/v1/post-check" => {
            let withheld = format!("[withheld] {}", why(response).await);
            to_json(&json!({"pii_types": [], "redacted_output": withheld}))
        }
        _ => response,
    }
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
