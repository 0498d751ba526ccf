//! What the budget asks.

/// Counts tokens. Pure: the same text has the same count, always.
pub trait Tokenizer: Send + Sync {
    /// How many tokens `text` has.
    fn count(&self, text: &str) -> usize;

    /// Whether `text` has at most `limit` tokens. Cheap for short texts: no token is shorter than a byte, so a text
    /// of `limit` bytes fits without being counted.
    ///
    /// ```
    /// use mentci_tokens::{Bytes, Tokenizer};
    /// assert!(Bytes.fits("four", 4));
    /// assert!(!Bytes.fits("fours", 4));
    /// ```
    fn fits(&self, text: &str, limit: usize) -> bool {
        text.len() <= limit || self.count(text) <= limit
    }
}

/// The sure bound: as many tokens as bytes. Loads nothing; never counts too few.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bytes;

impl Tokenizer for Bytes {
    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

impl<T: Tokenizer + ?Sized> Tokenizer for &T {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}
