//! Calls and their answers, as blocks tell them.

use mentci_authority::{
    ArtifactId, At, Effect, Event, Hook, Message, Role, ToolCall, ToolResult, ToolStatus,
};
use mentci_chatmd::Block;
use mentci_ledger::{Act, Decided, Delta};
use mentci_source::Hash;
use serde_json::{Value, json};

use super::arguments::arguments;
use super::calls::{Answer, OpenCall};
use super::{Happened, Step, Transcript};

impl Transcript {
    pub(super) fn call(&mut self, block: &Block, at: At) {
        let via_rule = block.via_rule().map(str::to_owned);
        match &via_rule {
            Some(rule) => self.at_hook(self.hook_of(block, Some(rule)), at),
            None => self.reply(at),
        }
        let name = name_of(block);
        if name.is_empty() {
            self.odd("this `<tool_call>` names no tool");
        }
        self.calls.add(OpenCall {
            block: self.position.blocks,
            at,
            id: String::new(),
            name: name.to_owned(),
            args: arguments(block),
            via_rule,
            turn: self.position.turn,
            granted: None,
            asked_by: None,
            told: id_of(block).map(str::to_owned),
            answer: None,
        });
        self.position.calls = self.calls.count();
    }

    pub(super) fn answer(&mut self, block: &Block, at: At) {
        self.is_broken = true;
        let (id, name) = (id_of(block), name_of(block));
        let answer = self.read_answer(block, at, name);
        if let Some(found) = self.calls.find(id, name) {
            self.calls.answer(found, answer);
            if !self.calls.is_waiting() {
                self.settle();
            }
        } else if let Some(call) = self.calls.late(id) {
            self.ended(&call, &answer);
        } else {
            self.odd("this `<tool_response>` answers no call");
            let (name, told) = (name.to_owned(), id.map(str::to_owned));
            let id = told.clone().unwrap_or_default();
            self.ended(&unseen(self.position.blocks, at, id, name, self.position.turn), &answer);
        }
    }

    fn read_answer(&mut self, block: &Block, at: At, name: &str) -> Answer {
        let text = block.text().into_string();
        let status = match block.value("status").unwrap_or("success") {
            "success" => ToolStatus::Success,
            "error" => ToolStatus::Error,
            "timeout" => ToolStatus::Timeout,
            "invalid" => ToolStatus::Invalid,
            "cancelled" => ToolStatus::Cancelled,
            other => {
                self.odd(format!("`{}` is no status of a call: it counts as an error", other.escape_debug()));
                ToolStatus::Error
            }
        };
        let value = handle(block, &text, name, at).unwrap_or_else(|| value_of(&text));
        let via_rule = block.via_rule().map(str::to_owned);
        let denied = block.value("denied").is_some_and(|denied| denied != "false");
        Answer { block: self.position.blocks, at, status, denied, via_rule, text, value }
    }

    /// What waits for answers is told: first the calls, then how they ended. One without an answer counts as executed.
    pub(super) fn settle(&mut self) {
        let (calls, answered) = self.calls.take();
        self.tell_calls(&calls, &answered);
    }

    pub(super) fn tell_calls(&mut self, calls: &[OpenCall], answered: &[usize]) {
        for call in calls {
            self.made(call);
        }
        for call in answered.iter().filter_map(|&at| calls.get(at)) {
            let Some(answer) = &call.answer else { continue };
            if !answer.denied {
                self.ended(call, answer);
            }
            self.answer_said(call, answer);
        }
    }

    fn made(&mut self, call: &OpenCall) {
        let denied = call.answer.as_ref().filter(|answer| answer.denied);
        let mut event = self.calling(call);
        let mut deltas = self.fired(call.via_rule.as_deref());
        let mut decided = Decided::allowed();
        if let (Some(answer), Some(tool)) = (denied, &mut event.tool) {
            tool.status = Some(ToolStatus::Denied);
            event.result = Some(ToolResult { error: Some(answer.text.clone()), ..ToolResult::default() });
            let by = answer.via_rule.as_ref().filter(|rule| Some(*rule) != call.via_rule.as_ref());
            let rule = by.map(|rule| self.names.full(rule));
            decided = Decided::new(Effect::Block, rule.as_deref());
            deltas.extend(self.refused(by.map(String::as_str)));
        }
        let unanswered = call.answer.is_none();
        let event = Box::new(event);
        let happened = Happened::Event { event, decided, deltas, said: None, unanswered };
        self.steps.push(Step { block: call.block, at: call.at, happened });
    }

