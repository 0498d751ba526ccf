//! The blocks of a document.

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
}
