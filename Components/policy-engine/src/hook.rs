//! The verb `hook`: one process an event, which always answers in time and never by a crash.
//!
//! Harnesses let a call run when a hook crashes, hangs or says what they cannot read. So a watch runs beside the work, with a
//! deadline below theirs; where the work does not come to its end, the answer is a denial in the harness's own shape.
#![expect(clippy::disallowed_methods, reason = "a hook that hangs is ended in time: nothing else can end it")]

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use mentci_authority::Verdict;
use mentci_disk::RealFs;
use mentci_harness::{Heard, MAX_PAYLOAD, Payload, Point, Reply, closed, closed_to, hear, reply};
use mentci_host::{Answer, Ask, Harness, HookAnswer, Request, Response};
use mentci_source::Severity;
use mentci_workspace::{Surroundings, SystemClock, Workspace, ask_hook};

use crate::arguments::Common;
use crate::logs::log_from;
use crate::output;
use crate::standard_input;
use crate::surroundings::{session_root, surroundings, typed};

/// How long the configuration may take to be read, with the payload before it.
const FIRST: Duration = Duration::from_secs(8);

/// How long a daemon may take. One that hangs costs this and nothing else.
const DAEMON: Duration = Duration::from_millis(250);
/// What a daemon is asked about at most: more takes it longer than it is given.
const ASKED_BYTES: u64 = 256 << 10;
/// How much more of a payload is looked through for its shape than is read.
const OUTLINED: usize = 4;
/// Variables that say where, and nothing that is decided by.
const PLACES: [&str; 2] = ["MENTCI_ROOT", "MENTCI_POLICY_ENGINE"];

/// Whether an answer is being written: there is one, and only one.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// A hook of a harness.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) harness: Harness,
    /// The event, as the harness spells it.
    pub(crate) event: String,
    pub(crate) common: Common,
}

/// How long the work may take from now on, in milliseconds, and whether what is not decided is denied.
type Limits = (u64, bool);

/// What the watch is told: what was heard, and the limits, each as it becomes known.
enum Known {
    Heard(Arc<Heard>),
    Limits(Limits),
}

/// What came of the work.
struct Worked {
    reply: Reply,
    /// What was withheld before anybody looked at it, and why: its session is told once the answer is given.
    withheld: Option<(Arc<Heard>, String)>,
}

