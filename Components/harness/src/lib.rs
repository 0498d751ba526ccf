//! The doors to agent harnesses: what is installed for each, and what each must be told.
//!
//! Knows nothing about files: it names what belongs where, and the workspace writes it.

pub mod pi;
