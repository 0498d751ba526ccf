//! What is remembered.

use super::{Draft, Processor, bm25};

/// Remembers the documents that fit best what the user said last, as far as there is room.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryPreloader;

impl Processor for MemoryPreloader {
    fn name(&self) -> &'static str {
        "memory_preloader"
    }

    fn process(&self, draft: &mut Draft<'_>) {
        let config = draft.config();
        let Some((_, input)) = draft.newest_input() else { return };
        for (at, score) in bm25::rank(&input, &config.documents).into_iter().take(config.memory.top_k) {
            draft.remember(&config.documents[at], score);
        }
    }
}
