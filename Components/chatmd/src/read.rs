//! Reading a document: blocks, and the text between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use memchr::{memchr, memmem};
use mentci_authority::Role;
use mentci_source::{Code, Reading, Source, Span, did_you_mean};

use crate::block::{Block, Body, Node, Passage};
use crate::document::stands_in_head;
use crate::element::Content;
use crate::fence::{self, Fences};
use crate::findings::Findings;
use crate::tag::{self, Tag, TagFaultKind};
use crate::{Decoded, Element};

/// Every byte of the text, in nodes. Linear in the text's length.
pub(crate) fn document(source: &Source) -> Reading<Vec<Node>> {
    let mut reader = Reader::new(source);
    let nodes = reader.top_level();
    reader.check_law(&nodes);
    reader.check_stray_text(&nodes);
    Reading { value: nodes, findings: reader.findings.finish() }
}

fn line_starts(text: &str, fences: &Fences) -> Vec<(usize, Element)> {
    let breaks = memmem::find_iter(text.as_bytes(), b"\n<").map(|at| at + 1);
    let opens =
        breaks.filter(|&at| text.as_bytes().get(at + 1) != Some(&b'/') && fences.holding(at).is_none());
    opens
        .filter_map(|at| Some((at, tag::element_at(text, at).filter(|element| element.stands_alone())?)))
        .collect()
}

fn law_names(text: &str) -> Vec<usize> {
    let is_law = |&at: &usize| tag::element_at(text, at).is_some_and(Element::is_law);
    let find = |name: &'static [u8]| memmem::find_iter(text.as_bytes(), name).filter(is_law);
    let mut all: Vec<usize> = find(b"<rules").chain(find(b"<policy")).collect();
    all.sort_unstable();
    all
}

/// A line break as a node.
pub(crate) fn line_break() -> Node {
    Node::Text(Passage::new(&"\n".into(), 0, 1))
}

