//! The model is asked.

use std::collections::BTreeSet;

use mentci_authority::{ArtifactId, ModelPiece, ModelReply, ModelRequest, ModelUsage, StopReason, ToolSpec};
use mentci_chatmd::{Block, Element};
use mentci_context::{CompileError, Compiled};
use mentci_source::{Code, Finding};

use super::Machine;
use crate::RunEvent;
use crate::end::Stop;
use crate::transcript::Said;

/// A reply of the model, before it is written.
pub(crate) struct Reply {
    /// What it thought and said: to be written in front of the calls. Empty where it stands already.
    pub(crate) said: Vec<Said>,
    pub(crate) text: String,
    pub(crate) calls: Vec<Asked>,
    /// The blocks that stand there already.
    pub(crate) recorded: Vec<Block>,
    /// It stands in the document, and was taken in: only its calls are to be made.
    pub(crate) stands: bool,
    pub(crate) ending: Ending,
}

/// How a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It is whole.
    Whole,
    /// It ran into the most tokens.
    Cut,
    /// The provider held something back.
    Held,
    /// It says nothing and calls nothing.
    Empty,
}

impl Ending {
    fn of(reply: &ModelReply) -> Self {
        match reply.stop {
            StopReason::Length => Self::Cut,
            StopReason::Filtered => Self::Held,
            _ if reply.text.trim().is_empty() && reply.calls.is_empty() => Self::Empty,
            _ => Self::Whole,
        }
    }
}

/// A call that the model asks for.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) name: String,
    /// In the model's words.
    pub(crate) arguments: String,
    /// The rule that made it, where the model did not.
    pub(crate) via: Option<String>,
    /// The reply ended before its arguments did: it never runs.
    pub(crate) is_cut: bool,
}

impl Machine {
    /// The reply that stands there already, or the model's.
    pub(crate) async fn reply(&mut self) -> Result<Reply, Stop> {
        let recorded = self.journal.recorded_reply();
        let reply = if recorded.is_empty() {
            if self.journal.is_rewound() {
                return Err(Stop::Diverged);
            }
            let reply = self.ask_model().await?;
            self.tally.turns += 1;
            self.told(reply)
        } else {
            recorded_reply(recorded)
        };
        self.tally.replies += 1;
        self.tally.in_exchange += 1;
        Ok(reply)
    }

    fn told(&self, reply: ModelReply) -> Reply {
        let ending = Ending::of(&reply);
        let mut said = Vec::new();
        if !reply.reasoning.is_empty() {
            said.push(Said::new(Element::Reasoning).text(reply.reasoning));
        }
        if !reply.text.is_empty() || reply.calls.is_empty() {
            said.push(Said::new(Element::Assistant).text(reply.text.clone()));
        }
        let mut calls: Vec<Asked> = Vec::new();
        for call in reply.calls {
            let is_known = |id: &str| {
                calls.iter().any(|call| call.id == id)
                    || self.journal.passed().any(|block| block.value("id") == Some(id))
            };
            let id = if call.id.is_empty() || is_known(&call.id) {
                self.next_call_id(calls.len())
            } else {
                call.id
            };
            let is_cut = ending != Ending::Whole && !is_object(&call.arguments);
            calls.push(Asked { id, name: call.name, arguments: call.arguments, via: None, is_cut });
        }
        Reply { said, text: reply.text, calls, recorded: Vec::new(), stands: false, ending }
    }

    /// `call_N`: N counts the calls of the document.
    pub(crate) fn next_call_id(&self, before: usize) -> String {
        let is_known = |id: &str| self.journal.passed().any(|block| block.value("id") == Some(id));
        let mut number = self.tally.calls + 1 + before as u64;
        while is_known(&format!("call_{number}")) {
            number += 1;
        }
        format!("call_{number}")
    }

