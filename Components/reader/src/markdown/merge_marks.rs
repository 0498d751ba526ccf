//! The marks that git writes into a file that it could not merge.

use mentci_source::{Code, Finding, Source, Span};

use super::{Block, BlockKind};

/// A finding for each place in which a merge was left unfinished. Marks that a closed code fence shows whole are a sample.
pub(super) fn find(source: &Source, blocks: &[Block], findings: &mut Vec<Finding>) {
    for conflict in conflicts(source.text()).into_iter().filter(|conflict| !is_shown(blocks, *conflict)) {
        let finding = Finding::new(Code::MERGE_CONFLICT, "a merge was left unfinished here")
            .help("keep the lines that hold, and take the marks `<<<<<<<`, `=======` and `>>>>>>>` out")
            .at(source, conflict);
        findings.push(finding);
    }
}

/// From `<<<<<<< ` to `>>>>>>> `, both at the margin, or the one of them that stands alone. What stands between them may be anything.
fn conflicts(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<Span> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mark = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if line.starts_with("<<<<<<< ") {
            found.extend(open.replace(mark));
        } else if line.starts_with(">>>>>>> ") {
            found.push(open.take().map_or(mark, |start| start.join(mark)));
        }
    }
    found.extend(open);
    found
}

fn is_shown(blocks: &[Block], conflict: Span) -> bool {
    let around =
        blocks.iter().find(|block| block.span.start <= conflict.start && conflict.end <= block.span.end);
    around.is_some_and(|block| match block.kind {
        BlockKind::Fence { closed, .. } => closed,
        _ => is_shown(&block.children, conflict),
    })
}
