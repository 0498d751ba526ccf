//! The only crate that touches the user's files.
//!
//! - [`discover`] walks only the directories in which a [`SourcePattern`] can match -> [`Discovery`]
//! - [`read_source`] reads one file and notices when it changes meanwhile -> [`SourceBytes`]
//! - [`HashIndex`] tells what moved since the last time, by [`Stamp`] first and by hash second -> [`Checked`]
//! - [`publish`] writes files beside and renames them in order, under a [`Sidecar`] lock -> [`Published`]
//! - [`edit_locked`] reads, edits and replaces one file under a lock, safe across processes
//! - [`LogFile`] grows by whole pieces: what a killed writer left of one is taken off
//! - [`Watch`] says what was saved, at once; bursts are gathered -> [`Change`]
//!
//! Every access goes through [`Fs`], whose twin [`FaultyFs`] fails or dies at the nth call.
//! Paths of sources are relative to the workspace's root, UTF-8, with `/` between their parts.
//!
//! Knows nothing about formats, rules or digests. Unix only.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the crate that touches files; `Instant` times the debounce and nothing else"
)]

mod discover;
mod edit;
mod error;
mod faulty;
mod frontier;
mod fs;
mod git_hold;
mod hash_index;
mod ignored;
mod index_file;
mod link;
mod log_file;
mod mailbox;
mod network;
mod parallel;
mod pattern;
mod poll;
mod publish;
mod read;
mod real;
mod root;
mod sidecar;
mod stamp;
mod target;
mod visit;
mod watch;
mod watch_spec;
mod watched;

pub use discover::{Discovery, Found, discover, discover_under, discover_unless};
pub use edit::{Edit, EditError, edit_locked, edit_many_locked};
pub use error::DiskError;
pub use faulty::{FaultyFs, Plan};
pub use fs::{Entry, Fs, Kind, Stat, Twice, Wanted};
pub use hash_index::{Checked, Counters, HashIndex, Keep};
pub use log_file::{AppendError, LogFile};
pub use pattern::{PatternError, SourcePattern};
pub use publish::{Durability, Published, WriteOptions, clean_temporary, publish};
pub use read::{SourceBytes, exists, read_head, read_optional, read_source};
pub use real::{RealFs, is_stream, read_stream};
pub use root::find_root;
pub use sidecar::{LockGuard, Sidecar};
pub use stamp::Stamp;
pub use watch::{Change, PollMode, Signal, StopHandle, Watch, WatchOptions};
pub use watch_spec::WatchSpec;
