//! A document as it is shown.

use mentci_chatmd::{Block, Document, Element, Node, Passage};
use mentci_host::chatmd::{AttributeView, BlockView, NodeView, PassageView};
use mentci_source::{Place, Source, Span};
use std::cell::Cell;

/// The parts of a document.
pub(super) fn nodes(source: &Source, document: &Document) -> Vec<NodeView> {
    let last = Cell::new((0, source.place(0)));
    let viewer = Viewer { source, head: document.head().count(), last };
    let mut number = 0;
    let view = |node: &Node| match node {
        Node::Block(block) => {
            number += 1;
            NodeView::Block(viewer.block(block, Some(number)))
        }
        other => viewer.node(other),
    };
    document.nodes().iter().map(view).collect()
}

struct Viewer<'a> {
    source: &'a Source,
    /// How many blocks stand in the head.
    head: usize,
    /// The last place, and its byte: the next one is counted from there where it stands on the same line, so that a document in
    /// one line takes no longer than another.
    last: Cell<(usize, Place)>,
}

impl Viewer<'_> {
    fn place(&self, at: usize) -> Place {
        let (from, before) = self.last.get();
        let line = self.source.lines().line(at);
        let place = match self.source.text().get(from..at) {
            Some(between) if line == before.line => {
                let further = u32::try_from(between.chars().count()).unwrap_or(u32::MAX);
                Place { line, column: before.column.saturating_add(further) }
            }
            _ => self.source.place(at),
        };
        self.last.set((at, place));
        place
    }

    fn node(&self, node: &Node) -> NodeView {
        match node {
            Node::Text(passage) => NodeView::Text(self.passage(passage)),
            Node::Raw(passage) => NodeView::Raw(self.passage(passage)),
            Node::Comment(passage) => NodeView::Comment(self.passage(passage)),
            Node::Block(block) => NodeView::Block(self.block(block, None)),
        }
    }

    fn passage(&self, passage: &Passage) -> PassageView {
        let place = self.place(passage.span().start as usize);
        let text = passage.as_str().to_owned();
        PassageView { text, span: bounds(passage.span()), line: place.line, column: place.column }
    }

    fn block(&self, block: &Block, number: Option<usize>) -> BlockView {
        let place = self.place(block.span().start as usize);
        let holds_elements = block.children().next().is_some();
        let only_head = matches!(
            block.element(),
            Some(Element::Rules | Element::Policy | Element::Config | Element::Tool | Element::Import)
        );
        let nodes = block.nodes().iter().filter(|_| holds_elements).map(|node| self.node(node));
        BlockView {
            number,
            name: block.name().to_owned(),
            role: block.role().map(mentci_authority::Role::name),
            synthetic: block.is_synthetic(),
            via_rule: block.via_rule().map(str::to_owned),
            in_force: !only_head || number.is_none_or(|number| number <= self.head),
            attributes: block.attributes().iter().map(attribute).collect(),
            text: (!holds_elements).then(|| block.text().into_string()),
            nodes: nodes.collect(),
            span: bounds(block.span()),
            line: place.line,
            column: place.column,
        }
    }
}

fn attribute(attribute: &mentci_chatmd::Attribute) -> AttributeView {
    let value = attribute.value.as_ref().map(|value| value.as_str().to_owned());
    AttributeView { name: attribute.name.clone(), value, span: bounds(attribute.span) }
}

fn bounds(span: Span) -> [u32; 2] {
    [span.start, span.end]
}
