//! One try to get an answer.

use std::time::Duration;

use mentci_authority::{ModelEar, ModelReply, ModelRequest};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response};
use tokio::time::timeout;

use crate::refusal::{refusal, retry_after};
use crate::spending::Reserve;
use crate::{Fault, HttpOptions, StreamReader, Wire};

/// The longest answer of an error, and of a list of models.
const MAX_REFUSAL: usize = 64 << 10;
const MAX_LIST: usize = 4 << 20;

/// The header that tells a scripted server on this machine which answer is due. It is sent to no other address.
pub(crate) const TURN: &str = "mentci-turn";

/// One try.
pub(crate) struct Attempt<'a> {
    pub(crate) client: &'a Client,
    pub(crate) options: &'a HttpOptions,
}

impl Attempt<'_> {
    /// Asks once.
    pub(crate) async fn ask(
        &self,
        request: &ModelRequest,
        body: &[u8],
        ear: &mut ModelEar<'_>,
        reserve: &mut Reserve<'_>,
    ) -> Result<ModelReply, Fault> {
        let path = match self.options.provider.wire {
            Wire::ChatCompletions => "chat/completions",
            Wire::Messages => "messages",
        };
        let accepts =
            if self.options.stream { "text/event-stream, application/json" } else { "application/json" };
        let mut asking = self.client.post(self.options.address.path(path)).body(body.to_vec());
        asking = asking.header(CONTENT_TYPE, "application/json").header(ACCEPT, accepts);
        if let (Some(turn), true) = (request.turn, self.options.address.is_loopback()) {
            asking = asking.header(TURN, turn);
        }
        let response = self.send(asking).await?;
        self.read(response, request, ear, reserve).await
    }

    /// The names of the models.
    pub(crate) async fn models(&self) -> Result<Vec<String>, Fault> {
        let response = self.send(self.client.get(self.options.address.path("models"))).await?;
        let body = self.all(response, MAX_LIST).await?;
        let list: serde_json::Value =
            serde_json::from_slice(&body).map_err(|_| Fault::garbled("what came is no list of models"))?;
        let rows = list["data"].as_array().or_else(|| list["models"].as_array());
        let rows = rows.ok_or_else(|| Fault::garbled("what came is no list of models"))?;
        let name =
            |row: &serde_json::Value| row["id"].as_str().or_else(|| row["name"].as_str()).map(str::to_owned);
        Ok(rows.iter().filter_map(name).collect())
    }

    /// Sends, and gives what is a success.
    async fn send(&self, asking: RequestBuilder) -> Result<Response, Fault> {
        let first = self.options.timeouts.first;
        let sent = timeout(first, self.with_key(asking).send()).await;
        let response =
            sent.map_err(|_| Fault::late("no answer came", first))?.map_err(|error| self.broken(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let header = |name| response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let wait = retry_after(header(RETRY_AFTER), header(DATE));
        let body = self.all(response, MAX_REFUSAL).await.unwrap_or_default();
        Err(refusal(status, &body, wait))
    }

    fn with_key(&self, asking: RequestBuilder) -> RequestBuilder {
        let secret = |text: String| {
            let mut value = HeaderValue::from_str(&text).ok()?;
            value.set_sensitive(true);
            Some(value)
        };
        let key = self.options.key.as_ref().map(crate::ApiKey::expose);
        match self.options.provider.wire {
            Wire::ChatCompletions => match key.and_then(|key| secret(format!("Bearer {key}"))) {
                Some(value) => asking.header(AUTHORIZATION, value),
                None => asking,
            },
            Wire::Messages => {
                let asking = asking.header("anthropic-version", "2023-06-01");
                match key.and_then(|key| secret(key.to_owned())) {
                    Some(value) => asking.header("x-api-key", value),
                    None => asking,
                }
            }
        }
    }

    async fn read(
        &self,
        mut response: Response,
        request: &ModelRequest,
        ear: &mut ModelEar<'_>,
        reserve: &mut Reserve<'_>,
    ) -> Result<ModelReply, Fault> {
        let first = self.options.timeouts.first;
        let Some(begin) = self.chunk(&mut response, first).await? else {
            return Err(Fault::garbled("the answer is empty"));
        };
        let wire = self.options.provider.wire;
        let mut reader = match form(&response, &begin) {
            Form::Html => return Err(Fault::garbled("a page of HTML came instead of an answer")),
            Form::Events => StreamReader::events(wire, request),
            Form::Whole => StreamReader::whole(wire, request),
        };
        let mut next = Some(begin);
        while let Some(bytes) = next {
            let is_over = reader.push(&bytes, &mut *ear);
            reserve.heard(reader.bytes());
            if is_over? {
                break;
            }
            next = self.chunk(&mut response, self.options.timeouts.idle).await?;
        }
        reader.end(ear)
    }

    /// The next bytes.
    async fn chunk(&self, response: &mut Response, within: Duration) -> Result<Option<Vec<u8>>, Fault> {
        let chunk = timeout(within, response.chunk())
            .await
            .map_err(|_| Fault::late("the answer stood still: nothing came", within))?;
        chunk.map(|bytes| bytes.map(|bytes| bytes.to_vec())).map_err(|error| self.broken(&error))
    }

    /// A whole body, up to so many bytes.
    async fn all(&self, mut response: Response, most: usize) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        while let Some(bytes) = self.chunk(&mut response, self.options.timeouts.idle).await? {
            body.extend_from_slice(&bytes);
            if body.len() > most {
                body.truncate(most);
                break;
            }
        }
        Ok(body)
    }

    /// What the client says went wrong, without the address that it was sent to: we say that ourselves.
    fn broken(&self, error: &reqwest::Error) -> Fault {
        let address = &self.options.address;
        if error.is_connect() && error.is_timeout() {
            return Fault::late(&format!("no connection to {address}"), self.options.timeouts.connect).free();
        }
        if error.is_connect() {
            return Fault::unreachable(format!("nobody answers at {address}: {}", root(error))).free();
        }
        if error.is_body() || error.is_decode() {
            return Fault::garbled(format!("the answer broke off: {}", root(error)));
        }
        Fault::unreachable(format!("the connection to {address} broke: {}", root(error)))
    }
}

/// The innermost cause: the outer ones repeat themselves.
fn root(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

enum Form {
    Events,
    Whole,
    Html,
}

/// In which form an answer comes: servers are wrong about it, so what it begins with decides where they say nothing clear.
fn form(response: &Response, begin: &[u8]) -> Form {
    let said = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let first = begin.iter().find(|byte| !byte.is_ascii_whitespace()).copied();
    match (said.split(';').next().unwrap_or_default().trim(), first) {
        (_, Some(b'<')) | ("text/html", _) => Form::Html,
        (_, Some(b'{' | b'[')) | ("application/json", _) => Form::Whole,
        _ => Form::Events,
    }
}
