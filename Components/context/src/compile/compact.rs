//! The same said in less.

use super::{Draft, Measure, Processor};

/// Merges messages of one role that follow each other and trims them. Under pressure, clears the oldest results: a placeholder
/// that carries the handle stands in their place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Compactor;

impl Processor for Compactor {
    fn name(&self) -> &'static str {
        "compactor"
    }

    fn process(&self, draft: &mut Draft<'_>) {
        draft.merge();
        draft.relieve(&[Measure::ClearResults { keep: draft.config().compaction.keep_results }]);
    }
}
