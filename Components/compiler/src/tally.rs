//! What is not shown, counted.

use std::fmt;

use mentci_authority::{EntryKind, Level};

use crate::line::{Class, Line};

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
        match line.kind {
            EntryKind::Case => Self::of_lessons(1),
            EntryKind::Schema => Self { types: 1, ..Self::default() },
            EntryKind::Workspace => Self { facts: 1, ..Self::default() },
            _ => line.level.map_or_else(Self::default, Self::of_level),
        }
    }

    /// Counts one norm.
    pub(crate) fn of_level(level: Level) -> Self {
        match level {
            Level::Must | Level::MustNot => Self { must: 1, ..Self::default() },
            Level::Should | Level::ShouldNot => Self { should: 1, ..Self::default() },
            Level::May => Self { may: 1, ..Self::default() },
        }
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

    /// Whether lines of this class are among what is counted.
    pub(crate) fn may_have(&self, class: Class) -> bool {
        match class {
            Class::Explicit | Class::Implied => self.must > 0,
            Class::Advice => self.should > 0,
            Class::Permission => self.may > 0,
            Class::Accepted | Class::Unreviewed => self.lessons > 0,
            Class::Fact => self.types + self.facts > 0,
        }
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
