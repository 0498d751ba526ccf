//! What is not shown, counted.

use std::fmt;

use mentci_authority::{EntryKind, Level};

use crate::line::Line;

/// How many lines of each kind there are. Prints as a pointer's counts: `+3 must, +9 should`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) must: usize,
    pub(crate) should: usize,
    pub(crate) may: usize,
    pub(crate) lessons: usize,
    pub(crate) types: usize,
    pub(crate) facts: usize,
}

impl Tally {
    /// Counts one line; its exceptions are not counted.
    pub(crate) fn of(line: &Line) -> Self {
        let mut tally = Self::default();
        let count = match (line.kind, line.level) {
            (EntryKind::Case, _) => &mut tally.lessons,
            (EntryKind::Schema, _) => &mut tally.types,
            (EntryKind::Workspace, _) => &mut tally.facts,
            (_, Some(Level::Must | Level::MustNot)) => &mut tally.must,
            (_, Some(Level::May)) => &mut tally.may,
            _ => &mut tally.should,
        };
        *count = 1;
        tally
    }

    /// All lines, and the lessons on them.
    pub(crate) fn of_all(lines: &[Line]) -> Self {
        let mut all = Self::default();
        for line in lines {
            all.add(Self::of(line));
            all.lessons += line.exceptions.len();
        }
        all
    }

    /// Some lessons.
    pub(crate) fn of_lessons(lessons: usize) -> Self {
        Self { lessons, ..Self::default() }
    }

    /// Adds another.
    pub(crate) fn add(&mut self, other: Self) {
        self.each(other, |a, b| a + b);
    }

    /// Takes another away.
    pub(crate) fn remove(&mut self, other: Self) {
        self.each(other, usize::saturating_sub);
    }

    /// Whether nothing is counted.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn each(&mut self, other: Self, with: impl Fn(usize, usize) -> usize) {
        self.must = with(self.must, other.must);
        self.should = with(self.should, other.should);
        self.may = with(self.may, other.may);
        self.lessons = with(self.lessons, other.lessons);
        self.types = with(self.types, other.types);
        self.facts = with(self.facts, other.facts);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.must, "must"),
            (self.should, "should"),
            (self.may, "may"),
            (self.lessons, "lessons"),
            (self.types, "types"),
            (self.facts, "facts"),
        ];
        let mut gap = "";
        for (count, name) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{gap}+{count} {name}")?;
            gap = ", ";
        }
        Ok(())
    }
}
