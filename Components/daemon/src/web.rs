//! The page: what a person sees and steers.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use crate::App;

/// Every route of the page.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/", get(|| async { Html("<!doctype html><title>Mentci</title><h1>Mentci</h1>") }))
}
