//! Plain text that knows where it came from and how it was marked up.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use mentci_source::Span;

use super::block::places;

/// How a run was marked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(clippy::struct_excessive_bools, reason = "marks are independent of each other")]
pub struct Style {
    /// `` `code` ``.
    pub code: bool,
    /// `**strong**`.
    pub strong: bool,
    /// `*emphasis*`.
    pub emphasis: bool,
    /// `[text](destination)`.
    pub link: bool,
}

/// A piece of text that is marked up alike and stands in one piece in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Where it stands in the plain text.
    pub plain: Range<usize>,
    /// Where it stands in the source; longer than `plain` where markers or entities were taken off.
    pub source: Span,
    /// Its marks.
    pub style: Style,
}

/// Text without its markers, in runs. Soft line breaks are spaces, hard ones `\n`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RichText {
    text: String,
    runs: Vec<Run>,
    links: Vec<(Range<usize>, String)>,
}

impl RichText {
    /// The plain text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its runs, in order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The links: the plain text that is linked, and where to.
    pub fn links(&self) -> &[(Range<usize>, String)] {
        &self.links
    }

    /// See [`Block::hash_from`](super::Block::hash_from).
    pub(super) fn hash_from(&self, from: u32, state: &mut impl Hasher) {
        (&self.text, &self.links).hash(state);
        for run in &self.runs {
            (&run.plain, places(run.source, from), run.style).hash(state);
        }
    }

    /// Text without any style, that stands at `source`.
    pub fn plain(text: &str, source: Span) -> Self {
        let mut rich = Self::default();
        rich.push(text, source, Style::default());
        rich
    }

    /// Adds a run.
    pub fn push(&mut self, text: &str, source: Span, style: Style) {
        let start = self.text.len();
        self.text.push_str(text);
        self.runs.push(Run { plain: start..self.text.len(), source, style });
    }

    /// Says where its runs stand in another source.
    pub(super) fn move_runs(&mut self, moved: &impl Fn(Span) -> Span) {
        for run in &mut self.runs {
            run.source = moved(run.source);
        }
    }

    /// Notes that the plain text from `start` on is linked to `destination`.
    pub fn link(&mut self, start: usize, destination: String) {
        self.links.push((start..self.text.len(), destination));
    }

    /// The style at a byte of the plain text.
    pub fn style_at(&self, at: usize) -> Style {
        self.run_at(at).map(|run| run.style).unwrap_or_default()
    }

    /// The pieces of `range` that are `wanted`, neighbouring runs joined.
    pub fn styled(&self, range: Range<usize>, wanted: impl Fn(Style) -> bool) -> Vec<Range<usize>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let first = self.runs.partition_point(|run| run.plain.end <= range.start);
        let near = self.runs[first..].iter().take_while(|run| run.plain.start < range.end);
        for run in near.filter(|run| wanted(run.style)) {
            let piece = run.plain.start.max(range.start)..run.plain.end.min(range.end);
            if piece.is_empty() {
                continue;
            }
            match pieces.last_mut() {
                Some(last) if last.end == piece.start && !run.style.code => last.end = piece.end,
                _ => pieces.push(piece),
            }
        }
        pieces
    }

    /// The bytes of the source that a range of the plain text came from; markers inside it are included.
    pub fn source_span(&self, range: Range<usize>) -> Span {
        let mut span: Option<Span> = None;
        let first = self.runs.partition_point(|run| run.plain.end <= range.start);
        for run in self.runs[first..].iter().take_while(|run| run.plain.start < range.end) {
            let piece = run.slice(range.start, range.end);
            span = Some(span.map_or(piece, |span| span.join(piece)));
        }
        span.unwrap_or_default()
    }

    fn run_at(&self, at: usize) -> Option<&Run> {
        let index = self.runs.partition_point(|run| run.plain.end <= at);
        self.runs.get(index).filter(|run| run.plain.contains(&at))
    }
}

impl Run {
    /// The source bytes of the part of this run between two offsets of the plain text. Runs whose source is longer than
    /// their text (entities, code with its ticks) are never cut.
    fn slice(&self, from: usize, to: usize) -> Span {
        if self.source.len() != self.plain.len() {
            return self.source;
        }
        let start = self.source.start as usize + from.saturating_sub(self.plain.start);
        let end = self.source.end as usize - self.plain.end.saturating_sub(to);
        Span::new(start, end)
    }
}
