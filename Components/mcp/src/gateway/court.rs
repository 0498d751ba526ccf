//! What the policy says of a call and of its answer.

use std::sync::{Arc, PoisonError, RwLock};

use mentci_authority::{Event, Hook, ToolCall, ToolResult, ToolStatus, Verdict};
use mentci_host::policy::PolicyRequest;
use mentci_host::{Answer, Ask, Harness, HookCall, Outcome, Request, Response};
use serde_json::{Map, Value};
use tokio::time::Duration;

use super::names::{canonical, server_name};

/// Asks about the calls of one server, in one session.
pub(super) struct Court {
    ask: Arc<dyn Ask>,
    session: String,
    server: RwLock<String>,
    is_named: bool,
}

/// How a call ended.
#[derive(Debug)]
pub(super) struct Ended<'e> {
    pub(super) status: ToolStatus,
    pub(super) value: Value,
    pub(super) error: Option<&'e str>,
    pub(super) took: Option<Duration>,
}

impl Court {
    pub(super) fn new(ask: Arc<dyn Ask>, session: String, name: Option<&str>, fallback: &str) -> Self {
        let server = RwLock::new(server_name(name.unwrap_or(fallback)));
        Self { ask, session, server, is_named: name.is_some() }
    }

    /// The server says its name: it holds, unless the user named it otherwise.
    pub(super) fn introduce(&self, told: &str) {
        if !self.is_named && !told.trim().is_empty() {
            *self.server.write().unwrap_or_else(PoisonError::into_inner) = server_name(told);
        }
    }

    /// `mcp__server__tool`.
    pub(super) fn name(&self, tool: &str) -> String {
        canonical(&self.server.read().unwrap_or_else(PoisonError::into_inner), tool)
    }

    pub(super) fn session(&self) -> &str {
        &self.session
    }

    pub(super) fn ask(&self) -> &Arc<dyn Ask> {
        &self.ask
    }

    /// Decides a call that is about to be made.
    ///
    /// # Errors
    /// Why nothing could be decided: then it does not run.
    pub(super) fn before(&self, tool: &str, args: &Value, id: &str) -> Result<Verdict, String> {
        let mut event = self.event(Hook::PreToolCall, tool);
        event.tool = Some(self.call(tool, args.clone(), id, None));
        self.decide(event)
    }

    /// Decides what a call answered, and tells its end.
    ///
    /// # Errors
    /// Why nothing could be decided.
    pub(super) fn after(
        &self,
        tool: &str,
        args: Value,
        id: &str,
        ended: Ended<'_>,
    ) -> Result<Verdict, String> {
        let mut event = self.event(Hook::PostToolResponse, tool);
        let Ended { status, value, error, took } = ended;
        event.tool = Some(self.call(tool, args, id, Some(status)));
        let duration_ms = took.map(|took| took.as_secs_f64() * 1_000.0);
        let (error, status) = (error.map(str::to_owned), Some(status));
        event.result = Some(ToolResult { status, value, error, duration_ms, ..ToolResult::default() });
        self.decide(event)
    }

    /// A person answered a request for approval.
    ///
    /// # Errors
    /// Why it does not count.
    pub(super) fn answer(&self, approval: &str, grant: bool) -> Result<(), String> {
        let request = PolicyRequest::Answer { id: approval.to_owned(), grant, by: None, words: None };
        let response = self.ask.ask(Request::Policy(request));
        if response.outcome == Outcome::Bad { Err(why(&response)) } else { Ok(()) }
    }

    fn call(&self, tool: &str, args: Value, id: &str, status: Option<ToolStatus>) -> ToolCall {
        ToolCall { name: self.name(tool), args, call_id: Some(id.to_owned()), status }
    }

    fn event(&self, hook: Hook, tool: &str) -> Event {
        let server = self.server.read().unwrap_or_else(PoisonError::into_inner).clone();
        let facts = [("harness", "mcp-gateway"), ("server", &server), ("server_tool", tool)];
        let facts: Map<String, Value> =
            facts.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        Event { session: self.session.clone(), facts, ..Event::new(hook) }
    }

    fn decide(&self, event: Event) -> Result<Verdict, String> {
        let call =
            HookCall { session: self.session.clone(), events: vec![event], ..HookCall::new(Harness::Any) };
        let response = self.ask.ask(Request::Hook(Box::new(call)));
        let why = why(&response);
        match response.answer {
            Answer::Hook(answer) => answer.verdicts.into_iter().next().ok_or(why),
            _ => Err(why),
        }
    }
}

/// Why nothing was decided.
fn why(response: &Response) -> String {
    let error = response.findings.iter().max_by_key(|finding| finding.severity);
    error.map_or_else(|| "no verdict came".to_owned(), |finding| finding.message.clone())
}
