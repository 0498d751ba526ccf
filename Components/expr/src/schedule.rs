//! Times of day and days of the week.

use crate::LocalTime;

/// `HH:MM-HH:MM`, both ends included to the minute; one whose end lies before its start spans midnight.
///
/// ```
/// use mentci_expr::{LocalTime, TimeRange};
/// let night = TimeRange::parse("22:00-6:00").unwrap();
/// assert!(night.holds(LocalTime { minute: 6 * 60, weekday: 0 }));
/// assert!(!night.holds(LocalTime { minute: 6 * 60 + 1, weekday: 0 }));
/// assert_eq!(TimeRange::parse("9-18").unwrap_err(), "`9-18` is not a time range like `09:00-18:00`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    start: u16,
    end: u16,
}

impl TimeRange {
    /// Reads a range; hours may have one digit.
    ///
    /// # Errors
    /// A message, where it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let ends = text.split_once('-').and_then(|(start, end)| Some((minute(start)?, minute(end)?)));
        match ends {
            Some((start, end)) => Ok(Self { start, end }),
            None if text.trim_start().starts_with('!') => Err(negated(text)),
            None => Err(format!("`{text}` is not a time range like `09:00-18:00`")),
        }
    }

    /// Whether it holds at this time.
    pub fn holds(self, time: LocalTime) -> bool {
        if self.start <= self.end {
            (self.start..=self.end).contains(&time.minute)
        } else {
            time.minute >= self.start || time.minute <= self.end
        }
    }
}

fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.trim().split_once(':')?;
    let digits =
        |text: &str, least| (least..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(hour, 1) || !digits(minute, 2) {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

fn negated(text: &str) -> String {
    format!("`{text}` is negated inside the text; write `not` before the call")
}

/// Days of the week: `Mon-Fri`, `Mon,Wed`, `Fri-Mon`, in any case, by three letters or by their whole names.
///
/// ```
/// use mentci_expr::{Days, LocalTime};
/// let days = Days::parse("fri-mon, Wed").unwrap();
/// let holds: Vec<u8> = (0..7).filter(|&weekday| days.holds(LocalTime { minute: 0, weekday })).collect();
/// assert_eq!(holds, [0, 2, 4, 5, 6]);
/// assert_eq!(Days::parse("Mon-Fry").unwrap_err(), "`Fry` is not a day of the week like `Mon`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days(u8);

impl Days {
    /// Reads days.
    ///
    /// # Errors
    /// A message, where they are none.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim_start().starts_with('!') {
            return Err(negated(text));
        }
        let mut days = 0;
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (day(first)?, day(last)?);
            let length = (last + 7 - first) % 7;
            days |= (0..=length).fold(0, |days, step| days | 1 << ((first + step) % 7));
        }
        Ok(Self(days))
    }

    /// Whether it holds at this time.
    pub fn holds(self, time: LocalTime) -> bool {
        time.weekday < 7 && (self.0 >> time.weekday) & 1 == 1
    }
}

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

fn day(text: &str) -> Result<u8, String> {
    let word = text.trim().to_ascii_lowercase();
    let found = DAYS.iter().zip(0..).find(|(day, _)| word == day[..3] || word == **day);
    found
        .map(|(_, number)| number)
        .ok_or_else(|| format!("`{}` is not a day of the week like `Mon`", text.trim()))
}
