//! The answers about ChatMD documents as a person reads them.

use std::fmt::Write;

use mentci_host::chatmd::{BlockView, CanonicalAnswer, CheckedAnswer, DocumentAnswer, NodeView, PageAnswer};
use owo_colors::OwoColorize;

use crate::paint::{count, line};

/// How much of a text is shown.
const MOST: usize = 72;

/// A line for each block, deeper ones indented, with its place.
pub(crate) fn document(answer: &DocumentAnswer) -> String {
    let mut text = String::new();
    nodes(&answer.nodes, 0, &mut text);
    if text.is_empty() { "the document is empty\n".to_owned() } else { text }
}

fn nodes(all: &[NodeView], depth: usize, text: &mut String) {
    for node in all {
        match node {
            NodeView::Block(shown) => block(shown, depth, text),
            NodeView::Text(passage) if passage.text.trim().is_empty() => {}
            NodeView::Text(passage) => {
                said("text", (passage.line, passage.column), &passage.text, depth, text);
            }
            NodeView::Raw(passage) => said("raw", (passage.line, passage.column), &passage.text, depth, text),
            NodeView::Comment(passage) => {
                said("comment", (passage.line, passage.column), &passage.text, depth, text);
            }
        }
    }
}

fn said(kind: &str, place: (u32, u32), words: &str, depth: usize, text: &mut String) {
    let _ = writeln!(text, "{}{} {}", start(place, depth), kind.dimmed(), excerpt(words).dimmed());
}

fn block(shown: &BlockView, depth: usize, text: &mut String) {
    let number = shown.number.map_or_else(String::new, |number| format!("#{number} "));
    let _ = write!(
        text,
        "{}{}{}",
        start((shown.line, shown.column), depth),
        number.dimmed(),
        line(&shown.name).bold()
    );
    for attribute in &shown.attributes {
        let _ = match &attribute.value {
            Some(value) => write!(text, " {}={}", line(&attribute.name), excerpt(value)),
            None => write!(text, " {}", line(&attribute.name)),
        };
    }
    if let Some(rule) = &shown.via_rule {
        let _ = write!(text, " {}", format!("(by rule {})", line(rule)).magenta());
    }
    if !shown.in_force {
        let _ = write!(text, " {}", "(no force)".yellow());
    }
    let words = shown.text.as_deref().unwrap_or("").trim();
    if !words.is_empty() {
        let _ = write!(text, "  {}", excerpt(words).dimmed());
    }
    text.push('\n');
    nodes(&shown.nodes, depth + 1, text);
}

fn start((row, column): (u32, u32), depth: usize) -> String {
    format!("{:>9}  {}", format!("{row}:{column}"), "  ".repeat(depth))
}

/// The beginning of a text, on one line, between quotes.
fn excerpt(words: &str) -> String {
    let mut cut = String::new();
    let mut length = 0;
    'words: for word in words.split_whitespace() {
        for c in (length > 0).then_some(' ').into_iter().chain(word.chars()) {
            if length == MOST {
                cut.push('…');
                break 'words;
            }
            cut.push(c);
            length += 1;
        }
    }
    format!("\"{}\"", line(&cut))
}

pub(crate) fn canonical(answer: &CanonicalAnswer) -> String {
    match (&answer.text, answer.changed) {
        (Some(text), _) => text.clone(),
        (None, true) => format!("{}\n1 changed, 0 unchanged\n", line(&answer.path)),
        (None, false) => "0 changed, 1 unchanged\n".to_owned(),
    }
}

pub(crate) fn checked(answer: &CheckedAnswer) -> String {
    let mut text = format!(
        "{}: {}, {}, {}\n",
        line(&answer.path),
        count(answer.blocks, "block"),
        if answer.law_reads { count(answer.rules, "rule") } else { "a law that does not load".to_owned() },
        count(answer.tools.len(), "tool")
    );
    for import in &answer.imports {
        let _ = writeln!(text, "  imports {}", line(import));
    }
    text
}

pub(crate) fn page(answer: &PageAnswer) -> String {
    match (&answer.html, &answer.out) {
        (Some(html), _) => html.clone(),
        (None, Some(out)) => format!("{}: {} bytes\n", line(out), answer.bytes),
        (None, None) => String::new(),
    }
}
