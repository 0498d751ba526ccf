//! The calls of a reply: decided, asked about, run side by side, answered in order.

use mentci_authority::{Effect, Event, Hook, Message, Role, ToolCall, Verdict};
use mentci_chatmd::{Block, Element};
use mentci_context::ToolEvent;
use serde_json::Value;
use tokio::task::JoinSet;

use super::Machine;
use super::agents::leads_to;
use super::answers::Answer;
use super::requests::{Asked, Ending, Reply};
use crate::end::Stop;
use crate::machine::Cause;
use crate::transcript::{Said, is_reply, is_user};
use crate::{Approvals, Question, RunEvent};

/// A call that was decided.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// As the tool receives them.
    pub(crate) args: Value,
    /// The rule that makes it, where the model does not.
    pub(crate) via: Option<String>,
    /// The rules that are not asked about it.
    pub(crate) chain: Vec<String>,
    pub(crate) fate: Fate,
    pub(crate) runs: Runs,
    /// What was taken out of the arguments.
    pub(crate) redacted: String,
}

/// What a call leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// A tool that the document declares, by its name.
    Tool,
    /// An agent that a rule names.
    Agent,
}

/// What becomes of a call.
#[derive(Debug, Clone)]
pub(crate) enum Fate {
    /// It runs.
    Run,
    /// A person is asked.
    Ask { rule: String, reason: String, approval: Option<String> },
    /// It never runs: by whom, why, and the rule.
    Refused { by: &'static str, why: String, rule: Option<String> },
}

impl Machine {
    /// Decides the calls of a reply, writes the reply, runs what may run, and answers every call.
    pub(crate) async fn answer_calls(&mut self, reply: Reply) -> Result<(), Stop> {
        let mut after: Vec<(Cause, Verdict)> = Vec::new();
        if !reply.text.is_empty() {
            let tokens = Some(self.prompt.count(&reply.text));
            let message =
                Message { role: Role::Assistant, text: reply.text.clone(), tokens, synthetic: false };
            let event = Event { message: Some(message), ..self.event(Hook::MessageAppended) };
            let verdict = self.hear(event, &[])?;
            after.push((Cause::of(Hook::MessageAppended), verdict));
        }
        let is_stuck = self.is_stuck(&reply);
        let mut calls: Vec<Call> = Vec::new();
        for asked in &reply.calls {
            let (call, verdict) = self.decide(asked, is_stuck)?;
            after.extend(verdict.map(|verdict| (Cause::of(Hook::PreToolCall).about(&call.id), verdict)));
            calls.push(call);
        }
        self.write_reply(&reply, &calls)?;
        let cancelled = self.run_all(&mut calls, &mut after).await?;
        for (cause, verdict) in after {
            self.act(cause, verdict).await?;
        }
        self.commit()?;
        if cancelled {
            self.stop_short("cancelled", "The run was stopped while tools ran.")?;
            return Err(Stop::Cancelled);
        }
        if is_stuck {
            let why = format!("The model made the same call {} times in a row.", self.limits.max_repeats);
            self.stop_short("limit", &why)?;
            return Err(Stop::Limit);
        }
        Ok(())
    }

    /// Makes the calls that stand in the document without an answer.
    pub(crate) async fn finish_calls(&mut self, open: Vec<Block>) -> Result<(), Stop> {
        let asked = open.iter().map(|block| Asked {
            id: block.call_id().unwrap_or("").to_owned(),
            name: block.tool_name().unwrap_or("").to_owned(),
            arguments: block.text().into_string(),
            via: block.via_rule().map(str::to_owned),
            is_cut: block.value("cut").is_some(),
        });
        let calls = asked.collect();
        // They are in the document and before the model already.
        self.answer_calls(Reply {
            said: Vec::new(),
            text: String::new(),
            calls,
            recorded: Vec::new(),
            stands: true,
            ending: Ending::Whole,
        })
        .await
    }

