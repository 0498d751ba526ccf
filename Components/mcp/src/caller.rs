//! Who calls.

use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

/// The header of a session over HTTP.
const SESSION: &str = "mcp-session-id";

/// Who calls a tool, as a lesson keeps it.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// The session: what HTTP calls it, else the connection's own. The newest protocol has no sessions over HTTP; all its
    /// calls count as one, so that repeating oneself there is never taken for agreement.
    pub(crate) session: String,
    /// The client's name.
    pub(crate) client: Option<String>,
}

impl Caller {
    pub(crate) fn of(context: &RequestContext<RoleServer>, connection: &str) -> Self {
        let parts = context.extensions.get::<Parts>();
        let header = parts.and_then(|parts| parts.headers.get(SESSION)).and_then(|value| value.to_str().ok());
        let client = context.client_info().map(|client| client.name).filter(|name| !name.trim().is_empty());
        Self { session: header.unwrap_or(connection).to_owned(), client }
    }
}
