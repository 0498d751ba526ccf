//! Clients at the door, each with a desk behind it that answers from memory.

mod desk;
mod http;
mod prompts;
mod resources;
mod sdk;
mod stdio;
mod tools;
mod wire;
