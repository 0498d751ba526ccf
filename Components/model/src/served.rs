//! What a scripted server answers to one request.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::shown::turn;
use crate::{Breakage, Mishap, Script, Shown, Wire, served_reply, served_request};

/// A request as it came, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) turn: Option<u64>,
    /// Whether a key came with it. The key itself is kept nowhere.
    pub(crate) has_key: bool,
    pub(crate) body: Vec<u8>,
}

/// What is sent back.
#[derive(Debug, Default)]
pub(crate) struct Served {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) retry_after: Option<u64>,
    pub(crate) pieces: Vec<String>,
    pub(crate) breakage: Option<Breakage>,
    /// The number of the step, where one was played.
    pub(crate) step: Option<usize>,
    pub(crate) note: Option<String>,
}

/// A script, and how often each of its steps went wrong already.
#[derive(Debug)]
pub(crate) struct Stage {
    script: Script,
    failed: Mutex<BTreeMap<usize, usize>>,
}

impl Stage {
    pub(crate) fn new(script: Script) -> Self {
        Self { script, failed: Mutex::default() }
    }

    fn model(&self) -> &str {
        self.script.model.as_deref().unwrap_or("scripted")
    }

    pub(crate) fn answer(&self, received: &Received) -> Served {
        let path = received.path.split('?').next().unwrap_or_default();
        match (received.method.as_str(), path) {
            ("GET", path) if path.ends_with("/models") => {
                let row = json!({ "id": self.model(), "object": "model", "type": "model", "created": 0, "owned_by": "script" });
                json_answer(200, json!({ "object": "list", "data": [row], "has_more": false }).to_string())
            }
            ("POST", path) if path.ends_with("/chat/completions") => {
                self.play(Wire::ChatCompletions, received)
            }
            ("POST", path) if path.ends_with("/messages") => self.play(Wire::Messages, received),
            (method, path) => refused(404, &format!("nothing answers to {method} {path}")),
        }
    }

    fn play(&self, wire: Wire, received: &Received) -> Served {
        let Ok(body) = serde_json::from_slice::<Value>(&received.body) else {
            return refused(400, "the request is no JSON");
        };
        let mut request = served_request::request(wire, &body);
        request.turn = received.turn;
        let shown = Shown::of(&request);
        let (number, step) = match self.script.step_at(turn(&request), &shown) {
            Ok(found) => found,
            Err(words) => return refused(400, &words),
        };
        if let Some(words) = step.unmet(&shown) {
            return Served { step: Some(number), ..refused(400, &format!("step {number} {words}")) };
        }
        let mishap = self.mishap(number, step);
        if let Some(mishap) = mishap.filter(|mishap| mishap.status.is_some() || mishap.wire.is_none()) {
            return Served { step: Some(number), ..mishap_answer(mishap) };
        }
        let stream = body["stream"] == true;
        let pieces = served_reply::pieces(wire, stream, self.model(), step, &step.reply(number, &shown));
        let content_type = if stream { "text/event-stream" } else { "application/json" };
        let breakage = mishap.and_then(|mishap| mishap.wire);
        Served { status: 200, content_type, pieces, breakage, step: Some(number), ..Served::default() }
    }

    /// What goes wrong at this step this time.
    fn mishap<'a>(&self, number: usize, step: &'a crate::Step) -> Option<&'a Mishap> {
        let all: Vec<&Mishap> = step.mishaps().collect();
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let times = failed.entry(number).or_default();
        let mishap = all.get(*times).copied();
        *times += 1;
        mishap.or_else(|| all.last().copied().filter(|_| !step.answers()))
    }
}

fn json_answer(status: u16, body: String) -> Served {
    Served { status, content_type: "application/json", pieces: vec![body], ..Served::default() }
}

/// An error that both wires read.
fn refused(status: u16, words: &str) -> Served {
    let error = json!({ "type": "error", "error": { "type": "scripted_error", "message": words } });
    Served { note: Some(words.to_owned()), ..json_answer(status, error.to_string()) }
}

fn mishap_answer(mishap: &Mishap) -> Served {
    let words = mishap.message.as_deref().unwrap_or("so the script wants it");
    Served { retry_after: mishap.retry_after, ..refused(mishap.status.unwrap_or(500), words) }
}
