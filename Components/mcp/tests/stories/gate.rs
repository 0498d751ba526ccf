//! An [`Ask`] that decides by the tool's name, and remembers what it was asked; a client and a server around a gateway.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mentci_authority::{Effect, Event, Hook, Reason, Verdict};
use mentci_host::policy::{ApprovalsAnswer, PolicyRequest};
use mentci_host::{Ask, HookAnswer, Published, Request, Response};
use mentci_mcp::{GatewayOptions, ServeError, Stop, Upstream, serve_gateway, stop};
use mentci_source::{Code, Finding};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split,
};
use tokio::task::JoinHandle;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(10);

/// Decides.
#[derive(Default)]
pub(crate) struct Rules {
    events: Mutex<Vec<Event>>,
    granted: Mutex<bool>,
}

impl Rules {
    /// What was told, as `pre tool` and `post tool status`.
    pub(crate) fn told(&self) -> Vec<String> {
        let events = self.events.lock().unwrap();
        let line = |event: &Event| match (&event.result, event.hook) {
            (Some(result), _) => {
                let status = result.status.map_or("", |status| status.name());
                format!("post {} {status}", event.tool_name())
            }
            _ => format!("pre {}", event.tool_name()),
        };
        events.iter().map(line).collect()
    }

    /// The fact of the last event.
    pub(crate) fn last(&self) -> Event {
        self.events.lock().unwrap().last().unwrap().clone()
    }

    fn verdict(&self, event: &Event) -> Verdict {
        let reason = |rule: &str, effect, message: &str| Reason {
            rule: rule.into(),
            effect,
            message: message.into(),
            at: "own.yaml:3:5".into(),
            severity: None,
        };
        let ruled = |effect, message: &str| Verdict {
            decision: effect,
            reasons: vec![reason("house", effect, message)],
            ..Verdict::default()
        };
        match (event.hook, event.tool_name().rsplit("__").next().unwrap()) {
            (Hook::PreToolCall, "danger") => ruled(Effect::Block, "never"),
            (Hook::PreToolCall, "ask") if !*self.granted.lock().unwrap() => {
                Verdict { approval: Some("a1b2".into()), ..ruled(Effect::Approve, "a person says so") }
            }
            (Hook::PreToolCall, "mild") => ruled(Effect::Warn, "be careful"),
            (Hook::PreToolCall, "changed") => {
                Verdict { args: Some(json!({"to": "[EMAIL]"})), ..ruled(Effect::Redact, "no addresses") }
            }
            (Hook::PostToolResponse, "secret") => ruled(Effect::Block, "not for you"),
            (Hook::PostToolResponse, "masked") => {
                Verdict { result: Some(json!("[MASKED]")), ..ruled(Effect::Redact, "masked") }
            }
            _ => Verdict::default(),
        }
    }
}

impl Ask for Rules {
    fn ask(&self, request: Request) -> Response {
        match request {
            Request::Hook(call) => {
                let event = call.events.into_iter().next().unwrap();
                assert!(event.tool_name() != "mcp__up__panic", "a defect");
                if event.tool_name() == "mcp__up__odd" {
                    return Response::bad([Finding::new(Code::EVENT_LINE, "the log is locked")]);
                }
                let verdict = self.verdict(&event);
                self.events.lock().unwrap().push(event);
                Response::ok(mentci_host::Answer::Hook(HookAnswer {
                    verdicts: vec![verdict],
                    rules: None,
                    earlier: Vec::new(),
                }))
            }
            Request::Policy(PolicyRequest::Answer { grant, .. }) => {
                *self.granted.lock().unwrap() = grant;
                Response::ok(ApprovalsAnswer { approvals: Vec::new() })
            }
            _ => Response::bad([]),
        }
    }

    fn subscribe(&self) -> Receiver<Published> {
        channel().1
    }
}

/// One end of a pipe that speaks lines.
pub(crate) struct End {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: Option<WriteHalf<DuplexStream>>,
}

impl End {
    fn new(stream: DuplexStream) -> Self {
        let (reader, writer) = split(stream);
        Self { lines: BufReader::new(reader).lines(), writer: Some(writer) }
    }

    pub(crate) async fn say(&mut self, line: &str) {
        self.writer.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The next line, as it is.
    pub(crate) async fn line(&mut self) -> String {
        timeout(PATIENCE, self.lines.next_line()).await.expect("a line in time").unwrap().expect("a line")
    }

    pub(crate) async fn hear(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    /// Nothing more is said.
    pub(crate) async fn is_over(&mut self) -> bool {
        timeout(PATIENCE, self.lines.next_line()).await.expect("an end in time").unwrap().is_none()
    }

    pub(crate) async fn leave(&mut self) {
        self.writer.take().unwrap().shutdown().await.unwrap();
    }
}

/// A client and a server with a gateway between them.
pub(crate) struct Play {
    pub(crate) rules: Arc<Rules>,
    pub(crate) client: End,
    pub(crate) server: End,
    _stop: Stop,
    pub(crate) serving: JoinHandle<Result<(), ServeError>>,
}

impl Play {
    pub(crate) fn new(options: GatewayOptions) -> Self {
        let rules = Arc::new(Rules::default());
        let ((ours, theirs), (up, down)) = (duplex(1 << 20), duplex(1 << 20));
        let (client_reads, client_writes) = split(theirs);
        let (output, input) = split(down);
        let (stop, stopped) = stop();
        let server = Upstream::over_pipes(output, input);
        let pipes = (client_reads, client_writes);
        let serving = tokio::spawn(serve_gateway(rules.clone(), options, pipes, server, stopped));
        Self { rules, client: End::new(ours), server: End::new(up), _stop: stop, serving }
    }

    /// A server named `up`, and a client that can show forms.
    pub(crate) async fn begun(capabilities: Value) -> Self {
        Self::begun_with(GatewayOptions::default(), capabilities).await
    }

    pub(crate) async fn begun_with(options: GatewayOptions, capabilities: Value) -> Self {
        let mut play = Self::new(options);
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities});
        play.client
            .say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string())
            .await;
        play.server.hear().await;
        play.server
            .say(r#"{"jsonrpc":"2.0","id":0,"result":{"serverInfo":{"name":"up"},"capabilities":{"odd":1}}}"#)
            .await;
        assert_eq!(play.client.hear().await["result"]["capabilities"], json!({"odd": 1}));
        play
    }

    pub(crate) async fn call(&mut self, id: u64, tool: &str, args: Value) {
        let params = json!({"name": tool, "arguments": args, "_meta": {"progressToken": id}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        self.client.say(&call.to_string()).await;
    }

    /// A whole call that the server answers with this text; the result that the client reads.
    pub(crate) async fn round(&mut self, id: u64, tool: &str, text: &str) -> Value {
        self.call(id, tool, json!({})).await;
        self.server.hear().await;
        let result = json!({"content": [{"type": "text", "text": text}]});
        self.server.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()).await;
        self.client.hear().await["result"].clone()
    }
}
