//! The server over streamable HTTP, on loopback.

use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use mentci_host::Ask;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::ServeError;
use crate::server::{Server, Shared};

/// Where the protocol is served.
const PATH: &str = "/mcp";
/// The longest request: a lesson has at most 12,000 characters.
const MOST_BYTES: usize = 1024 * 1024;
/// How long a session may be idle: an agent may wait a working day for its person.
const IDLE: Duration = Duration::from_hours(24);
/// How long requests that are under way may still take when the server stops.
const GRACE: Duration = Duration::from_secs(2);

/// Listens on a loopback address, prints where on standard error (`http://127.0.0.1:PORT/mcp`), and serves every client
/// until `shutdown` completes. Port 0 is any free port.
///
/// Browsers are kept out: a request whose `Host` is not this machine's own, or whose `Origin` is another page's, is
/// answered 403, so that a web page cannot reach it by rebinding a name.
///
/// # Errors
/// - [`ServeError::NotLoopback`]: other machines could reach the address.
/// - [`ServeError::Bind`]: the address is taken.
pub async fn serve_http(
    ask: Arc<dyn Ask>,
    addr: SocketAddr,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let listener = bind(addr).await?;
    let at = listener.local_addr()?;
    // OK to ignore: nobody reads it.
    let _ = writeln!(std::io::stderr(), "http://{at}{PATH}");
    serve_listener(ask, listener, shutdown).await
}

/// Listens on a loopback address.
///
/// # Errors
/// - as [`serve_http`].
pub async fn bind(addr: SocketAddr) -> Result<TcpListener, ServeError> {
    if !addr.ip().to_canonical().is_loopback() {
        return Err(ServeError::NotLoopback(addr));
    }
    TcpListener::bind(addr).await.map_err(|error| ServeError::Bind { addr, error })
}

/// Serves every client that connects, until `shutdown` completes.
///
/// # Errors
/// - [`ServeError::Io`]: the listener broke.
pub async fn serve_listener(
    ask: Arc<dyn Ask>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let config = config(listener.local_addr()?.port());
    let ending = config.cancellation_token.clone();
    let routes = service(ask, config);

    let stop = ending.clone();
    let serving = axum::serve(listener, routes).with_graceful_shutdown(async move {
        shutdown.await;
        // Streams of notifications have no end of their own.
        stop.cancel();
    });
    let late = async {
        ending.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        ended = serving => Ok(ended?),
        () = late => Ok(()),
    }
}

/// The routes of the protocol, for a server that looks at `Host`, `Origin` and callers itself. They answer at `/mcp`.
pub fn routes(ask: Arc<dyn Ask>) -> Router {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(MOST_BYTES);
    service(ask, config)
}

fn service(ask: Arc<dyn Ask>, config: StreamableHttpServerConfig) -> Router {
    let shared = Shared::new(ask);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(IDLE);
    let service =
        StreamableHttpService::new(move || Ok(Server::new(shared.clone())), sessions.into(), config);
    Router::new().route_service(PATH, service).layer(from_fn(session_ended))
}

/// Ending a session is done when it is answered: some clients take 202 for a failure.
async fn session_ended(request: Request, next: Next) -> Response {
    let ends = request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    if ends && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

fn config(port: u16) -> StreamableHttpServerConfig {
    let hosts = ["127.0.0.1", "localhost", "[::1]"];
    StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(hosts.map(|host| format!("http://{host}:{port}")))
        .enforce_origin_validation()
        .with_max_request_body_bytes(MOST_BYTES)
}
