//! Who waits for an answer.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::{Duration, Instant};

/// A call that the policy let through, or about which a person is asked.
#[derive(Debug)]
pub(super) struct Call {
    /// The server's own name of the tool.
    pub(super) tool: String,
    /// The arguments with which it runs.
    pub(super) args: Value,
    /// What the agent is to be told with the answer.
    pub(super) notes: String,
    /// Whether the server has it: then it has an end of its own.
    pub(super) runs: bool,
    /// When it began.
    pub(super) began: Instant,
    /// When it last gave a sign.
    pub(super) sign: Instant,
    /// Under which name its progress is told, as JSON.
    pub(super) token: Option<String>,
}

/// What the client asked.
#[derive(Debug)]
pub(super) enum Asked {
    /// Anything, by its method.
    Other(String),
    /// A call.
    Call(Box<Call>),
    /// What came of a call that went on as a task, by the task's id.
    TaskResult(String),
}

/// What the client asked and nobody answered yet, by the JSON of its id; and what we asked the client.
///
/// INVARIANT (one end): whoever takes a call from the desk tells its end, and nobody else.
#[derive(Debug, Default)]
pub(super) struct Desk {
    open: BTreeMap<String, Asked>,
    /// Calls that go on as a task, by the task's id.
    tasks: BTreeMap<String, Box<Call>>,
    /// Calls that wait for what the client must say, by the state that it gives back.
    paused: BTreeMap<String, Box<Call>>,
    ours: BTreeMap<String, oneshot::Sender<Value>>,
    next: u64,
}

/// The most calls that are kept as tasks, or paused.
const MOST_KEPT: usize = 10_000;

impl Desk {
    /// Opens a request; false when its id is in use.
    pub(super) fn open(&mut self, id: &str, asked: Asked) -> bool {
        if self.open.contains_key(id) {
            return false;
        }
        self.open.insert(id.to_owned(), asked);
        true
    }

    /// Whether a request waits.
    pub(super) fn waits(&self, id: &str) -> bool {
        self.open.contains_key(id)
    }

    /// Takes a request that is answered.
    pub(super) fn take(&mut self, id: &str) -> Option<Asked> {
        self.open.remove(id)
    }

    /// Everything that waits.
    pub(super) fn take_all(&mut self) -> (Vec<(String, Asked)>, Vec<Call>) {
        let kept = std::mem::take(&mut self.tasks)
            .into_values()
            .chain(std::mem::take(&mut self.paused).into_values());
        let kept = kept.map(|call| *call).collect();
        (std::mem::take(&mut self.open).into_iter().collect(), kept)
    }

    /// A call runs with these arguments, from now on; false when it was given up meanwhile.
    pub(super) fn run(&mut self, id: &str, args: Value, notes: String) -> bool {
        let Some(Asked::Call(call)) = self.open.get_mut(id) else { return false };
        let now = Instant::now();
        (call.args, call.notes, call.runs, call.began, call.sign) = (args, notes, true, now, now);
        true
    }

    /// A call gave a sign of progress.
    pub(super) fn sign(&mut self, token: &str) {
        for asked in self.open.values_mut() {
            if let Asked::Call(call) = asked
                && call.token.as_deref() == Some(token)
            {
                call.sign = Instant::now();
            }
        }
    }

    /// Takes the calls that gave no sign for so long.
    pub(super) fn take_late(&mut self, most: Duration) -> Vec<(String, Box<Call>)> {
        let is_late =
            |asked: &Asked| matches!(asked, Asked::Call(call) if call.runs && call.sign.elapsed() >= most);
        let late: Vec<String> =
            self.open.iter().filter(|(_, asked)| is_late(asked)).map(|(id, _)| id.clone()).collect();
        let taken = late.into_iter().filter_map(|id| match self.open.remove(&id)? {
            Asked::Call(call) => Some((id, call)),
            _ => None,
        });
        taken.collect()
    }

    /// A call goes on as a task.
    pub(super) fn keep_task(&mut self, task: String, call: Box<Call>) -> Option<Box<Call>> {
        keep(&mut self.tasks, task, call)
    }

    /// The call that went on as a task.
    pub(super) fn take_task(&mut self, task: &str) -> Option<Box<Call>> {
        self.tasks.remove(task)
    }

    /// A call waits for what the client must say.
    pub(super) fn pause(&mut self, state: String, call: Box<Call>) -> Option<Box<Call>> {
        keep(&mut self.paused, state, call)
    }

    /// The call that goes on, when it is the same call.
    pub(super) fn resume(&mut self, state: &str, tool: &str, args: &Value) -> Option<Box<Call>> {
        self.paused.get(state).filter(|call| call.tool == tool && call.args == *args)?;
        self.paused.remove(state)
    }

    /// A request of our own to the client: its id, and where its answer comes.
    pub(super) fn ask(&mut self, prefix: &str) -> (String, oneshot::Receiver<Value>) {
        self.next += 1;
        let id = format!("{prefix}-{}", self.next);
        let (sender, receiver) = oneshot::channel();
        self.ours.insert(Value::from(id.as_str()).to_string(), sender);
        (id, receiver)
    }

    /// Whether it answers what we asked.
    pub(super) fn is_ours(&self, id: &str) -> bool {
        self.ours.contains_key(id)
    }

    /// Hands an answer to whoever of us asked.
    pub(super) fn answer(&mut self, id: &str, answer: Value) {
        if let Some(sender) = self.ours.remove(id) {
            // OK to ignore: the call was given up meanwhile.
            let _ = sender.send(answer);
        }
    }
}

/// Keeps a call; gives back one that there is no room for.
fn keep(kept: &mut BTreeMap<String, Box<Call>>, key: String, call: Box<Call>) -> Option<Box<Call>> {
    if kept.len() >= MOST_KEPT {
        return Some(call);
    }
    kept.insert(key, call)
}
