//! Patterns of the user's own.

use std::ops::Range;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::Kind;
use crate::sink::Sink;

/// A pattern of the user's own: a name for its mark and a regular expression (the syntax of the `regex` crate, which
/// has no look-around and no back-references and so stays linear).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// What stands in the mark: letters, digits and `_`, at most 64.
    pub name: String,
    /// The pattern; what it matches is replaced.
    pub regex: String,
}

/// Why a custom pattern was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CustomError {
    /// The name cannot stand in a mark.
    #[error("the name `{0}` cannot stand in a mark: use letters, digits and `_`, at most 64")]
    Name(String),
    /// The regular expression is malformed, too large, or not linear.
    #[error("the pattern `{name}` is refused: {reason}")]
    Regex {
        /// The pattern's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It matches the empty text, so it would find something everywhere.
    #[error("the pattern `{0}` matches the empty text")]
    Empty(String),
}

/// The most memory that a compiled pattern takes, in bytes.
const SIZE: usize = 4 << 20;

/// A custom pattern that was checked.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub(crate) name: Arc<str>,
    regex: Regex,
}

impl Pattern {
    /// Checks the pattern by compiling it. Its automata are built lazily, while it searches.
    pub(crate) fn new(custom: Custom) -> Result<Self, CustomError> {
        let is_name = |name: &str| {
            (1..=64).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if !is_name(&custom.name) {
            return Err(CustomError::Name(custom.name));
        }
        let regex = build(&custom.regex)
            .map_err(|error| CustomError::Regex { name: custom.name.clone(), reason: reason(&error) })?;
        if regex.is_match("") {
            return Err(CustomError::Empty(custom.name));
        }
        Ok(Self { name: custom.name.into(), regex })
    }

    pub(crate) fn scan(&self, text: &str, marks: &[Range<usize>], sink: &mut Sink) {
        let mut from = 0;
        while let Some(found) = next(&self.regex, text, &mut from, sink) {
            if found.is_empty() || touches_mark(marks, &found) {
                continue;
            }
            sink.push(found, Kind::Custom(self.name.clone()));
            if sink.is_full() {
                return;
            }
        }
    }
}

/// How much of a text one search sees, and how much two searches share, in bytes. A search for the next match is
/// linear in what it sees, a search for all matches is not: seeing all of the text, a pattern such as
/// `.*[^A-Z]|[A-Z]` takes time in the square of its length. Matches of up to [`SHARED`] bytes are found for certain.
const SEEN: usize = 64 << 10;
const SHARED: usize = 16 << 10;

/// The next match at or after `from`, which moves past it.
fn next(regex: &Regex, text: &str, from: &mut usize, sink: &mut Sink) -> Option<Range<usize>> {
    while *from <= text.len() {
        let end = text.floor_char_boundary((*from + SEEN).min(text.len()));
        sink.steps.add(0);
        let found = regex.find_at(&text[..end], *from).map(|found| found.range());
        let is_cut = |found: &Range<usize>| found.end == end && end < text.len() && found.start > *from;
        match found.filter(|found| !is_cut(found)) {
            Some(found) => {
                *from = if found.is_empty() { text.ceil_char_boundary(found.end + 1) } else { found.end };
                return Some(found);
            }
            None if end == text.len() => return None,
            None => *from = text.floor_char_boundary(end - SHARED),
        }
    }
    None
}

pub(crate) fn build(source: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(source).size_limit(SIZE).nest_limit(128).build()
}

/// The reason in one line.
pub(crate) fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("it compiles to more than {limit} bytes"),
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    }
}

/// Whether the range lies within a mark or cuts one. Ranges that hold a whole mark and more do neither.
fn touches_mark(marks: &[Range<usize>], range: &Range<usize>) -> bool {
    let first = marks.partition_point(|mark| mark.end <= range.start);
    let overlapping = || marks[first..].iter().take_while(|mark| mark.start < range.end);
    let is_cut = |mark: &Range<usize>| mark.start < range.start || mark.end > range.end;
    let covered: usize = overlapping().map(Range::len).sum();
    overlapping().any(is_cut) || covered == range.len()
}
