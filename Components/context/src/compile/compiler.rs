//! From a session to a working context.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mentci_authority::{ArtifactHandle, NewArtifact};
use mentci_tokens::Tokenizer;

use super::draft::{Draft, View};
use super::layout::{Tally, render};
use super::outside::Outsides;
use super::{
    ArtifactAttacher, Compactor, CompileConfig, CompileError, DropLedger, DropReason, HistorySelector,
    LedgerEntry, MemoryPreloader, OverPart, Parts, ProcessorNote, Showing, WorkingContext,
};
use crate::session::Piece;
use crate::{Session, Summary, summarize};

/// One step of a compile, by name.
pub trait Processor: Send + Sync {
    /// Its name in the configuration.
    fn name(&self) -> &str;

    /// Works on the draft. Same draft, same work.
    fn process(&self, draft: &mut Draft<'_>);
}

/// Compiles sessions: the processors by name, and what was summarised before.
///
/// ```
/// use std::sync::Arc;
/// use mentci_authority::At;
/// use mentci_context::{CompileConfig, CompileError, ContextCompiler, Counts, Session, SessionEventKind};
/// use serde_json::json;
///
/// let mut session = Session::new("s1", Arc::new(Counts::new(mentci_tokens::Bytes)));
/// let data = json!({"role": "user", "text": "What is in the log?"}).as_object().cloned().unwrap_or_default();
/// session.record(SessionEventKind::UserInput, data, At::utc(1_000));
///
/// let compiler = ContextCompiler::new();
/// let compiled = compiler.compile(&session, &CompileConfig::new(100))?;
/// assert!(compiled.context.is_within_budget());
/// assert_eq!(compiled.context.to_messages()[0].content.as_deref(), Some("What is in the log?"));
/// let over = compiler.compile(&session, &CompileConfig::new(10));
/// assert!(matches!(over, Err(CompileError::MessageTooLarge { over_by: 13, .. })));
/// # Ok::<(), CompileError>(())
/// ```
pub struct ContextCompiler {
    processors: Vec<Arc<dyn Processor>>,
    outsides: Outsides,
}

/// A session inside a budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// What the model is sent.
    pub context: WorkingContext,
    /// What became of every event.
    pub ledger: DropLedger,
    /// The results that became artifacts here: to be stored before the context is sent.
    pub artifacts: Vec<Externalised>,
}

/// A result that became an artifact.
#[derive(Debug, Clone, PartialEq)]
pub struct Externalised {
    /// What stands for it.
    pub handle: ArtifactHandle,
    /// The place of its event in the log.
    pub event: usize,
}

/// The most tokens of a summary.
const SUMMARY_TOKENS: usize = 100;
/// The most parts that an error names.
const MOST_PARTS: usize = 16;

impl ContextCompiler {
    /// The four processors, and summaries by the type of the content in at most 100 tokens.
    pub fn new() -> Self {
        Self::summarising(|text, tokenizer| summarize(text, SUMMARY_TOKENS, tokenizer))
    }

    /// The four processors, and summaries of one's own. The same text must have the same summary.
    pub fn summarising(summarise: impl Fn(&str, &dyn Tokenizer) -> Summary + Send + Sync + 'static) -> Self {
        let processors: Vec<Arc<dyn Processor>> = vec![
            Arc::new(ArtifactAttacher),
            Arc::new(Compactor),
            Arc::new(HistorySelector),
            Arc::new(MemoryPreloader),
        ];
        Self { processors, outsides: Outsides::new(Arc::new(summarise)) }
    }

    /// Knows one more processor. The configuration decides whether and when it runs; one with a known name stands instead.
    #[must_use]
    pub fn with(mut self, processor: Arc<dyn Processor>) -> Self {
        self.processors.retain(|known| known.name() != processor.name());
        self.processors.push(processor);
        self
    }

    /// Compiles a session. Same session and configuration, same bytes.
    ///
    /// # Errors
    /// - [`CompileError::NoBudget`]: the budget is 0.
    /// - [`CompileError::UnknownProcessor`]: the configuration names one that is not there.
    /// - [`CompileError::MessageTooLarge`], [`CompileError::OverBudget`]: what has to stand does not fit.
    pub fn compile(&self, session: &Session, config: &CompileConfig) -> Result<Compiled, CompileError> {
        if config.budget == 0 {
            return Err(CompileError::NoBudget);
        }
        let order =
            config.processors.iter().map(|name| self.processor(name)).collect::<Result<Vec<_>, _>>()?;
        let mut draft = Draft::new(session, config, &self.outsides);
        let mut before = draft.tokens();
        let mut notes = Vec::with_capacity(order.len());
        for processor in order {
            processor.process(&mut draft);
            let after = draft.tokens();
            let (name, fits) = (processor.name().to_owned(), after <= config.budget);
            notes.push(ProcessorNote { name, before, after, fits });
            before = after;
        }
        let tally = draft.tally(View::Now);
        if tally.total() > config.budget {
            return Err(over(&draft, &tally));
        }
        let context = render(&draft, &tally);
        Ok(Compiled { context, ledger: ledger(&draft, &tally, notes), artifacts: externalised(&draft) })
    }

    fn processor(&self, name: &str) -> Result<&dyn Processor, CompileError> {
        let found = self.processors.iter().find(|processor| processor.name() == name);
        found.map(|processor| &**processor).ok_or_else(|| CompileError::UnknownProcessor {
            name: name.to_owned(),
            known: self.processors.iter().map(|processor| processor.name().to_owned()).collect(),
        })
    }
}

impl Default for ContextCompiler {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ContextCompiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.processors.iter().map(|processor| processor.name()).collect();
        f.debug_struct("ContextCompiler").field("processors", &names).finish_non_exhaustive()
    }
}

