//! What happened, as events of a session.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use mentci_authority::{Event, Hook, Message, Role, ToolCall, ToolStatus, is_respelled};
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
/// A message is `user_input`, or `phase_result` when the model or a tool said it, at whichever hook it is told; a query that
/// was blocked was never said to the model, and is none. A call is `tool_call`, with a
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
        (Hook::PreToolCall, Some(tool), _) => denied_as_told(event, tool, call(event, tool, decided)),
        (Hook::PostToolResponse, Some(tool), _) => answer(event, tool, decided),
        (Hook::MessageAppended, _, Some(message)) => vec![said(message)],
        (Hook::QueryStart | Hook::TurnEnd, _, Some(message))
            if !message.text.trim().is_empty() && !is_blocked(decided) =>
        {
            vec![said(message)]
        }
        (hook, ..) => vec![phase(hook)],
    }
}

fn said(message: &Message) -> NewEvent {
    let kind = match message.role {
        Role::Assistant | Role::Tool => SessionEventKind::PhaseResult,
        _ => SessionEventKind::UserInput,
    };
    new(kind, json!({"role": message.role.name(), "text": message.text}))
}

fn phase(hook: Hook) -> NewEvent {
    new(SessionEventKind::PhaseResult, json!({"phase": hook.name()}))
}

fn is_blocked(decided: Option<&Decided>) -> bool {
    decided.is_some_and(|decided| decided.decision.name() == "block")
}

/// What was said last, and at which hook it was told. Some harnesses tell a message twice: as what the user asks and as what is
/// appended, or as what is appended and as what the turn ended with.
#[derive(Debug, Clone, Default)]
pub(super) struct LastSaid(Option<(Hook, Role, Hash)>);

