//! Other documents, run for this one: under its rules, inside its bounds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_chatmd::{Document, Element};
use mentci_source::Source;
use serde_json::Value;

use super::equipped::{Opening, open};
use super::{Embedder, Limits, Shared};
use crate::end::Stop;
use crate::quotas::Quotas;
use crate::tools::Agents;
use crate::transcript::is_reply;
use crate::{Parts, RunOptions, Waiting};

/// How long an agent may take, where nobody says.
pub(crate) const AGENT_TIME: Duration = Duration::from_mins(10);
/// How deep agents may ask agents.
const MAX_DEPTH: usize = 4;

/// Whoever asks an agent: what it may not do, the agent may not do either.
#[derive(Clone)]
pub(crate) struct Asker {
    /// The documents whose law the agent is under: its asker's, and its askers'.
    pub(crate) law: Vec<Source>,
    /// Their quotas, which the agent spends from.
    pub(crate) quotas: Vec<Quotas>,
    pub(crate) budget: u64,
    pub(crate) max_turns: u64,
    /// How deep in other agents' runs.
    pub(crate) depth: usize,
    pub(crate) shared: Arc<Shared>,
}

impl Asker {
    /// A document as whoever asks.
    pub(crate) fn of(
        above: Option<&Self>,
        (document, quotas): (Source, &Quotas),
        depth: usize,
        limits: &Limits,
        shared: Arc<Shared>,
    ) -> Self {
        let mut law = above.map_or_else(Vec::new, |asker| asker.law.clone());
        if law.iter().all(|known| known.path() != document.path()) {
            law.push(document);
        }
        let quotas = above.into_iter().flat_map(|asker| &asker.quotas).chain([quotas]).cloned().collect();
        Self { law, quotas, budget: limits.budget, max_turns: limits.max_turns, depth, shared }
    }
}

/// Runs other documents for this one.
pub(crate) struct Nested {
    parts: Parts,
    options: RunOptions,
    embedder: Embedder,
    own: Asker,
}

impl Nested {
    pub(crate) fn new(opening: Opening<'_>, embedder: Embedder, own: Asker) -> Self {
        let options = RunOptions { out: None, ask: None, ..opening.options.clone() };
        Self { parts: opening.parts.clone(), options, embedder, own }
    }

    /// The document as it may be run: whole where it stands as it stood when the run began. One that nothing named then is
    /// run whole as long as no tool may have written it; afterwards its messages count and nothing else of it.
    fn document(&self, path: &Path) -> Result<Vec<u8>, ToolFailure> {
        let shared = &self.own.shared;
        if let Some(changed) = shared.held().changed(&self.embedder) {
            let told = self.parts.workspace.told_path(changed);
            let help = "start the run again when a person has looked at it";
            return Err(ToolFailure::new(format!(
                "`{told}` was changed while the run was under way: {help}"
            )));
        }
        let mut bytes = Vec::new();
        let read = self.embedder.fs.read_into(path, 64 << 20, &mut bytes);
        read.map_err(|error| ToolFailure::new(format!("the agent's document cannot be read: {error}")))?;
        let is_trusted = shared.held().holds(path) || !shared.has_written();
        Ok(if is_trusted { bytes } else { messages_alone(path, &bytes) })
    }

    async fn run(&self, path: PathBuf, text: String) -> Result<String, ToolFailure> {
        if self.own.depth >= MAX_DEPTH {
            return Err(ToolFailure::new(format!("agents ask agents, {MAX_DEPTH} deep")));
        }
        let bytes = self.document(&path)?;
        let options = RunOptions { model: None, file: path.clone(), ..self.options.clone() };
        let opening = Opening { options: &options, parts: &self.parts, path: &path, asker: Some(&self.own) };
        let (mut machine, _) = open(opening, &bytes).await.map_err(|findings| {
            let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
            ToolFailure::new(told.join("\n"))
        })?;
        let went = match machine.take_in_asking().await {
            Ok(()) => machine.ask(&text).await,
            Err(stop) => Err(stop),
        };
        went.map_err(failure)?;
        let said =
            |block: &&mentci_chatmd::Block| is_reply(block) && block.element() == Some(Element::Assistant);
        let answer = machine.journal.blocks().rev().find(said).map(|block| block.text().into_string());
        let answer = answer.filter(|text| !text.trim().is_empty());
        answer.ok_or_else(|| ToolFailure::new("the agent answered nothing"))
    }
}

fn failure(stop: Stop) -> ToolFailure {
    match stop {
        Stop::Failed(finding) => ToolFailure::new(finding.message),
        Stop::Limit => ToolFailure::new("the agent ran into a bound before it was done"),
        Stop::Cancelled | Stop::Diverged => ToolFailure::new("the agent was stopped"),
    }
}

impl Agents for Nested {
    fn ask(&self, document: PathBuf, text: String) -> Waiting<'_, Result<String, ToolFailure>> {
        Box::pin(self.run(document, text))
    }
}

/// A document without its head: what the system, the developer, the user and the model said in it.
fn messages_alone(path: &Path, bytes: &[u8]) -> Vec<u8> {
    let source = Source::decode(&path.to_string_lossy(), bytes).value;
    let document = Document::read(&source).value;
    let messages = document.blocks().filter(|block| {
        matches!(
            block.element(),
            Some(Element::System | Element::Developer | Element::User | Element::Assistant)
        )
    });
    let mut alone = Document::read(&Source::new("", "")).value;
    let texts = messages.filter_map(|block| {
        let plain = mentci_chatmd::Block::new(block.element()?, [], Some(block.text().as_str()));
        Some(alone.push(plain))
    });
    texts.collect::<String>().into_bytes()
}

/// How rules run agents: no model sees it, and no model can call it.
pub(crate) struct RuleAgents {
    pub(crate) agents: Arc<dyn Agents>,
    pub(crate) embedder: Embedder,
}

impl ToolProvider for RuleAgents {
    fn tools(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        Box::pin(async move {
            let part = |key: &str| call.args.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let document = self
                .embedder
                .inside(&part("src"))
                .map_err(|why| ToolFailure::new(format!("`{}`: {why}", part("src"))))?;
            self.agents.ask(document, part("input")).await.map(Value::String)
        })
    }
}