/// The reader of one document: where it looks, and what it noted.
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a str,
    shared: Arc<str>,
    fences: Fences,
    /// The elements that stand alone and start a line, outside fences.
    line_starts: Vec<(usize, Element)>,
    /// Where law is named, in fences too.
    law: Vec<usize>,
    /// Where the closing tags of a name start, outside fences; found when first asked for.
    closings: BTreeMap<&'static str, Vec<usize>>,
    /// From here on there is no end of a comment.
    no_comment_from: usize,
    pub(crate) findings: Findings<'a>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source) -> Self {
        let text = source.text();
        let fences = Fences::find(text);
        let mut reader = Self {
            text,
            shared: source.shared_text(),
            line_starts: line_starts(text, &fences),
            law: law_names(text),
            fences,
            closings: BTreeMap::new(),
            no_comment_from: usize::MAX,
            findings: Findings::new(source),
        };
        for &at in &reader.fences.unclosed {
            reader.findings.note(
                Code::CHATMD_FENCE,
                Span::new(at, at + fence::OPEN.len()),
                || "`RAW|` is never closed".to_owned(),
                "close it with `|RAW`; it was read as text",
            );
        }
        reader
    }

    pub(crate) fn passage(&self, start: usize, end: usize) -> Passage {
        Passage::new(&self.shared, start, end)
    }

    pub(crate) fn push_text(&self, start: usize, end: usize, nodes: &mut Vec<Node>) {
        if start < end {
            nodes.push(Node::Text(self.passage(start, end)));
        }
    }

    /// The next `<` outside fences, from `at` to `limit`.
    pub(crate) fn next_tag(&self, mut at: usize, limit: usize) -> Option<usize> {
        loop {
            let found = at + memchr(b'<', self.text.as_bytes().get(at..limit)?)?;
            match self.fences.holding(found) {
                Some(fence) => at = fence.end as usize,
                None => return Some(found),
            }
        }
    }

    /// The end of the comment that starts at `at`; where it is never closed, a finding.
    pub(crate) fn comment_end(&mut self, at: usize) -> Option<usize> {
        let from = at + "<!--".len();
        let end = (from < self.no_comment_from)
            .then(|| memmem::find(&self.text.as_bytes()[from..], b"-->"))
            .flatten();
        if end.is_none() {
            self.no_comment_from = self.no_comment_from.min(from);
            self.findings.note(
                Code::CHATMD_FENCE,
                Span::new(at, from),
                || "`<!--` is never closed".to_owned(),
                "close it with `-->`; it was read as text",
            );
        }
        end.map(|length| from + length + "-->".len())
    }

    fn top_level(&mut self) -> Vec<Node> {
        let (mut nodes, mut done, mut at) = (Vec::new(), 0, 0);
        while let Some(open) = self.next_tag(at, self.text.len()) {
            at = open + 1;
            let node = if self.text[open..].starts_with("<!--") {
                self.comment_end(open).map(|end| (Node::Comment(self.passage(open, end)), end))
            } else if let Some(element) = tag::element_at(self.text, open) {
                self.top_level_block(open, element)
            } else {
                None
            };
            if let Some((node, end)) = node {
                self.push_text(done, open, &mut nodes);
                nodes.push(node);
                (done, at) = (end, end);
            }
        }
        self.push_text(done, self.text.len(), &mut nodes);
        nodes
    }

    fn top_level_block(&mut self, open: usize, element: Element) -> Option<(Node, usize)> {
        if self.text.as_bytes()[open + 1] == b'/' {
            self.findings.note(
                Code::CHATMD_STRAY_CLOSE,
                Span::new(open, open + element.name().len() + 2),
                || format!("`</{}>` closes nothing", element.name()),
                "take it out, or open the element; fence it as `RAW|…|RAW` where it is meant as text",
            );
            return None;
        }
        let tag = self.tag(open, self.text.len())?;
        let block = self.block(tag, element);
        let end = block.span().end as usize;
        Some((Node::Block(block), end))
    }

    /// Reads a tag; where it is none, a finding.
    pub(crate) fn tag(&mut self, open: usize, limit: usize) -> Option<Tag> {
        let fault = match tag::read(self.text, open, limit) {
            Ok(tag) => return Some(tag),
            Err(fault) => fault,
        };
        let name = tag::name_at(self.text, open + 1);
        let help = match fault.kind {
            TagFaultKind::Character => "write `&quot;` for a quote within quotes; it was read as text",
            _ => "write attributes as `name=\"value\"` and end the tag with `>`; it was read as text",
        };
        let in_law = self.findings.in_law;
        self.findings.in_law |= Element::find(name).is_some_and(Element::is_law);
        self.findings.note(
            Code::CHATMD_TAG,
            Span::new(fault.at.min(self.text.len()), (fault.at + 1).min(self.text.len())),
            || fault.kind.message(name),
            help,
        );
        self.findings.in_law = in_law;
        None
    }

    fn block(&mut self, tag: Tag, element: Element) -> Block {
        let start = tag.end;
        if tag.self_closing {
            return self.finish(tag, Some(element), Body::SelfClosing, start, start);
        }
        match content_of(&tag, element) {
            Content::Structure => {
                self.findings.in_law = true;
                let block = self.structure(tag, element);
                self.findings.in_law = false;
                block
            }
            Content::Verbatim => {
                let (inner_end, end) = self.body_end(&tag, element);
                let nodes = self.verbatim(start, inner_end, element.name());
                self.finish(tag, Some(element), Body::Nodes(nodes), inner_end, end)
            }
            Content::Prose(embedded) => {
                let (inner_end, end) = self.body_end(&tag, element);
                let nodes = self.prose(start, inner_end, element.name(), embedded);
                self.finish(tag, Some(element), Body::Nodes(nodes), inner_end, end)
            }
        }
    }

    pub(crate) fn finish(
        &self,
        tag: Tag,
        element: Option<Element>,
        body: Body,
        inner_end: usize,
        end: usize,
    ) -> Block {
        Block {
            name: tag.name,
            element,
            attributes: tag.attributes,
            body,
            inner: Span::new(tag.end, inner_end),
            written: self.passage(tag.start, end),
        }
    }

    /// Where the body of a message ends, and where its closing tag does. The first closing tag of its name closes it,
    /// whatever stands before; where there is none, or the element opens again on a line of its own, it was not closed.
    fn body_end(&mut self, tag: &Tag, element: Element) -> (usize, usize) {
        let closing = self.closing(element.name(), tag.end, self.text.len());
        let limit = closing.map_or(self.text.len(), |(at, _)| at);
        let again = self.opens_again(tag.end, limit, closing.is_some().then_some(element));
        match (closing, again) {
            (Some(closing), None) => closing,
            (_, again) => {
                self.note_unclosed(tag);
                let end = again.unwrap_or(self.text.len());
                (end, end)
            }
        }
    }

    pub(crate) fn note_unclosed(&mut self, tag: &Tag) {
        self.findings.note(
            Code::CHATMD_UNCLOSED,
            Span::new(tag.start, tag.end),
            || format!("`<{}>` is never closed", tag.name),
            "close it; it was read up to the next element that starts a line",
        );
    }

    /// The first line in a body that starts with an element: with `only` this one, or any that stands alone.
    pub(crate) fn opens_again(&self, start: usize, limit: usize, only: Option<Element>) -> Option<usize> {
        let from = self.line_starts.partition_point(|&(at, _)| at <= start);
        let within = self.line_starts[from..].iter().take_while(|&&(at, _)| at < limit);
        within.filter(|(_, element)| only.is_none_or(|only| only == *element)).map(|&(at, _)| at).next()
    }

    /// The first closing tag of `name` outside fences from `from` to `limit`: where it starts and ends.
    pub(crate) fn closing(
        &mut self,
        name: &'static str,
        from: usize,
        limit: usize,
    ) -> Option<(usize, usize)> {
        let (text, fences) = (self.text, &self.fences);
        let all = self.closings.entry(name).or_insert_with(|| {
            let opening = format!("</{name}");
            let starts = memmem::find_iter(text.as_bytes(), opening.as_bytes());
            starts
                .filter(|&at| fences.holding(at).is_none() && tag::closing_end(text, at, name).is_some())
                .collect()
        });
        let at = *all.get(all.partition_point(|&at| at < from))?;
        let end = tag::closing_end(text, at, name)?;
        (end <= limit).then_some((at, end))
    }

    /// Text and fences, from `start` to `end`.
    pub(crate) fn verbatim(&mut self, start: usize, end: usize, within: &str) -> Vec<Node> {
        self.note_inert_law(start, end, within);
        let mut nodes = Vec::new();
        self.push_passages(start, end, &mut nodes);
        nodes
    }

    fn push_passages(&self, start: usize, end: usize, nodes: &mut Vec<Node>) {
        let mut done = start;
        while let Some(fence) = self.fences.after(done).filter(|fence| fence.end as usize <= end) {
            // A fence that starts before the body began in a tag: it is none.
            let (from, to) = (fence.start as usize, fence.end as usize);
            if from < done {
                self.push_text(done, to, nodes);
            } else {
                self.push_text(done, from, nodes);
                nodes.push(Node::Raw(self.passage(from, to)));
            }
            done = to;
        }
        self.push_text(done, end, nodes);
    }

    /// Text and fences with embedded elements, from `start` to `end`.
    fn prose(&mut self, start: usize, end: usize, within: &str, embedded: &'static [Element]) -> Vec<Node> {
        self.note_inert_law(start, end, within);
        let (mut nodes, mut done, mut at) = (Vec::new(), start, start);
        let mut code = CodeSpans::new(start);
        while let Some(open) = self.next_tag(at, end) {
            at = open + 1;
            let element = tag::element_at(self.text, open).filter(|element| embedded.contains(element));
            let Some(element) = element.filter(|_| self.text.as_bytes()[open + 1] != b'/') else { continue };
            if code.holds(self.text, open) {
                continue;
            }
            if let Some(block) = self.embedded(open, end, element) {
                self.push_passages(done, open, &mut nodes);
                (done, at) = (block.span().end as usize, block.span().end as usize);
                nodes.push(Node::Block(block));
            }
        }
        self.push_passages(done, end, &mut nodes);
        nodes
    }

    fn embedded(&mut self, open: usize, limit: usize, element: Element) -> Option<Block> {
        let tag = self.tag(open, limit)?;
        let start = tag.end;
        if tag.self_closing {
            return Some(self.finish(tag, Some(element), Body::SelfClosing, start, start));
        }
        let Some((inner_end, end)) = self.closing(element.name(), start, limit) else {
            self.findings.note(
                Code::CHATMD_UNCLOSED,
                Span::new(tag.start, tag.end),
                || format!("`<{}>` is never closed", tag.name),
                "end the tag with `/>` or close it; it was read as text",
            );
            return None;
        };
        // One level: the first closing tag ended it, so that no element of its own name can stand in it.
        let nodes = match element.content() {
            Content::Prose(inner) => self.prose(start, inner_end, element.name(), inner),
            _ => self.verbatim(start, inner_end, element.name()),
        };
        Some(self.finish(tag, Some(element), Body::Nodes(nodes), inner_end, end))
    }

    /// The same tags in messages, tool output or later text are inert, and a reader is told so.
    fn note_inert_law(&mut self, start: usize, end: usize, within: &str) {
        if self.findings.in_law {
            return;
        }
        let first = self.law.get(self.law.partition_point(|&at| at < start)).copied();
        if let Some(at) = first.filter(|&at| at < end) {
            let name = tag::name_at(self.text, at + 1);
            self.findings.note(
                Code::CHATMD_INERT,
                Span::new(at, at + 1 + name.len()),
                || format!("`<{name}>` in `<{within}>` is text, not law"),
                "law counts in the document's head, before the first message",
            );
        }
    }

    fn check_law(&mut self, nodes: &[Node]) {
        let blocks = nodes.iter().filter_map(Node::as_block).skip_while(|block| stands_in_head(block));
        for block in blocks.filter(|block| block.element().is_some_and(Element::is_law)) {
            self.findings.note(
                Code::CHATMD_LATE_LAW,
                block.span(),
                || format!("this `<{}>` stands after the first message and has no force", block.name()),
                "move it into the document's head, before the first message",
            );
        }
    }

    /// Law whose name is misspelt would be passed over, and a gate with it.
    fn check_misspelt_law(&mut self, passage: &Passage) {
        let start = passage.span().start as usize;
        let mut at = start;
        for line in passage.as_str().split_inclusive('\n') {
            if let Some((name, meant)) = meant_as_law(line) {
                let open = at + line.len() - line.trim_start().len();
                self.findings.in_law = true;
                self.findings.note(
                    Code::CHATMD_TAG,
                    Span::new(open, open + 1 + name.len()),
                    || format!("`<{name}>` is no element"),
                    &format!("did you mean `<{meant}>`?"),
                );
                self.findings.in_law = false;
            }
            at += line.len();
        }
    }

    /// What stands between blocks reaches no model.
    fn check_stray_text(&mut self, nodes: &[Node]) {
        for node in nodes {
            let Node::Text(passage) = node else { continue };
            let text = passage.as_str();
            let trimmed = text.trim_start();
            if trimmed.is_empty() {
                continue;
            }
            self.check_misspelt_law(passage);
            let start = passage.span().start as usize + text.len() - trimmed.len();
            let line = trimmed.lines().next().unwrap_or("").trim_end();
            self.findings.note(
                Code::CHATMD_STRAY_TEXT,
                Span::new(start, start + line.len()),
                || format!("`{}` stands outside every block and reaches nobody", shortened(line)),
                &stray_help(trimmed),
            );
        }
    }
}

