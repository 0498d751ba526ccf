//! What is cleared and dropped when not everything fits: a fold over the log.
//!
//! INVARIANT (breaks are rare and the rest is stable): what is cleared or dropped after an event follows from the events up to
//! it, only grows, and grows only when the running total passes the limit; then so much is freed, by whichever measure has it, that
//! `clear_at_least` tokens can be added before the next break. So appending events leaves what stands before as it is until then.
//! What is first and what is newest goes only where the limit itself asks for it.

use std::collections::VecDeque;

use super::draft::Draft;
use super::layout::{gap_tokens, pending_cost};
use super::shape::Block;
use super::{DropReason, Measure, Showing};
use crate::session::Piece;

pub(super) fn relieve(draft: &mut Draft<'_>) {
    for item in &mut draft.items {
        item.now = item.base;
    }
    let mut fold = Fold::new(draft);
    for item in 0..fold.draft.len() {
        fold.take(item);
    }
}

struct Fold<'d, 'a> {
    draft: &'d mut Draft<'a>,
    /// The tokens of the messages so far: never fewer than they take when laid out.
    total: u64,
    limit: u64,
    at_least: u64,
    /// The frame of a message, or what joins two, whichever is more.
    frame: u64,
    /// The results so far, in order.
    results: Vec<usize>,
    /// The exchanges so far.
    exchanges: usize,
    /// The blocks so far.
    blocks: usize,
    /// The event that was added last.
    newest: usize,
    /// How far each measure has gone.
    cursors: Vec<usize>,
    /// How far the steps of the newest exchange are dropped.
    step: usize,
    /// The blocks with summaries that were passed over: each stands for much, and goes when what is first goes.
    summaries: VecDeque<usize>,
    has_gap: bool,
}

impl<'d, 'a> Fold<'d, 'a> {
    fn new(draft: &'d mut Draft<'a>) -> Self {
        let config = draft.config;
        let memory: u64 = draft.memory.iter().map(|hit| hit.tokens + config.overhead.message).sum();
        let fixed = draft.fixed.system_prompt + draft.fixed.tools + config.overhead.reply + memory;
        let limit = config.budget.saturating_sub(fixed);
        let at_least = config.compaction.clear_at_least.unwrap_or(config.budget / 10).min(limit / 2);
        let frame = config.overhead.message.max(draft.fixed.join);
        let cursors = vec![0; draft.measures.len()];
        Self {
            draft,
            total: 0,
            limit,
            at_least,
            frame,
            results: Vec::new(),
            exchanges: 0,
            blocks: 0,
            newest: 0,
            cursors,
            step: 0,
            summaries: VecDeque::new(),
            has_gap: false,
        }
    }

    fn take(&mut self, item: usize) {
        let Some(block) = self.draft.shape.block_of[item] else { return };
        self.newest = item;
        if block >= self.blocks {
            self.begin(block);
        }
        let first = self.draft.shape.blocks[block].first();
        if let (true, dropped @ Showing::Dropped(_)) = (first != item, self.draft.items[first].now) {
            // The answer to a call that is gone, or a call beside it.
            self.draft.items[item].now = dropped;
            return;
        }
        self.add(item, first == item);
        if self.total > self.limit {
            self.relieve();
        }
    }

    fn begin(&mut self, block: usize) {
        self.blocks = block + 1;
        while self.draft.shape.exchanges.get(self.exchanges).is_some_and(|first| *first <= block) {
            self.step = self.draft.shape.exchanges[self.exchanges];
            self.exchanges += 1;
        }
    }

    fn add(&mut self, item: usize, is_first: bool) {
        let showing = self.draft.items[item].now;
        if matches!(showing, Showing::Dropped(_)) {
            return;
        }
        self.total += self.draft.cost(item, showing);
        match self.draft.entry(item).body.piece {
            Piece::Call => {
                let message = if is_first { self.frame } else { 0 };
                self.total += message + self.frame + pending_cost(self.draft, item);
            }
            Piece::Answer if !is_first => {
                self.total = self.total.saturating_sub(self.pending_of(item));
                self.results.push(item);
            }
            _ => self.total += self.frame,
        }
    }

    /// What stood for an answer before it came.
    fn pending_of(&self, answer: usize) -> u64 {
        let call = self.call_of(answer);
        call.map_or(0, |call| pending_cost(self.draft, call))
    }

    fn call_of(&self, answer: usize) -> Option<usize> {
        let block = self.draft.shape.block_of[answer]?;
        let Block::Step { calls } = &self.draft.shape.blocks[block] else { return None };
        calls.iter().find(|call| call.1 == Some(answer)).map(|call| call.0)
    }

