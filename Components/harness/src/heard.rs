//! A hook of a harness in our words.

use std::borrow::Cow;

use mentci_authority::{
    Event, Hook, Message, Role, ToolCall, ToolResult, ToolStatus, Usage, about_bytes, inexact,
};
use mentci_host::{Harness, HookCall, Moment};
use serde_json::{Map, Value};

use crate::payload::Payload;
use crate::withheld::notice;

/// What a hook of a harness stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// A session begins or goes on; whether the model still reads what it was told before.
    Begin {
        /// It does.
        remembers: bool,
    },
    /// The conversation was summarised, and a text can be told.
    Compacted,
    /// The user says something.
    Prompt,
    /// A turn goes on: a request to the model is about to be sent, or something was said.
    Turn,
    /// A tool is about to run: the gate.
    Gate,
    /// A tool has answered.
    Result,
    /// The conversation is about to be summarised.
    Compacting,
    /// The agent has answered the user.
    TurnEnd,
    /// The session ends.
    End,
    /// Nothing that is decided: it is passed over.
    Other,
}

/// What was heard at a hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// What it stands for.
    pub point: Point,
    /// What is asked of the workspace.
    pub call: HookCall,
    /// Whether somebody is there who could be asked.
    pub can_ask: bool,
    /// The tool's name as the harness says it.
    pub(crate) name: String,
    /// The arguments as the harness wrote them: what a rewrite is laid over.
    pub(crate) args: Value,
    /// The result as the harness wrote it.
    pub(crate) result: Value,
}

/// A tool's call as a harness tells it.
#[derive(Debug, Default)]
pub(crate) struct Called<'p> {
    pub(crate) name: Option<Cow<'p, str>>,
    pub(crate) args: Value,
    /// The text of the arguments as it came, where another one would be written of what was read.
    pub(crate) told: Option<String>,
    pub(crate) id: Option<&'p str>,
}

/// What a tool answered, as a harness tells it.
#[derive(Debug, Default)]
pub(crate) struct Answered {
    pub(crate) value: Value,
    pub(crate) error: Option<String>,
    pub(crate) duration_ms: Option<f64>,
    /// The text of the value as it came, where another one would be written of what was read.
    pub(crate) told: Option<String>,
    /// How many things it holds.
    pub(crate) count: Option<i64>,
    /// Whether it ended because its time was over.
    pub(crate) timed_out: bool,
}

impl Heard {
    /// A hook of this session, at this point.
    pub(crate) fn new(harness: Harness, point: Point, session: String) -> Self {
        let call = HookCall { session, moment: moment(point), ..HookCall::new(harness) };
        Self { point, call, can_ask: false, name: String::new(), args: Value::Null, result: Value::Null }
    }

    /// With an event of the session that is about no tool.
    pub(crate) fn happens(mut self, hook: Hook) -> Self {
        let event = self.event(hook);
        self.call.events.push(event);
        self
    }

    /// With what the user says: a query begins, and its first turn.
    pub(crate) fn prompted(self, text: &str) -> Self {
        self.says(Hook::QueryStart, Role::User, text).happens(Hook::TurnStart)
    }

