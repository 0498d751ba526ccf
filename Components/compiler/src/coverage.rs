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
    /// Lines where a byte is both stated and left out, or a span lies outside its source. Several entries may share a
    /// heading or a lead-in.
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
        (self.covered * 100).checked_div(self.lines).unwrap_or(100)
    }
}

/// Checks `map` against the sources that it names. A line counts as covered when a span touches it and nothing that reads
/// like a sentence is left: at most two words in a row, such as a list's marker or a label, may stand between spans.
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
pub fn verify_coverage<'s>(map: &CoverageMap, sources: impl IntoIterator<Item = &'s Source>) -> Coverage {
    let entries = map.entries.iter().flat_map(|entry| &entry.spans);
    verify_spans(entries, map.omitted.iter().map(|omission| &omission.span), sources)
}

/// As [`verify_coverage`], over spans.
pub(crate) fn verify_spans<'a, 's>(
    stated: impl IntoIterator<Item = &'a SourceSpan>,
    omitted: impl IntoIterator<Item = &'a SourceSpan>,
    sources: impl IntoIterator<Item = &'s Source>,
) -> Coverage {
    let mut by_path: BTreeMap<&str, [Vec<Span>; 2]> = BTreeMap::new();
    for span in stated {
        by_path.entry(&span.path).or_default()[0].push(span.span);
    }
    for span in omitted {
        by_path.entry(&span.path).or_default()[1].push(span.span);
    }
    let mut coverage = Coverage::default();
    for source in sources {
        let [stated, omitted] = by_path.remove(&**source.path()).unwrap_or_default();
        coverage.extend(verify_source(source, stated, omitted));
    }
    coverage
}

fn verify_source(source: &Source, mut stated: Vec<Span>, mut omitted: Vec<Span>) -> Coverage {
    let overlaps = overlaps(source, &mut stated, &mut omitted);
    let mut spans = stated;
    spans.append(&mut omitted);
    let gaps: BTreeSet<u32> = uncovered(source, &mut spans)
        .into_iter()
        .filter(|&gap| reads_like_a_sentence(source.slice(gap)))
        .map(|gap| source.lines_of(gap).0)
        .chain(untouched_lines(source, &spans))
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

fn reads_like_a_sentence(text: &str) -> bool {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).nth(2).is_some()
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

/// Both lists come out sorted.
fn overlaps(source: &Source, stated: &mut [Span], omitted: &mut [Span]) -> Vec<CoveragePlace> {
    stated.sort_unstable();
    omitted.sort_unstable();
    let place = |at: u32| CoveragePlace { path: source.path().clone(), line: source.place(at as usize).line };
    let both = omitted.iter().filter(|span| touches(stated, **span)).map(|span| span.start);
    let twice = omitted.windows(2).filter(|pair| pair[1].start < pair[0].end).map(|pair| pair[1].start);
    let all = stated.iter().chain(omitted.iter());
    let outside = all.filter(|span| span.end as usize > source.text().len()).map(|span| span.start);
    let mut lines: Vec<CoveragePlace> = both.chain(twice).chain(outside).map(place).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// Whether one of `spans`, sorted by their starts, overlaps `span`. Spans stay within a block, so few start before it and
/// reach into it: the last few are looked at.
fn touches(spans: &[Span], span: Span) -> bool {
    let before = spans.partition_point(|other| other.start < span.end);
    spans[..before].iter().rev().take(64).any(|other| other.overlaps(span))
}
