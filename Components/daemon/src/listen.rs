//! Connections: how many, how long they may take to say what they want, and how they end.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio_rustls::TlsAcceptor;

use crate::patient::Patient;
use crate::unread::Unread;

/// How many connections there may be at a time.
const CONNECTIONS: usize = 8_192;
/// How long the head of a request may take to arrive, the first or the next one.
const HEAD: Duration = Duration::from_secs(30);
/// The same where many connections are open; and how long agreeing on TLS may take.
const HURRIED: Duration = Duration::from_secs(5);
/// How large the head of a request may be.
const HEAD_BYTES: usize = 64 * 1024;
/// How long requests that are under way may still take when the server stops.
const GRACE: Duration = Duration::from_secs(2);
/// How long nothing is accepted after accepting failed: the process has no file descriptor left.
const BREATH: Duration = Duration::from_millis(50);

/// What those are told for whom there is no room.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\nretry-after: 1\r\n\r\n";

/// Serves every client that connects, until it is told to stop.
pub(crate) async fn listen(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    routes: Router,
    mut stopping: watch::Receiver<bool>,
) {
    let routes = TowerToHyperService::new(routes);
    let (graceful, room) = (GracefulShutdown::new(), Arc::new(Semaphore::new(CONNECTIONS)));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let Ok(seat) = room.clone().try_acquire_owned() else {
            let _ = stream.try_write(FULL);
            continue;
        };
        // OK to ignore: answers come in small pieces a little later.
        let _ = stream.set_nodelay(true);
        let head = if room.available_permits() < CONNECTIONS / 2 { HURRIED } else { HEAD };
        let (service, watcher, tls) =
            (Peered { routes: routes.clone(), peer }, graceful.watcher(), tls.clone());
        tokio::spawn(async move {
            // What breaks a connection is the client's affair.
            match tls {
                None => drop(watcher.watch(connection(stream, service, head)).await),
                Some(tls) => {
                    if let Ok(Ok(stream)) = tokio::time::timeout(HURRIED, tls.accept(stream)).await {
                        drop(watcher.watch(connection(stream, service, head)).await);
                    }
                }
            }
            drop(seat);
        });
    }
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}

/// The routes, as one client reaches them.
pub(crate) struct Peered {
    routes: TowerToHyperService<Router>,
    peer: SocketAddr,
}

impl Service<Request<Incoming>> for Peered {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let (request, unread) = Unread::of(request);
        let answering = self.routes.call(request);
        Box::pin(async move { Ok(unread.answered(answering.await?).await) })
    }
}

fn connection<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    service: Peered,
    head: Duration,
) -> http1::Connection<TokioIo<Patient<S>>, Peered> {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head).max_buf_size(HEAD_BYTES).half_close(false);
    builder.serve_connection(TokioIo::new(Patient::new(stream)), service)
}