    /// With the end of a turn, and what the agent said last where it is told.
    pub(crate) fn answers(self, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.says(Hook::TurnEnd, Role::Assistant, text),
            None => self.happens(Hook::TurnEnd),
        }
    }

    /// With what somebody says.
    pub(crate) fn says(mut self, hook: Hook, role: Role, text: &str) -> Self {
        let message = Message { role, text: text.to_owned(), tokens: None, synthetic: false };
        let event = Event { message: Some(message), ..self.event(hook) };
        self.call.said += text.len() as u64;
        self.call.events.push(event);
        self
    }

    /// With what has been used up.
    pub(crate) fn used(mut self, usage: Usage) -> Self {
        if let Some(event) = self.call.events.last_mut() {
            event.usage = Some(usage);
        }
        self
    }

    /// With a call that is about to be made.
    pub(crate) fn calls(mut self, called: Called<'_>) -> Self {
        let mut event = self.event(Hook::PreToolCall);
        self.args = called.args.clone();
        event.told_args.clone_from(&called.told);
        event.tool = Some(tool(called));
        self.call.events.push(event);
        self
    }

    /// With a call and its answer.
    pub(crate) fn returns(mut self, called: Called<'_>, answered: Answered) -> Self {
        let mut event = self.event(Hook::PostToolResponse);
        let Answered { value, told, error, duration_ms, count, timed_out } = answered;
        let status = match (timed_out, &error) {
            (true, _) => ToolStatus::Timeout,
            (false, Some(_)) => ToolStatus::Error,
            (false, None) => ToolStatus::Success,
        };
        (self.args, self.result) = (called.args.clone(), value.clone());
        self.call.said = (about_bytes(&value) + about_bytes(&called.args)) as u64;
        let other = value.as_object().cloned().unwrap_or_default();
        let status = Some(status);
        event.result = Some(ToolResult { status, value, error, duration_ms, count, other, told });
        event.told_args.clone_from(&called.told);
        event.tool = Some(ToolCall { status, ..tool(called) });
        self.call.events.push(event);
        self
    }

    /// With a fact about the session.
    pub(crate) fn fact(mut self, name: &str, value: Option<&Value>) -> Self {
        if let Some(value) = value {
            for event in &mut self.call.events {
                event.facts.insert(name.to_owned(), value.clone());
            }
        }
        self
    }

    /// Whether it is a result of a tool that has no name: no rule can look at it. A call of one is refused where it is decided.
    pub fn is_nameless(&self) -> bool {
        let mut tools = self.call.events.iter().filter_map(|event| event.tool.as_ref());
        self.point == Point::Result && tools.any(|tool| tool.name.is_empty())
    }

    /// Whether it is a call of which digits were lost in reading it: what is decided would be about another one.
    pub fn is_rounded(&self) -> bool {
        let mut tools = self.call.events.iter().filter_map(|event| event.tool.as_ref());
        self.point == Point::Gate && tools.any(|tool| inexact(&tool.args).is_some())
    }

    /// What the session is told where a call was refused, or its result withheld, before anybody looked at it: that it ended, and
    /// why, and nothing of what it holds. None where that is about no tool.
    pub fn withheld(&self, why: &str) -> Option<Self> {
        let told = self.call.events.iter().find(|event| event.hook.concerns_a_tool())?;
        let tool = told.tool.as_ref().filter(|tool| !tool.name.is_empty())?;
        let result = match (self.point, told.result.as_ref().and_then(|result| result.error.as_ref())) {
            (Point::Gate, _) => ToolResult { error: Some(why.to_owned()), ..ToolResult::default() },
            (Point::Result, None) => ToolResult { value: notice(why).into(), ..ToolResult::default() },
            (Point::Result, Some(_)) => ToolResult { error: Some(notice(why)), ..ToolResult::default() },
            _ => return None,
        };
        let status = if self.point == Point::Gate { Some(ToolStatus::Denied) } else { tool.status };
        let mut event = self.event(Hook::PostToolResponse);
        event.tool = Some(ToolCall { args: Value::Object(Map::new()), status, ..tool.clone() });
        event.result = Some(ToolResult { status, ..result });
        let call = HookCall { events: vec![event], moment: None, said: 0, ..self.call.clone() };
        Some(Self { call, args: Value::Null, result: Value::Null, ..self.clone() })
    }

    fn event(&self, hook: Hook) -> Event {
        let mut facts = Map::new();
        facts.insert("harness".to_owned(), self.call.harness.name().into());
        Event { session: self.call.session.clone(), facts, ..Event::new(hook) }
    }
}

fn tool(called: Called<'_>) -> ToolCall {
    ToolCall {
        name: called.name.unwrap_or_default().into_owned(),
        args: called.args,
        call_id: called.id.map(str::to_owned),
        status: None,
    }
}

/// Where a text could be shown, were the harness to take one there.
fn moment(point: Point) -> Option<Moment> {
    match point {
        Point::Begin { remembers } => Some(Moment::Begins { remembers }),
        Point::Compacted => Some(Moment::Compacted),
        Point::Prompt => Some(Moment::Prompted),
        Point::Result => Some(Moment::Returned),
        Point::Compacting => Some(Moment::Compacting),
        Point::TurnEnd => Some(Moment::Answered),
        Point::Turn | Point::Gate | Point::End | Point::Other => None,
    }
}

/// The value at a path of a payload, or null.
pub(crate) fn value(payload: &Payload, path: &str) -> Value {
    payload.at(path).cloned().unwrap_or_default()
}
