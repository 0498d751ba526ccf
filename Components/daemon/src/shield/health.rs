//! Whether the daemon is well, and what holds.

use std::fmt::Write;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mentci_authority::Effect;
use mentci_host::policy::{PolicyRequest, RulesAnswer};
use mentci_host::{Answer, Request};
use mentci_source::Hash;
use mentci_workspace::Workspace;
use serde_json::json;

use super::VERSION;
use super::check::bare;
use crate::api::{Answered, Api, Operation, json as to_json};
use crate::{App, Scope};

pub(super) fn routes(api: Api) -> Api {
    api.route(Operation::get("/api/v1/health", "whether rules are in force, and which").open(), health)
        .route(
            Operation::get("/api/v1/status", "whether calls are stopped, and how many rules hold")
                .takes(Scope::Agent),
            status,
        )
        .route(
            Operation::get("/api/v1/constraints", "the rules in words, for a prompt").takes(Scope::Agent),
            constraints,
        )
        .route(
            Operation::post("/api/v1/reload", "looks at the rules anew, as every decision does by itself"),
            reload,
        )
        .route(Operation::get("/healthz", "whether the process runs").open(), alive)
        .route(Operation::get("/readyz", "whether it decides").open(), ready)
        .route(Operation::get("/api/v1/livez", "whether the process runs").open(), alive)
        .route(Operation::get("/api/v1/readyz", "whether it decides").open(), ready)
}

async fn health(State(app): State<App>) -> Response {
    match rules(&app).await {
        Ok(rules) => to_json(&json!({
            "status": "ok",
            "shield_name": "mentci",
            "version": 1,
            "rules_count": rules.rules.len(),
            "mode": "ENFORCE",
            "rules_hash": hash(&rules),
        })),
        Err(refused) => refused,
    }
}

async fn status(State(app): State<App>) -> Response {
    let killed = app.work(Workspace::stopped_everywhere).await;
    match (rules(&app).await, killed) {
        (Ok(rules), Ok(killed)) => to_json(&json!({
            "status": "running",
            "killed": killed.is_some(),
            "reason": killed,
            "mode": "ENFORCE",
            "rules_count": rules.rules.len(),
            "version": VERSION,
        })),
        (Err(refused), _) => refused,
        (_, Err(finding)) => crate::problem::problem(StatusCode::SERVICE_UNAVAILABLE, finding),
    }
}

async fn constraints(State(app): State<App>) -> Response {
    let rules = match rules(&app).await {
        Ok(rules) => rules,
        Err(refused) => return refused,
    };
    let mut summary = format!("PolicyShield: mentci v1\nRules: {}", rules.rules.len());
    for row in rules.rules.iter().filter(|row| row.enabled) {
        let says = row.effect.map_or("ACT", verdict);
        // Writing to a string cannot fail.
        let _ = write!(summary, "\n  - [{says}] {}: {} at {}", bare(&row.rule), row.hook.name(), row.tools);
    }
    to_json(&json!({ "summary": summary }))
}

fn verdict(effect: Effect) -> &'static str {
    match effect {
        Effect::Block => "BLOCK",
        Effect::Approve => "APPROVE",
        Effect::Redact => "REDACT",
        Effect::Warn | Effect::Allow => "ALLOW",
    }
}

async fn reload(State(app): State<App>) -> Response {
    match rules(&app).await {
        Ok(rules) => {
            to_json(&json!({"status": "ok", "rules_count": rules.rules.len(), "rules_hash": hash(&rules)}))
        }
        Err(refused) => refused,
    }
}

async fn alive() -> Response {
    to_json(&json!({"status": "alive"}))
}

async fn ready(State(app): State<App>) -> Response {
    match rules(&app).await {
        Ok(rules) => to_json(&json!({"status": "ready", "rules": rules.rules.len()})),
        Err(refused) => refused,
    }
}

async fn rules(app: &App) -> Result<RulesAnswer, Response> {
    let response = app.ask(Request::Policy(PolicyRequest::Rules { paths: Vec::new() })).await;
    match response.answer {
        Answer::Rules(rules) => Ok(rules),
        _ => Err(Answered(response).into_response()),
    }
}

/// Names the rules that hold, and how.
fn hash(rules: &RulesAnswer) -> String {
    let text = |row: &mentci_host::policy::RuleRow| format!("{}:{:?}:{}", row.rule, row.effect, row.enabled);
    let rows: Vec<String> = rules.rules.iter().map(text).collect();
    Hash::of("mentci rules in force", rows.iter().map(String::as_bytes)).short(16)
}