    async fn ask_model(&mut self) -> Result<ModelReply, Stop> {
        let request = self.request()?;
        let audience = self.parts.audience.clone();
        let is_quiet = self.depth > 0;
        let mut ear = |piece: ModelPiece<'_>| {
            if is_quiet {
                return;
            }
            match piece {
                ModelPiece::Text(text) => audience.hear(&RunEvent::Text { text }),
                ModelPiece::Reasoning(text) => audience.hear(&RunEvent::Reasoning { text }),
                ModelPiece::Again(reason) => audience.hear(&RunEvent::Again { reason }),
                ModelPiece::Call(_) => {}
            }
        };
        let (model, cancel) = (self.model.clone(), self.parts.cancel.clone());
        let answer = {
            let asked = model.ask(&request, &mut ear);
            tokio::select! {
                biased;
                () = cancel.pressed() => None,
                answer = asked => Some(answer),
            }
        };
        match answer {
            None => {
                self.stop_short("cancelled", "The run was stopped while the model answered.")?;
                Err(Stop::Cancelled)
            }
            Some(Ok(reply)) => {
                let usage = reply.usage.and(reply.lost);
                self.took(usage);
                if is_quiet {
                    self.shared.count(usage);
                }
                Ok(reply)
            }
            Some(Err(failure)) => {
                self.took(failure.lost);
                let why = format!("The model `{}` gave no answer: {failure}", self.model.name());
                self.stop_short("error", &why)?;
                let message = format!("`{}` gave no answer: {failure}", self.model.name());
                let finding = Finding::new(Code::MODEL_FAILED, message);
                Err(finding.help("what stands in the document is kept: run it again to go on").into())
            }
        }
    }

    /// Counts what a model took.
    pub(super) fn took(&mut self, usage: ModelUsage) {
        self.tally.usage = self.tally.usage.and(usage);
    }

    /// The request inside the budget. What is moved out of it is stored first.
    fn request(&mut self) -> Result<ModelRequest, Stop> {
        let tools: Vec<ToolSpec> = self.tools.specs().to_vec();
        let config = self.limits.compile_config(&tools);
        let compiled =
            self.compiler.compile(self.conversation.session(), &config).map_err(|error| over(&error))?;
        self.keep(&compiled)?;
        self.miss(&compiled);
        let (turn, tokens) = (self.tally.replies + 1, compiled.context.token_count);
        if self.depth == 0 {
            self.parts.audience.hear(&RunEvent::Request { turn, tokens, budget: self.limits.budget });
        }
        let request = self.limits.request();
        let messages = compiled.context.to_messages();
        let by_users = messages.iter().filter(|message| message.role == "user");
        let said: Vec<&str> = by_users.filter_map(|message| message.content.as_deref()).collect();
        let pictures = self.embedder.pictures().named_in(&said);
        Ok(ModelRequest { messages, pictures, tools, turn: Some(self.tally.replies), ..request })
    }

    /// Tells, once, of what the context names and nobody can fetch: the document came without its artifacts, or they are gone.
    fn miss(&mut self, compiled: &Compiled) {
        let named = compiled.context.artifact_refs.iter().map(|handle| handle.artifact_id);
        let new: BTreeSet<ArtifactId> = named.filter(|id| self.looked_for.insert(*id)).collect();
        let lost = self.workspace().lost_artifacts(&new);
        self.findings.extend(lost);
    }

    fn keep(&self, compiled: &Compiled) -> Result<(), Stop> {
        let artifacts: Vec<_> = compiled.new_artifacts(self.conversation.session()).collect();
        if artifacts.is_empty() {
            return Ok(());
        }
        Ok(self.workspace().keep_artifacts(&self.session, &artifacts)?)
    }
}

/// A reply that stands there already.
fn recorded_reply(recorded: Vec<Block>) -> Reply {
    let text = |block: &Block| block.text().into_string();
    let calls =
        recorded.iter().filter(|block| block.element() == Some(Element::ToolCall)).map(|block| Asked {
            id: block.call_id().unwrap_or("").to_owned(),
            name: block.tool_name().unwrap_or("").to_owned(),
            arguments: text(block),
            via: None,
            is_cut: block.value("cut").is_some(),
        });
    let calls: Vec<Asked> = calls.collect();
    let said = recorded.iter().filter(|block| {
        block.element() != Some(Element::ToolCall) && block.element() != Some(Element::Reasoning)
    });
    let text = said.map(text).collect::<Vec<_>>().join("\n");
    Reply { said: Vec::new(), text, calls, recorded, stands: false, ending: Ending::Whole }
}

/// Whether arguments are written to their end. Those of no words at all are not.
fn is_object(arguments: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(arguments).is_ok_and(|value| value.is_object())
}

fn over(error: &CompileError) -> Stop {
    let finding = Finding::new(Code::CONTEXT_OVER_BUDGET, error.to_string());
    finding.help("raise `--budget`, or let a rule `<compact/>` the history").into()
}
