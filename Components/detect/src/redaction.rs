//! Marks in the place of hits.

use std::ops::Range;

use crate::sink::Sink;
use crate::{Hit, Redaction};

/// How often a redacted text is looked at again. A mark is no letter and no digit, so beside it something may stand out
/// that was part of a longer word; a second look finds it, and nobody has seen a text that needs a third.
const LOOKS: usize = 4;

/// Puts marks in the place of what `find` finds, until it finds nothing.
pub(crate) fn redact(text: &str, find: impl Fn(&str) -> Vec<Hit>) -> Redaction {
    let mut hits = find(text);
    let mut marked = Marked::new(text, &hits);
    for _ in 0..LOOKS {
        if marked.pieces.is_empty() {
            break;
        }
        let more = find(&marked.text);
        if more.is_empty() {
            break;
        }
        let mut all = Sink::of(hits);
        for hit in more {
            all.push(marked.original(&hit.span), hit.kind);
        }
        hits = all.into_hits();
        marked = Marked::new(text, &hits);
    }
    Redaction { text: marked.text, hits }
}

/// A text with marks, and where each mark stands in it and what it stands for.
struct Marked {
    text: String,
    pieces: Vec<(Range<usize>, Range<usize>)>,
}

impl Marked {
    fn new(text: &str, hits: &[Hit]) -> Self {
        let mut marked =
            Self { text: String::with_capacity(text.len()), pieces: Vec::with_capacity(hits.len()) };
        let mut from = 0;
        for hit in hits {
            marked.text.push_str(&text[from..hit.span.start]);
            let start = marked.text.len();
            marked.text.push_str(&hit.kind.mark());
            marked.pieces.push((start..marked.text.len(), hit.span.clone()));
            from = hit.span.end;
        }
        marked.text.push_str(&text[from..]);
        marked
    }

    /// The stretch of the original text that a stretch of the marked one stands for; a mark counts whole.
    fn original(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.before(span.start, |original| original.start);
        let end = self.before(span.end - 1, |original| original.end - 1) + 1;
        start..end.max(start + 1)
    }

    /// The original place of a place; within a mark, the edge that `edge` names.
    fn before(&self, at: usize, edge: impl Fn(&Range<usize>) -> usize) -> usize {
        let next = self.pieces.partition_point(|(mark, _)| mark.start <= at);
        let Some(piece) = next.checked_sub(1).map(|last| &self.pieces[last]) else { return at };
        if piece.0.contains(&at) { edge(&piece.1) } else { at - piece.0.end + piece.1.end }
    }
}
