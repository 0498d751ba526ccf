//! Policy: files of rules to a rulebook, events to verdicts.
//!
//! - Reading: files of rules to a [`Rulebook`], each file whole or not at all.
//! - Admitting: an event as a door tells it, with the commands and files that it is about ([`admit`]).
//! - Judging: an admitted event and the log to a verdict and the log's next line ([`judge`]).
//! - Replaying: a recorded session through a rulebook ([`replay`]).

mod admit;
mod judge;
mod replay;
mod rulebook;

pub use admit::admit;
pub use judge::{Court, Judgement, judge};
pub use replay::{Answered, Line, read_log, replay};
pub use rulebook::{RuleFile, Rulebook, read_file, stem};
