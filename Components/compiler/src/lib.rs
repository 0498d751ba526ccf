//! From law and lessons to Absolute Rules, in passes: each is one function with one named value out.
//!
//! 1. **Read** ([`read_law`]): one Markdown source -> [`LawReading`]: norms, and all that is no norm, each source alone.
//! 2. **Resolve**, **condense**, **budget**, **emit**.
//!
//! Knows nothing about files, time or models.

mod law;

pub use law::{LawKind, LawReading, read_law};
