//! A document as it is told: exchanges, turns, what is hidden, which answer belongs to which call.

use std::collections::{BTreeMap, BTreeSet};

use mentci_chatmd::{Block, Calls, Document, Element};

/// The blocks of a document with what is known of their places.
#[derive(Debug)]
pub(crate) struct Story<'d> {
    pub(crate) blocks: Vec<&'d Block>,
    pub(crate) calls: Calls,
    /// Blocks that a compaction hides from the model, with the compaction's place.
    hidden: BTreeMap<usize, usize>,
    /// The turn that begins at a block.
    turns: BTreeMap<usize, u32>,
    /// Where exchanges begin.
    exchanges: BTreeSet<usize>,
}

impl<'d> Story<'d> {
    pub(crate) fn of(document: &'d Document) -> Self {
        let blocks: Vec<&Block> = document.blocks().collect();
        let mut story = Self {
            calls: Calls::of(document),
            hidden: BTreeMap::new(),
            turns: BTreeMap::new(),
            exchanges: BTreeSet::new(),
            blocks,
        };
        story.number_turns();
        story.note_hidden();
        story
    }

    /// A turn is one reply of the model: what it wrote, until something else is written that it is shown.
    fn number_turns(&mut self) {
        let (mut turn, mut speaks) = (0, false);
        for (at, block) in self.blocks.iter().enumerate() {
            if is_said_by_people(block) {
                self.exchanges.insert(at);
            }
            let own = is_the_models(block);
            if own && !speaks {
                turn += 1;
                self.turns.insert(at, turn);
            }
            speaks = own || (speaks && block.element() == Some(Element::RuleEvent));
        }
    }

    fn note_hidden(&mut self) {
        for (at, block) in self.blocks.iter().enumerate() {
            if block.element() == Some(Element::Compaction) {
                for number in numbers(block.value("hides").unwrap_or(""), at) {
                    self.hidden.entry(number - 1).or_insert(at);
                }
            }
        }
    }

    /// The compaction that hides a block.
    pub(crate) fn hidden_by(&self, at: usize) -> Option<usize> {
        self.hidden.get(&at).copied()
    }

    pub(crate) fn turn_at(&self, at: usize) -> Option<u32> {
        self.turns.get(&at).copied()
    }

    pub(crate) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Where the exchanges begin, in order.
    pub(crate) fn exchanges(&self) -> impl Iterator<Item = usize> {
        self.exchanges.iter().copied()
    }

    /// The blocks of each part: what stands before the first exchange, and each exchange.
    pub(crate) fn parts(&self) -> Vec<std::ops::Range<usize>> {
        let mut bounds: Vec<usize> = vec![0];
        bounds.extend(self.exchanges());
        bounds.push(self.blocks.len());
        bounds.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    pub(crate) fn count(&self, is: impl Fn(&Block) -> bool) -> usize {
        self.blocks.iter().filter(|block| is(block)).count()
    }
}

/// Whether a person said it: the beginning of an exchange.
pub(crate) fn is_said_by_people(block: &Block) -> bool {
    block.role() == Some(mentci_authority::Role::User) && !block.is_synthetic()
}

fn is_the_models(block: &Block) -> bool {
    let role = block.role() == Some(mentci_authority::Role::Assistant);
    role && block.via_rule().is_none() && block.value("synthetic") != Some("true")
}

/// `4-17,19`: numbers from 1 up to `most`, each once.
pub(crate) fn numbers(ranges: &str, most: usize) -> BTreeSet<usize> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some((first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?))
    };
    // A run writes few ranges; a hostile attribute may hold as many as it has bytes.
    let ranges = ranges.split(',').take(1_000).filter_map(range);
    ranges.flat_map(|(first, last)| first.max(1)..=last.min(most)).collect()
}
