//! What happened, as events of a session.

use std::collections::{BTreeMap, HashMap, HashSet};

use mentci_authority::{Event, Hook, Role, ToolCall, ToolStatus};
use mentci_ledger::{Decided, call_hash};
use mentci_source::Hash;
use serde_json::{Map, Value, json};

use super::{Session, SessionEventKind};

/// An event before it has an id and a time.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// What it is.
    pub kind: SessionEventKind,
    /// What it says.
    pub data: Map<String, Value>,
}

/// What a session keeps of an event, and of what was decided about it. What a decision redacted stands instead of what came.
///
/// A message is `user_input`, or `phase_result` when the model or a tool said it. A call is `tool_call`, with a
/// `guard_decision` when it was not plainly allowed, and `tool_denied` when it was blocked. An answer is `tool_success`,
/// `tool_error` or `tool_timeout`; one of the form `{"artifact": handle, "summary": text}` was moved out of the log. All else
/// is a `phase_result` with its `phase` alone.
///
/// ```
/// use mentci_authority::Event;
/// use mentci_context::{SessionEventKind, events_of};
/// let line = r#"{"event":"post_tool_response","tool":{"name":"exec","call_id":"c1"},"result":{"error":"no such file"}}"#;
/// let event: Event = serde_json::from_str(line)?;
/// let events = events_of(&event, None);
/// assert_eq!(events[0].kind, SessionEventKind::ToolError);
/// assert_eq!(events[0].data["error"], "no such file");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn events_of(event: &Event, decided: Option<&Decided>) -> Vec<NewEvent> {
    match (event.hook, &event.tool, &event.message) {
        (Hook::PreToolCall, Some(tool), _) => denied_as_told(event, tool, call(tool, decided)),
        (Hook::PostToolResponse, Some(tool), _) => answer(event, tool, decided),
        (Hook::MessageAppended, _, Some(message)) => {
            let kind = match message.role {
                Role::Assistant | Role::Tool => SessionEventKind::PhaseResult,
                _ => SessionEventKind::UserInput,
            };
            vec![new(kind, json!({"role": message.role.name(), "text": message.text}))]
        }
        (hook, ..) => vec![new(SessionEventKind::PhaseResult, json!({"phase": hook.name()}))],
    }
}

fn new(kind: SessionEventKind, data: Value) -> NewEvent {
    let Value::Object(data) = data else { return NewEvent { kind, data: Map::new() } };
    NewEvent { kind, data }
}

/// A call of which its line says that it was denied ended so, whoever denied it.
fn denied_as_told(event: &Event, tool: &ToolCall, mut events: Vec<NewEvent>) -> Vec<NewEvent> {
    if tool.status != Some(ToolStatus::Denied) {
        return events;
    }
    let told = event.result.as_ref().and_then(|result| result.error.as_deref());
    let error = told.unwrap_or("denied by policy");
    let call_id = tool.call_id.as_deref().unwrap_or("");
    let denied =
        new(SessionEventKind::ToolDenied, json!({"call_id": call_id, "tool": tool.name, "error": error}));
    match events.iter_mut().find(|event| event.kind == SessionEventKind::ToolDenied) {
        Some(own) => *own = denied,
        None => events.push(denied),
    }
    events
}

fn call(tool: &ToolCall, decided: Option<&Decided>) -> Vec<NewEvent> {
    let args = decided.and_then(|decided| decided.redacted.as_ref()).unwrap_or(&tool.args);
    let call_id = tool.call_id.as_deref().unwrap_or("");
    let said = json!({"call_id": call_id, "tool": tool.name, "args": args});
    let mut events = vec![new(SessionEventKind::ToolCall, said)];
    let Some(decided) = decided.filter(|decided| decided.decision.name() != "allow") else { return events };
    let decision = decided.decision.name();
    let said = json!({"call_id": call_id, "tool": tool.name, "decision": decision, "rules": decided.rules});
    events.push(new(SessionEventKind::GuardDecision, said));
    if decision == "block" {
        let error = format!("denied by {}", decided.rules.first().map_or("policy", String::as_str));
        let said = json!({"call_id": call_id, "tool": tool.name, "error": error});
        events.push(new(SessionEventKind::ToolDenied, said));
    }
    events
}

fn answer(event: &Event, tool: &ToolCall, decided: Option<&Decided>) -> Vec<NewEvent> {
    let result = event.result.clone().unwrap_or_default();
    let status = tool.status.or(result.status);
    let kind = match (status, &result.error) {
        (Some(ToolStatus::Timeout), _) => SessionEventKind::ToolTimeout,
        (Some(ToolStatus::Cancelled), _) => SessionEventKind::ToolCancelled,
        (Some(ToolStatus::Denied), _) => SessionEventKind::ToolDenied,
        (Some(ToolStatus::Error | ToolStatus::Invalid), _) | (None, Some(_)) => SessionEventKind::ToolError,
        _ => SessionEventKind::ToolSuccess,
    };
    let mut data = Map::new();
    data.insert("call_id".into(), tool.call_id.clone().unwrap_or_default().into());
    data.insert("tool".into(), tool.name.clone().into());
    if status == Some(ToolStatus::Invalid) {
        data.insert("status".into(), "invalid".into());
    }
    if let Some(error) = result.error {
        data.insert("error".into(), error.into());
    }
    match decided.and_then(|decided| decided.redacted.clone()).unwrap_or(result.value) {
        Value::Object(mut value) if is_external(&value) => {
            data.extend(["artifact", "summary"].into_iter().filter_map(|name| value.remove_entry(name)));
        }
        Value::Null => {}
        value => drop(data.insert("value".into(), value)),
    }
    vec![NewEvent { kind, data }]
}

