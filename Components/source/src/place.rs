//! Where something stands: byte spans for machines, lines and columns for people.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes in one source: `start..end`.
///
/// ```
/// use mentci_source::Span;
/// let span = Span::new(2, 5);
/// assert_eq!(span.len(), 3);
/// assert_eq!(&"ab[xy]"[span.range()], "[xy");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from byte offsets. Offsets past 4 GiB saturate: no source is that large (see
    /// [`MAX_SOURCE_BYTES`](crate::MAX_SOURCE_BYTES)).
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The empty span at `at`.
    pub fn at(at: usize) -> Self {
        Self::new(at, at)
    }

    /// As a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many bytes it covers.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies wholly inside.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a byte.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// A line and a column, both from 1; the column counts characters, not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The byte offsets at which the lines of one text start. Lines end with `\n`; a `\r` before it belongs to the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// How many characters stand before each whole stretch of [`STRETCH`] bytes, one that is cut left out: a column far along a
    /// long line is not counted from its start.
    begun: Vec<u32>,
}

/// How many bytes at most are counted on each side of a column.
const STRETCH: usize = 4_096;

impl LineIndex {
    /// Indexes `text` in one pass.
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| Span::at(at + 1).start)).collect();
        let stretches = (1..=text.len() / STRETCH).scan((0, 0), |(begun, from), stretch| {
            let to = text.floor_char_boundary(stretch * STRETCH);
            *begun += text[*from..to].chars().count();
            *from = to;
            Some(Span::at(*begun).start)
        });
        Self { starts, begun: std::iter::once(0).chain(stretches).collect() }
    }

    /// How many characters stand before byte `offset`, at which one begins.
    fn before(&self, text: &str, offset: usize) -> usize {
        let stretch = offset / STRETCH;
        self.begun[stretch] as usize
            + text[text.floor_char_boundary(stretch * STRETCH)..offset].chars().count()
    }

    /// The line that holds byte `offset`, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        let after = self.starts.partition_point(|&start| start as usize <= offset);
        u32::try_from(after.max(1)).unwrap_or(u32::MAX)
    }

    /// How many lines there are; text that ends in `\n` has no line after it.
    pub fn count(&self, text: &str) -> u32 {
        let lines =
            if text.ends_with('\n') || text.is_empty() { self.starts.len() - 1 } else { self.starts.len() };
        u32::try_from(lines).unwrap_or(u32::MAX)
    }

    /// The bytes of line `line` (from 1), without its line break; empty past the end.
    pub fn span_of_line(&self, text: &str, line: u32) -> Span {
        let index = (line as usize).saturating_sub(1);
        let Some(&start) = self.starts.get(index) else { return Span::at(text.len()) };
        let end = self.starts.get(index + 1).map_or(text.len(), |&next| next as usize);
        let body = &text[start as usize..end];
        Span::new(start as usize, start as usize + body.trim_end_matches(['\n', '\r']).len())
    }

    /// Line and column of byte `offset`.
    pub fn place(&self, text: &str, offset: usize) -> Place {
        let offset = text.floor_char_boundary(offset);
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let before = if offset - start <= STRETCH {
            text[start..offset].chars().count()
        } else {
            self.before(text, offset) - self.before(text, start)
        };
        let column = u32::try_from(before).unwrap_or(u32::MAX - 1) + 1;
        Place { line, column }
    }
}
