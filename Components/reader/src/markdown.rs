//! Markdown: front matter and blocks, every piece of text with the bytes that it came from.
//!
//! [`read`] gives a [`Document`]: a tree of [`Block`]s whose [`RichText`] is plain text (no markers) with runs that lead
//! back to the source. Reading never fails.

mod block;
mod elements;
mod emphasis;
mod front_matter;
mod html;
mod merge_marks;
mod parts;
mod rich_text;
mod tree;
mod within;

pub use block::{Block, BlockKind};
pub use front_matter::{FrontMatter, FrontMatterEntry};
pub use rich_text::{RichText, Run, Style};
pub use within::read_within;

use mentci_source::{Code, Finding, Reading, Source, Span};

/// A Markdown file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// `---` … `---` at the very start, if there is one.
    pub front_matter: Option<FrontMatter>,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
}

/// Reads a Markdown file.
///
/// ```
/// use mentci_reader::markdown::{self, BlockKind};
/// use mentci_source::Source;
/// let source = Source::new("SKILL.md", "---\nname: x\n---\n# Law\n\n- **Never** push.\n");
/// let document = markdown::read(&source).value;
/// assert_eq!(document.front_matter.unwrap().get("name"), Some("x"));
/// assert_eq!(document.blocks[0].text.as_str(), "Law");
/// let item = &document.blocks[1].children[0];
/// assert_eq!(item.children[0].text.as_str(), "Never push.");
/// assert_eq!(source.slice(item.children[0].text.source_span(0..5)), "Never");
/// ```
pub fn read(source: &Source) -> Reading<Document> {
    let mut findings = Vec::new();
    let front_matter = front_matter::read(source, &mut findings);
    let body_start = front_matter.as_ref().map_or(0, |front| front.span.end as usize);
    let blocks = read_blocks(source.text(), body_start);
    find_unclosed_fence(source, &blocks, &mut findings);
    find_unclosed_comment(source, &blocks, &mut findings);
    let blocks = without_stray_fence(source.text(), blocks);
    merge_marks::find(source, &blocks, &mut findings);
    Reading { value: Document { front_matter, blocks }, findings }
}

/// The blocks of the text from `start` on.
fn read_blocks(text: &str, start: usize) -> Vec<Block> {
    elements::read(text, start).unwrap_or_else(|| tree::read(text, start))
}

/// A mark without a language that nothing closes, and headings below it: it closed a fence once more, and what stands below is the text.
fn without_stray_fence(text: &str, mut blocks: Vec<Block>) -> Vec<Block> {
    let stray = blocks.last().and_then(|last| match &last.kind {
        BlockKind::Fence { language, body, closed: false } if language.is_empty() => {
            let is_heading =
                |line: &str| line.starts_with("##") && line.trim_start_matches('#').starts_with(' ');
            let headed = text[body.range()].lines().any(is_heading);
            headed.then_some(body.start as usize)
        }
        _ => None,
    });
    if let Some(body) = stray {
        blocks.pop();
        blocks.append(&mut read_blocks(text, body));
    }
    blocks
}

/// `<!--` that nothing closes swallows all that stands below it.
fn find_unclosed_comment(source: &Source, blocks: &[Block], findings: &mut Vec<Finding>) {
    let Some(last) = blocks.last().filter(|last| last.kind == BlockKind::Html) else { return };
    let text = source.slice(last.span);
    let Some(open) = text.rfind("<!--").filter(|&open| !text[open..].contains("-->")) else { return };
    let swallowed = text[open..].lines().skip(1).filter(|line| !line.trim().is_empty()).count();
    let finding = Finding::new(Code::UNCLOSED_COMMENT, "this comment is never closed")
        .help(format!("end it with `-->`; lines below it that are no law until then: {swallowed}"))
        .at(source, Span::at(last.span.start as usize + open));
    findings.push(finding);
}

fn find_unclosed_fence(source: &Source, blocks: &[Block], findings: &mut Vec<Finding>) {
    for block in blocks {
        if let BlockKind::Fence { closed: false, .. } = block.kind {
            let finding = Finding::new(Code::UNCLOSED_FENCE, "this code fence is never closed")
                .help("end it with the same marker on a line of its own")
                .at(source, Span::at(block.span.start as usize));
            findings.push(finding);
        }
        find_unclosed_fence(source, &block.children, findings);
    }
}
