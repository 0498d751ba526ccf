//! The o200k vocabulary.

use std::sync::OnceLock;

use tiktoken::CoreBpe;

use crate::Tokenizer;
use crate::ascii;
use crate::slice::{LONGEST, slices};

/// o200k, the vocabulary of GPT-4o and later; near enough for models that publish none. Its tables are loaded at the
/// first count of text that is more than ASCII and a few signs, or when much is counted (about 90 ms, 25 MB), and kept for the life of the process.
///
/// Counts are exact, but for two kinds of text that nobody writes: an unbroken run of 12 KiB is counted in slices
/// (a token or two off for each), and 12 KiB of characters from more than 32 corners of Unicode count as many tokens as bytes,
/// which is never too few. So the time is linear in the length of any text.
#[derive(Debug, Clone, Copy, Default)]
pub struct O200k;

/// The shared o200k counter. Making it loads nothing.
///
/// ```
/// use mentci_tokens::{Tokenizer, o200k};
/// assert_eq!(o200k().count("Never edit generated code."), 5);
/// assert!(o200k().fits("four", 4));
/// ```
pub fn o200k() -> &'static O200k {
    &O200k
}

impl O200k {
    /// Whether the tables are in memory.
    pub fn is_loaded(self) -> bool {
        TABLES.get().is_some()
    }
}

static TABLES: OnceLock<Option<&'static CoreBpe>> = OnceLock::new();

/// The name is known wherever the vocabulary's feature is on.
fn tables() -> Option<&'static CoreBpe> {
    *TABLES.get_or_init(|| tiktoken::get_encoding("o200k_base"))
}

impl Tokenizer for O200k {
    fn count(&self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        if !self.is_loaded()
            && text.len() <= LONGEST
            && let Some(count) = ascii::count(text)
        {
            return count;
        }
        let Some(tables) = tables() else { return text.len() };
        slices(text)
            .map(|slice| if slice.is_babel { slice.text.len() } else { tables.count(slice.text) })
            .sum()
    }
}
