//! Between a client and a server: two pumps, one each way, and a watch over calls that take too long.

use std::future::Future;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mentci_host::Ask;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::aligned::Lens;
use super::court::Court;
use super::desk::Desk;
use super::options::GatewayOptions;
use super::upstream::{Heard, LONGEST, Lines, Link, Upstream};
use super::{end, results};
use crate::ServeError;

/// How often calls are looked over.
const WATCH: Duration = Duration::from_millis(100);
/// The most notes about a server's bad lines.
const MOST_NOTES: usize = 20;

/// What both pumps share.
pub(super) struct Proxy {
    pub(super) court: Court,
    pub(super) lens: Lens,
    pub(super) options: GatewayOptions,
    pub(super) link: Link,
    /// Whether the client can ask its person.
    pub(super) client_asks: AtomicBool,
    /// Whether the server has said anything yet.
    server_spoke: AtomicBool,
    desk: Mutex<Desk>,
    client: tokio::sync::Mutex<Box<dyn AsyncWrite + Send + Unpin>>,
    notes: AtomicUsize,
}

/// Which side ended.
enum Gone {
    Client,
    Server,
    Stopped,
}

/// Stands between one client and one server until either ends, or until `shutdown` completes.
///
/// # Errors
/// - [`ServeError::UpstreamEnded`]: the server ended before the client did, or before it had answered.
pub async fn serve_gateway(
    ask: Arc<dyn Ask>,
    options: GatewayOptions,
    client: (impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static),
    server: Upstream,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let Upstream { link, mut lines, process } = server;
    let proxy = Arc::new(Proxy::new(ask, options, link, Box::new(client.1)));
    let mut client = Lines::new(Box::new(client.0), LONGEST);
    let mut inwards = tokio::spawn({
        let proxy = proxy.clone();
        async move {
            loop {
                match client.next().await {
                    Heard::Line(line) => proxy.client_says(line).await,
                    Heard::TooLong(_) => {
                        let refusal = results::error("null", -32600, "the message is longer than 16 MiB");
                        proxy.to_client(&refusal).await;
                    }
                    Heard::Failed(..) | Heard::End => return,
                }
            }
        }
    });
    let mut outwards = tokio::spawn({
        let proxy = proxy.clone();
        async move {
            loop {
                match lines.next().await {
                    Heard::End => return,
                    heard => {
                        proxy.server_spoke.store(true, Ordering::Relaxed);
                        proxy.server_says(heard).await;
                    }
                }
            }
        }
    });
    let watch = tokio::spawn(proxy.clone().watch());
    let gone = tokio::select! {
        _ = &mut inwards => Gone::Client,
        _ = &mut outwards => Gone::Server,
        () = shutdown => Gone::Stopped,
    };
    inwards.abort();
    // A client that has said all may still read.
    let is_heard = match gone {
        Gone::Client => end::hear_out(&proxy, &mut outwards).await,
        Gone::Server => true,
        Gone::Stopped => false,
    };
    outwards.abort();
    watch.abort();
    let how = end::end(&proxy, process).await;
    let owes = is_heard && end::unanswered(&proxy, &how).await;
    let was_silent = !proxy.server_spoke.load(Ordering::Relaxed);
    proxy.cancel_all();
    match gone {
        Gone::Server => Err(ServeError::UpstreamEnded(how)),
        // The client has said all and goes on reading: a server that ends without a word has failed it.
        Gone::Client if owes && was_silent => Err(ServeError::UpstreamEnded(how)),
        Gone::Client | Gone::Stopped => Ok(()),
    }
}

impl Proxy {
    fn new(
        ask: Arc<dyn Ask>,
        options: GatewayOptions,
        link: Link,
        client: Box<dyn AsyncWrite + Send + Unpin>,
    ) -> Self {
        let court = Court::new(ask, options.session.clone(), options.name.as_deref(), &options.fallback);
        let lens = Lens::new(&court, options.artifact_bytes);
        Self {
            court,
            lens,
            options,
            link,
            client_asks: AtomicBool::new(false),
            server_spoke: AtomicBool::new(false),
            desk: Mutex::default(),
            client: tokio::sync::Mutex::new(client),
            notes: AtomicUsize::new(0),
        }
    }

    pub(super) fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one message to the client. One that reads no more is not waited for: its lines end too.
    pub(super) async fn to_client(&self, line: &[u8]) {
        let mut client = self.client.lock().await;
        if client.write_all(line).await.is_ok() {
            let _ = client.flush().await;
        }
    }

    /// Work that waits for the store, on a thread that may wait; one that meets a defect gives its words.
    pub(super) fn blocking<T>(&self, work: impl FnOnce(&Self) -> T) -> Result<T, String> {
        let caught = || catch_unwind(AssertUnwindSafe(|| work(self)));
        tokio::task::block_in_place(caught).map_err(|_| "the policy engine failed by a defect".to_owned())
    }

    /// A note for people, about a server that does not keep to the protocol; only the first of them.
    pub(super) fn note(&self, what: &str) {
        if self.notes.fetch_add(1, Ordering::Relaxed) < MOST_NOTES {
            // A closed pipe is the reader's wish.
            let _ = writeln!(std::io::stderr(), "mentci gateway: {}", self.lens.text(what));
        }
    }

    /// Ends calls that gave no sign for too long, for as long as the gateway stands.
    async fn watch(self: Arc<Self>) {
        if self.options.timeout.is_zero() {
            return;
        }
        loop {
            tokio::time::sleep(WATCH).await;
            let late = self.desk().take_late(self.options.timeout);
            for (id, call) in late {
                end::timed_out(&self, &id, *call).await;
            }
        }
    }

    /// The member `params` of a message.
    pub(super) fn params(line: &[u8]) -> Value {
        let message: Value = serde_json::from_slice(line).unwrap_or_default();
        message.get("params").cloned().unwrap_or_default()
    }
}
