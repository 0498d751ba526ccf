//! `RAW|…|RAW`: text that is taken as it stands.

use memchr::memmem;
use mentci_source::Span;

pub(crate) const OPEN: &str = "RAW|";
pub(crate) const CLOSE: &str = "|RAW";

/// The fences of a text, in order.
///
/// INVARIANT (innermost fence): an opening belongs to the next closing only when no other opening stands between them.
/// What [`Block::new`](crate::Block::new) writes holds a closing only after its own opening, so that an opening which was
/// never closed cannot swallow it.
#[derive(Debug)]
pub(crate) struct Fences {
    spans: Vec<Span>,
    /// Openings without a closing.
    pub(crate) unclosed: Vec<usize>,
}

impl Fences {
    pub(crate) fn find(text: &str) -> Self {
        let mut fences = Self { spans: Vec::new(), unclosed: Vec::new() };
        let bytes = text.as_bytes();
        let (open, close) = (memmem::Finder::new(OPEN), memmem::Finder::new(CLOSE));
        let mut openings = open.find_iter(bytes).peekable();
        let mut closings = close.find_iter(bytes).peekable();
        let mut done = 0;
        while let Some(opening) = openings.next() {
            if opening < done {
                continue;
            }
            while closings.next_if(|&closing| closing < opening + OPEN.len()).is_some() {}
            let next = openings.peek().copied().unwrap_or(usize::MAX);
            match closings.peek().copied() {
                Some(closing) if closing < next => {
                    done = closing + CLOSE.len();
                    fences.spans.push(Span::new(opening, done));
                }
                _ => fences.unclosed.push(opening),
            }
        }
        fences
    }

    /// The first fence that ends after `at`.
    pub(crate) fn after(&self, at: usize) -> Option<Span> {
        self.spans.get(self.spans.partition_point(|span| span.end as usize <= at)).copied()
    }

    /// The fence that holds byte `at`.
    pub(crate) fn holding(&self, at: usize) -> Option<Span> {
        self.after(at).filter(|span| span.start as usize <= at)
    }
}

/// What stands in a fence.
pub(crate) fn content(span: Span) -> Span {
    Span::new(span.start as usize + OPEN.len(), span.end as usize - CLOSE.len())
}
