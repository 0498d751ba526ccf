//! Agents that rules and messages run: a rule's is a call like any other, but for what it leads to; a message's answers in place.

use mentci_authority::{Hook, ToolCall};
use mentci_chatmd::Block;
use mentci_source::{Code, Finding};
use serde_json::json;

use super::answers::Answer;
use super::calls::{Call, Runs};
use super::{Cause, Machine};
use crate::end::Stop;
use crate::transcript::{RESERVED, Said};

/// The note that tells what an agent in a message answered.
pub(crate) const AGENT_NOTE: &str = "agent";

/// How policy and transcripts name an agent that a rule runs. No tool answers to it.
const AGENT: &str = "agent";

impl Machine {
    /// Runs another document because a rule says so: policy is asked about a call of `agent`.
    pub(crate) async fn agent_by_rule(
        &mut self,
        cause: &Cause,
        rule: &str,
        src: &str,
        text: &str,
    ) -> Result<(), Stop> {
        let args = json!({"src": src, "input": text});
        self.call_by_rule(cause, rule, AGENT, args, Runs::Agent).await
    }
}

impl Machine {
    /// Asks the agents that people's messages name and that did not answer yet. What they answered stands in the place of
    /// their elements; the notes tell it, so that nobody is asked twice.
    pub(crate) async fn ask_agents(&mut self, blocks: &[Block]) -> Result<Vec<Said>, Stop> {
        let mut notes = Vec::new();
        for block in blocks {
            for question in self.embedder.unasked(block) {
                let answer = self.ask_agent(&question.src, &question.text).await?;
                let said = Said::note(AGENT_NOTE, &answer).with("src", question.src.as_str());
                notes.push(said.with("asked", question.key()));
                self.embedder.answered(question, answer);
            }
        }
        Ok(notes)
    }

    /// Takes in everything as it stands, with what agents answer.
    pub(crate) async fn take_in_asking(&mut self) -> Result<(), Stop> {
        let blocks: Vec<Block> = self.journal.blocks().cloned().collect();
        let notes = self.ask_agents(&blocks).await?;
        self.take_in()?;
        for note in self.note(&notes)? {
            self.see(&note);
        }
        self.tell_reserved()?;
        self.commit()
    }

    /// Writes notes; the model sees none.
    pub(crate) fn note(&mut self, notes: &[Said]) -> Result<Vec<Block>, Stop> {
        let written = notes.iter().map(|said| self.journal.put(said)).collect();
        self.commit()?;
        written
    }

    /// What agents reserved of this document's quotas stands in it: an agent's own transcript is nowhere.
    pub(crate) fn tell_reserved(&mut self) -> Result<(), Stop> {
        for (rule, count) in self.court.quotas().untold() {
            let said = Said::rule_event(RESERVED, &rule, Hook::PreToolCall.name());
            self.put(&said.with("count", count.to_string()))?;
        }
        Ok(())
    }

    /// What agents reserved, as it stands there: it is reserved in this run's session too.
    pub(crate) fn pass_reserved(&mut self) -> Result<(), Stop> {
        while let Some(told) = self.journal.recorded_reserved() {
            let count = told.value("count").and_then(|count| count.parse().ok()).unwrap_or_default();
            self.court.quotas().reserve_again(told.value("rule").unwrap_or_default(), count)?;
            self.see(&told);
        }
        Ok(())
    }

    async fn ask_agent(&mut self, src: &str, text: &str) -> Result<String, Stop> {
        let args = json!({"src": src, "input": text});
        let call = ToolCall { name: AGENT.to_owned(), args, call_id: None, status: None };
        let (agents, cancel) = (self.tools.agents(), self.parts.cancel.clone());
        let answer = tokio::select! {
            biased;
            () = cancel.pressed() => return Err(Stop::Cancelled),
            event = agents.run(call, None) => Answer::of(event),
        };
        if let Some(artifact) = answer.artifact() {
            self.workspace().keep_artifacts(&self.session, std::slice::from_ref(artifact))?;
        }
        answer.success().map(str::to_owned).map_err(|why| {
            let message = format!("the agent `{}` gave no answer: {why}", src.escape_debug());
            let finding = Finding::new(Code::RUN_TOOL, message);
            finding.help("the message stands and waits: run it again when the agent can answer").into()
        })
    }
}

/// What an open call leads to: a rule's `agent` names a document.
pub(super) fn leads_to(call: &Call) -> Runs {
    let is_agent = call.via.is_some() && call.name == AGENT && call.args.get("src").is_some();
    if is_agent { Runs::Agent } else { Runs::Tool }
}
