//! A model behind HTTP.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::{
    Model, ModelAnswer, ModelEar, ModelFailure, ModelFailureKind, ModelPiece, ModelReply, ModelRequest,
    ModelUsage,
};
use reqwest::Client;
use tokio::time::timeout;

use crate::attempt::Attempt;
use crate::backoff::PATIENCE;
use crate::spending::Tried;
use crate::{Address, ApiKey, Backoff, Fault, Parallel, Pause, Provider, Purse, Wire};

/// How long what is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For the first byte of an answer.
    pub first: Duration,
    /// For the next byte of an answer.
    pub idle: Duration,
    /// For a whole answer, retries and all.
    pub total: Duration,
}

/// What is needed to reach a model.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Who serves it.
    pub provider: &'static Provider,
    /// Its name there.
    pub model: String,
    /// Where.
    pub address: Address,
    /// With which key.
    pub key: Option<ApiKey>,
    /// Whether answers are asked for piece by piece.
    pub stream: bool,
    /// The most tokens of an answer, where a request says none.
    pub max_tokens: Option<u64>,
    /// How often a request that failed is made again.
    pub retries: u32,
    /// How long what is waited for.
    pub timeouts: Timeouts,
    /// Who waits between tries.
    pub pause: Arc<dyn Pause>,
    /// What the jitter of the pauses begins with.
    pub seed: u64,
    /// How many requests are under way at a time.
    pub parallel: Arc<Parallel>,
    /// What every try is paid out of.
    pub purse: Purse,
}

/// A model that is reached over HTTP, in either wire format.
///
/// Its name is `provider/model`. No redirect is followed, and a loopback address is never asked through a proxy.
#[derive(Debug)]
pub struct HttpModel {
    name: String,
    options: HttpOptions,
    client: Client,
    backoff: Backoff,
}

impl HttpModel {
    /// A model that nobody was asked yet.
    ///
    /// # Errors
    /// TLS cannot be set up, as where the system's certificates cannot be read.
    pub fn new(options: HttpOptions) -> Result<Self, ModelFailure> {
        // OK to ignore: another one that was installed serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .connect_timeout(options.timeouts.connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("mentci/", env!("CARGO_PKG_VERSION")));
        let builder = if options.address.is_loopback() { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|error| ModelFailure {
            kind: ModelFailureKind::Unreachable,
            message: format!("no client for HTTP can be made: {}", error.without_url()),
            tries: 0,
            lost: ModelUsage::default(),
        })?;
        let name = format!("{}/{}", options.provider.name, options.model);
        let backoff = Backoff::new(options.seed);
        Ok(Self { name, options, client, backoff })
    }

    /// Where it answers.
    pub fn address(&self) -> &Address {
        &self.options.address
    }

    /// The names of the models that the provider serves.
    ///
    /// # Errors
    /// As of a request to a model; it is made once.
    pub async fn models(&self) -> Result<Vec<String>, ModelFailure> {
        let listed = timeout(self.options.timeouts.first, self.attempt().models()).await;
        let late = || Fault::late("no list of models came", self.options.timeouts.first);
        listed
            .unwrap_or_else(|_| Err(late()))
            .map_err(|fault| fault.failure(Tried { times: 1, ..Tried::default() }, self.options.key.as_ref()))
    }

    fn attempt(&self) -> Attempt<'_> {
        Attempt { client: &self.client, options: &self.options }
    }

    /// Tries until an answer comes, or until there is no hope of one.
    async fn insist(
        &self,
        request: &ModelRequest,
        ear: &mut ModelEar<'_>,
        tried: &mut Tried,
    ) -> Result<ModelReply, Fault> {
        let bounded = self.bounded(request);
        let body = self.body(&bounded);
        let mut last: Option<String> = None;
        loop {
            let mut reserve = self.options.purse.set_aside(&bounded).map_err(|fault| after(fault, last))?;
            tried.times += 1;
            let before = tried.lost;
            // Whoever stops waiting has lost what was set aside.
            tried.lost = before.and(reserve.took());
            let fault = match self.attempt().ask(&bounded, &body, &mut *ear, &mut reserve).await {
                Ok(reply) => {
                    reserve.answered(&reply);
                    return Ok(ModelReply { lost: before, retries: tried.times - 1, ..reply });
                }
                Err(fault) => fault,
            };
            reserve.failed(fault.took);
            tried.lost = before.and(reserve.took());
            let too_long = fault.wait.is_some_and(|wait| wait > PATIENCE);
            if !fault.may_pass || tried.times > self.options.retries || too_long {
                return Err(told(fault, tried.times, too_long));
            }
            let message =
                self.options.key.as_ref().map_or(fault.message.clone(), |key| key.redact(&fault.message));
            ear(ModelPiece::Again(&message));
            let wait = fault.wait.unwrap_or_default().max(self.backoff.after(tried.times));
            last = Some(message);
            self.options.pause.pause(wait).await;
        }
    }

    /// With the most tokens of an answer, where it says none itself.
    fn bounded<'a>(&self, request: &'a ModelRequest) -> Cow<'a, ModelRequest> {
        match (request.max_tokens, self.options.max_tokens) {
            (None, Some(_)) => {
                Cow::Owned(ModelRequest { max_tokens: self.options.max_tokens, ..request.clone() })
            }
            _ => Cow::Borrowed(request),
        }
    }

    fn body(&self, request: &ModelRequest) -> Vec<u8> {
        let body = request_body(self.options.provider, &self.options.model, request, self.options.stream);
        // OK because: a `Value` has string keys alone, and writing into memory does not fail.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

/// The body of a request, as this provider is sent it.
pub fn request_body(
    provider: &Provider,
    model: &str,
    request: &ModelRequest,
    stream: bool,
) -> serde_json::Value {
    match provider.wire {
        Wire::ChatCompletions => crate::chat_request::body(provider, model, request, stream),
        Wire::Messages => crate::messages_request::body(model, request, stream),
    }
}

/// The failure of a try that was not made, behind the one before it.
fn after(mut fault: Fault, last: Option<String>) -> Fault {
    if let Some(last) = last {
        fault.message = format!("{}; the last try: {last}", fault.message);
    }
    fault
}

/// The failure with what became of the tries.
fn told(mut fault: Fault, tries: u32, too_long: bool) -> Fault {
    if let Some(wait) = fault.wait.filter(|_| too_long) {
        fault.message = format!("{}; it asks to be left alone for {} s", fault.message, wait.as_secs());
    } else if tries > 1 {
        fault.message = format!("{}; tried {tries} times", fault.message);
    }
    fault
}

impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest, ear: &'a mut ModelEar<'a>) -> ModelAnswer<'a> {
        Box::pin(async move {
            let _permit = self.options.parallel.turn().await;
            let mut tried = Tried::default();
            let total = self.options.timeouts.total;
            let answer = timeout(total, self.insist(request, ear, &mut tried)).await;
            let answer = answer.unwrap_or_else(|_| Err(Fault::late("no whole answer came", total)));
            answer.map_err(|fault| fault.failure(tried, self.options.key.as_ref()))
        })
    }
}
