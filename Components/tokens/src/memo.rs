//! Counts remembered by the text's hash.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Mutex, PoisonError};

use crate::Tokenizer;

/// The most counts that are remembered; when full, it is emptied.
const MOST: usize = 1 << 16;

/// A tokenizer that remembers what it counted, by a 64-bit hash and the length of the text: about 1 MB at most.
///
/// Meant for lines of a digest. Two texts of one length whose hashes collide would share a count; at 65,536 lines the
/// odds are below one in ten thousand million, and a count is only a budget.
#[derive(Debug)]
pub struct Memo<T> {
    inner: T,
    hasher: BuildHasherDefault<DefaultHasher>,
    counts: Mutex<HashMap<(u64, usize), usize>>,
}

impl<T: Tokenizer> Memo<T> {
    /// Remembers what `inner` counts.
    pub fn new(inner: T) -> Self {
        Self { inner, hasher: BuildHasherDefault::default(), counts: Mutex::default() }
    }

    /// How many counts are remembered.
    pub fn len(&self) -> usize {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether nothing is remembered yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Tokenizer> Tokenizer for Memo<T> {
    fn count(&self, text: &str) -> usize {
        let key = (self.hasher.hash_one(text), text.len());
        let known = self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        known.unwrap_or_else(|| {
            let count = self.inner.count(text);
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            if counts.len() >= MOST {
                counts.clear();
            }
            counts.insert(key, count);
            count
        })
    }
}
