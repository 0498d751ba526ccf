//! Plugins and their settings.

use std::path::Path;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mentci_disk::{Fs, RealFs};
use mentci_host::policy::{PluginRequest, PolicyRequest};
use mentci_host::{Answer, Request};
use mentci_source::{Code, Finding};
use serde::Deserialize;
use serde_json::json;

use super::policy::{Setting, Switch, is_inside};
use super::{Answered, Api, Named, Operation, Told, json as to_json, schema};
use crate::problem::problem;
use crate::{App, Caller, Scope};

pub(super) fn routes(api: Api) -> Api {
    let setting = "/api/v1/plugins/{id}/settings/{name}";
    api.route(Operation::get("/api/v1/plugins", "the plugins that are there"), list)
        .route(Operation::get("/api/v1/plugins/{id}", "one plugin in full, with its settings"), show)
        .route(
            Operation::put("/api/v1/plugins/{id}", "switches a plugin on or off")
                .body(schema::object(&["enabled"], &[("enabled", schema::yes_or_no())])),
            switch,
        )
        .route(
            Operation::post(
                "/api/v1/plugins",
                "copies a plugin from a folder of the workspace into its place",
            )
            .takes(Scope::Admin)
            .body(schema::object(&["path"], &[("path", schema::words()), ("user", schema::yes_or_no())])),
            install,
        )
        .route(
            Operation::get("/api/v1/trust", "whether the workspace's configuration and rules are trusted"),
            trusted,
        )
        .route(
            Operation::put("/api/v1/trust", "trusts them as they stand, or takes that back")
                .takes(Scope::Admin)
                .body(schema::object(&["trusted"], &[("trusted", schema::yes_or_no())])),
            trust,
        )
        .route(
            Operation::put(setting, "sets a setting of a plugin")
                .body(schema::object(&["value"], &[("value", json!({}))])),
            set,
        )
        .route(Operation::delete(setting, "takes back what was set"), unset)
}

async fn list(State(app): State<App>) -> Answered {
    ask(&app, PluginRequest::List).await
}

async fn show(State(app): State<App>, Named(id): Named<String>) -> Answered {
    ask(&app, PluginRequest::Show { id }).await
}

async fn switch(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named(id): Named<String>,
    Told(told): Told<Switch>,
) -> Answered {
    change(&app, &caller, PluginRequest::Switch { id, enabled: told.enabled }).await
}

async fn set(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named((id, name)): Named<(String, String)>,
    Told(told): Told<Setting>,
) -> Answered {
    change(&app, &caller, PluginRequest::Set { id, name, value: Some(told.value) }).await
}

async fn unset(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Named((id, name)): Named<(String, String)>,
) -> Answered {
    change(&app, &caller, PluginRequest::Set { id, name, value: None }).await
}

async fn ask(app: &App, request: PluginRequest) -> Answered {
    Answered(app.ask(Request::Policy(PolicyRequest::Plugins(request))).await)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Install {
    path: String,
    #[serde(default)]
    user: bool,
}

/// Only a folder of the workspace: no other path of this machine is read for whoever asks over HTTP.
async fn install(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(Install { path, user }): Told<Install>,
) -> Response {
    if !is_inside(&path) || leads_out(&app, &path) {
        let message = format!("`{}` is no path in this workspace", path.escape_debug());
        let finding = Finding::new(Code::DAEMON_REQUEST, message);
        let help = "put the plugin's folder into the workspace, and name it relative to that";
        return problem(StatusCode::UNPROCESSABLE_ENTITY, finding.help(help));
    }
    change(&app, &caller, PluginRequest::Install { path, user }).await.into_response()
}

/// Whether a link leads out of the workspace.
fn leads_out(app: &App, path: &str) -> bool {
    let real = |path: &Path| RealFs.canonicalize(path).ok();
    let (root, whole) = (real(app.root()), real(&app.root().join(path)));
    whole.is_some_and(|whole| root.is_none_or(|root| !whole.starts_with(root)))
}

async fn trusted(State(app): State<App>) -> Response {
    let response = app.ask(Request::Status).await;
    match &response.answer {
        Answer::Status(status) => to_json(&json!({"trusted": status.trusted, "untrusted": status.untrusted})),
        _ => Answered(response).into_response(),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trusting {
    trusted: bool,
}

async fn trust(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Told(told): Told<Trusting>,
) -> Answered {
    Answered(app.ask_as(&caller, Request::Trust { revoke: !told.trusted }).await)
}

async fn change(app: &App, caller: &Caller, request: PluginRequest) -> Answered {
    Answered(app.ask_as(caller, Request::Policy(PolicyRequest::Plugins(request))).await)
}
