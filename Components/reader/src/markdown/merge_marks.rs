//! Merges that were left unfinished in Markdown, which also shows what they look like.

use mentci_source::{Finding, Source, Span};

use super::{Block, BlockKind};
use crate::merge_marks::{conflicts, finding};

/// A finding for each place in which a merge was left unfinished. Marks that a closed code fence shows whole are a sample.
pub(super) fn find(source: &Source, blocks: &[Block], findings: &mut Vec<Finding>) {
    let left = conflicts(source.text()).into_iter().filter(|conflict| !is_shown(blocks, *conflict));
    findings.extend(left.map(|conflict| finding(source, conflict)));
}

fn is_shown(blocks: &[Block], conflict: Span) -> bool {
    let around =
        blocks.iter().find(|block| block.span.start <= conflict.start && conflict.end <= block.span.end);
    around.is_some_and(|block| match block.kind {
        BlockKind::Fence { closed, .. } => closed,
        _ => is_shown(&block.children, conflict),
    })
}
