//! Markdown that stands in pieces of another file.

use mentci_source::Span;

use super::{Block, BlockKind, tree};

/// Reads Markdown that stands in pieces of another file, such as the comments of a schema: `text` is what the pieces say, and `place` tells
/// where each byte of it stands in that file. All spans are those of the file.
///
/// ```
/// use mentci_reader::markdown::read_within;
/// // `# Never\n# push.`, without its signs.
/// let blocks = read_within("Never\npush.", |at| if at < 6 { at + 2 } else { at + 4 });
/// assert_eq!(blocks[0].text.as_str(), "Never push.");
/// assert_eq!(blocks[0].text.source_span(6..11).range(), 10..15);
/// ```
pub fn read_within(text: &str, place: impl Fn(usize) -> usize) -> Vec<Block> {
    read_inside(text, 0, place)
}

/// The same, within so many blocks of HTML.
pub(super) fn read_inside(text: &str, elements: usize, place: impl Fn(usize) -> usize) -> Vec<Block> {
    let mut blocks = tree::read_inside(text, 0, elements);
    let moved = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        if start == end { Span::at(place(start)) } else { Span::new(place(start), place(end - 1) + 1) }
    };
    move_all(&mut blocks, &moved);
    blocks
}

fn move_all(blocks: &mut [Block], moved: &impl Fn(Span) -> Span) {
    for block in blocks {
        block.span = moved(block.span);
        block.text.move_runs(moved);
        if let BlockKind::Fence { body, .. } = &mut block.kind {
            *body = moved(*body);
        }
        move_all(&mut block.children, moved);
    }
}