    fn write_reply(&mut self, reply: &Reply, calls: &[Call]) -> Result<(), Stop> {
        if reply.stands {
            return Ok(());
        }
        self.tally.calls += calls.len() as u64;
        for block in &reply.recorded {
            self.see(block);
        }
        if !reply.recorded.is_empty() {
            return Ok(());
        }
        for said in &reply.said {
            self.put(said)?;
        }
        for (asked, call) in reply.calls.iter().zip(calls) {
            let said =
                Said::new(Element::ToolCall).with("id", call.id.as_str()).with("name", call.name.as_str());
            let is_garbled = matches!(&call.fate, Fate::Refused { by: "arguments", .. });
            let text = if is_garbled { asked.arguments.clone() } else { call.args.to_string() };
            let said = if asked.is_cut { said.with("cut", "true") } else { said };
            self.put(&redacted(said, &call.redacted).text(text))?;
        }
        self.commit()
    }

    /// What becomes of a call that the model asks for.
    fn decide(&mut self, asked: &Asked, is_stuck: bool) -> Result<(Call, Option<Verdict>), Stop> {
        let (id, name) = (asked.id.clone(), asked.name.clone());
        let mut call = Call {
            id,
            name,
            args: Value::Null,
            via: asked.via.clone(),
            chain: asked.via.iter().cloned().collect(),
            fate: Fate::Run,
            runs: Runs::Tool,
            redacted: String::new(),
        };
        match arguments(asked) {
            Err(why) => {
                call.fate = Fate::Refused { by: "arguments", why, rule: None };
                return Ok((call, None));
            }
            Ok(args) => call.args = args,
        }
        call.runs = leads_to(&call);
        if is_stuck {
            let why = "the same call was made again and again; nothing came of it".to_owned();
            call.fate = Fate::Refused { by: "limit", why, rule: None };
            return Ok((call, None));
        }
        let verdict = self.judge(&mut call)?;
        Ok((call, Some(verdict)))
    }

