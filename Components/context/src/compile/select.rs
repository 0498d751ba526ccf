//! Which exchanges are kept.

use super::{Draft, Measure, Processor};

/// Under pressure, drops exchanges: those between the first and the last ones, the oldest first; then those of the last ones,
/// and the first, until the newest is left. Of the newest, what stands between the user's words and its last step goes next, and
/// the results that are left are cleared.
#[derive(Debug, Clone, Copy, Default)]
pub struct HistorySelector;

impl Processor for HistorySelector {
    fn name(&self) -> &'static str {
        "history_selector"
    }

    fn process(&self, draft: &mut Draft<'_>) {
        let limits = draft.config().history;
        let (first, last) = (limits.first, limits.last.max(1));
        draft.relieve(&[
            Measure::DropExchanges { first, last },
            Measure::DropExchanges { first, last: 1 },
            Measure::DropExchanges { first: 0, last: 1 },
            Measure::DropSteps,
            Measure::ClearResults { keep: 0 },
        ]);
    }
}
