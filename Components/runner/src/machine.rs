//! The machine that a run is: its state, and one exchange of it.

mod acts;
mod agents;
mod answers;
mod calls;
mod compaction;
mod requests;
mod summary;

use std::collections::BTreeSet;
use std::sync::Arc;

use mentci_authority::{ArtifactId, Event, Hook, Message, Model, ModelUsage, Role, Usage, Verdict};
use mentci_chatmd::{Block, Calls, Element};
use mentci_context::{ContextCompiler, PerceptionAligner};
use mentci_host::transcript::{Conversation, Phase, Step};
use mentci_source::{Code, Finding};
use mentci_workspace::Workspace;

use crate::court::Court;
use crate::end::Stop;
use crate::machine::requests::Ending;
use crate::opened::{Embedder, Limits, Shared};
use crate::prompt::Prompt;
use crate::tools::Toolbox;
use crate::transcript::{Journal, Said, is_reply, is_reserved, is_user};
use crate::{Approvals, Parts};

pub(crate) use acts::Cause;
pub(crate) use agents::AGENT_NOTE;

/// A run: its document, what decides, what the model sees, and the tools. Whatever it does is put into the document first.
pub(crate) struct Machine {
    pub(crate) parts: Parts,
    pub(crate) session: String,
    pub(crate) journal: Journal,
    pub(crate) court: Court,
    /// What the model is sent.
    pub(crate) conversation: Conversation,
    pub(crate) compiler: ContextCompiler,
    pub(crate) prompt: Prompt,
    pub(crate) embedder: Embedder,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) tools: Arc<Toolbox>,
    pub(crate) aligner: Arc<PerceptionAligner>,
    pub(crate) limits: Limits,
    pub(crate) approvals: Approvals,
    pub(crate) depth: usize,
    /// With the agents below it.
    pub(crate) shared: Arc<Shared>,
    /// The artifacts that a context named.
    pub(crate) looked_for: BTreeSet<ArtifactId>,
    /// What was odd on the way.
    pub(crate) findings: Vec<Finding>,
    pub(crate) tally: Tally,
}

/// What a run counts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// Replies of the model in the whole document.
    pub(crate) replies: u64,
    /// Replies of the model in this run.
    pub(crate) turns: u64,
    /// Replies in this exchange.
    pub(crate) in_exchange: u64,
    /// Calls of the document.
    pub(crate) calls: u64,
    pub(crate) denied: u64,
    pub(crate) usage: ModelUsage,
    /// The session has begun: rules were asked, or something was written.
    pub(crate) began: bool,
}

impl Machine {
    pub(crate) fn workspace(&self) -> &Workspace {
        &self.parts.workspace
    }

    /// Goes on from where the document stands: what was done after the last reply, or the last question, is gone through
    /// again. Where it is not what would be written now, it stands, and the rest is done from there.
    pub(crate) async fn resume(&mut self) -> Result<(), Stop> {
        let blocks: Vec<Block> = self.journal.blocks().cloned().collect();
        let Some(from) = checkpoint(&blocks) else { return self.take_in_asking().await };
        if from.is_reply {
            self.take_all(&blocks[..from.block])?;
            self.journal.rewind(from.block);
            self.between_turns().await?;
            return self.exchange(Begin::Reply).await;
        }
        let (before, user) = (&blocks[..from.block - 1], &blocks[from.block - 1]);
        let is_new = blocks[from.block..]
            .iter()
            .all(|block| block.element() == Some(Element::Note) || is_reserved(block));
        let mut notes = if is_new { self.ask_agents(before).await? } else { Vec::new() };
        self.take_all(before)?;
        if is_new {
            notes.append(&mut self.ask_agents(std::slice::from_ref(user)).await?);
        }
        self.journal.rewind(from.block);
        let notes = self.note(&notes)?;
        if self.court.phase() == Phase::Replied {
            self.raise(Hook::TurnEnd).await?;
        }
        if !before.iter().any(|block| is_reply(block) || block.is_synthetic()) {
            self.raise(Hook::SessionStart).await?;
        }
        self.see(user);
        for note in &notes {
            self.see(note);
        }
        self.pass_reserved()?;
        self.tell_reserved()?;
        self.commit()?;
        self.query(user).await?;
        self.exchange(Begin::Turn).await
    }

    /// The rules that had nothing to write where the model's reply came: they are asked again, so that turns are counted.
    async fn between_turns(&mut self) -> Result<(), Stop> {
        if self.court.phase() == Phase::Replied {
            self.raise(Hook::TurnEnd).await?;
        }
        if self.court.phase() != Phase::Started {
            self.start_turn().await?;
        }
        Ok(())
    }

