//! Token counts that outlive the process.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mentci_context::CountMemory;
use mentci_source::Hash;
use mentci_store::TokenCounts;

/// What this, or another process, counted before. Where its file cannot be opened, nothing is remembered.
#[derive(Clone)]
pub(super) struct Remembered(Option<Arc<Mutex<Kept>>>);

struct Kept {
    counts: TokenCounts,
    new: Vec<(Hash, u64)>,
}

impl Remembered {
    /// The counts of the tokenizer that is called `name`, in the file.
    pub(super) fn open(name: &str, file: &Path) -> Self {
        let counts = TokenCounts::open(file, name).ok();
        Self(counts.map(|counts| Arc::new(Mutex::new(Kept { counts, new: Vec::new() }))))
    }

    /// Writes down what was counted. A count that is lost is counted again.
    pub(super) fn write(&self) {
        if let Some(kept) = &self.0 {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let new = std::mem::take(&mut kept.new);
            let _ = kept.counts.remember_counts(&new);
        }
    }
}

impl CountMemory for Remembered {
    fn recall(&self, content: Hash) -> Option<u64> {
        let mut kept = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        kept.counts.counts(&[content]).ok()?.first().copied().flatten()
    }

    fn note(&self, content: Hash, tokens: u64) {
        if let Some(kept) = &self.0 {
            kept.lock().unwrap_or_else(PoisonError::into_inner).new.push((content, tokens));
        }
    }
}
