//! Where the log is kept: in memory, and in SQLite.
//!
//! Loading: a [`Store`] gives a session as it stands, [`Loaded`]. Deciding is somebody else's. Committing: the record of the
//! decision is written if, and only if, nothing was written since; otherwise it is a [`CommitError::Conflict`], and one
//! loads and decides again. So two processes never spend one quota twice.
//!
//! [`SqliteStore`] is the store of a workspace, [`MemoryStore`] that of a test or a replay. [`DegradedStore`] stands before
//! the former: when it is locked, full or damaged, decisions go on from memory, and it says so.
//!
//! Large content stands beside the log: an [`SqliteArtifactStore`] keeps it in a file of its own, an [`FsArtifactStore`] in
//! many. [`TokenCounts`] remembers what a tokenizer counted.
//!
//! Together with `disk`, the only crate that touches files.

mod approval;
mod artifacts;
mod aside;
mod audit;
mod counts;
mod degraded;
mod error;
mod held;
mod log;
mod memory;
mod notice;
mod schema;
mod settled;
mod sqlite;
mod store;
mod together;
mod wal;
mod warm;

pub use approval::{AnswerError, ApprovalQuery, ApprovalRow, ApprovalStatus};
pub use artifacts::{FsArtifactStore, SqliteArtifactStore, artifact_id};
pub use aside::set_aside;
pub use audit::{Audit, AuditFault, audit_hash};
pub use counts::TokenCounts;
pub use degraded::DegradedStore;
pub use error::{CommitError, StoreError};
pub use log::{LogLine, LogQuery, RawLine, SessionRow};
pub use memory::MemoryStore;
pub use notice::{NoticeRow, acknowledge, notices};
pub use schema::STORE_FORMAT;
pub use sqlite::{SqliteOptions, SqliteStore};
pub use store::{Answer, Committed, Loaded, Setting, Store};
pub use together::Drafted;
