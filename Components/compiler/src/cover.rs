//! Which bytes of a source nothing covers yet.

use std::collections::BTreeMap;

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
pub(crate) fn uncovered(source: &Source, covered: &mut [Span]) -> Vec<Span> {
    gaps(source.text().len(), covered).into_iter().flat_map(|gap| lines_within(source, gap)).collect()
}

/// The complement of `covered` in `0..len`.
pub(crate) fn gaps(len: usize, covered: &mut [Span]) -> Vec<Span> {
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

/// A gap without the blanks at its ends; none when nothing is left.
pub(crate) fn trimmed(source: &Source, gap: Span) -> Option<Span> {
    let text = source.slice(gap);
    let start = gap.start as usize + (text.len() - text.trim_start().len());
    let body = text.trim();
    (!body.is_empty()).then(|| Span::new(start, start + body.len()))
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

/// The parts of `left_out` that none of `stated` covers, each byte once: headings and lead-ins are shared by several norms,
/// of which some may be shown.
pub(crate) fn left_over<'a>(
    left_out: impl IntoIterator<Item = &'a SourceSpan>,
    stated: impl IntoIterator<Item = &'a SourceSpan>,
    sources: &[Source],
) -> Vec<SourceSpan> {
    let mut by_path: BTreeMap<&str, (Vec<Span>, Vec<Span>)> = BTreeMap::new();
    for place in left_out {
        by_path.entry(&place.path).or_default().0.push(place.span);
    }
    for place in stated {
        if let Some((_, covered)) = by_path.get_mut(&*place.path) {
            covered.push(place.span);
        }
    }
    let file = |path: &str| sources.iter().find(|source| **source.path() == *path);
    let files = by_path.into_iter().filter_map(|(path, spans)| Some((file(path)?, spans)));
    files.flat_map(|(source, (out, covered))| without(source, out, covered)).collect()
}

fn without(source: &Source, mut out: Vec<Span>, mut covered: Vec<Span>) -> Vec<SourceSpan> {
    out.sort_unstable();
    let free = gaps(source.text().len(), &mut covered);
    let mut found = Vec::new();
    let mut done = 0;
    for span in out {
        let first = free.partition_point(|gap| gap.end <= span.start.max(done));
        for gap in free[first..].iter().take_while(|gap| gap.start < span.end) {
            let start = gap.start.max(span.start).max(done);
            let part = Span { start, end: gap.end.min(span.end).max(start) };
            if !source.slice(part).trim().is_empty() {
                found.push(place(source, part));
            }
        }
        done = done.max(span.end);
    }
    found
}