    fn relieve(&mut self) {
        let goal = self.limit - self.at_least;
        for at in 0..self.draft.measures.len() {
            match self.draft.measures[at] {
                Measure::ClearResults { keep } => self.clear(at, keep, goal),
                Measure::DropExchanges { first, last } => {
                    self.drop_exchanges(at, first, last, goal);
                    if first == 0 {
                        self.drop_summaries();
                    }
                }
                Measure::DropSteps => {
                    self.drop_steps(goal);
                    self.drop_summaries();
                }
            }
        }
    }

    fn clear(&mut self, measure: usize, keep: usize, goal: u64) {
        let end = self.results.len().saturating_sub(keep);
        let newest = self.blocks.checked_sub(1);
        while self.cursors[measure] < end {
            let item = self.results[self.cursors[measure]];
            if self.total <= if self.draft.shape.block_of[item] == newest { self.limit } else { goal } {
                break;
            }
            self.cursors[measure] += 1;
            let now = self.draft.items[item].now;
            if !matches!(now, Showing::Whole | Showing::External) || self.draft.outside(item).is_none() {
                continue;
            }
            let (before, after) = (self.draft.cost(item, now), self.draft.cost(item, Showing::Cleared));
            if after < before {
                self.draft.items[item].now = Showing::Cleared;
                self.total -= before - after;
            }
        }
    }

    /// Drops the exchanges from `first` on, but for the last ones.
    fn drop_exchanges(&mut self, measure: usize, first: usize, last: usize, goal: u64) {
        let end = self.exchanges.saturating_sub(last.max(1));
        let reason = if last > 1 { DropReason::MiddleOfHistory } else { DropReason::NoRoom };
        self.cursors[measure] = self.cursors[measure].max(first);
        while self.cursors[measure] < end {
            let exchange = self.cursors[measure];
            if self.total <= if exchange < self.draft.config.history.first { self.limit } else { goal } {
                break;
            }
            self.cursors[measure] += 1;
            let starts = &self.draft.shape.exchanges;
            let (from, to) = (starts[exchange], starts[exchange + 1]);
            (from..to).for_each(|block| self.pass(block, reason));
        }
    }

    /// Drops a block, but for a summary, which waits.
    fn pass(&mut self, block: usize, reason: DropReason) {
        if self.is_summary(block) {
            if !self.summaries.contains(&block) {
                self.summaries.push_back(block);
            }
        } else {
            self.drop_block(block, reason);
        }
    }

    /// Whether a block stands for others that are hidden, and leaves room for more than itself.
    fn is_summary(&self, block: usize) -> bool {
        let item = self.draft.shape.blocks[block].first();
        self.draft.summaries.contains(&item)
            && self.draft.cost(item, self.draft.items[item].now) <= self.limit / 2
    }

    /// Drops the summaries that were passed over, the oldest first, while not all fits.
    fn drop_summaries(&mut self) {
        while self.total > self.limit
            && let Some(block) = self.summaries.pop_front()
        {
            self.drop_block(block, DropReason::NoRoom);
        }
    }

    /// Drops what stands between what the user said in the newest exchange and its last block.
    fn drop_steps(&mut self, goal: u64) {
        let end = self.blocks.saturating_sub(1);
        while self.step < end && self.total > goal {
            let block = self.step;
            self.step += 1;
            if !self.draft.shape.blocks[block].is_user() {
                self.pass(block, DropReason::OldStep);
            }
        }
    }

    fn drop_block(&mut self, block: usize, reason: DropReason) {
        let shape = &self.draft.shape.blocks[block];
        let first = shape.first();
        if shape.is_pinned() || matches!(self.draft.items[first].now, Showing::Dropped(_)) {
            return;
        }
        let items: Vec<usize> = shape.items().filter(|&item| item <= self.newest).collect();
        let freed: u64 = items.iter().map(|&item| self.held(item, item == first)).sum();
        self.total = self.total.saturating_sub(freed);
        for item in items {
            self.draft.items[item].now = Showing::Dropped(reason);
        }
        if !self.has_gap {
            self.has_gap = true;
            self.total += self.frame + gap_tokens(self.draft, 99_999_999);
        }
    }

    /// What the total holds for an event that was added.
    fn held(&self, item: usize, is_first: bool) -> u64 {
        let cost = self.draft.cost(item, self.draft.items[item].now);
        match self.draft.entry(item).body.piece {
            Piece::Call => {
                let message = if is_first { self.frame } else { 0 };
                let is_open = self.answer_of(item).is_none_or(|answer| answer > self.newest);
                let pending = if is_open { pending_cost(self.draft, item) } else { 0 };
                cost + message + self.frame + pending
            }
            Piece::Answer if !is_first => cost,
            _ => cost + self.frame,
        }
    }

    fn answer_of(&self, call: usize) -> Option<usize> {
        let block = self.draft.shape.block_of[call]?;
        let Block::Step { calls } = &self.draft.shape.blocks[block] else { return None };
        calls.iter().find(|pair| pair.0 == call).and_then(|pair| pair.1)
    }
}
