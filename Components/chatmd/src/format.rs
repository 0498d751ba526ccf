//! The canonical text of a document: each block on a line of its own, tags in one writing, law indented.

use mentci_source::{Code, Finding, Span};

use crate::block::{Block, Body, Node};
use crate::element::{Content, law_text};
use crate::{Attribute, Document, Element, read, write};

/// Tags longer than this have each attribute on a line of its own, in law.
const MOST: usize = 100;

impl Document {
    /// The canonical text. What is said stays: texts stand as they are written, comments too. Formatting it again changes
    /// nothing.
    ///
    /// ```
    /// use mentci_chatmd::Document;
    /// use mentci_source::Source;
    /// let text = "<config model='m'   show />\n\n\n\n<user>hi</user><assistant>\nho\n</assistant>";
    /// let document = Document::read(&Source::new("a.chatmd", text)).value;
    /// assert_eq!(document.format(), "<config model=\"m\" show/>\n\n<user>\nhi\n</user>\n<assistant>\nho\n</assistant>\n");
    /// ```
    pub fn format(&self) -> String {
        let mut text = String::new();
        for node in self.nodes() {
            match node {
                Node::Text(passage) => between(passage.as_str(), &mut text),
                Node::Raw(passage) => text.push_str(passage.as_str()),
                Node::Comment(passage) => on_its_line(passage.as_str(), &mut text),
                Node::Block(block) => on_its_line(&canonical(block), &mut text),
            }
        }
        let end = text.trim_end().len();
        text.truncate(end);
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Whether its text reads as it was meant, by what reading found: nothing was left open, and no tag was read as text.
    /// What does not is not rewritten.
    pub fn is_well_formed(findings: &[Finding]) -> bool {
        const MALFORMED: [Code; 5] = [
            Code::CHATMD_UNCLOSED,
            Code::CHATMD_TAG,
            Code::CHATMD_STRAY_CLOSE,
            Code::CHATMD_FENCE,
            Code::CHATMD_TOO_DEEP,
        ];
        !findings.iter().any(|finding| MALFORMED.contains(&finding.code))
    }

    /// Whether both say the same: the same blocks with the same attributes and texts, in the same order.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.blocks().count() == other.blocks().count()
            && self.blocks().zip(other.blocks()).all(|(own, other)| same(own, other))
    }
}

fn same(own: &Block, other: &Block) -> bool {
    let is_law = own.element().is_some_and(Element::is_law);
    (own.name(), own.attributes()) == (other.name(), other.attributes())
        && own.children().count() == other.children().count()
        && own.children().zip(other.children()).all(|(own, other)| same(own, other))
        && (is_law || own.children().next().is_some() || own.text() == other.text())
}

/// Space between blocks is a line break, or an empty line where there was one; text keeps its words.
fn between(text: &str, out: &mut String) {
    let (words, breaks) = (text.trim(), |space: &str| space.matches('\n').count());
    let space = if words.is_empty() { text } else { &text[..text.len() - text.trim_start().len()] };
    empty_line(breaks(space), out);
    if !words.is_empty() {
        let indented = space.rsplit('\n').next().filter(|_| space.contains('\n')).unwrap_or("");
        on_its_line(&format!("{indented}{words}"), out);
        empty_line(breaks(&text[text.trim_end().len()..]), out);
    }
}

fn empty_line(breaks: usize, out: &mut String) {
    if breaks >= 2 && !out.is_empty() && !out.ends_with("\n\n") {
        out.push_str(if out.ends_with('\n') { "\n" } else { "\n\n" });
    }
}

fn on_its_line(written: &str, out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(written);
}

fn canonical(block: &Block) -> String {
    let mut out = String::new();
    match block.element().map(Element::content) {
        Some(Content::Structure) => law(block, 0, &mut out),
        _ => message(block, &mut out),
    }
    out
}

/// A message: its tag, and its body as it is written.
fn message(block: &Block, out: &mut String) {
    tag(block, out);
    if matches!(block.body(), Body::SelfClosing) {
        return;
    }
    let inner = read::without_line_breaks(block.shared(), block.inner_span());
    // A text that starts like a block must not come to start a line: there it would be one.
    let stays = block.inner_span().start == inner.start && block.shared()[inner.range()].starts_with('<');
    if !stays {
        out.push('\n');
    }
    body(block, inner, out);
    if !inner.is_empty() {
        out.push('\n');
    }
    out.push_str("</");
    out.push_str(block.name());
    out.push('>');
}

/// The bytes of a body from `inner`; what is embedded has canonical tags.
fn body(block: &Block, inner: Span, out: &mut String) {
    let clipped = |span: Span| {
        let at = |place: u32| place.clamp(inner.start, inner.end) as usize;
        &block.shared()[at(span.start)..at(span.end)]
    };
    for node in block.nodes() {
        match node {
            Node::Text(passage) | Node::Raw(passage) | Node::Comment(passage) => {
                out.push_str(clipped(passage.span()));
            }
            Node::Block(child) => {
                tag(child, out);
                if matches!(child.body(), Body::Nodes(_)) {
                    out.push_str(child.inner());
                    out.push_str("</");
                    out.push_str(child.name());
                    out.push('>');
                }
            }
        }
    }
}

fn tag(block: &Block, out: &mut String) {
    out.push('<');
    out.push_str(block.name());
    for attribute in block.attributes() {
        out.push(' ');
        out.push_str(&said(attribute));
    }
    out.push_str(if matches!(block.body(), Body::SelfClosing) { "/>" } else { ">" });
}

fn said(attribute: &Attribute) -> String {
    match &attribute.value {
        None => attribute.name.clone(),
        Some(value) => format!("{}={}", attribute.name, write::quoted(value.as_str())),
    }
}

/// Law: elements in lines, two spaces deeper than what they stand in.
fn law(block: &Block, depth: usize, out: &mut String) {
    law_tag(block, depth, out);
    if matches!(block.body(), Body::SelfClosing) {
        return;
    }
    let lines = if law_text(block.name()).is_some() && depth > 0 {
        out.push_str(block.inner());
        false
    } else {
        law_body(block, depth, out)
    };
    if lines {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push_str("</");
    out.push_str(block.name());
    out.push('>');
}

/// Whether anything was written, on lines of its own.
fn law_body(block: &Block, depth: usize, out: &mut String) -> bool {
    let indent = format!("\n{}", "  ".repeat(depth + 1));
    let mut any = false;
    for node in block.nodes() {
        let words = node.written().trim();
        if words.is_empty() {
            if any && node.written().matches('\n').count() >= 2 {
                out.push('\n');
            }
            continue;
        }
        any = true;
        out.push_str(&indent);
        match node {
            Node::Block(child) => law(child, depth + 1, out),
            _ => out.push_str(words),
        }
    }
    while out.ends_with('\n') {
        out.pop();
    }
    any
}

fn law_tag(block: &Block, depth: usize, out: &mut String) {
    let start = out.len();
    tag(block, out);
    if out.len() - start + 2 * depth <= MOST || block.attributes().len() < 2 {
        return;
    }
    out.truncate(start);
    out.push('<');
    out.push_str(block.name());
    let indent = format!("\n{}", " ".repeat(2 * depth + block.name().len() + 2));
    for (at, attribute) in block.attributes().iter().enumerate() {
        out.push_str(if at == 0 { " " } else { &indent });
        out.push_str(&said(attribute));
    }
    out.push_str(if matches!(block.body(), Body::SelfClosing) { "/>" } else { ">" });
}
