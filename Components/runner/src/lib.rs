//! A ChatMD document, run: context, model, policy, tools, transcript.
//!
//! - Opening: a document is locked, read, and what it declares is set up: model, tools, rules ([`run`]).
//! - A turn: rules of the turn's start, the request inside the budget, the model's reply, its calls by policy and through the
//!   tools, the answers, rules of the turn's end. Every step of it stands in the document before the next one is taken.
//! - Going on: what stands after the last reply, or the last question, is gone through again and compared, never done again.
//!
//! Knows no terminal: who watches, answers and types is an [`Audience`]. Tools of servers are handed in by [`Connect`].

mod audience;
mod cancel;
mod end;
mod event;
mod options;
mod run;

mod court;
mod machine;
mod opened;
mod prompt;
mod quotas;
mod transcript;

mod tools;

pub use audience::{Audience, Question, Reading, Waiting};
pub use cancel::Cancel;
pub use end::{RunEnd, RunOutcome};
pub use event::RunEvent;
pub use options::{Approvals, Models, Parts, RunOptions};
pub use run::run;
pub use tools::{Connect, Connecting, Pipes, Start};
