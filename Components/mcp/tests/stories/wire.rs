//! A client that speaks raw JSON-RPC, so that the stories pin what is on the wire.

use std::sync::Arc;
use std::time::Duration;

use mentci_mcp::{ServeError, Stop, serve_pipe, stop};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::desk::Desk;

const PATIENCE: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_millis(300);

pub(crate) struct Wire {
    pub(crate) desk: Arc<Desk>,
    /// What the server said of itself.
    pub(crate) server: Value,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: Option<WriteHalf<DuplexStream>>,
    heard: Vec<Value>,
    next: u64,
    pub(crate) stop: Option<Stop>,
    serving: JoinHandle<Result<(), ServeError>>,
}

impl Wire {
    /// A client that is connected and has said nothing yet.
    pub(crate) fn silent() -> Self {
        let desk = Desk::new();
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (their_reader, their_writer) = split(theirs);
        let (reader, writer) = split(ours);
        let (stop, stopped) = stop();
        let serving = tokio::spawn(serve_pipe(desk.clone(), their_reader, their_writer, stopped));
        let lines = BufReader::new(reader).lines();
        let writer = Some(writer);
        Self {
            desk,
            server: Value::Null,
            lines,
            writer,
            heard: Vec::new(),
            next: 0,
            stop: Some(stop),
            serving,
        }
    }

    /// A client that has introduced itself as `teacher`.
    pub(crate) async fn begin() -> Self {
        let mut wire = Self::silent();
        let me = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "teacher", "version": "1"},
        });
        wire.server = wire.ask("initialize", me).await["result"].clone();
        wire.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await;
        wire
    }

    /// Writes one line.
    pub(crate) async fn say(&mut self, line: &str) {
        let writer = self.writer.as_mut().expect("the client is still there");
        writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The whole response to one request.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
        loop {
            let message = self.read().await;
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// The next notification.
    pub(crate) async fn hear(&mut self) -> Value {
        if self.heard.is_empty() { self.read().await } else { self.heard.remove(0) }
    }

    /// What comes in a short while, when nothing should.
    pub(crate) async fn silence(&mut self) -> Option<Value> {
        if !self.heard.is_empty() {
            return Some(self.heard.remove(0));
        }
        timeout(SILENCE, self.read()).await.ok()
    }

    /// Calls a tool and gives its result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await["result"].clone()
    }

    /// Calls a tool and gives its words, with `refused: ` before them when it is an error.
    pub(crate) async fn words(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"));
        if result["isError"] == true { format!("refused: {text}") } else { text.to_owned() }
    }

    /// Leaves, and gives how the server ended.
    pub(crate) async fn leave(mut self) -> Result<(), ServeError> {
        drop(self.writer.take());
        drop(self.lines);
        timeout(PATIENCE, self.serving).await.expect("it ends").unwrap()
    }

    /// How the server ends.
    pub(crate) async fn end(self) -> Result<(), ServeError> {
        timeout(PATIENCE, self.serving).await.expect("it ends").unwrap()
    }

    async fn read(&mut self) -> Value {
        let line =
            timeout(PATIENCE, self.lines.next_line()).await.expect("an answer").unwrap().expect("a line");
        serde_json::from_str(&line).unwrap()
    }
}
