//! The document: every byte of a file, as blocks and what stands between them.

use mentci_authority::Role;
use mentci_source::{Reading, Source};

use crate::{Block, Element, Node, read};

/// A ChatMD document. Read and printed, it is byte for byte what it was.
///
/// ```
/// use mentci_chatmd::{Document, Element};
/// use mentci_source::Source;
/// let text = "<developer>Be brief.</developer>\n<user>\nWhat is Vec<u8>?\n</user>\n";
/// let document = Document::read(&Source::new("a.chatmd", text)).value;
/// let user = document.blocks().find(|block| block.element() == Some(Element::User)).unwrap();
/// assert_eq!(user.text().as_str(), "What is Vec<u8>?");
/// assert_eq!(document.print(), text);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Document {
    nodes: Vec<Node>,
}

impl Document {
    /// Reads a document. Never fails: what is odd is text, with a finding.
    pub fn read(source: &Source) -> Reading<Self> {
        read::document(source).map(|nodes| Self { nodes })
    }

    /// Its parts, in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Its blocks, in order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &Block> {
        self.nodes.iter().filter_map(Node::as_block)
    }

    /// The blocks before the first message: declarations, imports, law, and what the system and the developer say.
    pub fn head(&self) -> impl Iterator<Item = &Block> {
        self.blocks().take_while(|block| stands_in_head(block))
    }

    /// The law that counts: `<rules>` and `<policy>` of the head.
    pub fn law(&self) -> impl Iterator<Item = &Block> {
        self.head().filter(|block| block.element().is_some_and(Element::is_law))
    }

    /// The imports of the head. Whether one is trusted, its reader decides.
    pub fn imports(&self) -> impl Iterator<Item = &Block> {
        self.head().filter(|block| block.element() == Some(Element::Import))
    }

    /// The text.
    pub fn print(&self) -> String {
        let length = self.nodes.iter().map(|node| node.written().len()).sum();
        let mut text = String::with_capacity(length);
        self.nodes.iter().for_each(|node| text.push_str(node.written()));
        text
    }

    /// Appends a block, on a line of its own, and gives the text that was added: what a run appends to its file.
    pub fn push(&mut self, block: Block) -> String {
        let last = self.nodes.last().map_or("\n", Node::written);
        let before = if last.ends_with('\n') { "" } else { "\n" };
        let added = format!("{before}{}\n", block.written());
        let after = read::line_break();
        if !before.is_empty() {
            self.nodes.push(after.clone());
        }
        self.nodes.push(Node::Block(block));
        self.nodes.push(after);
        added
    }
}

/// Whether a block leaves the head open: it is no message, or one of those who may write law.
pub(crate) fn stands_in_head(block: &Block) -> bool {
    match block.role() {
        Some(role) => matches!(role, Role::System | Role::Developer),
        None => !block.element().is_some_and(Element::is_message),
    }
}
