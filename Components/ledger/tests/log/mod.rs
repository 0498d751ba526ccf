//! A log written down line by line.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test file uses a part of it, and a test may stop"
)]

use mentci_authority::{At, Effect, Event, Hook, Message, Role, ToolCall, ToolStatus};
use mentci_ledger::{Act, Decided, Delta, Ledger, LedgerView, Record, SessionLedger, Windows};
use serde_json::json;

/// The fold of one session, told in short words.
pub struct Log {
    pub ledger: Ledger,
    pub records: Vec<Record>,
    pub second: i64,
}

impl Log {
    pub fn new(longest_seconds: u64) -> Self {
        let ledger = Ledger::new(Windows { longest_ms: longest_seconds * 1_000 });
        Self { ledger, records: Vec::new(), second: 0 }
    }

    pub fn event(&self, hook: Hook) -> Event {
        Event { session: "s1".into(), at: Some(At::utc(self.second * 1_000)), ..Event::new(hook) }
    }

    /// `read` is a tool, `read#c1` a call of it with an id.
    pub fn tool(&self, hook: Hook, tool: &str) -> Event {
        let (name, id) = tool.split_once('#').map_or((tool, None), |(name, id)| (name, Some(id.to_owned())));
        let tool = ToolCall { name: name.into(), args: json!({"id": id}), call_id: id, status: None };
        Event { tool: Some(tool), ..self.event(hook) }
    }

    pub fn record(&mut self, event: &Event, decision: Effect, deltas: Vec<Delta>) {
        self.record_as(event, &Decided::new(decision, []), deltas);
    }

    pub fn record_as(&mut self, event: &Event, decided: &Decided, deltas: Vec<Delta>) {
        let record = Record::of(event, decided, deltas);
        self.ledger.fold(&record);
        self.records.push(record);
    }

    pub fn act(&mut self, act: Act) {
        let record = Record::act("s1", At::utc(self.second * 1_000), act);
        self.ledger.fold(&record);
        self.records.push(record);
    }

    pub fn hook(&mut self, hook: Hook) -> &mut Self {
        let event = self.event(hook);
        self.record(&event, Effect::Allow, vec![]);
        self
    }

    pub fn turn(&mut self) -> &mut Self {
        self.hook(Hook::TurnStart)
    }

    pub fn call(&mut self, tool: &str, decision: Effect) -> &mut Self {
        let event = self.tool(Hook::PreToolCall, tool);
        self.record(&event, decision, vec![]);
        self
    }

    pub fn answer(&mut self, tool: &str, status: ToolStatus) -> &mut Self {
        let mut event = self.tool(Hook::PostToolResponse, tool);
        event.tool.as_mut().unwrap().status = Some(status);
        self.record(&event, Effect::Allow, vec![]);
        self
    }

    pub fn said(&mut self, role: Role, text: &str) -> &mut Self {
        let event = self.message(Hook::MessageAppended, role, text);
        self.record(&event, Effect::Allow, vec![]);
        self
    }

    pub fn message(&self, hook: Hook, role: Role, text: &str) -> Event {
        let message = Message { role, text: text.into(), tokens: None, synthetic: false };
        Event { message: Some(message), ..self.event(hook) }
    }

    pub fn fires(&mut self, hook: Hook, rule: &str) -> &mut Self {
        let event = self.event(hook);
        self.record(&event, Effect::Allow, vec![Delta::Fired { rule: rule.into() }]);
        self
    }

    pub fn session(&self) -> &SessionLedger {
        self.ledger.session("s1").unwrap()
    }

    /// Looks at the log with an event.
    pub fn see<T>(&self, event: &Event, look: impl Fn(LedgerView<'_>) -> T) -> T {
        look(self.ledger.view(event))
    }

    /// Looks at the log as the next call would.
    pub fn now<T>(&self, look: impl Fn(LedgerView<'_>) -> T) -> T {
        self.see(&self.tool(Hook::PreToolCall, "next"), look)
    }
}