impl LastSaid {
    /// Whether this is the last message again, as another hook tells it. What a tool did or a turn's end stands between two
    /// that are alike.
    fn is_again(&mut self, event: &Event, decided: Option<&Decided>) -> bool {
        let (Some(message), false) = (&event.message, is_blocked(decided)) else {
            if event.hook.concerns_a_tool() || event.hook == Hook::TurnEnd {
                self.0 = None;
            }
            return false;
        };
        let hash = Hash::of_bytes(message.text.trim().as_bytes());
        let again = self
            .0
            .take_if(|(hook, role, said)| *hook != event.hook && *role == message.role && *said == hash);
        if again.is_none() {
            self.0 = Some((event.hook, message.role, hash));
        }
        again.is_some()
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

fn call(event: &Event, tool: &ToolCall, decided: Option<&Decided>) -> Vec<NewEvent> {
    let redacted = decided.and_then(|decided| decided.redacted.as_ref());
    // What was read of them would be other numbers.
    let told = event.told_args.as_deref().filter(|text| redacted.is_none() && is_respelled(text));
    let args = told.map_or_else(|| redacted.unwrap_or(&tool.args).clone(), Value::from);
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
    let redacted = decided.and_then(|decided| decided.redacted.clone());
    let told = result.told.filter(|text| redacted.is_none() && is_own_text(text));
    match redacted.unwrap_or(result.value) {
        Value::Object(mut value) if is_external(&value) => {
            data.extend(["artifact", "summary"].into_iter().filter_map(|name| value.remove_entry(name)));
        }
        Value::Null => {}
        // What was read of it would be another number.
        value => drop(data.insert("value".into(), told.map_or(value, Value::String))),
    }
    vec![NewEvent { kind, data }]
}

/// Whether the text of a value is shown in its place: another number would be written of what was read, or it is so long that it is
/// kept as it came.
fn is_own_text(text: &str) -> bool {
    text.len() >= LONG || is_respelled(text)
}

/// From so many bytes on a text is kept as it came, with its spaces.
const LONG: usize = 1_024;

/// Whether a result was moved out of the log.
fn is_external(value: &Map<String, Value>) -> bool {
    value.get("artifact").is_some_and(|artifact| artifact.get("artifact_id").is_some())
        && value.keys().all(|key| matches!(key.as_str(), "artifact" | "summary" | "form"))
}

/// The calls of a session: which are open, and which ids were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls {
    /// The ids of open calls.
    open: HashSet<String>,
    /// The ids that were told or given.
    used: HashMap<String, Used>,
    /// Open calls that came without an id, by number.
    nameless: BTreeMap<u64, Nameless>,
    given: u64,
}

/// An id that calls were told by.
#[derive(Debug, Clone)]
struct Used {
    /// The number of the last of them.
    times: u64,
    /// The id of its own that the last of them was given.
    own: String,
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
            self.used.entry(id.to_owned()).or_insert_with(|| Used { times: 1, own: id.to_owned() });
            self.open.insert(id.to_owned());
        } else if kind.ends_a_call() {
            self.open.remove(id);
            self.nameless.retain(|_, call| call.id != id);
        }
    }

    /// Gives a call an id of its own where a line says one that was used, or none, and its end the id of the call that is meant.
    pub(super) fn keep_apart(&mut self, kind: SessionEventKind, data: &mut Map<String, Value>) {
        let told = match data.get("call_id") {
            Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
            Some(number @ Value::Number(_)) => Some(number.to_string()),
            _ => None,
        };
        let is_call = kind == SessionEventKind::ToolCall;
        let own = match told {
            Some(told) if is_call => Some(self.own(&told)),
            Some(told) => Some(self.open_of(&told).unwrap_or(told)),
            None if is_call || kind.ends_a_call() => {
                let tool = data.get("tool").and_then(Value::as_str).unwrap_or_default();
                let args = data.get("args").unwrap_or(&Value::Null);
                if is_call { Some(self.give(tool, args)) } else { self.nameless_of(tool, args) }
            }
            None => None,
        };
        if let Some(own) = own {
            data.insert("call_id".into(), own.into());
        }
    }

    /// The id under which a call is recorded.
    fn name(&mut self, tool: &ToolCall) -> String {
        match told_id(tool) {
            Some(told) => self.own(told),
            None => self.give(&tool.name, &tool.args),
        }
    }

    /// The id of its own of a call that is told by this one: another one, where it was used.
    fn own(&mut self, told: &str) -> String {
        let Some(used) = self.used.get(told) else { return told.to_owned() };
        let mut times = used.times;
        let own = loop {
            times += 1;
            let own = format!("{told}#{times}");
            if !self.used.contains_key(&own) {
                break own;
            }
        };
        self.used.insert(told.to_owned(), Used { times, own: own.clone() });
        own
    }

    /// An id for a call that came without one.
    fn give(&mut self, tool: &str, args: &Value) -> String {
        self.given += 1;
        let id = self.own(&format!("call-{}", self.given));
        let hash = call_hash(tool, args);
        self.nameless.insert(self.given, Nameless { id: id.clone(), tool: tool.to_owned(), hash });
        if self.nameless.len() > MOST_NAMELESS {
            self.nameless.pop_first();
        }
        id
    }

    /// The open call that is meant.
    fn find(&self, tool: &ToolCall) -> Option<String> {
        match told_id(tool) {
            Some(told) => self.open_of(told),
            None => self.nameless_of(&tool.name, &tool.args),
        }
    }

    /// The id of its own of the open call that is told by this one.
    fn open_of(&self, told: &str) -> Option<String> {
        let own = self.used.get(told).map(|used| used.own.as_str());
        [told].into_iter().chain(own).find(|id| self.open.contains(*id)).map(str::to_owned)
    }

    /// The open call without an id that is meant: by tool and arguments, or else the oldest one of the tool.
    fn nameless_of(&self, tool: &str, args: &Value) -> Option<String> {
        let hash = call_hash(tool, args);
        let open = || self.nameless.values().filter(|call| self.open.contains(&call.id));
        let same = open().find(|call| call.hash == hash);
        same.or_else(|| open().find(|call| call.tool == tool || tool.is_empty())).map(|call| call.id.clone())
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
    /// is numbered, unless its call is still open; a second answer of one call is recorded as it is. A message that two hooks
    /// tell was said once.
    pub fn take_in(&mut self, event: &Event, decided: Option<&Decided>) {
        let at = event.at.unwrap_or_else(|| self.log.last_at());
        let event = &*self.without_secret_text(event);
        let is_again = self.last_said.is_again(event, decided);
        let mut events = if is_again { vec![phase(event.hook)] } else { events_of(event, decided) };
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

    /// The event without the texts of its arguments and its value, where something is secret in them: of what was read each secret
    /// is taken out.
    fn without_secret_text<'e>(&self, event: &'e Event) -> Cow<'e, Event> {
        let Some(detector) = self.redactor.as_ref().filter(|_| event.has_text()) else {
            return Cow::Borrowed(event);
        };
        let hides = |text: Option<&str>, value: &Value| {
            text.is_some_and(|text| {
                detector.has_any(text) || !detector.redact_value(value.clone()).hits.is_empty()
            })
        };
        let (tool, result) = (event.tool.as_ref(), event.result.as_ref());
        let in_args = tool.is_some_and(|tool| hides(event.told_args.as_deref(), &tool.args));
        let in_value = result.is_some_and(|result| hides(result.told.as_deref(), &result.value));
        if !in_args && !in_value {
            return Cow::Borrowed(event);
        }
        let mut event = event.clone();
        event.told_args = event.told_args.filter(|_| !in_args);
        event.result.iter_mut().filter(|_| in_value).for_each(|result| result.told = None);
        Cow::Owned(event)
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
            events.splice(0..0, call(event, tool, None));
        }
        self.calls.name(tool)
    }
}
