//! Diagrams of decisions: what is done on each answer to a question, as its labelled edges say.
//!
//! Only decisions are law: an edge from a question that names its answer, and what follows it up to the next question. Nodes alone, and
//! drawings of what calls what, are code.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mentci_authority::{Level, OmissionReason};
use mentci_source::Span;

use super::draft::{Book, Draft};
use super::fence::{command_draft, one_line};
use super::flowchart::flowchart;
use super::setting::Setting;

/// Longer diagrams are pointed at.
const MOST: usize = 200;

/// Reads a diagram; false where it decides nothing.
pub(crate) fn decisions(book: &mut Book<'_>, body: Span, language: &str, here: &Setting) -> bool {
    let source = book.source.clone();
    let (text, base) = (source.slice(body), body.start as usize);
    let graph = if language == "mermaid" { flowchart(text, base) } else { Graph::read(text, base) };
    let asked: Vec<&str> = graph.questions();
    if asked.is_empty() || graph.edges.len() > MOST {
        return false;
    }
    let mut walked = BTreeSet::new();
    for start in graph.starts() {
        let mut text = graph.name(start).to_owned();
        let spans = graph.go_on(&mut text, start, &mut walked);
        if let Some(&first) = spans.first() {
            let draft = command_draft(text, Level::Must, Vec::new(), (first, first), here);
            let conditions = draft.spans.into_iter().skip(2);
            book.add(Draft { spans: spans.into_iter().chain(conditions).collect(), completions: 0, ..draft });
        }
    }
    for question in asked {
        let answers = graph.edges.iter().filter(|edge| edge.from == question && edge.label.is_some());
        let mut spans = Vec::new();
        let mut texts = Vec::new();
        for edge in answers {
            let (text, more) = graph.follow(edge, &mut walked);
            texts.push(text);
            spans.push(edge.span);
            spans.extend(more);
        }
        let Some(&first) = spans.first() else { continue };
        let name = graph.name(question);
        let mark = if name.ends_with('?') { "" } else { ":" };
        let text = format!("{name}{mark} {}", texts.join("; "));
        let draft = command_draft(text, Level::Must, Vec::new(), (first, first), here);
        let conditions = draft.spans.into_iter().skip(2);
        book.add(Draft { spans: spans.into_iter().chain(conditions).collect(), completions: 0, ..draft });
    }
    book.omit(body, OmissionReason::Code);
    true
}

/// An arrow, from a node to a node by their ids.
#[derive(Debug)]
pub(crate) struct Edge {
    pub from: String,
    pub to: String,
    pub label: Option<String>,
    pub span: Span,
}

/// A diagram: its edges in their order, and the names of nodes that have others than their ids.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub edges: Vec<Edge>,
    pub names: BTreeMap<String, String>,
    pub diamonds: BTreeSet<String>,
}