/// What was meant as law, where a line starts with a name that is nearly its name.
fn meant_as_law(line: &str) -> Option<(&str, &'static str)> {
    let name = tag::name_at(line.trim_start().strip_prefix('<')?, 0);
    let meant = did_you_mean(name, ["rules", "policy"])?;
    (name != meant).then_some((name, meant))
}

/// What the model or a tool is said to have written stays text, also in `<msg>`.
fn content_of(tag: &Tag, element: Element) -> Content {
    let role = tag.attributes.iter().find(|attribute| attribute.name == "role");
    match role.and_then(|role| Role::parse(role.text())) {
        Some(Role::Assistant | Role::Tool) if element == Element::Msg => Content::Verbatim,
        _ => element.content(),
    }
}

pub(crate) fn shortened(line: &str) -> String {
    const MOST: usize = 40;
    let mut text: String = line.chars().take(MOST).collect();
    if line.chars().count() > MOST {
        text.push('…');
    }
    text
}

fn stray_help(text: &str) -> String {
    let name = text.strip_prefix('<').map_or("", |rest| tag::name_at(rest, 0));
    match did_you_mean(name, Element::ALL.map(Element::name)) {
        Some(meant) if meant != name => format!("did you mean `<{meant}>`?"),
        _ => "put it into a message, or into a comment `<!-- … -->`".to_owned(),
    }
}

