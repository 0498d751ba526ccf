//! Plugins and their settings.

use axum::extract::{Extension, State};
use mentci_host::Request;
use mentci_host::policy::{PluginRequest, PolicyRequest};
use serde_json::json;

use super::policy::{Setting, Switch};
use super::{Answered, Api, Named, Operation, Told, schema};
use crate::{App, Caller};

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

async fn change(app: &App, caller: &Caller, request: PluginRequest) -> Answered {
    Answered(app.ask_as(caller, Request::Policy(PolicyRequest::Plugins(request))).await)
}