impl Worked {
    fn now(reply: Reply) -> Self {
        Self { reply, withheld: None }
    }
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
        let watching = self.clone();
        // Without a watch the work is done all the same.
        let _ = std::thread::Builder::new().stack_size(1 << 18).spawn(move || watching.watch(&receiver));
        let worked = catch_unwind(AssertUnwindSafe(|| self.work(&sender)));
        let worked =
            worked.unwrap_or_else(|_| Worked::now(self.unanswered("the decision ended in a crash", true)));
        let code = give(&worked.reply);
        if let Some((heard, why)) = worked.withheld {
            // The answer stands, whatever becomes of this.
            let _ = catch_unwind(AssertUnwindSafe(|| self.mark(&heard, &why)));
        }
        code
    }

    /// Answers in the place of work that takes too long, and ends the process.
    fn watch(&self, known: &Receiver<Known>) {
        let (mut left, mut closes, mut heard) = (FIRST, true, None);
        loop {
            match known.recv_timeout(left) {
                Ok(Known::Limits((milliseconds, on_error))) => {
                    (left, closes) = (Duration::from_millis(milliseconds), on_error);
                }
                Ok(Known::Heard(one)) => heard = Some(one),
                Err(RecvTimeoutError::Timeout) => break,
                // The work is done.
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        let why = format!("no decision within {} ms", left.as_millis());
        let code = give(&match heard {
            Some(heard) => self.undecided(&heard, &why, closes),
            None => self.unanswered(&why, closes),
        });
        std::process::exit(i32::from(code));
    }

    /// What is answered where nothing was decided.
    fn unanswered(&self, why: &str, closes: bool) -> Reply {
        only_note(closed(self.harness, &self.event, why), closes)
    }

    /// The same where the hook was heard.
    fn undecided(&self, heard: &Heard, why: &str, closes: bool) -> Reply {
        only_note(closed_to(heard, &self.event, why), closes)
    }

    /// A denial where nothing may be looked at.
    fn withhold(&self, heard: Arc<Heard>, why: &str) -> Worked {
        let reply = self.undecided(&heard, why, true);
        Worked { reply, withheld: Some((heard, why.to_owned())) }
    }

    /// Tells the session that a call ended so.
    fn mark(&self, heard: &Heard, why: &str) {
        let mark = heard.withheld(why).filter(|mark| !mark.call.session.is_empty());
        let (Some(mark), Ok(root)) = (mark, session_root(&self.common, self.harness)) else { return };
        let around = surroundings(&self.common);
        if by_daemon(&mark, &root, &around).is_none() {
            let workspace = Workspace::open(&root, around, Arc::new(RealFs), Arc::new(SystemClock::new()));
            let _ = workspace.ask(Request::Hook(Box::new(mark.call)));
            // The process ends: what it holds need not be taken apart.
            std::mem::forget(workspace);
        }
    }

    fn work(&self, sender: &Sender<Known>) -> Worked {
        let (payload, unread) = read_payload();
        let heard = Arc::new(hear(self.harness, &self.event, &payload));
        let twice = payload.twice().map(str::to_owned);
        drop(payload);
        if let Some(why) = unread {
            return self.withhold(heard, &format!("the payload cannot be read: {why}"));
        }
        if heard.point == Point::Other {
            return Worked::now(Reply::default());
        }
        if heard.is_nameless() {
            return Worked::now(self.undecided(&heard, "the payload names no tool", true));
        }
        if heard.is_rounded() {
            let why = "the call holds a number of more than 64 bits: write it as text";
            return self.withhold(heard, why);
        }
        if let Some(why) = twice.filter(|_| matches!(heard.point, Point::Gate | Point::Result)) {
            return self.withhold(heard, &format!("the payload can be read in two ways: {why}"));
        }
        Worked::now(self.decide(&heard, sender))
    }

    fn decide(&self, heard: &Arc<Heard>, sender: &Sender<Known>) -> Reply {
        // OK because without a watch nobody needs to know.
        let _ = sender.send(Known::Heard(heard.clone()));
        let root = match session_root(&self.common, self.harness) {
            Ok(root) => root,
            Err(why) => return self.undecided(heard, &why, true),
        };
        let around = surroundings(&self.common);
        let decided = by_daemon(heard, &root, &around);
        if let Some((answer, errors)) = decided.as_ref().filter(|(answer, _)| is_all(heard, answer)) {
            return Reply { stderr: lines(errors), ..reply(heard, &self.event, answer) };
        }
        let workspace = Workspace::open(&root, around, Arc::new(RealFs), Arc::new(SystemClock::new()));
        let (milliseconds, closes) = workspace.hook_limits();
        // OK because without a watch nobody needs to know.
        let _ = sender.send(Known::Limits((milliseconds, closes)));
        log_from(&workspace.log_level());
        if let Some((answer, errors)) = decided {
            let (answer, findings) = workspace.with_shown(&heard.call, answer);
            std::mem::forget(workspace);
            let stderr = lines(&errors) + &notes(&findings);
            return Reply { stderr, ..reply(heard, &self.event, &answer) };
        }
        let response = workspace.ask(Request::Hook(Box::new(heard.call.clone())));
        // The process ends: what it holds need not be taken apart.
        std::mem::forget(workspace);
        match response.answer {
            Answer::Hook(answer) if answer.verdicts.len() == heard.call.events.len() => {
                let reply = reply(heard, &self.event, &answer);
                Reply { stderr: notes(&response.findings), ..reply }
            }
            _ => self.undecided(heard, &why(&response), closes),
        }
    }
}

/// What the workspace's daemon decides, and what it says is wrong; none where there is none, or where it would not decide as
/// this process would.
fn by_daemon(heard: &Heard, root: &Path, around: &Surroundings) -> Option<(HookAnswer, Vec<String>)> {
    let own = around.environment.iter().any(|(name, _)| !PLACES.contains(&name.as_str()));
    if own || !around.flags.is_empty() || heard.call.said > ASKED_BYTES {
        return None;
    }
    ask_hook(&RealFs, root, around, &heard.call, DAEMON)
}

/// Whether a decision is the whole answer: no rules could be shown, and nothing is kept for a moment that can.
fn is_all(heard: &Heard, decided: &HookAnswer) -> bool {
    let silent = |verdict: &Verdict| verdict.reasons.is_empty() && verdict.notifications.is_empty();
    heard.call.moment.is_none() && (heard.call.harness.hears_at_gate() || decided.verdicts.iter().all(silent))
}

fn lines(errors: &[String]) -> String {
    errors.iter().fold(String::new(), |all, error| format!("{all}mentci: {error}\n"))
}

/// A denial, or only what it notes.
fn only_note(denied: Reply, closes: bool) -> Reply {
    if closes { denied } else { Reply { stderr: denied.stderr, ..Reply::default() } }
}

/// Writes an answer, unless another one was written; the exit code.
fn give(reply: &Reply) -> u8 {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        // The watch writes, and ends the process.
        std::thread::sleep(FIRST);
        return reply.code;
    }
    // A closed pipe is the harness's wish.
    let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
    output::bytes(reply.stdout.as_bytes());
    output::code(reply.code)
}

/// Standard input, bounded; and why it cannot be read. What is too long is looked through for its shape.
fn read_payload() -> (Payload, Option<String>) {
    let bytes = match standard_input::payload(MAX_PAYLOAD * OUTLINED) {
        Ok(bytes) => bytes,
        Err(error) => return (Payload::default(), Some(error.to_string())),
    };
    match Payload::read(&bytes) {
        Ok(payload) => (payload, None),
        Err(why) => (Payload::outline(&bytes), Some(why)),
    }
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
