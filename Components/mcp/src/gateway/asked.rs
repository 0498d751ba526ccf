//! What the client says: it goes on as it is, but for calls of tools.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mentci_authority::{Effect, Verdict};
use mentci_host::{Unambiguous, mended};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::desk::{Asked, Call};
use super::envelope::{Envelope, Malformed, batch};
use super::proxy::Proxy;
use super::{extra, results, words};

/// The method of a call.
const CALL: &str = "tools/call";

/// A call as it was read.
struct Wanted {
    tool: String,
    args: Value,
    token: Option<String>,
    /// The state of a call that goes on.
    state: Option<String>,
}

/// What comes of a call before it runs.
enum Ruling {
    /// It runs; with other arguments where the policy changed them.
    Run {
        args: Option<Value>,
        notes: String,
    },
    Refused(String),
    /// A person is asked.
    Ask(Box<Verdict>),
}

impl Proxy {
    /// Takes one line of the client. Half a pair of UTF-16, as Node writes where a text was cut, is U+FFFD.
    pub(super) async fn client_says(self: &Arc<Self>, line: Vec<u8>) {
        let line = mended(&line).into_owned();
        if line.trim_ascii().is_empty() {
            return;
        }
        match batch(&line) {
            Some(messages) => {
                for mut message in messages {
                    message.push(b'\n');
                    self.client_sends(message).await;
                }
            }
            None => self.client_sends(line).await,
        }
    }

    async fn client_sends(self: &Arc<Self>, line: Vec<u8>) {
        let line = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => rest.to_vec(),
            None => line,
        };
        match Envelope::read(&line) {
            Err(Malformed::NoJson(why)) => {
                self.to_client(&results::error("null", -32700, &format!("this line is not JSON: {why}")))
                    .await;
            }
            Err(Malformed::NoMessage(why)) => {
                self.to_client(&results::error("null", -32600, &format!("this is no message: {why}"))).await;
            }
            Ok(Envelope::Request { id, method }) => self.requested(id, method, line).await,
            Ok(Envelope::Notification { method }) if method == "notifications/cancelled" => {
                self.cancelled(line).await;
            }
            // A server may run it all the same: it is a call that nobody could be told the end of.
            Ok(Envelope::Notification { method }) if method == CALL => {
                let why = "a `tools/call` has an `id`, which is a text or a number: it did not run";
                self.note(&format!("the client sent a call that is no request; {why}"));
                self.to_client(&results::error("null", -32600, why)).await;
            }
            Ok(Envelope::Response { id }) if self.desk().is_ours(&id) => {
                self.desk().answer(&id, serde_json::from_slice(&line).unwrap_or_default());
            }
            Ok(Envelope::Notification { .. } | Envelope::Response { .. }) => self.link.send(&line).await,
        }
    }

    async fn requested(self: &Arc<Self>, id: String, method: String, line: Vec<u8>) {
        if self.desk().waits(&id) {
            let why = "the `id` is that of a request that waits for its answer";
            return self.to_client(&results::error(&id, -32600, why)).await;
        }
        let asked = match method.as_str() {
            CALL => return self.called(id, line).await,
            "initialize" => {
                self.note_client(&Self::params(&line));
                Asked::Other(method)
            }
            "tasks/result" => match task(&line) {
                Ok(task) => Asked::TaskResult(task),
                Err(why) => return self.to_client(&results::error(&id, -32602, &why)).await,
            },
            _ => Asked::Other(method),
        };
        self.desk().open(&id, asked);
        self.link.send(&line).await;
    }

    /// Whether the client can show its person a form.
    fn note_client(&self, params: &Value) {
        let offered = params.pointer("/capabilities/elicitation").and_then(Value::as_object);
        let asks = offered.is_some_and(|modes| modes.is_empty() || modes.contains_key("form"));
        self.client_asks.store(asks, Ordering::Relaxed);
    }

    /// A call: it is decided before the server hears of it.
    async fn called(self: &Arc<Self>, id: String, line: Vec<u8>) {
        let wanted = match Wanted::read(&line) {
            Ok(wanted) => wanted,
            Err(why) => return self.to_client(&results::error(&id, -32602, &why)).await,
        };
        if let Some(row) = extra::named(&wanted.tool).filter(|_| self.options.artifact_bytes > 0) {
            let proxy = self.clone();
            tokio::spawn(async move {
                let result = extra::answer(&proxy.court, row, wanted.args).await;
                proxy.to_client(&results::result(&id, &result)).await;
            });
            return;
        }
        if let Some(call) =
            wanted.state.as_ref().and_then(|state| self.desk().resume(state, &wanted.tool, &wanted.args))
        {
            self.desk().open(&id, Asked::Call(call));
            return self.link.send(&line).await;
        }
        match self.judged(&wanted, &id) {
            Ruling::Refused(sentence) => self.to_client(&results::refusal(&id, &sentence)).await,
            Ruling::Run { args, notes } => {
                self.desk().open(&id, Asked::Call(Box::new(wanted.call())));
                self.run(&id, &wanted.args, args, notes, line).await;
            }
            Ruling::Ask(verdict) => {
                self.desk().open(&id, Asked::Call(Box::new(wanted.call())));
                tokio::spawn(self.clone().ask_person(id, wanted, *verdict, line));
            }
        }
    }

    fn judged(&self, wanted: &Wanted, id: &str) -> Ruling {
        let decided = self.blocking(|proxy| proxy.court.before(&wanted.tool, &wanted.args, id));
        let verdict = match decided.and_then(|decided| decided) {
            Ok(verdict) => verdict,
            Err(why) => return Ruling::Refused(words::undecided(&wanted.tool, &why)),
        };
        match verdict.decision {
            Effect::Approve if self.asks() && verdict.approval.is_some() => Ruling::Ask(Box::new(verdict)),
            Effect::Block | Effect::Approve => Ruling::Refused(words::refused(&wanted.tool, &verdict)),
            _ => Ruling::Run { notes: words::notes(&verdict), args: verdict.args },
        }
    }

    fn asks(&self) -> bool {
        self.options.elicit && self.client_asks.load(Ordering::Relaxed)
    }

    /// Sends a call on; as it came, unless the policy changed its arguments. A call that was given up meanwhile is not sent.
    async fn run(&self, id: &str, given: &Value, changed: Option<Value>, notes: String, line: Vec<u8>) {
        let args = changed.as_ref().unwrap_or(given).clone();
        let is_there = self.desk().run(id, args, notes);
        if !is_there {
            return;
        }
        let Some(args) = changed else { return self.link.send(&line).await };
        let mut message: Value = serde_json::from_slice(&line).unwrap_or_default();
        message["params"]["arguments"] = args;
        self.link.send(&results::line(&message.to_string())).await;
    }

    /// Asks the client's person, and goes on as they say.
    async fn ask_person(self: Arc<Self>, id: String, wanted: Wanted, verdict: Verdict, line: Vec<u8>) {
        let answer = self.elicit(&wanted, &verdict).await;
        let approval = verdict.approval.clone().unwrap_or_default();
        let ruling = match answer {
            Some(grant) => {
                let told = self.blocking(|proxy| proxy.court.answer(&approval, grant)).and_then(|told| told);
                match told {
                    Ok(()) => self.judged(&wanted, &id),
                    Err(why) => Ruling::Refused(words::undecided(&wanted.tool, &why)),
                }
            }
            None => Ruling::Refused(words::refused(&wanted.tool, &verdict)),
        };
        match ruling {
            Ruling::Run { args, notes } => self.run(&id, &wanted.args, args, notes, line).await,
            Ruling::Refused(sentence) => self.withdraw(&id, &sentence).await,
            Ruling::Ask(verdict) => self.withdraw(&id, &words::refused(&wanted.tool, &verdict)).await,
        }
    }

    /// Refuses a call that waits, unless it was given up meanwhile.
    async fn withdraw(&self, id: &str, sentence: &str) {
        let waited = self.desk().take(id);
        if waited.is_some() {
            self.to_client(&results::refusal(id, sentence)).await;
        }
    }

    /// The person's yes or no; none where they said neither.
    async fn elicit(&self, wanted: &Wanted, verdict: &Verdict) -> Option<bool> {
        let args = self.lens.text(&wanted.args.to_string());
        let message = words::question(&wanted.tool, &args, verdict);
        let schema = json!({
            "type": "object",
            "properties": {"allow": {
                "type": "boolean", "title": "Allow this call, once", "default": false,
            }},
            "required": ["allow"],
        });
        let prefix = format!("mentci-{}", self.court.session());
        let (id, answered) = self.desk().ask(&prefix);
        let params = json!({"message": message, "requestedSchema": schema});
        self.to_client(&results::request(&id, "elicitation/create", &params)).await;
        let answer = answered.await.ok()?;
        match answer.pointer("/result/action").and_then(Value::as_str)? {
            "accept" => answer.pointer("/result/content/allow").and_then(Value::as_bool),
            "decline" => Some(false),
            _ => None,
        }
    }

    /// The client gives a request up: the server hears of it when it has it.
    async fn cancelled(&self, line: Vec<u8>) {
        let id = Self::params(&line).get("requestId").map(Value::to_string).unwrap_or_default();
        let taken = {
            let mut desk = self.desk();
            match desk.take(&id) {
                Some(Asked::Call(call)) => Some(call),
                Some(other) => {
                    desk.open(&id, other);
                    None
                }
                None => None,
            }
        };
        if taken.as_ref().is_none_or(|call| call.runs) {
            self.link.send(&line).await;
        }
        if let Some(call) = taken {
            self.cancel(&id, *call, "the client gave the call up");
        }
    }
}

