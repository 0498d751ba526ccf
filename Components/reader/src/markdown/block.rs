//! The blocks of a document.

use std::hash::{Hash, Hasher};

use mentci_source::Span;

use super::RichText;

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// `## Heading`, with its depth from 1 to 6.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// A list; its children are items. Ordered lists have their first number.
    List(Option<u64>),
    /// An item. Its first child is its text, if it has any; numbered items have their number, tasks their tick.
    Item {
        /// The number in an ordered list.
        number: Option<u64>,
        /// `[ ]` or `[x]`.
        task: Option<bool>,
    },
    /// `> quoted`; its children are blocks.
    Quote,
    /// A table; its children are rows, the first is the header.
    Table,
    /// A row; its children are cells.
    Row,
    /// A cell.
    Cell,
    /// Code between fences, or indented; `body` holds the lines between the markers.
    Fence {
        /// The first word after the opening marker, in lower case.
        language: String,
        /// The bytes between the markers.
        body: Span,
        /// Whether the end marker was there.
        closed: bool,
    },
    /// Raw HTML, comments among it.
    Html,
    /// `---`.
    Rule,
}

/// One block: what it is, its text, what it holds, and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// All its bytes, markers included.
    pub span: Span,
    /// Its own text; empty for containers.
    pub text: RichText,
    /// The blocks in it.
    pub children: Vec<Block>,
}

impl Block {
    /// A block without text or children.
    pub fn new(kind: BlockKind, span: Span) -> Self {
        Self { kind, span, text: RichText::default(), children: Vec::new() }
    }

    /// Hashes all that it is, its places counted from `from`: the same block elsewhere gives the same hash.
    pub fn hash_from(&self, from: u32, state: &mut impl Hasher) {
        std::mem::discriminant(&self.kind).hash(state);
        match &self.kind {
            BlockKind::Heading(depth) => depth.hash(state),
            BlockKind::List(first) => first.hash(state),
            BlockKind::Item { number, task } => (number, task).hash(state),
            BlockKind::Fence { language, body, closed } => {
                (language, places(*body, from), closed).hash(state);
            }
            BlockKind::Paragraph
            | BlockKind::Quote
            | BlockKind::Table
            | BlockKind::Row
            | BlockKind::Cell
            | BlockKind::Html
            | BlockKind::Rule => {}
        }
        places(self.span, from).hash(state);
        self.text.hash_from(from, state);
        state.write_usize(self.children.len());
        for child in &self.children {
            child.hash_from(from, state);
        }
    }
}

/// Where bytes begin and end, counted from `from`.
pub(super) fn places(span: Span, from: u32) -> (u32, u32) {
    (span.start.wrapping_sub(from), span.end.wrapping_sub(from))
}
