//! Clients at the door, each with a desk behind it that answers from memory.

#![expect(clippy::unwrap_used, reason = "a story that cannot go on fails")]
#![expect(clippy::format_push_string, clippy::too_many_lines, reason = "stories hold long snapshots")]

mod answers;
mod desk;
mod gate;
mod gateway;
mod http;
mod listing;
mod prompts;
mod resources;
mod sdk;
mod stdio;
mod tools;
mod wire;
