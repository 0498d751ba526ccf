//! The server on standard input and output.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mentci_host::Ask;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::ServeError;
use crate::lines::between;
use crate::server::{Server, Shared};

/// How long the last answers may take to be read once the client has said all.
const PATIENCE: Duration = Duration::from_secs(1);

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
        let (reader, writer, written) = between(reader, writer);
        let service = match Server::new(Shared::new(ask)).serve((reader, writer)).await {
            Ok(service) => service,
            // A client that leaves before it says anything is no error.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Handshake(error.to_string())),
        };
        let ended = service.waiting().await.map(drop).map_err(|error| ServeError::Io(error.into()));
        // OK to ignore: a client that reads no more is not waited for.
        let _ = tokio::time::timeout(PATIENCE, written).await;
        ended
    };
    tokio::select! {
        ended = serving => ended,
        () = shutdown => Ok(()),
    }
}
