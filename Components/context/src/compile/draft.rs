//! A working context in the making.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use mentci_authority::{ChatMessage, Role};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::layout::Tally;
use super::outside::{Outside, Outsides};
use super::shape::{Block, Shape};
use super::{CompileConfig, Document, DropReason, Measure, MemoryEntry};
use crate::session::{Entry, Piece, fence_of, fence_tokens, safe};
use crate::{Counts, Session, SessionEvent, SessionEventKind};

/// How an event is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Showing {
    /// Not at all: it says nothing to a model.
    Silent,
    /// Word for word.
    Whole,
    /// By its handle and summary.
    External,
    /// By its handle alone.
    Cleared,
    /// Not at all.
    Dropped(DropReason),
    /// A call that has no answer yet.
    Pending,
}

/// A working context in the making: what each event of the session is shown as. Calls and their answers are always shown
/// together, whatever a [`Processor`](super::Processor) asks for.
#[derive(Debug)]
pub struct Draft<'a> {
    pub(super) session: &'a Session,
    pub(super) config: &'a CompileConfig,
    outsides: &'a Outsides,
    pub(super) shape: Shape,
    pub(super) items: Vec<Item>,
    pub(super) measures: Vec<Measure>,
    pub(super) memory: Vec<Remembered>,
    pub(super) memory_notes: Vec<MemoryEntry>,
    pub(super) is_merged: bool,
    pub(super) fixed: Fixed,
    /// The compactions whose summaries stand for what they hide.
    pub(super) summaries: BTreeSet<usize>,
    /// The compaction that hides an event.
    hidden_by: HashMap<usize, usize>,
}

/// How one event stands in a draft.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The tokens of what it says, as it would be said.
    pub(super) said: u64,
    /// The tokens of the tags around it: the system or the developer says it in the midst.
    pub(super) late: u64,
    /// How it is shown without pressure.
    pub(super) base: Showing,
    /// How it is shown.
    pub(super) now: Showing,
    pub(super) is_trimmed: bool,
    /// What stands in its place; made when it is first asked for.
    pub(super) outside: Option<Arc<Outside>>,
}

#[derive(Debug)]
pub(super) struct Remembered {
    pub(super) source: String,
    pub(super) content: String,
    pub(super) score: f64,
    /// With its frame, without the message's.
    pub(super) tokens: u64,
}

/// Which showing of an item is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Base,
    Now,
}

/// The tokens that stand in every context of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixed {
    pub(super) system_prompt: u64,
    pub(super) tools: u64,
    pub(super) join: u64,
    pub(super) pending: u64,
    /// The tags around what the system or the developer says in the midst.
    late: u64,
}

/// What stands where a call has no answer yet.
pub(super) const PENDING: &str = "no answer yet";
/// What stands between messages of one role that became one.
pub(super) const JOIN: &str = "\n\n";

impl<'a> Draft<'a> {
    pub(super) fn new(session: &'a Session, config: &'a CompileConfig, outsides: &'a Outsides) -> Self {
        let shape = Shape::of(session);
        let fixed = Fixed::of(config, session.log().counts());
        let items = items(session, fixed.late);
        let (measures, memory, memory_notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut draft = Self {
            session,
            config,
            outsides,
            shape,
            items,
            measures,
            memory,
            memory_notes,
            is_merged: false,
            fixed,
            summaries: BTreeSet::new(),
            hidden_by: HashMap::new(),
        };
        for at in std::mem::take(&mut draft.shape.duplicates) {
            draft.set_base(at, Showing::Dropped(DropReason::Duplicate));
        }
        draft.compact();
        draft
    }

    /// The session.
    pub fn session(&self) -> &'a Session {
        self.session
    }

