//! Calls tools: asks the gate, keeps the time, aligns what comes back, and tells of it.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mentci_authority::{ToolCall, ToolProvider};
use serde_json::Value;

use super::open::OpenCall;
use super::permits::Permits;
use super::race::{Race, Ran};
use super::{GateAnswer, Timer, ToolEvent, ToolEventKind, ToolEvents, ToolGate};
use crate::{Aligned, AlignedStatus, PerceptionAligner};

/// How long tools may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeouts {
    /// A tool that is not named.
    pub default: Duration,
    /// By the tool's name.
    pub tools: BTreeMap<String, Duration>,
}

impl Default for Timeouts {
    /// 60 seconds.
    fn default() -> Self {
        Self { default: Duration::from_mins(1), tools: BTreeMap::new() }
    }
}

impl Timeouts {
    /// How long this tool may take.
    pub fn of(&self, tool: &str) -> Duration {
        self.tools.get(tool).copied().unwrap_or(self.default)
    }
}

/// Calls tools. Each call gives one `tool_call` event and exactly one event that ends it: also when it is dropped at any
/// point, when the tool or the gate panics, and when it is denied. What a tool answers is aligned before anything is kept.
///
/// Needs no particular runtime: it waits for the tool, for the [`Timer`] and for other calls, and nothing else.
pub struct ToolInterruptHandler {
    tools: Arc<dyn ToolProvider>,
    aligner: Arc<PerceptionAligner>,
    events: Arc<dyn ToolEvents>,
    gate: Arc<dyn ToolGate>,
    timer: Arc<dyn Timer>,
    timeouts: Timeouts,
    permits: Option<Permits>,
    calls: AtomicU64,
}

impl ToolInterruptHandler {
    /// A handler that allows what the gate allows, with 60 seconds for each tool, and any number of calls at a time.
    pub fn new(
        tools: Arc<dyn ToolProvider>,
        aligner: Arc<PerceptionAligner>,
        events: Arc<dyn ToolEvents>,
        gate: Arc<dyn ToolGate>,
        timer: Arc<dyn Timer>,
    ) -> Self {
        let (timeouts, permits, calls) = (Timeouts::default(), None, AtomicU64::new(0));
        Self { tools, aligner, events, gate, timer, timeouts, permits, calls }
    }

    /// Sets how long tools may take.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets how many tools may run at the same time, one at least. A call's time begins when its tool does.
    #[must_use]
    pub fn with_parallel(mut self, most: usize) -> Self {
        self.permits = Some(Permits::new(most));
        self
    }

    /// Calls a tool under an id of our own; gives the event that ended it.
    pub async fn call(&self, tool: &str, args: Value, timeout: Option<Duration>) -> ToolEvent {
        let call = ToolCall { name: tool.to_owned(), args, ..ToolCall::default() };
        self.run(call, timeout).await
    }

    /// Calls a tool; gives the event that ended it. A call without an id is given one. Without a time-out, that of the
    /// tool holds.
    pub async fn run(&self, mut call: ToolCall, timeout: Option<Duration>) -> ToolEvent {
        let call_id = call.call_id.get_or_insert_with(|| self.next_id()).clone();
        let answer = self.decide(&call);
        let open = OpenCall::begin(&*self.events, &self.began(&call_id, &call, &answer));
        let end = |kind| ToolEvent::new(kind, &call_id, &call.name);
        match answer {
            GateAnswer::Denied { reason } => {
                let reason = self.aligner.redact_text(&reason);
                return open.end(end(ToolEventKind::Denied).with("error", reason));
            }
            GateAnswer::Approve { reason } => {
                let reason = self.aligner.redact_text(&reason);
                let denied = end(ToolEventKind::Denied).with("error", reason).with("approval", true);
                return open.end(denied);
            }
            GateAnswer::Changed(args) => call.args = args,
            GateAnswer::Allowed => {}
        }
        let timeout = timeout.unwrap_or_else(|| self.timeouts.of(&call.name));
        let ran = self.race(&call, timeout).await;
        let event = self.ended(&call_id, &call.name, ran, timeout);
        open.end(event)
    }

