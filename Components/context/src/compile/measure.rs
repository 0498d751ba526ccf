//! What is done when a context is over its budget.

/// What is done, in order, when a context is over its budget. Each is done to the oldest first, and only as far as it is needed
/// to fit and to free what one break of the cache should free at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Results of tools are replaced by a placeholder that carries their handle, but for the newest.
    ClearResults {
        /// How many of the newest stay.
        keep: usize,
    },
    /// Exchanges are dropped, but for the first and the last ones.
    DropExchanges {
        /// How many stay at the start.
        first: usize,
        /// How many stay at the end; the newest always does.
        last: usize,
    },
    /// Messages and calls with their answers are dropped from the newest exchange, but for what the user said and the last
    /// of them.
    DropSteps,
}
