//! Times of day and days of the week.

use crate::LocalTime;

/// `HH:MM-HH:MM`, both ends included to the minute; one whose end lies before its start spans midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    start: u16,
    end: u16,
}

impl TimeRange {
    /// Whether it holds at this time.
    pub fn holds(self, time: LocalTime) -> bool {
        if self.start <= self.end {
            (self.start..=self.end).contains(&time.minute)
        } else {
            time.minute >= self.start || time.minute <= self.end
        }
    }
}

/// Days of the week: `Mon-Fri`, `Mon,Wed`, `Fri-Mon`, in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days(u8);

impl Days {
    /// Whether it holds at this time.
    pub fn holds(self, time: LocalTime) -> bool {
        self.0 >> time.weekday & 1 == 1
    }
}
