//! The server behind the gateway at an address: streamable HTTP, message by message as it is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;
use tokio::sync::mpsc::{Sender, channel};

use super::envelope::{Envelope, Malformed};
use super::proxy::Proxy;
use super::sse::Events;
use super::upstream::{Heard, LONGEST, Link, Source, Upstream};

/// How long a connection may take to stand.
const CONNECT: Duration = Duration::from_secs(10);
/// Messages that wait to be carried to the client.
const QUEUE: usize = 64;
/// How much of a body's type is told.
const KIND: usize = 100;
const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
/// The first version in which headers repeat what a message asks.
const STANDARD_HEADERS: &str = "2026-07-28";

/// A server at an address.
pub(super) struct HttpLink {
    client: Client,
    url: Url,
    /// What the session is known by: its id, the protocol's version.
    session: Mutex<HeaderMap>,
    heard: Sender<Heard>,
    /// How many requests are on their way.
    running: AtomicUsize,
}

impl Upstream {
    /// A server at an address, which is asked with these headers.
    ///
    /// # Errors
    /// Why the address or a header cannot be used.
    pub fn over_http(url: &str, headers: &[(String, String)]) -> Result<Self, String> {
        // OK to ignore: another one was there first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let parsed = Url::parse(url).map_err(|error| format!("`{url}` is no address: {error}"))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(format!("`{url}` is no address of a server: it begins with http:// or https://"));
        }
        let client = Client::builder().connect_timeout(CONNECT).default_headers(own_headers(headers)?);
        let client = client.redirect(reqwest::redirect::Policy::none()).build();
        let client = client.map_err(|error| error.to_string())?;
        let (heard, queue) = channel(QUEUE);
        let link =
            HttpLink { client, url: parsed, session: Mutex::default(), heard, running: AtomicUsize::new(0) };
        Ok(Self { link: Link::Http(Arc::new(link)), lines: Source::Queue(queue), process: None })
    }
}

fn own_headers(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut own = HeaderMap::new();
    for (name, value) in headers {
        let read = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|error| error.to_string());
        let read = read.and_then(|name| {
            Ok((name, HeaderValue::from_str(value.trim()).map_err(|error| error.to_string())?))
        });
        let (name, mut value) = read.map_err(|why| format!("the header `{name}` cannot be sent: {why}"))?;
        value.set_sensitive(true);
        own.insert(name, value);
    }
    Ok(own)
}

