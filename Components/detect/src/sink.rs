//! Where checks put what they find.

use std::ops::Range;

use crate::steps::Steps;
use crate::{Hit, Kind};

/// Collects hits and counts steps; full after the first when only asked whether there is any.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    pub(crate) hits: Vec<Hit>,
    pub(crate) steps: Steps,
    first_only: bool,
}

impl Sink {
    pub(crate) fn first_only() -> Self {
        Self { first_only: true, ..Self::default() }
    }

    /// One for another form of the same text, which counts on.
    pub(crate) fn beside(&self) -> Self {
        Self { hits: Vec::new(), ..*self }
    }

    pub(crate) fn of(hits: Vec<Hit>) -> Self {
        Self { hits, ..Self::default() }
    }

    pub(crate) fn push(&mut self, span: Range<usize>, kind: Kind) {
        self.hits.push(Hit { span, kind });
    }

    /// Whether nothing more is wanted.
    pub(crate) fn is_full(&self) -> bool {
        self.first_only && !self.hits.is_empty()
    }

    /// The hits in order and apart. Where two overlap, the longer one names both, and what both cover goes: nothing
    /// that was found stays legible.
    pub(crate) fn into_hits(mut self) -> Vec<Hit> {
        // Stable: of equals, the one that was found first stays, and the surer searches come first.
        self.hits.sort_by(|a, b| (a.span.start, b.span.end).cmp(&(b.span.start, a.span.end)));
        let mut apart: Vec<Hit> = Vec::with_capacity(self.hits.len());
        let mut named = 0;
        for hit in self.hits {
            match apart.last_mut() {
                Some(last) if hit.span.start < last.span.end => {
                    last.span.end = last.span.end.max(hit.span.end);
                    if hit.span.len() > named {
                        (named, last.kind) = (hit.span.len(), hit.kind);
                    }
                }
                _ => {
                    named = hit.span.len();
                    apart.push(hit);
                }
            }
        }
        apart
    }
}