    /// The configuration.
    pub fn config(&self) -> &'a CompileConfig {
        self.config
    }

    /// The most tokens.
    pub fn budget(&self) -> u64 {
        self.config.budget
    }

    /// The tokens of the context as it stands, counted as it would be sent.
    pub fn tokens(&self) -> u64 {
        self.tally(View::Now).total()
    }

    /// By how many tokens it is over.
    pub fn overflow(&self) -> u64 {
        self.tokens().saturating_sub(self.budget())
    }

    /// Whether it fits.
    pub fn is_within_budget(&self) -> bool {
        self.overflow() == 0
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// An event, by its place in the log.
    pub fn event(&self, at: usize) -> Option<&'a SessionEvent> {
        self.session.log().entries().get(at).map(|entry| &entry.event)
    }

    /// How an event is shown.
    pub fn showing(&self, at: usize) -> Option<Showing> {
        self.items.get(at).map(|item| item.now)
    }

    /// What the user said last, and where.
    pub fn newest_input(&self) -> Option<(usize, Cow<'a, str>)> {
        let entries = self.session.log().entries();
        let at = entries.iter().rposition(|entry| matches!(entry.body.piece, Piece::Text(Role::User)))?;
        let entry: &'a Entry = &entries[at];
        Some((at, entry.body.text(&entry.event)))
    }

    /// Moves a result out: its handle and summary stand in its place. Not done when that would be no shorter, or when the
    /// event is no result; whether it was.
    pub fn externalise(&mut self, at: usize) -> bool {
        self.show_outside(at, Showing::External)
    }

    /// Clears a result: its handle alone stands in its place. Whether that was done, as for [`externalise`](Self::externalise).
    pub fn clear(&mut self, at: usize) -> bool {
        self.show_outside(at, Showing::Cleared)
    }

    /// Drops an event together with its call or its answers. What the system says is not dropped; whether anything was.
    pub fn drop_event(&mut self, at: usize) -> bool {
        let block = self.shape.block_of.get(at).copied().flatten();
        let Some(block) = block.filter(|block| !self.shape.blocks[*block].is_pinned()) else { return false };
        let items: Vec<usize> = self.shape.blocks[block].items().collect();
        for item in items {
            self.set_base(item, Showing::Dropped(DropReason::Chosen));
        }
        true
    }

    /// Remembers something, if there is room; whether there was.
    pub fn remember(&mut self, document: &Document, score: f64) -> bool {
        let open = fence_of(&format!("memory:{}", document.source), "");
        let text = safe(document.text.as_str().into());
        let counts = self.counts();
        let tokens = counts.of(&text) + fence_tokens(&open, counts);
        let whole = tokens + self.config.overhead.message;
        let kept = self.tokens().saturating_add(whole) <= self.budget();
        self.memory_notes.push(MemoryEntry { source: document.source.clone(), score, tokens: whole, kept });
        if kept {
            let content = crate::session::fenced(&open, &text);
            self.memory.push(Remembered { source: document.source.clone(), content, score, tokens });
        }
        kept
    }

    /// When not everything fits, does what is needed until it does, with these measures after those that earlier processors
    /// brought.
    ///
    /// The log is gone through in order, as if it had been compiled after each event: so what is cleared and dropped only ever
    /// grows, and only where the budget is passed.
    pub fn relieve(&mut self, measures: &[Measure]) {
        self.measures.extend_from_slice(measures);
        if self.tally(View::Base).total() > self.budget() {
            super::pressure::relieve(self);
        }
    }

    /// Says messages of one role that follow each other as one, without white space around them.
    pub fn merge(&mut self) {
        self.is_merged = true;
        let session = self.session;
        let entries = session.log().entries();
        for (item, entry) in self.items.iter_mut().zip(entries) {
            let is_said = matches!(entry.body.piece, Piece::Text(_)) && item.base == Showing::Whole;
            if !is_said {
                continue;
            }
            let text = entry.body.text(&entry.event);
            let trimmed = text.trim();
            if trimmed.len() < text.len() {
                let said = session.log().counts().of(trimmed);
                item.is_trimmed = said <= item.said;
                item.said = item.said.min(said);
            }
        }
    }

    pub(super) fn counts(&self) -> &'a Arc<Counts> {
        self.session.log().counts()
    }

    pub(super) fn entry(&self, at: usize) -> &'a Entry {
        &self.session.log().entries()[at]
    }

    /// The tokens of an event's message in this showing, without the message's own frame.
    pub(super) fn cost(&self, at: usize, showing: Showing) -> u64 {
        let (item, body) = (&self.items[at], &self.entry(at).body);
        let said = match (showing, &item.outside) {
            (Showing::Silent | Showing::Dropped(_) | Showing::Pending, _) => return 0,
            (Showing::External, Some(outside)) => outside.summary_tokens,
            (Showing::Cleared, Some(outside)) => outside.placeholder_tokens,
            _ => item.said,
        };
        let call = if body.piece == Piece::Call { self.config.overhead.call } else { 0 };
        said + item.late + body.frame + call
    }

    /// What stands in a result's place; none for what is no result.
    pub(super) fn outside(&mut self, at: usize) -> Option<Arc<Outside>> {
        let entry = self.entry(at);
        if entry.body.piece != Piece::Answer || entry.body.bytes == 0 {
            return None;
        }
        let made = self.items[at]
            .outside
            .get_or_insert_with(|| self.outsides.of(entry, self.session.log().counts()));
        Some(made.clone())
    }

    fn show_outside(&mut self, at: usize, showing: Showing) -> bool {
        let Some(now) = self.showing(at).filter(|now| matches!(now, Showing::Whole | Showing::External))
        else {
            return false;
        };
        let is_shorter = self.outside(at).is_some() && self.cost(at, showing) < self.cost(at, now);
        if is_shorter {
            self.set_base(at, showing);
        }
        is_shorter
    }

    fn set_base(&mut self, at: usize, showing: Showing) {
        let item = &mut self.items[at];
        (item.base, item.now) = (showing, showing);
    }

    /// Does what the compactions in the log say: results are cleared; where a summary stands, all else is dropped.
    fn compact(&mut self) {
        let session = self.session;
        let compactions: Vec<&SessionEvent> = session.filter(&[SessionEventKind::Compaction]).collect();
        if compactions.is_empty() {
            return;
        }
        let events = session.events().enumerate();
        let places: HashMap<&str, usize> = events.map(|(at, event)| (event.event_id.as_str(), at)).collect();
        for compaction in compactions {
            let ids = compaction.data.get("events").and_then(Value::as_array).into_iter().flatten();
            let items = ids.filter_map(|id| places.get(id.as_str()?).copied());
            if compaction.text("summary").trim().is_empty() {
                for item in items.collect::<Vec<_>>() {
                    self.clear(item);
                }
            } else {
                let also_pinned = compaction.data.get("pinned") == Some(&Value::Bool(true));
                let by = places[compaction.event_id.as_str()];
                self.summarise(by, items.collect(), also_pinned);
            }
        }
    }

    /// Drops the blocks of which every event is summed up; of others, results are cleared. What the system and the developer
    /// say is dropped only where the compaction means it.
    fn summarise(&mut self, by: usize, mut items: Vec<usize>, also_pinned: bool) {
        items.sort_unstable();
        for &item in &items {
            let Some(block) = self.shape.block_of[item] else { continue };
            let block: &Block = &self.shape.blocks[block];
            let is_whole = block.items().all(|item| items.binary_search(&item).is_ok());
            if (block.is_pinned() && !also_pinned) || !is_whole {
                self.clear(item);
            } else {
                self.set_base(item, Showing::Dropped(DropReason::Compacted));
                self.hidden_by.insert(item, by);
                self.summaries.insert(by);
            }
        }
    }

    /// Why an event is in no message; none where it is, says nothing, or a summary stands for it that is shown.
    pub(super) fn lost(&self, at: usize, view: View) -> Option<DropReason> {
        let mut at = at;
        loop {
            match self.items[at].in_view(view) {
                Showing::Dropped(DropReason::Duplicate) => return None,
                // Each is hidden by a later one, so this ends.
                Showing::Dropped(DropReason::Compacted) => match self.hidden_by.get(&at) {
                    Some(&by) if by > at => at = by,
                    _ => return None,
                },
                Showing::Dropped(reason) => return Some(reason),
                _ => return None,
            }
        }
    }

    pub(super) fn tally(&self, view: View) -> Tally {
        super::layout::tally(self, view)
    }
}