/// The task whose result is asked for.
fn task(line: &[u8]) -> Result<String, String> {
    serde_json::from_slice::<Unambiguous>(line).map_err(|error| error.to_string())?;
    let task = Proxy::params(line).get("taskId").and_then(Value::as_str).map(str::to_owned);
    task.ok_or_else(|| "`params.taskId` is no text".to_owned())
}

impl Wanted {
    /// Reads a call.
    ///
    /// # Errors
    /// Why it is none that every server would understand as it is decided here.
    fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice::<Unambiguous>(line).map_err(|error| error.to_string())?;
        let params = Proxy::params(line);
        let params = params.as_object().ok_or("`params` is no object")?;
        for name in ["name", "arguments"] {
            if let Some(other) = params.keys().find(|key| *key != name && key.eq_ignore_ascii_case(name)) {
                return Err(format!("`{}` is written otherwise than `{name}`", other.escape_debug()));
            }
        }
        let tool = params.get("name").and_then(Value::as_str).ok_or("`params.name` is no text")?;
        let args = match params.get("arguments") {
            None | Some(Value::Null) => json!({}),
            Some(args @ Value::Object(_)) => args.clone(),
            Some(_) => return Err("`params.arguments` is no object".to_owned()),
        };
        let token = params.get("_meta").and_then(|meta| meta.get("progressToken"));
        let state = params.get("requestState").and_then(Value::as_str).map(str::to_owned);
        Ok(Self { tool: tool.to_owned(), args, token: token.map(Value::to_string), state })
    }

    fn call(&self) -> Call {
        let now = Instant::now();
        Call {
            tool: self.tool.clone(),
            args: self.args.clone(),
            notes: String::new(),
            runs: false,
            began: now,
            sign: now,
            token: self.token.clone(),
        }
    }
}