    /// An id that no other call of this handler was given.
    fn next_id(&self) -> String {
        format!("call_{:06}", self.calls.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// What the gate says; one that panics denies.
    fn decide(&self, call: &ToolCall) -> GateAnswer {
        let answer = catch_unwind(AssertUnwindSafe(|| self.gate.decide(call)));
        let failed = || GateAnswer::Denied { reason: "the gate failed, so the call is refused".to_owned() };
        answer.unwrap_or_else(|_| failed())
    }

    fn began(&self, call_id: &str, call: &ToolCall, answer: &GateAnswer) -> ToolEvent {
        let event = ToolEvent::new(ToolEventKind::Call, call_id, &call.name);
        let event = event.with("args", self.aligner.redact_value(&call.args));
        match answer {
            GateAnswer::Changed(args) => event.with("changed_args", self.aligner.redact_value(args)),
            _ => event,
        }
    }

    async fn race(&self, call: &ToolCall, timeout: Duration) -> Ran {
        let _permit = match &self.permits {
            Some(permits) => Some(permits.acquire().await),
            None => None,
        };
        match Race::start(&*self.tools, call, self.timer.sleep(timeout)) {
            Ok(race) => race.await,
            Err(ran) => ran,
        }
    }

    fn ended(&self, call_id: &str, tool: &str, ran: Ran, timeout: Duration) -> ToolEvent {
        let new = |kind| ToolEvent::new(kind, call_id, tool);
        match ran {
            Ran::Answered(Ok(value)) => {
                let aligned = self.aligner.normalize_owned(tool, value, self.timer.now());
                answered(new, aligned)
            }
            Ran::Answered(Err(failure)) => self.failed(new(ToolEventKind::Error), tool, &failure.message),
            Ran::Panicked(words) => {
                self.failed(new(ToolEventKind::Error), tool, &format!("the tool panicked: {words}"))
            }
            Ran::TimedOut => {
                let millis = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
                let error = format!("the tool did not answer within {millis} ms and was stopped");
                new(ToolEventKind::Timeout).with("error", error).with("timeout_ms", millis)
            }
        }
    }

    /// A failure in a tool's words: redacted, and moved out when they are many.
    fn failed(&self, event: ToolEvent, tool: &str, message: &str) -> ToolEvent {
        let aligned = self.aligner.align_text(tool, message, self.timer.now());
        let Some(artifact) = aligned.artifact else {
            return event.with("error", aligned.value);
        };
        let error = self.aligner.head(&artifact.content);
        let mut event = event.with("error", error);
        if let Value::Object(parts) = aligned.value {
            event.data.extend(parts);
        }
        event.artifact = Some(artifact);
        event
    }
}

/// The end of a call whose tool answered.
fn answered(new: impl Fn(ToolEventKind) -> ToolEvent, aligned: Aligned) -> ToolEvent {
    let mut event = match aligned.status {
        AlignedStatus::Ok => new(ToolEventKind::Success).with("status", "ok"),
        AlignedStatus::Invalid => {
            let errors = serde_json::to_value(&aligned.errors).unwrap_or_default();
            let error = "the answer is not what the tool's schema says";
            new(ToolEventKind::Error).with("status", "invalid").with("error", error).with("errors", errors)
        }
    };
    match (aligned.artifact.is_some(), aligned.value) {
        (true, Value::Object(parts)) => event.data.extend(parts),
        (_, value) => event = event.with("value", value),
    }
    if !aligned.redactions.is_empty() {
        event = event.with("redactions", serde_json::to_value(&aligned.redactions).unwrap_or_default());
    }
    if !aligned.notes.is_empty() {
        event = event.with("notes", aligned.notes);
    }
    event.artifact = aligned.artifact;
    event
}
