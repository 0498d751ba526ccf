//! Counts by content hash.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mentci_source::Hash;
use mentci_tokens::Tokenizer;

/// What a tokenizer counted, by the BLAKE3 hash of the text: each content is counted once, also across processes when
/// [`take_new`](Self::take_new) is kept and [`import`](Self::import)ed. Counts of one tokenizer say nothing about another.
///
/// ```
/// use mentci_context::Counts;
/// let counts = Counts::new(mentci_tokens::Bytes);
/// assert_eq!((counts.of("four"), counts.of("four"), counts.counted()), (4, 4, 1));
/// let later = Counts::new(mentci_tokens::Bytes);
/// later.import(counts.take_new());
/// assert_eq!((later.of("four"), later.counted()), (4, 0));
/// ```
pub struct Counts {
    tokenizer: Box<dyn Tokenizer>,
    memory: Option<Box<dyn CountMemory>>,
    known: Mutex<Known>,
}

/// Counts that outlive a process. [`Counts`] asks it before it counts, and tells it what it counted: it is asked about one
/// tokenizer alone.
pub trait CountMemory: Send + Sync {
    /// The tokens of the text that has this hash, if they were counted before.
    fn recall(&self, content: Hash) -> Option<u64>;

    /// Takes note of what was counted.
    fn note(&self, content: Hash, tokens: u64);
}

/// What is shorter is counted faster than it is recalled.
const SHORTEST_RECALLED: usize = 64;

#[derive(Default)]
struct Known {
    tokens: HashMap<Hash, u64>,
    new: Vec<(Hash, u64)>,
    counted: u64,
}

impl Counts {
    /// Nothing is counted yet.
    pub fn new(tokenizer: impl Tokenizer + 'static) -> Self {
        Self { tokenizer: Box::new(tokenizer), memory: None, known: Mutex::default() }
    }

    /// Asks `memory` first.
    #[must_use]
    pub fn remembering(mut self, memory: impl CountMemory + 'static) -> Self {
        self.memory = Some(Box::new(memory));
        self
    }

    /// The tokens of a text.
    pub fn of(&self, text: &str) -> u64 {
        if text.is_empty() { 0 } else { self.of_hashed(Hash::of_bytes(text.as_bytes()), text) }
    }

    /// The tokens of a text whose hash is known already.
    pub(crate) fn of_hashed(&self, hash: Hash, text: &str) -> u64 {
        if let Some(tokens) = self.known().tokens.get(&hash) {
            return *tokens;
        }
        let memory = self.memory.as_ref().filter(|_| text.len() >= SHORTEST_RECALLED);
        if let Some(tokens) = memory.and_then(|memory| memory.recall(hash)) {
            self.known().tokens.insert(hash, tokens);
            return tokens;
        }
        let tokens = self.tokenizer.count(text) as u64;
        if let Some(memory) = memory {
            memory.note(hash, tokens);
        }
        let mut known = self.known();
        known.counted += 1;
        if known.tokens.insert(hash, tokens).is_none() {
            known.new.push((hash, tokens));
        }
        tokens
    }

    /// Takes over what was counted before, by the same tokenizer.
    pub fn import(&self, pairs: impl IntoIterator<Item = (Hash, u64)>) {
        self.known().tokens.extend(pairs);
    }

    /// Everything that is known, by hash.
    pub fn export(&self) -> Vec<(Hash, u64)> {
        let mut pairs: Vec<_> = self.known().tokens.iter().map(|(hash, tokens)| (*hash, *tokens)).collect();
        pairs.sort_unstable();
        pairs
    }

    /// What was counted since the last time this was asked, in the order in which it was counted.
    pub fn take_new(&self) -> Vec<(Hash, u64)> {
        std::mem::take(&mut self.known().new)
    }

    /// How many texts the tokenizer was asked about.
    pub fn counted(&self) -> u64 {
        self.known().counted
    }

    /// Who counts.
    pub fn tokenizer(&self) -> &dyn Tokenizer {
        &*self.tokenizer
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counts").field("known", &self.known().tokens.len()).finish_non_exhaustive()
    }
}