/// Whether a result was moved out of the log.
fn is_external(value: &Map<String, Value>) -> bool {
    value.get("artifact").is_some_and(|artifact| artifact.get("artifact_id").is_some())
        && value.keys().all(|key| key == "artifact" || key == "summary")
}

/// The calls of a session: which are open, and which ids were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls {
    /// The ids of open calls.
    open: HashSet<String>,
    /// How often an id was used.
    used: HashMap<String, u64>,
    /// Open calls that came without an id, by number.
    nameless: BTreeMap<u64, Nameless>,
    given: u64,
}

#[derive(Debug, Clone)]
struct Nameless {
    id: String,
    tool: String,
    hash: Hash,
}

/// The most open calls without ids that are remembered; the oldest are forgotten first.
const MOST_NAMELESS: usize = 256;

impl Calls {
    /// Takes note of what was recorded.
    pub(super) fn saw(&mut self, kind: SessionEventKind, data: &Map<String, Value>) {
        let id = data.get("call_id").and_then(Value::as_str).unwrap_or("");
        if kind == SessionEventKind::ToolCall {
            self.used.entry(id.to_owned()).or_insert(1);
            self.open.insert(id.to_owned());
        } else if kind.ends_a_call() {
            self.open.remove(id);
            self.nameless.retain(|_, call| call.id != id);
        }
    }

    /// Gives a call an id of its own where a line says one that was used, and its end the id of the call that is meant.
    pub(super) fn keep_apart(&mut self, kind: SessionEventKind, data: &mut Map<String, Value>) {
        let Some(told) = data.get("call_id").and_then(Value::as_str).filter(|id| !id.is_empty()) else {
            return;
        };
        let times = self.used.get_mut(told);
        let own = match times {
            Some(times) if kind == SessionEventKind::ToolCall => {
                *times += 1;
                format!("{told}#{times}")
            }
            Some(times) if !self.open.contains(told) => format!("{told}#{times}"),
            _ => return,
        };
        if kind == SessionEventKind::ToolCall || self.open.contains(&own) {
            data.insert("call_id".into(), own.into());
        }
    }

    /// The id under which a call is recorded.
    fn name(&mut self, tool: &ToolCall) -> String {
        if let Some(told) = told_id(tool) {
            let Some(times) = self.used.get_mut(told) else { return told.to_owned() };
            *times += 1;
            return format!("{told}#{times}");
        }
        self.given += 1;
        let id = format!("call-{}", self.given);
        let hash = call_hash(&tool.name, &tool.args);
        self.nameless.insert(self.given, Nameless { id: id.clone(), tool: tool.name.clone(), hash });
        if self.nameless.len() > MOST_NAMELESS {
            self.nameless.pop_first();
        }
        id
    }

    /// The open call that is meant.
    fn find(&self, tool: &ToolCall) -> Option<String> {
        if let Some(told) = told_id(tool) {
            let last = format!("{told}#{}", self.used.get(told).copied().unwrap_or(1));
            return [told.to_owned(), last].into_iter().find(|id| self.open.contains(id));
        }
        let hash = call_hash(&tool.name, &tool.args);
        let open = || self.nameless.values().filter(|call| self.open.contains(&call.id));
        let same = open().find(|call| call.hash == hash);
        same.or_else(|| open().find(|call| call.tool == tool.name)).map(|call| call.id.clone())
    }

    /// Whether the id names a call that has ended.
    fn was_answered(&self, tool: &ToolCall) -> bool {
        told_id(tool).is_some_and(|id| self.used.contains_key(id))
    }
}

fn told_id(tool: &ToolCall) -> Option<&str> {
    tool.call_id.as_deref().filter(|told| !told.is_empty())
}

impl Session {
    /// Appends what an event says, at its time or at the last one. Answers find their calls: by id, and without one by tool
    /// and arguments, the oldest open call first. An answer without a call brings the call with it; an id that is used again
    /// is numbered, unless its call is still open; a second answer of one call is recorded as it is.
    pub fn take_in(&mut self, event: &Event, decided: Option<&Decided>) {
        let at = event.at.unwrap_or_else(|| self.log.last_at());
        let mut events = events_of(event, decided);
        if let Some(tool) = event.tool.as_ref().filter(|_| event.hook.concerns_a_tool()) {
            let id = self.name_call(event, tool, &mut events);
            for event in &mut events {
                event.data.insert("call_id".into(), id.clone().into());
            }
        }
        for NewEvent { kind, data } in events {
            self.record(kind, data, at);
        }
    }

    /// The id of the call that an event concerns; the call itself is put in front where it is missing.
    fn name_call(&mut self, event: &Event, tool: &ToolCall, events: &mut Vec<NewEvent>) -> String {
        let is_call = event.hook == Hook::PreToolCall;
        match self.calls.find(tool) {
            Some(open) if !is_call => return open,
            Some(open) if told_id(tool).is_some() => {
                // Asked again, after a person said so.
                events.remove(0);
                return open;
            }
            _ => {}
        }
        if !is_call && self.calls.was_answered(tool) {
            return tool.call_id.clone().unwrap_or_default();
        }
        if !is_call {
            events.splice(0..0, call(tool, None));
        }
        self.calls.name(tool)
    }
}