    /// Takes in everything as it stands.
    pub(crate) fn take_in(&mut self) -> Result<(), Stop> {
        let blocks: Vec<Block> = self.journal.blocks().cloned().collect();
        self.take_all(&blocks)
    }

    /// Takes in everything as it stands, and goes on from its end: calls without an answer are made, and the model is asked
    /// where it has the word.
    pub(crate) async fn resume_as_it_stands(&mut self) -> Result<(), Stop> {
        self.take_in_asking().await?;
        let blocks: Vec<Block> = self.journal.blocks().cloned().collect();
        let open: Vec<Block> =
            Calls::among(&blocks).unanswered.into_iter().map(|at| blocks[at].clone()).collect();
        if !open.is_empty() {
            self.finish_calls(open).await?;
            self.raise(Hook::TurnEnd).await?;
            return self.exchange(Begin::Turn).await;
        }
        let speaks = |block: &&Block| is_user(block) || is_reply(block) || block.role() == Some(Role::Tool);
        match blocks.iter().rev().find(speaks) {
            Some(last) if is_reply(last) && last.element() != Some(Element::ToolCall) => Ok(()),
            Some(_) if self.court.phase() == Phase::Started => self.exchange(Begin::Reply).await,
            Some(_) => self.exchange(Begin::Turn).await,
            None => Ok(()),
        }
    }

    /// What the user says, appended and answered.
    pub(crate) async fn ask(&mut self, text: &str) -> Result<(), Stop> {
        if !self.tally.began {
            self.raise(Hook::SessionStart).await?;
        }
        let block = self.put(&Said::new(Element::User).text(text))?;
        self.commit()?;
        self.query(&block).await?;
        self.exchange(Begin::Turn).await
    }

    async fn query(&mut self, user: &Block) -> Result<(), Stop> {
        self.tally.in_exchange = 0;
        if self.depth == 0 {
            self.shared.begin_exchange();
        }
        let message = self.message(user);
        let event = Event { message: Some(message.clone()), ..self.event(Hook::QueryStart) };
        self.hear_and_act(event).await?;
        let event = Event { message: Some(message), ..self.event(Hook::MessageAppended) };
        self.hear_and_act(event).await
    }

    /// Turn after turn, until the model is done.
    async fn exchange(&mut self, begin: Begin) -> Result<(), Stop> {
        let mut begin = begin;
        loop {
            if begin == Begin::Turn {
                self.bounded()?;
                self.start_turn().await?;
            }
            begin = Begin::Turn;
            let last = self.turn().await?;
            self.raise(Hook::TurnEnd).await?;
            self.journal.sync();
            if let Some(ending) = last {
                return self.ended(ending);
            }
        }
    }

    /// The model's reply and its calls; how it ended, where it is done. One that is not whole is: what it called to its end is
    /// answered, and nobody knows what it would have called.
    async fn turn(&mut self) -> Result<Option<Ending>, Stop> {
        let reply = self.reply().await?;
        let is_last = reply.calls.is_empty() || reply.ending != Ending::Whole;
        let ending = is_last.then_some(reply.ending);
        self.answer_calls(reply).await?;
        Ok(ending)
    }

    /// An answer that is not whole is no answer that somebody waited for, and the document says so.
    fn ended(&mut self, ending: Ending) -> Result<(), Stop> {
        let (kind, why, help) = match ending {
            Ending::Whole => return Ok(()),
            Ending::Empty => ("empty", "the model answered nothing", "ask it again, or ask another one"),
            Ending::Cut => (
                "limit",
                "the model's answer was cut: it ran into the most tokens that it may answer",
                "raise `max_tokens` in `<config>`, and ask it to go on",
            ),
            Ending::Held => (
                "limit",
                "the provider held back the model's answer, or the rest of it",
                "ask in other words, or ask another model",
            ),
        };
        let mut told = why.to_owned();
        told.replace_range(..1, &why[..1].to_ascii_uppercase());
        self.stop_short(kind, &format!("{told}."))?;
        self.findings.push(Finding::new(Code::RUN_CUT, why).help(help));
        if ending == Ending::Empty { Ok(()) } else { Err(Stop::Limit) }
    }

    fn bounded(&mut self) -> Result<(), Stop> {
        if self.depth > 0 && !self.shared.may_reply() {
            return Err(Stop::Limit);
        }
        if self.tally.in_exchange < self.limits.max_turns {
            return Ok(());
        }
        let most = self.limits.max_turns;
        self.stop_short(
            "limit",
            &format!(
                "The model has replied {most} {} and is not done; run it again to go on.",
                if most == 1 { "time" } else { "times" }
            ),
        )?;
        Err(Stop::Limit)
    }

