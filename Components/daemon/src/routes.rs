//! Every route.

use axum::Router;

use crate::{App, web};

/// The routes of the page, of the API and of what is mounted.
pub(crate) fn routes(app: &App, mounted: Option<Router>) -> Router {
    let own = web::routes().with_state(app.clone());
    match mounted {
        Some(mounted) => own.merge(mounted),
        None => own,
    }
}