impl Graph {
    fn read(body: &str, base: usize) -> Self {
        let mut graph = Self::default();
        let mut at = base;
        for line in body.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if !line.trim_start().starts_with(['/', '#', '*']) {
                for range in statements(line) {
                    let ends = range.end + usize::from(line[range.end..].starts_with(';'));
                    graph.take(&line[range.clone()], Span::new(start + range.start, start + ends));
                }
            }
        }
        graph
    }

    /// `"A?" -> "B" -> "C" [label="yes"]`, `a [label="A?", shape=diamond]`.
    fn take(&mut self, line: &str, span: Span) {
        let mut rest = line;
        let mut nodes = Vec::new();
        while let Some((id, behind)) = id(rest) {
            nodes.push(id);
            rest = behind.trim_start();
            match rest.strip_prefix("->").or_else(|| rest.strip_prefix("--")) {
                Some(next) => rest = next.trim_start(),
                None => break,
            }
        }
        let attributes = rest.strip_prefix('[').map_or("", |rest| rest.trim_end_matches(']'));
        let label = attribute(attributes, "label").or_else(|| attribute(attributes, "xlabel"));
        match &nodes[..] {
            [] => {}
            [node] => {
                if attribute(attributes, "shape").is_some_and(|shape| shape.eq_ignore_ascii_case("diamond")) {
                    self.diamonds.insert(node.clone());
                }
                self.names.extend(label.map(|label| (node.clone(), label)));
            }
            _ => self.edges.extend(nodes.windows(2).map(|pair| Edge {
                from: pair[0].clone(),
                to: pair[1].clone(),
                label: label.clone().filter(|label| label.contains(char::is_alphanumeric)),
                span,
            })),
        }
    }

    fn name<'g>(&'g self, node: &'g str) -> &'g str {
        self.names.get(node).map_or(node, String::as_str)
    }

    fn asks(&self, node: &str) -> bool {
        self.name(node).ends_with('?') || self.diamonds.contains(node)
    }

    /// The questions that have answers, in the order of these.
    fn questions(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let answered = self.edges.iter().filter(|edge| edge.label.is_some() && self.asks(&edge.from));
        answered.map(|edge| edge.from.as_str()).filter(|node| seen.insert(*node)).collect()
    }

    /// `no → Fix it → Run it again`: an answer, and what follows it up to the next question or fork, each edge once.
    fn follow<'g>(
        &'g self,
        edge: &'g Edge,
        walked: &mut BTreeSet<(&'g str, &'g str)>,
    ) -> (String, Vec<Span>) {
        let mut text = format!("{} → {}", edge.label.as_deref().unwrap_or_default(), self.name(&edge.to));
        let spans = self.go_on(&mut text, &edge.to, walked);
        (text, spans)
    }

    /// What follows a node up to the next question or fork.
    fn go_on<'g>(
        &'g self,
        text: &mut String,
        from: &'g str,
        walked: &mut BTreeSet<(&'g str, &'g str)>,
    ) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut at = from;
        while !self.asks(at) {
            let mut next = self.edges.iter().filter(|edge| edge.from == at);
            let (Some(edge), None) = (next.next(), next.next()) else { break };
            if edge.label.is_some() || !walked.insert((&edge.from, &edge.to)) {
                break;
            }
            text.push_str(" → ");
            text.push_str(self.name(&edge.to));
            spans.push(edge.span);
            at = &edge.to;
        }
        spans
    }

    /// The nodes that no arrow leads to, in order: what is done first.
    fn starts(&self) -> Vec<&str> {
        let mut seen: BTreeSet<&str> = self.edges.iter().map(|edge| edge.to.as_str()).collect();
        self.edges.iter().map(|edge| edge.from.as_str()).filter(|node| seen.insert(node)).collect()
    }
}

/// The statements of a line, which semicolons and braces part, without the white space around them.
fn statements(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in line.char_indices().chain([(line.len(), ';')]) {
        match c {
            '"' if !escaped => quoted = !quoted,
            ';' | '{' | '}' if !quoted || at == line.len() => {
                let text = &line[start..at];
                let first = start + text.len() - text.trim_start().len();
                found.push(first..first + text.trim().len());
                start = at + c.len_utf8();
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    found.retain(|range| !range.is_empty());
    found
}

/// An id at the start: a name, or a text in quotation marks; and what stands behind it.
fn id(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (written, rest) = quotation(quoted)?;
        return Some((plain(written), rest));
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(text.len());
    let keyword = ["graph", "digraph", "subgraph", "node", "edge", "strict"].contains(&&text[..end]);
    (end > 0 && !keyword).then(|| (text[..end].to_owned(), &text[end..]))
}

/// What stands in quotation marks, and what stands behind them.
fn quotation(quoted: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, c) in quoted.char_indices() {
        match c {
            '"' if !escaped => return Some((&quoted[..at], &quoted[at + 1..])),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

/// `label="no, revise"`, `shape=diamond` among attributes.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches([' ', ',', ';', '\t']);
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let (value, after) = match behind.strip_prefix('"') {
            Some(quoted) => quotation(quoted)?,
            None => behind.split_at(behind.find([' ', ',', ';', ']']).unwrap_or(behind.len())),
        };
        if key.trim() == name {
            return Some(plain(value));
        }
        rest = after;
    }
}

/// A text on one line, without escapes.
pub(crate) fn plain(written: &str) -> String {
    let text = written.replace("\\n", " ").replace("\\l", " ").replace("\\r", " ").replace("\\\"", "\"");
    one_line(&text)
}
