//! What carries telemetry to the collector.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use reqwest::Client;
use tokio::runtime::Handle;

use crate::{Collector, TelemetryError};

/// How much of an answer is read.
const ANSWER: usize = 64 * 1024;

type Sent = Result<Response<Bytes>, HttpError>;

/// Sends over HTTP, on the threads of a runtime of its own: who tells has none.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    client: Client,
    runtime: Handle,
    /// Whether the last delivery failed: it is said once.
    fails: Arc<AtomicBool>,
}

impl Sender {
    /// # Errors
    /// TLS cannot be set up.
    pub(crate) fn new(collector: &Collector, runtime: Handle) -> Result<Self, TelemetryError> {
        // OK to ignore: another one that was installed serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .timeout(collector.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("mentci/", env!("CARGO_PKG_VERSION")));
        let builder = if collector.is_loopback() { builder.no_proxy() } else { builder };
        let client =
            builder.build().map_err(|error| TelemetryError::Setup(error.without_url().to_string()))?;
        Ok(Self { client, runtime, fails: Arc::default() })
    }

    /// Says once that a delivery failed, and again only after one that did not.
    fn note(&self, sent: &Sent) {
        let why = match sent {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("it answers {}", response.status())),
            Err(error) => Some(error.to_string()),
        };
        let failed_before = self.fails.swap(why.is_some(), Ordering::Relaxed);
        if let Some(why) = why.filter(|_| !failed_before) {
            tracing::warn!(target: "export", why, "the collector takes no telemetry: what it would be told is dropped");
        }
    }
}

impl HttpClient for Sender {
    fn send_bytes<'s, 'f>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Sent> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        let sending = self.runtime.spawn(send(self.client.clone(), request));
        Box::pin(async move {
            let sent = sending.await.unwrap_or_else(|error| Err(error.into()));
            self.note(&sent);
            sent
        })
    }
}

async fn send(client: Client, request: Request<Bytes>) -> Sent {
    let request = reqwest::Request::try_from(request)?;
    // An address may hold what is nobody's business.
    let mut response = client.execute(request).await.map_err(reqwest::Error::without_url)?;
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER {
            break;
        }
    }
    body.truncate(ANSWER);
    let mut answer = Response::new(body.into());
    (*answer.status_mut(), *answer.headers_mut()) = (status, headers);
    Ok(answer)
}