impl Compiled {
    /// The artifacts with their contents, one after the other, from the session that was compiled.
    pub fn new_artifacts<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = NewArtifact> + 'a {
        self.artifacts.iter().filter_map(|artifact| {
            let entry = session.log().entries().get(artifact.event)?;
            let content = entry.body.content(&entry.event).into_owned().into_bytes();
            Some(NewArtifact { handle: artifact.handle.clone(), content })
        })
    }
}

/// What is too much, the largest part first.
fn over(draft: &Draft<'_>, tally: &Tally) -> CompileError {
    let (budget, message) = (draft.budget(), draft.config().overhead.message);
    let shown = |at: &usize| !matches!(draft.items[*at].now, Showing::Dropped(_) | Showing::Silent);
    let cost = |at: usize| (draft.cost(at, draft.items[at].now) + message, at);
    let mut costs: Vec<(u64, usize)> = (0..draft.len()).filter(shown).map(cost).collect();
    costs.sort_by_key(|(tokens, at)| (std::cmp::Reverse(*tokens), *at));
    if let Some(&(tokens, at)) = costs.first().filter(|(tokens, _)| *tokens > budget) {
        let event = &draft.entry(at).event;
        let (event_id, kind, over_by) = (event.event_id.clone(), event.kind, tokens - budget);
        return CompileError::MessageTooLarge { event_id, kind, tokens, budget, over_by };
    }
    let fixed = [("system prompt", tally.added.system_prompt), ("tools", tally.added.tools)];
    let fixed = fixed.into_iter().filter(|(_, tokens)| *tokens > 0);
    let mut what: Vec<OverPart> =
        fixed.map(|(part, tokens)| OverPart { part: part.to_owned(), tokens }).collect();
    what.extend(costs.iter().take(MOST_PARTS).map(|&(tokens, at)| {
        let event = &draft.entry(at).event;
        OverPart { part: format!("{} `{}`", event.kind.name(), event.event_id), tokens }
    }));
    what.sort_by_key(|part| std::cmp::Reverse(part.tokens));
    let named: u64 = what.iter().map(|part| part.tokens).sum();
    if let Some(tokens) = tally.total().checked_sub(named).filter(|rest| *rest > 0) {
        what.push(OverPart { part: "all else".to_owned(), tokens });
    }
    CompileError::OverBudget { budget, over_by: tally.total() - budget, what }
}

fn ledger(draft: &Draft<'_>, tally: &Tally, processors: Vec<ProcessorNote>) -> DropLedger {
    let events: Vec<LedgerEntry> = (0..draft.len()).map(|at| entry(draft, at)).collect();
    let mut totals = BTreeMap::new();
    for entry in &events {
        super::Totals::add(totals.entry(entry.kind).or_default(), entry);
    }
    DropLedger {
        budget: draft.budget(),
        token_count: tally.total(),
        events,
        totals,
        added: tally.added,
        memory: draft.memory_notes.clone(),
        processors,
    }
}

fn entry(draft: &Draft<'_>, at: usize) -> LedgerEntry {
    let (event, body, item) = (&draft.entry(at).event, &draft.entry(at).body, &draft.items[at]);
    let tokens = body.tokens;
    let mut entry = LedgerEntry {
        event_id: event.event_id.clone(),
        kind: event.kind,
        tokens,
        parts: Parts::default(),
        reason: None,
        artifact: artifact(draft, at),
    };
    match item.now {
        Showing::Silent | Showing::Pending => entry.parts.kept = tokens,
        Showing::Whole if body.handle.is_some() => entry.parts.external = tokens,
        Showing::Whole => {
            // OK because trimming is only done where it takes no more tokens.
            entry.parts.kept = item.said.min(tokens);
            entry.parts.dropped = tokens - entry.parts.kept;
            entry.reason = item.is_trimmed.then_some(DropReason::Whitespace);
        }
        Showing::External => entry.parts.external = tokens,
        Showing::Cleared => entry.parts.cleared = tokens,
        Showing::Dropped(DropReason::Compacted) if draft.lost(at, View::Now).is_none() => {
            (entry.parts.summarised, entry.reason) = (tokens, Some(DropReason::Compacted));
        }
        // Where a summary is gone, nothing stands for what it hid.
        Showing::Dropped(reason) => {
            let reason = draft.lost(at, View::Now).unwrap_or(reason);
            (entry.parts.dropped, entry.reason) = (tokens, Some(reason));
        }
    }
    entry
}

/// The artifact that holds what an event said.
fn artifact(draft: &Draft<'_>, at: usize) -> Option<mentci_authority::ArtifactId> {
    let (body, item) = (&draft.entry(at).body, &draft.items[at]);
    let handle = body.handle.as_ref().map(|handle| handle.artifact_id);
    handle.or_else(|| item.outside.as_ref().filter(|_| is_outside(draft, at)).map(|outside| outside.id()))
}

/// Whether a result was moved out here, also if it was dropped later on.
fn is_outside(draft: &Draft<'_>, at: usize) -> bool {
    let item = &draft.items[at];
    let moved = |showing| matches!(showing, Showing::External | Showing::Cleared);
    moved(item.now) || moved(item.base)
}

fn externalised(draft: &Draft<'_>) -> Vec<Externalised> {
    let moved = (0..draft.len()).filter(|&event| {
        let body = &draft.entry(event).body;
        body.handle.is_none() && body.piece == Piece::Answer && is_outside(draft, event)
    });
    let handle = |event: usize| {
        let handle = draft.items[event].outside.as_ref()?.handle(draft.entry(event));
        Some(Externalised { handle, event })
    };
    moved.filter_map(handle).collect()
}
