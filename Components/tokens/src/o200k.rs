//! The o200k vocabulary.

use std::sync::OnceLock;

use crate::Tokenizer;

/// o200k, the vocabulary of GPT-4o and later; near enough for models that publish none. Its tables are loaded at the
/// first count (about 50 ms, 67 MB) and kept for the life of the process.
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

static TABLES: OnceLock<&'static bpe_openai::Tokenizer> = OnceLock::new();

impl Tokenizer for O200k {
    fn count(&self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        TABLES.get_or_init(bpe_openai::o200k_base).count(text)
    }
}