/// Whether a place of a body stands in code, between backticks on its line or in a block of three. Asked in ascending
/// order, it looks at each byte once.
struct CodeSpans {
    at: usize,
    in_span: bool,
    in_block: bool,
    line_start: bool,
}

impl CodeSpans {
    fn new(start: usize) -> Self {
        Self { at: start, in_span: false, in_block: false, line_start: true }
    }

    fn holds(&mut self, text: &str, place: usize) -> bool {
        let bytes = text.as_bytes();
        while self.at < place {
            let byte = bytes[self.at];
            if self.line_start && bytes[self.at..].starts_with(b"```") {
                self.in_block = !self.in_block;
                self.at += 3;
                self.line_start = false;
                continue;
            }
            match byte {
                b'\n' => (self.line_start, self.in_span) = (true, false),
                b' ' | b'\t' => {}
                b'`' => (self.line_start, self.in_span) = (false, !self.in_span),
                _ => self.line_start = false,
            }
            self.at += 1;
        }
        self.in_block || self.in_span
    }
}

/// The body of a block, as it is meant.
pub(crate) fn body_text(block: &Block) -> Decoded {
    let text = block.shared();
    let inner = without_line_breaks(text, block.inner_span());
    let mut decoded = Decoded::default();
    if let Some(fence) = lone_fence(block, text, inner) {
        let content = fence::content(fence);
        decoded.push_verbatim(&text[content.range()], content.start as usize);
        return decoded;
    }
    for node in block.nodes() {
        match node {
            Node::Text(passage) => {
                let span = clip(passage.span(), inner);
                decoded.push_entities(&text[span.range()], span.start as usize);
            }
            Node::Raw(passage) => {
                let content = fence::content(passage.span());
                decoded.push_verbatim(&text[content.range()], content.start as usize);
            }
            Node::Comment(passage) => decoded.push_verbatim(passage.as_str(), passage.span().start as usize),
            Node::Block(child) => decoded.push_verbatim(child.written(), child.span().start as usize),
        }
    }
    decoded
}