/// An item for each event. What the system or the developer says behind something else stands between tags, whatever becomes of
/// what was before it: so it is sent as it is counted, on every wire.
fn items(session: &Session, late: u64) -> Vec<Item> {
    let mut is_midst = false;
    let one = |entry: &Arc<Entry>| {
        let is_pinned = matches!(entry.body.piece, Piece::Text(Role::System | Role::Developer));
        is_midst |= !is_pinned && entry.body.piece != Piece::Nothing;
        Item::of(entry, if is_pinned && is_midst { late } else { 0 })
    };
    session.log().entries().iter().map(one).collect()
}

impl Item {
    fn of(entry: &Entry, late: u64) -> Self {
        let base = if entry.body.piece == Piece::Nothing { Showing::Silent } else { Showing::Whole };
        Self { said: entry.body.tokens, late, base, now: base, is_trimmed: false, outside: None }
    }

    pub(super) fn in_view(&self, view: View) -> Showing {
        match view {
            View::Base => self.base,
            View::Now => self.now,
        }
    }
}

impl Fixed {
    fn of(config: &CompileConfig, counts: &Counts) -> Self {
        let overhead = config.overhead;
        let prompt = &config.system_prompt;
        let tools = config.tools.iter().map(|tool| counts.of(&tool.to_string()) + overhead.call);
        Self {
            system_prompt: if prompt.is_empty() { 0 } else { counts.of(prompt) + overhead.message },
            tools: tools.sum(),
            join: counts.of(JOIN),
            pending: counts.of(PENDING),
            late: counts.of(ChatMessage::LATE_OPEN) + counts.of(ChatMessage::LATE_CLOSE),
        }
    }
}
