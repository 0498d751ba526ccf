//! Documents, run: transcripts as they are written, byte for byte.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and write workspaces")]

mod acts;
mod agents;
mod bounds;
mod embedded;
mod endings;
mod files;
mod going_on;
mod hand_edits;
mod quotas;
mod seed;
mod stage;
