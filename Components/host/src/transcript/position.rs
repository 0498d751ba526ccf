//! Where a transcript stands.

/// Where a transcript stands after its last block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position {
    /// How many blocks there are: the next one has the next number.
    pub blocks: usize,
    /// The turn, from 1: the last reply of the model, or the one that is about to be asked for; 0 before the first.
    pub turn: u64,
    /// The exchange, from 1: how often the user asked.
    pub exchange: u64,
    /// How far the turn has come.
    pub phase: Phase,
    /// The last block is what the user asks, and nothing has come of it yet.
    pub is_asked: bool,
    /// The calls of the document, answered or not.
    pub calls: usize,
    /// The hash of the digest that the model still sees.
    pub digest: Option<String>,
}

/// How far a turn has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// The user has the word, or nobody has.
    #[default]
    Idle,
    /// The model is about to be asked: rules of `turn_start` have written.
    Started,
    /// The model has replied; its calls may be open.
    Replied,
    /// The turn is over: rules of `turn_end` have written.
    Ended,
}