    /// Asks the rules about a call.
    pub(crate) fn judge(&mut self, call: &mut Call) -> Result<Verdict, Stop> {
        let tool = ToolCall {
            name: call.name.clone(),
            args: call.args.clone(),
            call_id: Some(call.id.clone()),
            status: None,
        };
        let runs = self.court.runs(&tool.name, &tool.args);
        let event = Event { tool: Some(tool), runs, ..self.event(Hook::PreToolCall) };
        let shared = self.shared.clone();
        let _alone = shared.decide_alone();
        if let Some(refused) = self.overspends(&event)? {
            call.fate = refused;
            return Ok(Verdict::default());
        }
        let verdict = self.hear(event.clone(), &call.chain)?;
        if let Some(args) = &verdict.args {
            call.args = args.clone();
        }
        let mut kinds: Vec<&str> = verdict.redacted.iter().map(|place| place.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        call.redacted = kinds.join(",");
        call.fate = fate(&verdict);
        if matches!(call.fate, Fate::Run) {
            self.court.askers().iter().try_for_each(|asker| asker.reserve(&event))?;
        }
        Ok(verdict)
    }

    /// What becomes of a call that a quota of whoever asks this document refuses. Its own rules are not asked about it.
    fn overspends(&self, event: &Event) -> Result<Option<Fate>, Stop> {
        for asker in self.court.askers() {
            if let Some((rule, why)) = asker.refusal(event)? {
                return Ok(Some(Fate::Refused { by: "policy", why, rule: Some(rule) }));
            }
        }
        Ok(None)
    }

    /// Whether the model makes the calls that it made over and over again.
    fn is_stuck(&self, reply: &Reply) -> bool {
        if reply.calls.is_empty() || reply.stands {
            return false;
        }
        let asked: Vec<_> =
            reply.calls.iter().map(|call| (call.name.as_str(), alike(&call.arguments))).collect();
        let (mut times, mut group) = (1, Vec::new());
        let passed: Vec<&Block> =
            self.journal.blocks().take(self.journal.count() - reply.recorded.len()).collect();
        for block in passed.into_iter().rev() {
            if is_reply(block) && block.element() == Some(Element::ToolCall) {
                group.insert(0, (block.tool_name().unwrap_or(""), alike(block.text().as_str())));
                continue;
            }
            if !group.is_empty() {
                if std::mem::take(&mut group) != asked {
                    return false;
                }
                times += 1;
            }
            if is_user(block) || times >= self.limits.max_repeats {
                break;
            }
        }
        times >= self.limits.max_repeats
    }

    /// Runs what may run, and answers every call in order. Says whether somebody stopped it.
    async fn run_all(&mut self, calls: &mut [Call], after: &mut Vec<(Cause, Verdict)>) -> Result<bool, Stop> {
        for call in calls.iter_mut() {
            self.ask_person(call).await?;
        }
        let mut answered = 0;
        while answered < calls.len() {
            let Some(block) = self.journal.recorded_response() else { break };
            let call = &calls[answered];
            if block.value("id") != Some(call.id.as_str()) {
                return Err(Stop::Diverged);
            }
            self.take_answer(call, &block, after)?;
            answered += 1;
        }
        if answered < calls.len() && self.journal.is_rewound() {
            return Err(Stop::Diverged);
        }
        self.run_live(&calls[answered..], after).await
    }

    async fn run_live(&mut self, calls: &[Call], after: &mut Vec<(Cause, Verdict)>) -> Result<bool, Stop> {
        let mut running: JoinSet<(usize, ToolEvent)> = JoinSet::new();
        let mut ended: Vec<Option<Answer>> = calls.iter().map(|_| None).collect();
        for (at, call) in calls.iter().enumerate() {
            if let Fate::Refused { by, why, .. } = &call.fate {
                ended[at] = Some(self.refused(by, why));
                continue;
            }
            let handler = match call.runs {
                Runs::Tool => {
                    self.shared.calls(&call.name);
                    self.tools.handler()
                }
                Runs::Agent => self.tools.agents(),
            };
            let (name, args, call_id) = (call.name.clone(), call.args.clone(), Some(call.id.clone()));
            let call = ToolCall { name, args, call_id, status: None };
            running.spawn(async move { (at, handler.run(call, None).await) });
        }
        let mut next = 0;
        let cancel = self.parts.cancel.clone();
        loop {
            while let Some(answer) = ended.get_mut(next).and_then(Option::take) {
                self.write_answer(&calls[next], answer, after)?;
                next += 1;
            }
            if next == calls.len() {
                return Ok(false);
            }
            let joined = tokio::select! {
                biased;
                () = cancel.pressed() => None,
                joined = running.join_next() => joined,
            };
            match joined {
                Some(Ok((at, event))) => ended[at] = Some(Answer::of(event)),
                // OK because the handler catches what panics in a tool; a task that was lost all the same ends its call.
                Some(Err(_)) => {}
                None => {
                    let cancelled = cancel.is_pressed();
                    running.shutdown().await;
                    for at in next..calls.len() {
                        let answer = ended[at].take().unwrap_or_else(Answer::cancelled);
                        self.write_answer(&calls[at], answer, after)?;
                    }
                    return Ok(cancelled);
                }
            }
        }
    }

    /// Asks a person about a call, where a rule wants that.
    pub(crate) async fn ask_person(&mut self, call: &mut Call) -> Result<(), Stop> {
        let Fate::Ask { rule, reason, approval } = call.fate.clone() else { return Ok(()) };
        if self.journal.was_refused(&call.id) {
            let why = format!("a person was asked and did not allow it: {reason}");
            call.fate = Fate::Refused { by: "approval", why, rule: Some(rule) };
            return Ok(());
        }
        let question = Question {
            rule: rule.clone(),
            reason: reason.clone(),
            tool: call.name.clone(),
            args: call.args.clone(),
        };
        let granted = match (self.journal.recorded_approval(&call.id), self.approvals) {
            (Some(granted), _) => granted,
            (None, Approvals::Grant) => true,
            (None, Approvals::Deny) => false,
            (None, Approvals::Ask) => self.parts.audience.approve(&question).await.unwrap_or(false),
        };
        self.parts.audience.hear(&RunEvent::Asked { question: &question, granted });
        let said = Said::new(Element::RuleEvent).with("type", "approval").with("rule", rule.as_str());
        self.put(
            &said.with("call", call.id.as_str()).with("granted", if granted { "true" } else { "false" }),
        )?;
        self.commit()?;
        if let Some(approval) = &approval {
            self.court.answer(approval, granted)?;
            // What else the rules do about it was done when they asked.
            drop(self.judge(call)?);
        }
        call.fate = if granted {
            match std::mem::replace(&mut call.fate, Fate::Run) {
                refused @ Fate::Refused { .. } => refused,
                _ => Fate::Run,
            }
        } else {
            Fate::Refused {
                by: "approval",
                why: format!("a person was asked and did not allow it: {reason}"),
                rule: Some(rule),
            }
        };
        Ok(())
    }

    /// A call that a rule makes.
    pub(crate) async fn call_by_rule(
        &mut self,
        cause: &Cause,
        rule: &str,
        tool: &str,
        args: Value,
        runs: Runs,
    ) -> Result<(), Stop> {
        if Self::is_too_deep(cause) {
            return self.failed_action(rule, "rules cause each other too deep");
        }
        let next = cause.by_call(rule);
        let id = self.next_call_id(0);
        let mut call = Call {
            id: id.clone(),
            name: tool.to_owned(),
            args,
            via: Some(rule.to_owned()),
            chain: next.chain.clone(),
            fate: Fate::Run,
            runs,
            redacted: String::new(),
        };
        let verdict = self.judge(&mut call)?;
        let said = Said::new(Element::ToolCall).with("id", id.as_str()).with("name", tool).by_rule(rule);
        self.put(&redacted(said, &call.redacted).text(call.args.to_string()))?;
        self.commit()?;
        self.tally.calls += 1;
        let mut after = vec![(Cause { call: Some(id), ..next }, verdict)];
        let cancelled = self.run_all(std::slice::from_mut(&mut call), &mut after).await?;
        for (cause, verdict) in after {
            self.act(cause, verdict).await?;
        }
        self.commit()?;
        if cancelled {
            self.stop_short("cancelled", "The run was stopped while tools ran.")?;
            return Err(Stop::Cancelled);
        }
        Ok(())
    }
}

fn redacted(said: Said, kinds: &str) -> Said {
    if kinds.is_empty() { said } else { said.with("redacted", kinds) }
}

/// What a verdict says of a call.
fn fate(verdict: &Verdict) -> Fate {
    let deciding = |effect: Effect| verdict.reasons.iter().find(|reason| reason.effect == effect);
    let why = |effect: Effect| {
        let reasons = verdict.reasons.iter().filter(|reason| reason.effect == effect);
        reasons.map(|reason| reason.message.as_str()).collect::<Vec<_>>().join("\n")
    };
    match verdict.decision {
        Effect::Block => {
            let rule = deciding(Effect::Block).map(|reason| reason.rule.clone());
            Fate::Refused { by: "policy", why: why(Effect::Block), rule }
        }
        Effect::Approve => {
            let rule = deciding(Effect::Approve).map_or_else(String::new, |reason| reason.rule.clone());
            Fate::Ask { rule, reason: why(Effect::Approve), approval: verdict.approval.clone() }
        }
        _ => Fate::Run,
    }
}

/// The arguments of a call: the object that the model wrote to its end.
fn arguments(asked: &Asked) -> Result<Value, String> {
    let text = asked.arguments.as_str();
    if asked.is_cut {
        return Err(
            "the answer ended before these arguments did: nothing was run; write them again, shorter"
                .to_owned(),
        );
    }
    if text.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    match serde_json::from_str(text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err("the arguments are no JSON object".to_owned()),
        Err(error) => Err(format!("the arguments are no JSON: {error}")),
    }
}

fn alike(arguments: &str) -> String {
    serde_json::from_str::<Value>(arguments).map_or_else(|_| arguments.to_owned(), |value| value.to_string())
}