    /// Writes why it goes no further.
    pub(crate) fn stop_short(&mut self, kind: &str, why: &str) -> Result<(), Stop> {
        if !self.journal.is_rewound() {
            self.put(&Said::note(kind, why))?;
        }
        self.commit()
    }

    /// Raises the start of the next turn, by its number: what was taken in and what was decided here count alike.
    async fn start_turn(&mut self) -> Result<(), Stop> {
        let turn = Some(self.court.turn() + 1);
        let event = Event { turn, ..self.event(Hook::TurnStart) };
        self.hear_and_act(event).await
    }

    /// Raises a point of the session.
    pub(crate) async fn raise(&mut self, hook: Hook) -> Result<(), Stop> {
        let event = self.event(hook);
        self.hear_and_act(event).await
    }

    pub(crate) async fn hear_and_act(&mut self, event: Event) -> Result<(), Stop> {
        let hook = event.hook;
        let verdict = self.hear(event, &[])?;
        self.act(Cause::of(hook), verdict).await?;
        self.commit()
    }

    /// Asks the rules about an event; not those because of which it happens.
    pub(crate) fn hear(&mut self, event: Event, causes: &[String]) -> Result<Verdict, Stop> {
        self.tally.began = true;
        self.court.hear(event, causes)
    }

    /// An event of this session as it stands.
    pub(crate) fn event(&self, hook: Hook) -> Event {
        let usage = Usage {
            context_tokens: Some(self.prompt.tokens()),
            history_length: Some(self.prompt.messages()),
            context_window: Some(self.limits.budget),
            max_iterations: Some(self.limits.max_turns),
            ..Usage::default()
        };
        Event { session: self.session.clone(), usage: Some(usage), ..Event::new(hook) }
    }

    /// What a block says, as rules read it.
    pub(crate) fn message(&self, block: &Block) -> Message {
        let text = self.embedder.text(block);
        let tokens = Some(self.prompt.count(&text));
        Message { role: block.role().unwrap_or(Role::User), text, tokens, synthetic: block.is_synthetic() }
    }

    /// Puts a block into the step that is under way, and before the model.
    pub(crate) fn put(&mut self, said: &Said) -> Result<Block, Stop> {
        let dated = self.court.reads_clock().then(|| said.clone().with("at", self.workspace().moment()));
        let block = self.journal.put(dated.as_ref().unwrap_or(said))?;
        self.see(&block);
        Ok(block)
    }

    /// Puts a block before the model; gives what it tells. Notes that stand before it are passed with it.
    pub(crate) fn see(&mut self, block: &Block) -> Vec<Step> {
        for note in self.journal.skipped() {
            self.see_one(&note);
        }
        self.see_one(block)
    }

    fn see_one(&mut self, block: &Block) -> Vec<Step> {
        let text = self.embedder.text(block);
        let steps = self.court.read(block, &text);
        self.conversation.take(&steps);
        self.prompt.take(block, text);
        steps
    }

    pub(crate) fn commit(&mut self) -> Result<(), Stop> {
        self.journal.commit()
    }

    /// Takes in blocks as they stand, and begins the session with what they tell.
    fn take_all(&mut self, blocks: &[Block]) -> Result<(), Stop> {
        let (mut steps, mut in_reply) = (Vec::new(), false);
        for block in blocks {
            steps.append(&mut self.see(block));
            let begins = is_reply(block) && !in_reply;
            self.tally.replies += u64::from(begins);
            self.tally.in_exchange += u64::from(begins);
            self.tally.calls += u64::from(block.element() == Some(Element::ToolCall));
            self.tally.began |= begins || block.is_synthetic();
            if is_user(block) {
                self.tally.in_exchange = 0;
            }
            in_reply = is_reply(block);
        }
        let mut rest = self.court.resume();
        self.conversation.take(&rest);
        steps.append(&mut rest);
        let name = self.session.clone();
        self.court.begin(&name, &steps)
    }
}

/// How an exchange begins: with a turn, or in it, with the model's reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    Turn,
    Reply,
}

/// From where a document is gone through again.
struct Checkpoint {
    /// How many blocks stand before.
    block: usize,
    /// The next block is the model's reply; else the last one is the question.
    is_reply: bool,
}

/// The last reply of the model, or the last question, whichever is later.
fn checkpoint(blocks: &[Block]) -> Option<Checkpoint> {
    let last = blocks.iter().rposition(|block| is_reply(block) || is_user(block))?;
    if is_user(&blocks[last]) {
        return Some(Checkpoint { block: last + 1, is_reply: false });
    }
    let before = blocks[..last].iter().rev().take_while(|block| is_reply(block)).count();
    Some(Checkpoint { block: last - before, is_reply: true })
}
