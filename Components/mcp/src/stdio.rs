//! The server on standard input and output.

use std::future::Future;
use std::sync::Arc;

use mentci_host::Ask;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::ServeError;
use crate::server::{Server, Shared};

/// Serves one client on standard input and output until its end, or until `shutdown` completes.
///
/// Standard output carries the protocol and nothing else.
///
/// # Errors
/// - [`ServeError::Handshake`]: the client did not begin as the protocol wants.
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
    let serving = async {
        let service = match Server::new(Shared::new(ask)).serve((reader, writer)).await {
            Ok(service) => service,
            // A client that leaves before it says anything is no error.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Handshake(error.to_string())),
        };
        service.waiting().await.map(drop).map_err(|error| ServeError::Io(error.into()))
    };
    tokio::select! {
        ended = serving => ended,
        () = shutdown => Ok(()),
    }
}
