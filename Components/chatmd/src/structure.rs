//! Reading `<rules>` and `<policy>`: elements of any name within each other, and no text.

use mentci_source::{Code, Span};

use crate::Element;
use crate::block::{Block, Body, Node};
use crate::element;
use crate::read::Reader;
use crate::tag::{self, Tag};

/// How deep elements of law may stand within each other.
const MAX_DEPTH: usize = 32;

/// Elements that were opened and not yet closed, the innermost last. Never empty: the root stays.
struct Stack {
    root: Open,
    inner: Vec<Open>,
}

/// An element that was opened.
struct Open {
    tag: Tag,
    nodes: Vec<Node>,
}

/// What a closing tag closed, and where it ends.
enum Closed {
    Root(usize),
    Inner(usize),
}

impl Stack {
    fn top(&mut self) -> &mut Open {
        self.inner.last_mut().unwrap_or(&mut self.root)
    }

    fn push(&mut self, node: Node) {
        self.top().nodes.push(node);
    }

    fn holds(&self, name: &str) -> bool {
        self.root.tag.name == name || self.inner.iter().any(|open| open.tag.name == name)
    }
}

impl Reader<'_> {
    /// Reads the body of `tag`, up to its closing tag. A message that starts within ends it: it was never closed.
    pub(crate) fn structure(&mut self, tag: Tag, element: Element) -> Block {
        let (mut done, mut at) = (tag.end, tag.end);
        let mut stack = Stack { root: Open { tag, nodes: Vec::new() }, inner: Vec::new() };
        while let Some(open) = self.next_tag(at, self.text.len()) {
            at = open + 1;
            let end = if self.text[open..].starts_with("<!--") {
                self.comment(open, done, &mut stack)
            } else if self.text.as_bytes().get(open + 1) == Some(&b'/') {
                match self.close(open, done, &mut stack) {
                    Some(Closed::Root(end)) => return self.finish_root(stack, element, open, end),
                    Some(Closed::Inner(end)) => Some(end),
                    None => None,
                }
            } else if tag::element_at(self.text, open).is_some_and(Element::is_message) {
                self.push_text(done, open, &mut stack.top().nodes);
                return self.unclosed_root(stack, element, open);
            } else {
                self.open(open, done, &mut stack)
            };
            if let Some(end) = end {
                (done, at) = (end, end);
            }
        }
        self.push_text(done, self.text.len(), &mut stack.top().nodes);
        self.unclosed_root(stack, element, self.text.len())
    }

    fn comment(&mut self, open: usize, done: usize, stack: &mut Stack) -> Option<usize> {
        let end = self.comment_end(open)?;
        self.push_text(done, open, &mut stack.top().nodes);
        stack.push(Node::Comment(self.passage(open, end)));
        Some(end)
    }

    /// Opens an element, or takes it whole where it holds text or nothing. Where it ends; `None` where it is no tag.
    fn open(&mut self, open: usize, done: usize, stack: &mut Stack) -> Option<usize> {
        if tag::name_at(self.text, open + 1).is_empty() {
            return None;
        }
        let tag = self.tag(open, self.text.len())?;
        self.push_text(done, open, &mut stack.top().nodes);
        let start = tag.end;
        let block = if tag.self_closing {
            self.finish(tag, None, Body::SelfClosing, start, start)
        } else if let Some(name) = element::law_text(&tag.name) {
            self.text_element(tag, name, stack)
        } else if stack.inner.len() < MAX_DEPTH {
            stack.inner.push(Open { tag, nodes: Vec::new() });
            return Some(start);
        } else {
            self.note_too_deep(&tag);
            self.finish(tag, None, Body::Nodes(Vec::new()), start, start)
        };
        let end = block.span().end as usize;
        stack.push(Node::Block(block));
        Some(end)
    }

    fn note_too_deep(&mut self, tag: &Tag) {
        self.findings.note(
            Code::CHATMD_TOO_DEEP,
            Span::new(tag.start, tag.end),
            || format!("elements stand more than {MAX_DEPTH} deep in each other"),
            "close elements that were left open; what is deeper was read on one level",
        );
    }

    fn text_element(&mut self, tag: Tag, name: &'static str, stack: &Stack) -> Block {
        let (inner_end, end) = self.text_end(&tag, name, stack);
        let nodes = self.verbatim(tag.end, inner_end, name);
        self.finish(tag, None, Body::Nodes(nodes), inner_end, end)
    }

    /// Where an element's text ends: at its closing tag, or where what it stands in is closed.
    fn text_end(&mut self, tag: &Tag, name: &'static str, stack: &Stack) -> (usize, usize) {
        let own = self.closing(name, tag.end, self.text.len());
        let outer = ["on", "rules", "tool", "policy"]
            .into_iter()
            .filter(|name| stack.holds(name))
            .filter_map(|name| self.closing(name, tag.end, self.text.len()))
            .map(|(at, _)| at)
            .min()
            .unwrap_or(self.text.len());
        match own {
            Some(own) if own.0 <= outer => own,
            _ => {
                self.note_left_open(tag);
                // A block that starts a line below is no text of what was left open here.
                let below = self.opens_again(tag.end, outer, None).filter(|_| own.is_none());
                let end = below.unwrap_or(outer);
                (end, end)
            }
        }
    }

    /// Closes the innermost element of the name, with those left open in it. `None` where it closes nothing.
    fn close(&mut self, open: usize, done: usize, stack: &mut Stack) -> Option<Closed> {
        let name = tag::name_at(self.text, open + 2);
        let end = tag::closing_end(self.text, open, name)?;
        let level = stack.inner.iter().rposition(|element| element.tag.name == name);
        if level.is_none() && stack.root.tag.name != name {
            self.findings.note(
                Code::CHATMD_STRAY_CLOSE,
                Span::new(open, end),
                || format!("`</{name}>` closes nothing"),
                "take it out, or open the element",
            );
            return None;
        }
        self.push_text(done, open, &mut stack.top().nodes);
        self.shut_down_to(level.map_or(0, |level| level + 1), open, stack);
        if level.is_none() {
            return Some(Closed::Root(end));
        }
        self.shut(stack, open, end);
        Some(Closed::Inner(end))
    }

    /// Shuts what was left open, down to `keep` elements.
    fn shut_down_to(&mut self, keep: usize, at: usize, stack: &mut Stack) {
        while stack.inner.len() > keep {
            self.note_left_open(&stack.top().tag);
            self.shut(stack, at, at);
        }
    }

    fn note_left_open(&mut self, tag: &Tag) {
        self.findings.note(
            Code::CHATMD_UNCLOSED,
            Span::new(tag.start, tag.end),
            || format!("`<{}>` is never closed", tag.name),
            "close it; it was read up to the end of what it stands in",
        );
    }

    fn shut(&self, stack: &mut Stack, inner_end: usize, end: usize) {
        let Some(open) = stack.inner.pop() else { return };
        let block = self.finish(open.tag, None, Body::Nodes(open.nodes), inner_end, end);
        stack.push(Node::Block(block));
    }

    fn finish_root(&self, stack: Stack, element: Element, inner_end: usize, end: usize) -> Block {
        let root = stack.root;
        self.finish(root.tag, Some(element), Body::Nodes(root.nodes), inner_end, end)
    }

    fn unclosed_root(&mut self, mut stack: Stack, element: Element, end: usize) -> Block {
        self.shut_down_to(0, end, &mut stack);
        self.note_unclosed(&stack.root.tag);
        self.finish_root(stack, element, end, end)
    }
}