fn clip(span: Span, within: Span) -> Span {
    let start = span.start.max(within.start).min(within.end.max(span.start));
    Span { start, end: span.end.min(within.end).max(start) }
}

/// Without the one line break after the opening tag, and the one before the closing tag.
pub(crate) fn without_line_breaks(text: &str, span: Span) -> Span {
    let inner = &text[span.range()];
    let body = inner.strip_prefix("\r\n").or_else(|| inner.strip_prefix('\n')).unwrap_or(inner);
    let start = span.end as usize - body.len();
    let body = body.strip_suffix("\r\n").or_else(|| body.strip_suffix('\n')).unwrap_or(body);
    Span::new(start, start + body.len())
}

/// The fence, where a body is one fence and nothing else but space.
fn lone_fence(block: &Block, text: &str, inner: Span) -> Option<Span> {
    let mut fences = block.nodes().iter().filter_map(|node| match node {
        Node::Raw(passage) => Some(passage.span()),
        _ => None,
    });
    let fence = fences.next().filter(|_| fences.next().is_none())?;
    let others = block.nodes().iter().all(|node| match node {
        Node::Text(passage) => text[clip(passage.span(), inner).range()].trim().is_empty(),
        Node::Raw(_) => true,
        Node::Comment(_) | Node::Block(_) => false,
    });
    others.then_some(fence)
}
