//! Which bytes of a source nothing covers yet.

use mentci_authority::{Omission, OmissionReason, SourceSpan};
use mentci_source::{Source, Span};

/// The place of `span` in `source`.
pub(crate) fn place(source: &Source, span: Span) -> SourceSpan {
    let (start_line, end_line) = source.lines_of(span);
    SourceSpan { path: source.path().clone(), start_line, end_line, span }
}

/// An omission of `span`.
pub(crate) fn omit(source: &Source, span: Span, reason: OmissionReason) -> Omission {
    Omission { span: place(source, span), reason }
}

/// The stretches of text that are not blank and that no span of `covered` touches, each within one line.
pub(crate) fn uncovered(source: &Source, covered: &mut Vec<Span>) -> Vec<Span> {
    gaps(source.text().len(), covered).into_iter().flat_map(|gap| lines_within(source, gap)).collect()
}

/// The complement of `covered` in `0..len`.
pub(crate) fn gaps(len: usize, covered: &mut Vec<Span>) -> Vec<Span> {
    covered.sort_unstable();
    let mut gaps = Vec::new();
    let mut at = 0;
    for span in covered.iter().map(|span| span.range()) {
        if span.start > at {
            gaps.push(Span::new(at, span.start.min(len)));
        }
        at = at.max(span.end);
    }
    if at < len {
        gaps.push(Span::new(at, len));
    }
    gaps
}

/// The parts of `gap` that are not blank, line by line, trimmed.
fn lines_within(source: &Source, gap: Span) -> Vec<Span> {
    let mut start = gap.start as usize;
    let mut found = Vec::new();
    for line in source.slice(gap).split_inclusive('\n') {
        let left = line.len() - line.trim_start().len();
        let body = line.trim();
        if !body.is_empty() {
            found.push(Span::new(start + left, start + left + body.len()));
        }
        start += line.len();
    }
    found
}
