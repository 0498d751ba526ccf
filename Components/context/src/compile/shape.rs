//! What belongs together: calls with their answers, messages in exchanges.

use std::collections::{HashMap, HashSet};

use mentci_authority::Role;

use mentci_source::Hash;

use crate::Session;
use crate::session::{Entry, Piece, fence};

/// The shape of a session: blocks in order, grouped into exchanges.
///
/// INVARIANT (pairs stay together): a call and its answer are in one block, and blocks are dropped whole.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) blocks: Vec<Block>,
    /// The first block of each exchange.
    pub(super) exchanges: Vec<usize>,
    /// The block of each event; none when it says nothing, or says again, in the same words, how
    /// a call ended.
    pub(super) block_of: Vec<Option<usize>>,
    /// The events that say again, in the same words, how a call ended.
    pub(super) duplicates: Vec<usize>,
}

/// What is shown or dropped as one.
#[derive(Debug)]
pub(super) enum Block {
    /// A message of this role.
    Text { item: usize, role: Role },
    /// Data in a user's message.
    Data { item: usize },
    /// Calls of one message, and the answer to each.
    Step { calls: Vec<(usize, Option<usize>)> },
}

impl Block {
    /// Its first event.
    pub(super) fn first(&self) -> usize {
        match self {
            Self::Text { item, .. } | Self::Data { item } => *item,
            Self::Step { calls } => calls.first().map_or(0, |call| call.0),
        }
    }

    /// Its events, each call before its answer.
    pub(super) fn items(&self) -> impl Iterator<Item = usize> {
        let (single, calls) = match self {
            Self::Text { item, .. } | Self::Data { item } => (Some(*item), &[][..]),
            Self::Step { calls } => (None, &calls[..]),
        };
        let pairs = calls.iter().flat_map(|(call, answer)| std::iter::once(*call).chain(*answer));
        single.into_iter().chain(pairs)
    }

    /// Whether it stays whatever happens: what the system or the developer says.
    pub(super) fn is_pinned(&self) -> bool {
        matches!(self, Self::Text { role: Role::System | Role::Developer, .. })
    }

    pub(super) fn is_user(&self) -> bool {
        matches!(self, Self::Text { role: Role::User, .. })
    }
}

impl Shape {
    pub(super) fn of(session: &Session) -> Self {
        let entries = session.log().entries();
        let mut shaper = Shaper::default();
        shaper.shape.block_of.reserve(entries.len());
        for (item, entry) in entries.iter().enumerate() {
            let id = entry.event.text("call_id");
            let block = match entry.body.piece {
                Piece::Nothing => None,
                Piece::Text(role) => Some(shaper.text(item, role)),
                Piece::Data => Some(shaper.push(Block::Data { item })),
                Piece::Call => Some(shaper.call(item, id)),
                Piece::Answer => shaper.answer(item, id, entry),
            };
            shaper.shape.block_of.push(block);
        }
        shaper.shape
    }
}

#[derive(Default)]
struct Shaper<'a> {
    shape: Shape,
    /// Where each call stands: its block, and its place in it.
    calls: HashMap<&'a str, (usize, usize)>,
    /// How each call ended, by its place and in which words.
    ended: HashSet<((usize, usize), String, Hash)>,
    /// The step that the next call joins.
    open: Option<usize>,
    /// Whether somebody answered in the newest exchange.
    is_answered: bool,
}

impl<'a> Shaper<'a> {
    fn text(&mut self, item: usize, role: Role) -> usize {
        if role == Role::User && self.is_answered {
            self.shape.exchanges.push(self.shape.blocks.len());
            self.is_answered = false;
        }
        self.is_answered |= role == Role::Assistant;
        self.push(Block::Text { item, role })
    }

    fn push(&mut self, block: Block) -> usize {
        if self.shape.exchanges.is_empty() {
            self.shape.exchanges.push(0);
        }
        self.open = None;
        self.shape.blocks.push(block);
        self.shape.blocks.len() - 1
    }

    fn call(&mut self, item: usize, id: &'a str) -> usize {
        let block = self.open.unwrap_or_else(|| self.push(Block::Step { calls: Vec::new() }));
        (self.open, self.is_answered) = (Some(block), true);
        if let Block::Step { calls } = &mut self.shape.blocks[block] {
            calls.push((item, None));
            self.calls.insert(id, (block, calls.len() - 1));
        }
        block
    }

    /// An answer joins its call. One without a call is data, and so is a second one that says something else: a call that timed out
    /// may end well later on. One that says the same is none.
    fn answer(&mut self, item: usize, id: &str, entry: &Entry) -> Option<usize> {
        let Some(&(block, place)) = self.calls.get(id) else {
            return Some(self.push(Block::Data { item }));
        };
        let is_new = self.ended.insert(((block, place), fence(&entry.event), entry.body.hash));
        let Block::Step { calls } = &mut self.shape.blocks[block] else { return None };
        if !is_new {
            self.shape.duplicates.push(item);
            return None;
        }
        if calls[place].1.is_some() {
            return Some(self.push(Block::Data { item }));
        }
        calls[place].1 = Some(item);
        if self.open == Some(block) {
            self.open = None;
        }
        Some(block)
    }
}