impl HttpLink {
    /// Sends one message. What is no request, and what begins the session, is waited for, so that order is kept.
    pub(super) async fn send(self: &Arc<Self>, message: &[u8]) {
        let Ok(envelope) = Envelope::read(message) else { return };
        let (http, line) = (self.clone(), message.trim_ascii().to_vec());
        match &envelope {
            Envelope::Request { method, .. } if method != "initialize" => {
                http.running.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(async move {
                    http.carry(&envelope, line).await;
                    http.running.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Envelope::Notification { method } if method == "notifications/initialized" => {
                self.carry(&envelope, line).await;
                tokio::spawn(http.listen());
            }
            _ => self.carry(&envelope, line).await,
        }
    }

    /// Ends the session, once what is on its way was heard.
    pub(super) async fn close(&self) {
        for _ in 0..100 {
            if self.running.load(Ordering::Relaxed) == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let is_open = self.held().contains_key(SESSION);
        if is_open {
            let ended = self.request(Method::DELETE).send();
            // OK to ignore: a server may keep its sessions.
            let _ = tokio::time::timeout(Duration::from_secs(1), ended).await;
        }
        let _ = self.heard.try_send(Heard::End);
    }

    /// Carries one message there and what is answered to it back.
    async fn carry(&self, envelope: &Envelope, line: Vec<u8>) {
        let mut request = self.request(Method::POST).header(CONTENT_TYPE, "application/json");
        if let Envelope::Request { method, .. } | Envelope::Notification { method } = envelope {
            for (name, value) in standard_headers(method, &line) {
                request = request.header(name, value);
            }
        }
        let request = request.header(ACCEPT, "application/json, text/event-stream").body(line);
        let carried = match request.send().await {
            Ok(response) => self.answered(envelope, response).await,
            Err(error) => Err(format!("the server cannot be reached: {}", error.without_url())),
        };
        if let (Err(why), Envelope::Request { id, .. }) = (carried, envelope) {
            // OK to ignore: nobody waits any more.
            let _ = self.heard.send(Heard::Failed(id.clone(), why)).await;
        }
    }

    async fn answered(&self, envelope: &Envelope, response: Response) -> Result<(), String> {
        let status = response.status();
        if matches!(envelope, Envelope::Request { method, .. } if method == "initialize") {
            self.keep(SESSION, response.headers().get(SESSION).cloned());
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        if kind.starts_with("text/event-stream") && status.is_success() {
            return self.stream(envelope, response).await;
        }
        let kind = kind.to_owned();
        let body = whole(response).await?;
        if let Some(unread) = unread(&kind, &body) {
            return match (status.is_success(), envelope) {
                (false, _) => Err(refused(status)),
                (true, Envelope::Request { .. }) => {
                    Err(format!("the server answered {status} with {unread}"))
                }
                (true, _) => Ok(()),
            };
        }
        if status.is_success() || matches!(envelope, Envelope::Request { .. }) {
            self.hear(envelope, body).await;
        }
        Ok(())
    }

    /// The messages of a stream, up to the answer.
    async fn stream(&self, envelope: &Envelope, mut response: Response) -> Result<(), String> {
        let mut events = Events::new(LONGEST);
        while let Some(piece) = response.chunk().await.map_err(|error| error.without_url().to_string())? {
            for message in events.take(&piece)? {
                let is_answer = match (Envelope::read(&message), envelope) {
                    (Ok(Envelope::Response { id }), Envelope::Request { id: asked, .. }) => id == *asked,
                    _ => false,
                };
                self.hear(envelope, message).await;
                if is_answer {
                    return Ok(());
                }
            }
        }
        match envelope {
            Envelope::Request { .. } => Err("the server closed the stream before it answered".to_owned()),
            _ => Ok(()),
        }
    }

    /// What the server says of itself, where it offers a stream for that, for as long as it does.
    async fn listen(self: Arc<Self>) {
        let request = self.request(Method::GET).header(ACCEPT, "text/event-stream");
        let Ok(response) = request.send().await else { return };
        if response.status().is_success() {
            let nobody = Envelope::Notification { method: String::new() };
            // OK to ignore: a server need not offer one, and may end it.
            let _ = self.stream(&nobody, response).await;
        }
    }

    async fn hear(&self, envelope: &Envelope, message: Vec<u8>) {
        if matches!(envelope, Envelope::Request { method, .. } if method == "initialize") {
            let told: Value = serde_json::from_slice(&message).unwrap_or_default();
            let version = told.pointer("/result/protocolVersion").and_then(Value::as_str);
            self.keep(VERSION, version.and_then(|version| HeaderValue::from_str(version).ok()));
        }
        // One message is one line: JSON has no end of line outside of its texts that would matter.
        let message = message.into_iter().filter(|byte| !matches!(byte, b'\n' | b'\r'));
        let line = message.chain([b'\n']).collect();
        // OK to ignore: nobody waits any more.
        let _ = self.heard.send(Heard::Line(line)).await;
    }

    fn request(&self, method: Method) -> RequestBuilder {
        self.client.request(method, self.url.clone()).headers(self.held())
    }

    fn held(&self) -> HeaderMap {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, name: &'static str, value: Option<HeaderValue>) {
        if let Some(value) = value {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            session.insert(HeaderName::from_static(name), value);
        }
    }
}

/// What newer servers want to read without opening the message.
fn standard_headers(method: &str, line: &[u8]) -> Vec<(&'static str, String)> {
    let params = Proxy::params(line);
    let version = params.pointer("/_meta/io.modelcontextprotocol~1protocolVersion").and_then(Value::as_str);
    let Some(version) = version.filter(|version| *version >= STANDARD_HEADERS) else { return Vec::new() };
    let mut headers = vec![(VERSION, version.to_owned()), ("mcp-method", method.to_owned())];
    let named = params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str);
    headers.extend(named.map(|name| ("mcp-name", name.to_owned())));
    headers
}

/// A whole body, bounded.
async fn whole(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| error.without_url().to_string())? {
        if body.len() + piece.len() > LONGEST {
            return Err("its answer is longer than 16 MiB".to_owned());
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// What keeps a body from being a message; none where it is one.
fn unread(kind: &str, body: &[u8]) -> Option<String> {
    if body.trim_ascii().is_empty() {
        return Some("nothing".to_owned());
    }
    if !kind.starts_with("application/json") {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let shown: String = kind.chars().filter(|c| !c.is_control()).take(KIND).collect();
        let told = if shown.is_empty() { "a body of no type".to_owned() } else { format!("`{shown}`") };
        return Some(format!("{told}, not `application/json` or `text/event-stream`"));
    }
    match Envelope::read(body) {
        Ok(_) => None,
        Err(Malformed::NoJson(why)) => Some(format!("JSON that cannot be read: {why}")),
        Err(Malformed::NoMessage(why)) => Some(format!("JSON that is no message: {why}")),
    }
}

fn refused(status: StatusCode) -> String {
    let help = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "; `--header` gives it what it wants to see",
        StatusCode::NOT_FOUND => "; its session has ended, or there is no such address",
        _ => "",
    };
    format!("the server answered {status}{help}")
}

#[cfg(test)]
mod tests {
    use super::unread;

    #[test]
    fn what_is_no_answer_is_told_as_that() {
        for (kind, body, told) in [
            ("application/json", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, None),
            ("application/json; charset=utf-8", r#"{"id":1,"error":{"code":1,"message":"x"}}"#, None),
            (
                "text/html; charset=utf-8",
                "<html>",
                Some("`text/html`, not `application/json` or `text/event-stream`"),
            ),
            ("", "busy", Some("a body of no type, not `application/json` or `text/event-stream`")),
            ("application/json", " \n", Some("nothing")),
            ("text/html", "", Some("nothing")),
            (
                "application/json",
                r#"{"jsonrpc":"2.0","id":1,"res"#,
                Some("JSON that cannot be read: EOF while parsing a string at line 1 column 28"),
            ),
            (
                "application/json",
                r#"{"id":1}"#,
                Some("JSON that is no message: it has neither `method` nor `result` nor `error`"),
            ),
        ] {
            assert_eq!(unread(kind, body.as_bytes()).as_deref(), told, "{kind} {body}");
        }
    }
}