    fn calling(&self, call: &OpenCall) -> Event {
        let (tool, turn) = (Some(tool(call)), Some(call.turn));
        Event { tool, turn, runs: self.runs(&call.name, &call.args), ..Event::new(Hook::PreToolCall) }
    }

    fn ended(&mut self, call: &OpenCall, answer: &Answer) {
        let mut tool = tool(call);
        tool.status = Some(answer.status);
        let failed = matches!(answer.status, ToolStatus::Error | ToolStatus::Timeout | ToolStatus::Cancelled);
        let is_moved = answer.value.get("artifact").is_some();
        let result = if failed && !is_moved {
            ToolResult { error: Some(answer.text.clone()), ..ToolResult::default() }
        } else {
            ToolResult { value: answer.value.clone(), ..ToolResult::default() }
        };
        let (tool, result) = (Some(tool), Some(result));
        let event = Event { hook: Hook::PostToolResponse, tool, result, ..self.calling(call) };
        self.tell(answer, event, Some(answer.text.clone()));
    }

    /// An answer is a message too, of the tool.
    fn answer_said(&mut self, call: &OpenCall, answer: &Answer) {
        let message = Message {
            role: Role::Tool,
            text: answer.text.clone(),
            tokens: None,
            synthetic: call.via_rule.is_some(),
        };
        let event = Event { message: Some(message), ..self.event(Hook::MessageAppended) };
        self.tell(answer, event, None);
    }

    fn tell(&mut self, answer: &Answer, event: Event, said: Option<String>) {
        let (event, decided, deltas) = (Box::new(event), Decided::allowed(), Vec::new());
        let happened = Happened::Event { event, decided, deltas, said, unanswered: false };
        self.steps.push(Step { block: answer.block, at: answer.at, happened });
    }

    /// A call that waits for its answer, and that a person granted: asked about, and answered.
    pub(super) fn granted(&mut self, call: &OpenCall) {
        let id = format!("{}-{}", call.id, call.block);
        let approval = Hash::of("mentci transcript approval v1", [id.as_bytes()]).short(12);
        let asked = call.asked_by.as_deref().map(|rule| self.names.full(rule));
        let rule = asked.clone().unwrap_or_else(|| "__default__".to_owned());
        let requested = Delta::Requested { approval: approval.clone(), rule, expires_ms: i64::MAX };
        let event = self.calling(call);
        let decided = Decided::new(Effect::Approve, asked.as_deref());
        self.emit(call.at, event, decided, vec![requested], None);
        let act = Act::Granted { approval, by: "user".to_owned(), words: None };
        self.steps.push(Step { block: self.position.blocks, at: call.at, happened: Happened::Act(act) });
    }
}

fn name_of(block: &Block) -> &str {
    block.tool_name().unwrap_or_default().trim()
}

fn id_of(block: &Block) -> Option<&str> {
    block.call_id().filter(|id| !id.is_empty())
}

fn tool(call: &OpenCall) -> ToolCall {
    ToolCall {
        name: call.name.clone(),
        args: call.args.clone(),
        call_id: (!call.id.is_empty()).then(|| call.id.clone()),
        status: None,
    }
}

/// A call that stands nowhere, of which an answer does.
fn unseen(block: usize, at: At, id: String, name: String, turn: u64) -> OpenCall {
    let (via_rule, granted, asked_by, told, answer) = (None, None, None, None, None);
    OpenCall { block, at, id, name, args: Value::Null, via_rule, turn, granted, asked_by, told, answer }
}

/// What came back, as rules read it: an object or a list is one, all else is text.
fn value_of(text: &str) -> Value {
    match text.trim_start().as_bytes().first() {
        Some(b'{' | b'[') => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
        _ => Value::String(text.to_owned()),
    }
}

/// The handle of content that was moved out, with what stands for it.
fn handle(block: &Block, text: &str, name: &str, at: At) -> Option<Value> {
    let id: ArtifactId = block.value("artifact")?.parse().ok()?;
    let size: u64 = block.value("size").and_then(|size| size.parse().ok()).unwrap_or_default();
    let mime = block.value("mime").unwrap_or("text/plain");
    // OK because the times of transcripts are exact below 2^53.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds are exact below 2^53")]
    let created = at.ms as f64 / 1_000.0;
    let handle = json!({
        "artifact_id": id, "summary": text, "size_bytes": size, "mime_type": mime, "created_at": created,
        "source": format!("tool:{name}"),
    });
    Some(json!({"artifact": handle, "summary": text}))
}
