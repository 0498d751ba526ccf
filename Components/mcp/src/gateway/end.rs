//! Calls that end without an answer: each is told once.

use std::time::Duration;

use mentci_authority::ToolStatus;
use serde_json::Value;
use tokio::task::JoinHandle;

use super::court::Ended;
use super::desk::{Asked, Call};
use super::process::Program;
use super::proxy::Proxy;
use super::results;

/// How long what a server still says may take once the client has said all.
const PATIENCE: Duration = Duration::from_secs(2);

/// Closes the way to the server and hears out what it still says. Whether it has said all.
pub(super) async fn hear_out(proxy: &Proxy, outwards: &mut JoinHandle<()>) -> bool {
    proxy.link.close().await;
    tokio::time::timeout(PATIENCE, outwards).await.is_ok()
}

/// Waits for the server's end. How it ended.
pub(super) async fn end(proxy: &Proxy, process: Option<Program>) -> String {
    proxy.link.close().await;
    match process {
        Some(process) => process.end().await,
        None => "the connection was closed".to_owned(),
    }
}

/// Answers everything that waits for a server that is gone; whether anything did.
pub(super) async fn unanswered(proxy: &Proxy, how: &str) -> bool {
    let (open, kept) = proxy.desk().take_all();
    let owes = !open.is_empty();
    for (id, asked) in open {
        let why = format!("the server ended before it answered ({how})");
        let answer = match asked {
            Asked::Call(call) => failed(proxy, &id, *call, ToolStatus::Error, &why),
            Asked::Other(_) | Asked::TaskResult(_) => results::error(&id, -32000, &why),
        };
        proxy.to_client(&answer).await;
    }
    for call in kept {
        failed(proxy, "null", call, ToolStatus::Cancelled, "the server ended");
    }
    owes
}

/// Ends a call that took too long: the server is told, and the agent.
pub(super) async fn timed_out(proxy: &Proxy, id: &str, call: Call) {
    let limit = proxy.options.timeout.as_millis();
    let why = format!("the server gave no sign for {limit} ms and was asked to give the call up");
    // The server may be one that does not read any more: nobody waits for it.
    let cancelled = results::cancelled(id, "it took too long");
    let _ = tokio::time::timeout(Duration::from_millis(100), proxy.link.send(&cancelled)).await;
    let answer = failed(proxy, id, call, ToolStatus::Timeout, &why);
    proxy.to_client(&answer).await;
}

/// Tells the end of a call that has no answer; what the agent reads.
pub(super) fn failed(proxy: &Proxy, id: &str, call: Call, status: ToolStatus, why: &str) -> Vec<u8> {
    let tool = call.tool.clone();
    told(proxy, id, call, status, why);
    let help = match status {
        ToolStatus::Timeout => "it may have done its work; look before you call it again",
        _ => {
            "it may have done its work; look before you call it again, and tell the user if the server stays away"
        }
    };
    results::refusal(id, &format!("`{tool}` gave no answer: {why}\nhelp: {help}"))
}

/// Tells the end of a call to the log. A call that the server never had was denied already.
pub(super) fn told(proxy: &Proxy, id: &str, call: Call, status: ToolStatus, why: &str) {
    if !call.runs {
        return;
    }
    let ended = Ended { status, value: Value::Null, error: Some(why), took: Some(call.began.elapsed()) };
    // OK to ignore: nobody reads what rules say of an answer that there is not.
    let _ = proxy.blocking(|proxy| proxy.court.after(&call.tool, call.args, id, ended));
}

impl Proxy {
    /// Whoever waited is gone.
    pub(super) fn cancel_all(&self) {
        let (open, kept) = self.desk().take_all();
        let calls = open.into_iter().filter_map(|(id, asked)| match asked {
            Asked::Call(call) => Some((id, *call)),
            _ => None,
        });
        for (id, call) in calls.chain(kept.into_iter().map(|call| ("null".to_owned(), call))) {
            self.cancel(&id, call, "the client left");
        }
    }

    /// The client gave a call up.
    pub(super) fn cancel(&self, id: &str, call: Call, why: &str) {
        told(self, id, call, ToolStatus::Cancelled, why);
    }
}
