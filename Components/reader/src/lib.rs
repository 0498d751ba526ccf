//! Markdown, Cap'n Proto schema, Cargo manifest and EDN, read into documents with spans.
//!
//! Each reader is one function from a [`Source`](mentci_source::Source) to a
//! [`Reading`](mentci_source::Reading): a document whose parts carry byte spans into the source's text, with the
//! findings beside it. Reading never fails and never panics.
//!
//! Knows no policy: what a format says, never what it means for an agent. Touches no files.

pub mod capnp;
pub mod cargo;
pub mod edn;
pub mod markdown;

mod merge_marks;

pub use merge_marks::unfinished_merges;
