//! The API: `/api/v1`, each route one question to the workspace.

mod answered;
mod event_schema;
mod law;
mod lessons;
mod mounted;
mod operation;
mod people;
mod plugins;
mod policy;
pub(crate) mod schema;
mod sessions;
mod stream;
mod told;

use axum::Router;
use serde_json::Value;

use crate::metrics::metrics;
use crate::{App, Scope, shield};

pub(crate) use answered::{Answered, json, status};
pub(crate) use mounted::mounted;
pub(crate) use operation::{Api, Operation};
pub(crate) use told::{Asked, Line, MOST_BYTES, Named, Told, body};

/// The routes, and the `OpenAPI` document that tells of them.
pub(crate) fn routes(app: &App) -> (Router<App>, Value) {
    let api = policy::routes(Api::new(app));
    let api = plugins::routes(api);
    let api = people::routes(api);
    let api = law::routes(api);
    let api = lessons::routes(api);
    let api = sessions::routes(api);
    let api = stream::routes(api);
    let counts = Operation::get("/metrics", "what is counted, as Prometheus reads it")
        .takes(Scope::Agent)
        .kind("text/plain");
    let api = api.route(counts, metrics);
    let api = shield::routes(api);
    let document = api.document();
    (api.router, document)
}
