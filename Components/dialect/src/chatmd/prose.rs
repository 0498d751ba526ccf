//! Text in elements: written with the indentation of what stands around it, read without.

use std::fmt::Write as _;

use mentci_chatmd::{Block, Document, Node, body_text};
use mentci_source::Source;

/// The text of an element. What stands in a fence is taken as it is; other text loses the space around it and the
/// indentation that all its lines have.
pub(crate) fn text(block: &Block) -> String {
    let fenced = block.nodes().iter().any(|node| matches!(node, Node::Raw(_)));
    if fenced {
        return block.text().into_string();
    }
    // Entities are decoded last, so that space can be written as one where it counts.
    let raw: String = block.nodes().iter().map(Node::written).collect();
    decoded(&dedented(&raw))
}

fn decoded(raw: &str) -> String {
    let document = Document::read(&Source::new("", &format!("<note>{raw}</note>"))).value;
    let blocks: Vec<&Block> = document.blocks().collect();
    match blocks.as_slice() {
        [block] => block.text().into_string(),
        _ => raw.to_owned(),
    }
}

const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

fn dedented(raw: &str) -> String {
    let lines: Vec<&str> = raw.split('\n').map(|line| line.trim_end_matches(SPACE)).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    let lines = &lines[first..last];
    // A first line that stands right after its tag has no indentation to compare.
    let (head, rest) = if first == 0 && !lines.is_empty() { lines.split_at(1) } else { lines.split_at(0) };
    let indent = rest.iter().filter(|line| !line.is_empty()).map(|line| indentation(line)).min().unwrap_or(0);
    let head = head.iter().map(|line| line.trim_start_matches(SPACE));
    let rest = rest.iter().map(|line| line.get(indent..).unwrap_or(""));
    head.chain(rest).collect::<Vec<_>>().join("\n")
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// An element around `text`, which reads back as it: on lines of its own where that is the same, in a fence, or with
/// entities. `open` is its tag up to `>`.
pub(crate) fn written(open: &str, name: &str, text: &str, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| if line.is_empty() { String::new() } else { format!("{pad}  {line}") })
        .collect();
    let plain = format!("{open}>\n{}\n{pad}</{name}>", lines.join("\n"));
    let one_line = format!("{open}>{text}</{name}>");
    let fenced = format!("{open}>{}</{name}>", body_text(text));
    let candidates = if text.is_empty() { vec![one_line] } else { vec![plain, fenced] };
    let read = |written: &str| reads_as(written, name, text);
    candidates
        .into_iter()
        .find(|written| read(written))
        .unwrap_or_else(|| format!("{open}>{}</{name}>", guarded(text)))
}

/// Whether the element, within a rule, reads as this text and as nothing beside it.
fn reads_as(written: &str, name: &str, wanted: &str) -> bool {
    let law = format!("<rules><on>{}</on></rules>", written.trim_start_matches(SPACE));
    let reading = Document::read(&Source::new("", &law));
    let alone = |nodes: &[Node]| match nodes {
        [Node::Block(block)] => Some(block.clone()),
        _ => None,
    };
    let rules = alone(reading.value.nodes());
    let on = rules.and_then(|rules| alone(rules.nodes()));
    let inner = on.and_then(|on| alone(on.nodes()));
    reading.findings.is_empty() && inner.is_some_and(|block| block.name() == name && text(&block) == wanted)
}

/// Every byte that could be taken for something else as an entity.
fn guarded(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '<' | '>' | '|' | '\r' | '\n' | '\t' => drop(write!(out, "&#{};", u32::from(c))),
            ' ' if out.is_empty() || out.ends_with(';') => out.push_str("&#32;"),
            _ => out.push(c),
        }
    }
    if out.ends_with(' ') {
        out.truncate(out.trim_end_matches(' ').len());
        let spaces = text.len() - text.trim_end_matches(' ').len();
        out.push_str(&"&#32;".repeat(spaces));
    }
    out
}
