//! Where artifacts are kept: in SQLite, and in files.
//!
//! A content is cut into [`chunk`]s with a sum of each, so that a [`reading`] of a part verifies no more than it gives:
//! once it is known by a [`proof`] which pieces the id names.
//! A [`needle`] is sought line by line in a [`scan`]; the SQLite store has an index of words before it.

mod chunk;
mod fault;
mod files;
mod needle;
mod odd;
mod proof;
mod reading;
mod scan;
mod sqlite;

pub use chunk::artifact_id;
pub use files::FsArtifactStore;
pub use sqlite::SqliteArtifactStore;
