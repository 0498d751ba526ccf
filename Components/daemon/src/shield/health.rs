//! Whether the daemon is well, and what holds.

use std::fmt::Write;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mentci_authority::Effect;
use mentci_host::policy::{PolicyRequest, RulesAnswer};
use mentci_host::{Answer, Request};
use mentci_source::{Finding, Hash, Severity};
use mentci_workspace::Workspace;
use serde_json::{Value, json};

use super::VERSION;
use super::check::bare;
use crate::api::{Answered, Api, Operation, json as to_json};
use crate::{App, Caller, Scope};

/// What everybody may ask, whatever they bring: a probe with an old token learns how it stands all the same.
pub(crate) const OPEN: [&str; 5] =
    ["/api/v1/health", "/healthz", "/readyz", "/api/v1/livez", "/api/v1/readyz"];

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

/// The rules in force, and what is wrong with their files. Where a file does not read, what stands in for it is in force.
struct Law {
    rules: RulesAnswer,
    errors: Vec<Finding>,
}

impl Law {
    async fn of(app: &App) -> Result<Self, Response> {
        let response = app.ask(Request::Policy(PolicyRequest::Rules { paths: Vec::new() })).await;
        match response.answer {
            Answer::Rules(rules) => {
                let is_error = |finding: &Finding| finding.severity == Severity::Error;
                Ok(Self { rules, errors: response.findings.into_iter().filter(is_error).collect() })
            }
            _ => Err(Answered(response).into_response()),
        }
    }

    fn count(&self) -> usize {
        self.rules.rules.len()
    }

    /// What the file of rules calls itself that `server` was given.
    fn name(&self) -> &str {
        self.rules.titled.as_ref().map_or("mentci", |title| title.name.as_str())
    }

    /// A number, as PolicyShield has it, where its author counts so.
    fn version(&self) -> Value {
        let told = self.rules.titled.as_ref().and_then(|title| title.version.as_deref());
        told.map_or(json!(1), |told| told.parse::<i64>().map_or_else(|_| json!(told), Value::from))
    }

    /// Calls are decided either way: `error` is for whoever mends the files.
    fn status(&self, well: &'static str) -> &'static str {
        if self.errors.is_empty() { well } else { "error" }
    }

    /// What is wrong, where something is, for those who may read the rules' own words.
    fn tell(&self, caller: &Caller, told: &mut Value) {
        if !self.errors.is_empty() && caller.may(Scope::Agent) {
            told["errors"] = json!(self.errors);
        }
    }
}

async fn health(State(app): State<App>, Extension(caller): Extension<Caller>) -> Response {
    let law = match Law::of(&app).await {
        Ok(law) => law,
        Err(refused) => return refused,
    };
    let mut told = json!({
        "status": law.status("ok"),
        "shield_name": law.name(),
        "version": law.version(),
        "rules_count": law.count(),
        "mode": "ENFORCE",
        "rules_hash": hash(&law.rules),
    });
    law.tell(&caller, &mut told);
    to_json(&told)
}

async fn status(State(app): State<App>, Extension(caller): Extension<Caller>) -> Response {
    let killed = app.work(Workspace::stopped_everywhere).await;
    match (Law::of(&app).await, killed) {
        (Ok(law), Ok(killed)) => {
            let mut told = json!({
                "status": law.status("running"),
                "killed": killed.is_some(),
                "reason": killed,
                "mode": "ENFORCE",
                "rules_count": law.count(),
                "version": VERSION,
            });
            law.tell(&caller, &mut told);
            to_json(&told)
        }
        (Err(refused), _) => refused,
        (_, Err(finding)) => crate::problem::problem(StatusCode::SERVICE_UNAVAILABLE, finding),
    }
}

async fn constraints(State(app): State<App>, Extension(caller): Extension<Caller>) -> Response {
    let law = match Law::of(&app).await {
        Ok(law) => law,
        Err(refused) => return refused,
    };
    let version = law.version();
    let version = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
    let default = law.rules.titled.as_ref().map_or(Effect::Allow, |title| title.default);
    let (name, default, count) = (law.name(), verdict(default), law.count());
    let mut summary = format!("PolicyShield: {name} v{version}\nDefault: {default}\nRules: {count}");
    for row in law.rules.rules.iter().filter(|row| row.enabled) {
        let (does, id) = (row.effect.map_or("ACT", verdict), bare(&row.rule));
        let told = [&row.message, &row.says].into_iter().flatten().find(|text| !text.is_empty());
        // Writing to a string cannot fail.
        let _ = write!(summary, "\n  - [{does}] {id}: {}", told.map_or(id, String::as_str));
    }
    let mut told = json!({ "summary": summary });
    law.tell(&caller, &mut told);
    to_json(&told)
}

fn verdict(effect: Effect) -> &'static str {
    match effect {
        Effect::Block => "BLOCK",
        Effect::Approve => "APPROVE",
        Effect::Redact => "REDACT",
        Effect::Warn | Effect::Allow => "ALLOW",
    }
}

async fn reload(State(app): State<App>, Extension(caller): Extension<Caller>) -> Response {
    // What reads now is in force from now on, whether or not anything is decided before it breaks.
    if let Err(finding) = app.work(Workspace::keep_rules).await {
        return crate::problem::problem(StatusCode::SERVICE_UNAVAILABLE, finding);
    }
    match Law::of(&app).await {
        Ok(law) => {
            let mut told = json!({"status": law.status("ok"), "rules_count": law.count(), "rules_hash": hash(&law.rules)});
            law.tell(&caller, &mut told);
            to_json(&told)
        }
        Err(refused) => refused,
    }
}

async fn alive() -> Response {
    to_json(&json!({"status": "alive"}))
}

async fn ready(State(app): State<App>, Extension(caller): Extension<Caller>) -> Response {
    // What was decided and stands in memory alone ends with this process: whoever counts on it must know.
    if let Ok(Some(lost)) = app.work(Workspace::unwritten).await {
        let mut told = json!({"status": "error"});
        if caller.may(Scope::Agent) {
            told["errors"] = json!([lost]);
        }
        return (StatusCode::SERVICE_UNAVAILABLE, to_json(&told)).into_response();
    }
    match Law::of(&app).await {
        Ok(law) => {
            let mut told = json!({"status": law.status("ready"), "rules": law.count()});
            law.tell(&caller, &mut told);
            to_json(&told)
        }
        Err(refused) => refused,
    }
}

/// Names the rules that hold, and how.
fn hash(rules: &RulesAnswer) -> String {
    let text = |row: &mentci_host::policy::RuleRow| format!("{}:{:?}:{}", row.rule, row.effect, row.enabled);
    let rows: Vec<String> = rules.rules.iter().map(text).collect();
    Hash::of("mentci rules in force", rows.iter().map(String::as_bytes)).short(16)
}
