//! A session as a working context inside a hard budget.
//!
//! Events become pieces of a [`Draft`]; named [`Processor`]s work on it in the order of the configuration; what is left is laid
//! out as messages and counted as it is sent. What became of every event stands in the [`DropLedger`].

mod attach;
mod bm25;
mod compact;
mod compiler;
mod config;
mod draft;
mod error;
mod layout;
mod least;
mod ledger;
mod measure;
mod outside;
mod preload;
mod pressure;
mod select;
mod shape;
mod working;

pub use attach::ArtifactAttacher;
pub use bm25::most_relevant;
pub use compact::Compactor;
pub use compiler::{Compiled, ContextCompiler, Externalised, Processor};
pub use config::{
    ArtifactLimits, CompactionLimits, CompileConfig, Document, HistoryLimits, MemoryLimits, Overhead,
};
pub use draft::{Draft, Showing};
pub use error::{CompileError, OverPart};
pub use ledger::{Added, DropLedger, DropReason, LedgerEntry, MemoryEntry, Parts, ProcessorNote, Totals};
pub use measure::Measure;
pub use preload::MemoryPreloader;
pub use select::HistorySelector;
pub use working::{MemoryHit, ShownResult, WorkingContext};
