//! Is every non-blank line of every source accounted for?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::{CoverageMap, SourceSpan};
use mentci_source::{Source, Span};

use crate::cover::uncovered;

/// How much of the sources a map accounts for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Non-blank lines of all sources.
    pub lines: usize,
    /// Those on which no text is left uncovered.
    pub covered: usize,
    /// Those that hold text which nothing covers, in order.
    pub gaps: Vec<CoveragePlace>,
    /// Lines where a byte is covered twice, or a span lies outside its source.
    pub overlaps: Vec<CoveragePlace>,
}

/// One line of one source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoveragePlace {
    /// The source.
    pub path: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

impl Coverage {
    /// Adds another's counts and places.
    pub fn extend(&mut self, other: Self) {
        self.lines += other.lines;
        self.covered += other.covered;
        self.gaps.extend(other.gaps);
        self.overlaps.extend(other.overlaps);
    }

    /// Covered lines in percent, rounded down, so that 100 means all. A source without text is covered.
    pub fn percent(&self) -> usize {
        if self.lines == 0 { 100 } else { self.covered * 100 / self.lines }
    }
}

/// Checks `map` against the sources that it names. Between sentences only blanks, punctuation and list markers may be
/// left: a line counts as covered when no letter or digit on it is outside every span.
///
/// ```
/// use mentci_authority::CoverageMap;
/// use mentci_compiler::verify_coverage;
/// use mentci_source::Source;
///
/// let map = CoverageMap { format: 1, skill: None, sources: vec![], entries: vec![], omitted: vec![] };
/// let coverage = verify_coverage(&map, &[Source::new("SKILL.md", "Never guess.\n\n")]);
/// assert_eq!((coverage.lines, coverage.covered, coverage.gaps[0].line), (1, 0, 1));
/// ```
pub fn verify_coverage(map: &CoverageMap, sources: &[Source]) -> Coverage {
    let entries = map.entries.iter().flat_map(|entry| &entry.spans);
    verify_spans(entries.chain(map.omitted.iter().map(|omission| &omission.span)), sources)
}

/// As [`verify_coverage`], over spans.
pub(crate) fn verify_spans<'a>(
    spans: impl IntoIterator<Item = &'a SourceSpan>,
    sources: &[Source],
) -> Coverage {
    let mut by_path: BTreeMap<&str, Vec<&SourceSpan>> = BTreeMap::new();
    for span in spans {
        by_path.entry(&span.path).or_default().push(span);
    }
    let mut coverage = Coverage::default();
    for source in sources {
        coverage.extend(verify_source(source, by_path.get(&**source.path()).map_or(&[], Vec::as_slice)));
    }
    coverage
}

fn verify_source(source: &Source, spans: &[&SourceSpan]) -> Coverage {
    let mut bytes: Vec<Span> = spans.iter().map(|span| span.span).filter(|span| !span.is_empty()).collect();
    let overlaps = overlaps(source, &mut bytes);
    let gaps: BTreeSet<u32> = uncovered(source, &mut bytes)
        .into_iter()
        .filter(|&gap| source.slice(gap).contains(char::is_alphanumeric))
        .map(|gap| source.lines_of(gap).0)
        .chain(untouched_lines(source, &bytes))
        .collect();
    let lines = source.text().lines().filter(|line| !line.trim().is_empty()).count();
    let place = |line| CoveragePlace { path: source.path().clone(), line };
    Coverage {
        lines,
        covered: lines - gaps.len().min(lines),
        gaps: gaps.into_iter().map(place).collect(),
        overlaps,
    }
}

/// Non-blank lines that no span touches at all, punctuation or not. `spans` is sorted by its start.
fn untouched_lines(source: &Source, spans: &[Span]) -> Vec<u32> {
    let mut ends: Vec<u32> = Vec::with_capacity(spans.len());
    for span in spans {
        ends.push(ends.last().map_or(span.end, |&most| most.max(span.end)));
    }
    (1..=source.line_count())
        .filter(|&line| {
            let span = source.span_of_line(line);
            let before = spans.partition_point(|other| other.start < span.end);
            let touched = before > 0 && ends[before - 1] > span.start;
            !touched && !source.slice(span).trim().is_empty()
        })
        .collect()
}

fn overlaps(source: &Source, spans: &mut [Span]) -> Vec<CoveragePlace> {
    spans.sort_unstable();
    let place = |at: u32| CoveragePlace { path: source.path().clone(), line: source.place(at as usize).line };
    let twice = spans.windows(2).filter(|pair| pair[1].start < pair[0].end).map(|pair| pair[1].start);
    let outside = spans.iter().filter(|span| span.end as usize > source.text().len()).map(|span| span.start);
    let mut lines: Vec<CoveragePlace> = twice.chain(outside).map(place).collect();
    lines.sort();
    lines.dedup();
    lines
}
