//! A transcript, folded: blocks in, what happened out.
//!
//! - Folding: block after block to [`Step`]s, what happened with what was recorded about it ([`Transcript`]). No rule is asked.
//! - Deciding again: the events of steps as lines that [`replay`](crate::policy::replay) reads ([`lines`]).
//! - Showing: steps to the session of which a context is compiled ([`Conversation`]).
//!
//! The format stands in `Library/specs/transcript.md`.

mod arguments;
mod calling;
mod calls;
mod command;
mod conversation;
mod fold;
mod hides;
mod names;
mod position;
mod replay;
mod rule_event;
mod step;

pub use calls::OpenCall;
pub use command::command_line;
pub use conversation::Conversation;
pub use fold::{Transcript, TranscriptReading};
pub use names::RuleNames;
pub use position::{Phase, Position};
pub use replay::{Replayed, lines, replay_steps};
pub use step::{Happened, Step};
