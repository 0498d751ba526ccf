//! The doors to agent harnesses: what each tells at its hooks, what it is answered, and what is installed for it.
//!
//! - [`hear`] reads a hook's payload into a [`Heard`]: the events that are decided, and where the rules could be shown.
//! - [`reply`] writes what came of it as the harness takes it -> [`Reply`]
//! - [`closed`] is what a harness is told where nothing could be decided: its gates close, advice stays silent.
//!
//! One module for each harness knows its names and shapes and nothing else. Knows nothing about files: it names what
//! belongs where, and the workspace writes it.

mod capability;
mod claude_code;
mod cline;
mod cline_arguments;
mod codex;
mod door;
mod ending;
mod gemini;
mod heard;
mod installation;
mod openclaw;
mod opencode;
mod outline;
mod payload;
pub mod pi;
mod plain;
mod reply;
mod server_tool;
mod wishes;
mod withheld;
mod words;

pub use capability::{Ability, CAPABILITIES, Capability, capability_table, vocabulary_table};
pub use door::{closed, closed_to, hear, reply};
pub use ending::Ending;
pub use heard::{Heard, Point};
pub use installation::{Scope, Surroundings, installation};
pub use payload::{MAX_PAYLOAD, Payload};
pub use reply::Reply;
