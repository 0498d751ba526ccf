//! Every route, and what each request passes through: its head, where it comes from, who asks.

use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

use crate::access::{Names, behind_login, identify, login_routes, own_requests, require, with_headers};
use crate::problem::{in_findings, in_time};
use crate::request_line::measured;
use crate::shield::closed;
use crate::{App, Options, Scope, api, web};

/// The routes of the page, of the API and of what is mounted.
pub(crate) fn routes(app: &App, options: &Options) -> Router {
    let (api, mut document) = api::routes(app);
    if options.mounted.is_some() {
        document["paths"]["/mcp"] = api::mounted();
    }
    let document: Arc<str> = document.to_string().into();
    let tells = get(move || async move { ([(CONTENT_TYPE, "application/json")], document.to_string()) });
    let page = web::routes().route_layer(from_fn(behind_login));
    let own = page
        .merge(login_routes())
        .merge(api)
        .route("/openapi.json", tells)
        .fallback(web::nowhere)
        .with_state(app.clone())
        .layer(from_fn(in_time));
    let all = match options.mounted.clone() {
        // What is mounted teaches lessons and gives out contexts and artifacts of any session.
        Some(mounted) => own.merge(mounted.route_layer(from_fn_with_state(Scope::Operator, require))),
        None => own,
    };
    all.layer(from_fn(in_findings))
        .layer(from_fn_with_state(app.guard().clone(), identify))
        .layer(from_fn_with_state(Names::new(&options.names, options.tls.is_some()), own_requests))
        .layer(from_fn(closed))
        .layer(from_fn(with_headers))
        // The outermost: what is refused is a request too.
        .layer(from_fn_with_state(app.clone(), measured))
}
