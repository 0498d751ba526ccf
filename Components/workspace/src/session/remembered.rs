//! Token counts that outlive the process.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_source::Hash;
use mentci_store::TokenCounts;
use mentci_tokens::Tokenizer;

/// A tokenizer that looks up what it, or another process, counted before.
#[derive(Clone)]
pub(super) struct Remembered {
    inner: Arc<dyn Tokenizer>,
    kept: Option<Arc<Mutex<Kept>>>,
}

struct Kept {
    counts: TokenCounts,
    new: Vec<(Hash, u64)>,
}

/// What is shorter is counted faster than it is looked up.
const SHORTEST: usize = 64;

impl Remembered {
    /// Counts as `inner`, which is called `name`; remembers in the file. Where that cannot be opened, it only counts.
    pub(super) fn new(inner: Arc<dyn Tokenizer>, name: &str, file: &Path) -> Self {
        let counts = TokenCounts::open(file, name).ok();
        let kept = counts.map(|counts| Arc::new(Mutex::new(Kept { counts, new: Vec::new() })));
        Self { inner, kept }
    }

    /// Writes down what was counted. A count that is lost is counted again.
    pub(super) fn remember(&self) {
        if let Some(kept) = &self.kept {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let new = std::mem::take(&mut kept.new);
            let _ = kept.counts.remember_counts(&new);
        }
    }
}

impl Tokenizer for Remembered {
    fn count(&self, text: &str) -> usize {
        let Some(kept) = self.kept.as_ref().filter(|_| text.len() >= SHORTEST) else {
            return self.inner.count(text);
        };
        let hash = Hash::of_bytes(text.as_bytes());
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok([Some(tokens)]) = kept.counts.counts(&[hash]).as_deref() {
            return usize::try_from(*tokens).unwrap_or(usize::MAX);
        }
        let tokens = self.inner.count(text);
        kept.new.push((hash, tokens as u64));
        tokens
    }
}
