//! The verb `hook`: one process an event, which always answers in time and never by a crash.
//!
//! Harnesses let a call run when a hook crashes, hangs or says what they cannot read. So the work is done beside, within a
//! deadline below theirs; where it does not come to an end, the answer is a denial in the harness's own shape.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use mentci_disk::RealFs;
use mentci_harness::{MAX_PAYLOAD, Payload, Point, Reply, closed, hear, reply};
use mentci_host::{Answer, Ask, Harness, Request, Response};
use mentci_source::Severity;
use mentci_workspace::{SystemClock, Workspace};

use crate::arguments::Common;
use crate::run::log_from;
use crate::surroundings::{session_root, surroundings, typed};

/// How long the configuration may take to be read, with the payload before it.
const FIRST: Duration = Duration::from_secs(8);

/// A hook of a harness.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) harness: Harness,
    /// The event, as the harness spells it.
    pub(crate) event: String,
    pub(crate) common: Common,
}

/// What the work tells whoever waits for it.
#[derive(Debug)]
enum Told {
    /// How long it may take, in milliseconds, and whether what is not decided is denied.
    Limits(u64, bool),
    Answer(Reply),
}

impl Hook {
    /// `hook HARNESS EVENT [--root DIR]`, read without the grammar of all verbs; none where something else is typed.
    pub(crate) fn at_once() -> Option<Self> {
        let typed = typed();
        let words: Vec<&str> = typed.iter().map(String::as_str).collect();
        let (names, root) = match words.as_slice() {
            ["hook", harness, event] => ((harness, event), None),
            ["hook", harness, event, "--root", root] => ((harness, event), Some(PathBuf::from(root))),
            _ => return None,
        };
        let (harness, event) = (Harness::parse(names.0)?, *names.1);
        let common = Common { root, ..Common::default() };
        (!event.starts_with('-')).then(|| Self { harness, event: event.to_owned(), common })
    }

    /// Answers, whatever happens; the exit code.
    pub(crate) fn answer(&self) -> u8 {
        let (sender, receiver) = channel();
        let hook = self.clone();
        let worker = std::thread::Builder::new().spawn(move || hook.work(&sender));
        let reply = match worker {
            Ok(_) => self.waited(&receiver),
            Err(error) => closed(self.harness, &self.event, &format!("no thread could be started: {error}")),
        };
        // A closed pipe is the harness's wish.
        let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(reply.stdout.as_bytes()).and_then(|()| out.flush());
        reply.code
    }

    fn waited(&self, told: &Receiver<Told>) -> Reply {
        let (mut left, mut closes) = (FIRST, true);
        let why = loop {
            match told.recv_timeout(left) {
                Ok(Told::Answer(reply)) => return reply,
                Ok(Told::Limits(milliseconds, on_error)) => {
                    (left, closes) = (Duration::from_millis(milliseconds), on_error);
                }
                Err(RecvTimeoutError::Timeout) => {
                    break format!("no decision within {} ms", left.as_millis());
                }
                Err(RecvTimeoutError::Disconnected) => break "the decision ended in a crash".to_owned(),
            }
        };
        self.unanswered(&why, closes)
    }

    /// What is answered where nothing was decided.
    fn unanswered(&self, why: &str, closes: bool) -> Reply {
        let denied = closed(self.harness, &self.event, why);
        if closes { denied } else { Reply { stderr: denied.stderr, ..Reply::default() } }
    }

    fn work(&self, sender: &Sender<Told>) {
        let reply = self.worked(sender);
        // OK because whoever waits has an answer of its own when this one comes too late.
        let _ = sender.send(Told::Answer(reply));
    }

    fn worked(&self, sender: &Sender<Told>) -> Reply {
        let payload = match read_payload() {
            Ok(payload) => payload,
            Err(why) => return self.unanswered(&format!("the payload cannot be read: {why}"), true),
        };
        let heard = hear(self.harness, &self.event, &payload);
        if heard.point == Point::Other {
            return Reply::default();
        }
        let root = match session_root(&self.common, self.harness) {
            Ok(root) => root,
            Err(why) => return self.unanswered(&why, true),
        };
        let around = surroundings(&self.common);
        let workspace = Workspace::open(&root, around, Arc::new(RealFs), Arc::new(SystemClock::new()));
        let (milliseconds, closes) = workspace.hook_limits();
        let _ = sender.send(Told::Limits(milliseconds, closes));
        log_from(&workspace.log_level());
        let response = workspace.ask(Request::Hook(Box::new(heard.call.clone())));
        // The process ends: what it holds need not be taken apart.
        std::mem::forget(workspace);
        match response.answer {
            Answer::Hook(answer) if answer.verdicts.len() == heard.call.events.len() => {
                let reply = reply(&heard, &self.event, &answer);
                Reply { stderr: notes(&response.findings), ..reply }
            }
            _ => self.unanswered(&why(&response), closes),
        }
    }
}

/// Standard input, bounded.
fn read_payload() -> Result<Payload, String> {
    let mut bytes = Vec::new();
    let most = MAX_PAYLOAD as u64 + 1;
    std::io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Payload::read(&bytes)
}

/// Why nothing was decided.
fn why(response: &Response) -> String {
    let error = response.findings.iter().max_by_key(|finding| finding.severity);
    error.map_or_else(|| "nothing was decided".to_owned(), |finding| finding.message.clone())
}

/// What is wrong, a line each.
fn notes(findings: &[mentci_source::Finding]) -> String {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.fold(String::new(), |all, finding| {
        format!("{all}mentci: {}: {}\n", finding.code.id(), finding.message)
    })
}
