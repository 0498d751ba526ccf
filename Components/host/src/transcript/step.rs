//! What happened, and what was recorded about it.

use std::ops::RangeInclusive;

use mentci_authority::{At, Event, Hook};
use mentci_ledger::{Act, Decided, Delta, Record};

/// One thing that a transcript tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The block that tells it, by its number from 1 among the blocks of the document.
    pub block: usize,
    /// When; without `at` counted up from 1970, so that the order is kept.
    pub at: At,
    /// What.
    pub happened: Happened,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Happened {
    /// An event, as rules are asked about it. Its session is empty: whoever takes it in says whose it is.
    Event {
        /// It.
        event: Box<Event>,
        /// What was recorded as decided.
        decided: Decided,
        /// What rules did: which fired, and what they set.
        deltas: Vec<Delta>,
        /// What the model reads of it, word for word; none where it reads nothing.
        said: Option<String>,
        /// No answer of this call stands in the transcript.
        unanswered: bool,
    },
    /// What a person did.
    Act(Act),
    /// Blocks that the model no longer sees, by number, and what stands for them.
    Compacted {
        /// Their numbers.
        hides: Vec<RangeInclusive<usize>>,
        /// The summary.
        summary: String,
    },
}

impl Step {
    /// The event, if it is one.
    pub fn event(&self) -> Option<&Event> {
        match &self.happened {
            Happened::Event { event, .. } => Some(event),
            _ => None,
        }
    }

    /// Whether rules are asked about it. What only tells what a rule did is no event of its own.
    pub fn is_decided(&self) -> bool {
        self.event().is_some_and(|event| event.hook != Hook::EventEmitted)
    }

    /// The line of a session's log; none for a compaction, which the log does not count.
    pub fn record(&self, session: &str) -> Option<Record> {
        match &self.happened {
            Happened::Event { event, decided, deltas, unanswered, .. } => {
                let event = Event { session: session.to_owned(), at: Some(self.at), ..(**event).clone() };
                let decided = Decided { unanswered: *unanswered, ..decided.clone() };
                Some(Record::of(&event, &decided, deltas.clone()))
            }
            Happened::Act(act) => Some(Record::act(session, self.at, act.clone())),
            Happened::Compacted { .. } => None,
        }
    }
}
