//! Dates of birth: a date after a word such as `dob` or `born`.

use crate::Kind;
use crate::cue::Cues;
use crate::number::{Found, Number, is_clean_end};

const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

/// `1990-02-01`, `01/02/1990`, `1.2.90`, `1 February 1990`, `February 1, 1990`.
pub(crate) fn check(number: &Number<'_>) -> Found {
    if !matches!(number.len(), 1 | 2 | 4) || number.previous().is_ascii_alphanumeric() {
        return None;
    }
    // What follows the first part of a date: a separator, or the letters of an ordinal or a month.
    let next = number.byte(number.end);
    if !(next.is_ascii_alphabetic() || b"-/., ".contains(&next)) {
        return None;
    }
    let (start, end) = numeric(number).or_else(|| day_first(number)).or_else(|| month_first(number))?;
    let is_birth = is_clean_end(number.bytes, end) && number.before.has(Cues::BIRTH);
    is_birth.then_some((start..end, Kind::DateOfBirth))
}

/// The value and the end of the digits at `at`, at most four.
fn digits(number: &Number<'_>, at: usize) -> Option<(u32, usize)> {
    let room = number.bytes.get(at..)?;
    let run = room.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let value = room[..run].iter().fold(0, |value, byte| value * 10 + u32::from(byte - b'0'));
    (1..=4).contains(&run).then_some((value, at + run))
}

fn numeric(number: &Number<'_>) -> Option<(usize, usize)> {
    let (first, at) = digits(number, number.start)?;
    let separator = number.byte(at);
    if !matches!(separator, b'-' | b'/' | b'.') {
        return None;
    }
    let (second, at) = digits(number, at + 1)?;
    if number.byte(at) != separator {
        return None;
    }
    let third_at = at + 1;
    let (third, end) = digits(number, third_at)?;
    let is_day = |day: u32, month: u32| (1..=31).contains(&day) && (1..=12).contains(&month);
    let is_date = if number.len() == 4 {
        is_year(first) && is_day(third, second)
    } else {
        (is_day(first, second) || is_day(second, first)) && (is_year(third) || end - third_at == 2)
    };
    is_date.then_some((number.start, end))
}

fn is_year(year: u32) -> bool {
    (1880..=2100).contains(&year)
}

/// `1 February 1990`, `1st Feb. 1990`.
fn day_first(number: &Number<'_>) -> Option<(usize, usize)> {
    let (day, mut at) = digits(number, number.start)?;
    if [b"st", b"nd", b"rd", b"th"].iter().any(|end| number.bytes[at..].starts_with(*end)) {
        at += 2;
    }
    let at = skip(number, at, b" ,-");
    let at = at + month(&number.bytes[at..])?;
    let (year, end) = digits(number, skip(number, at, b" ,.-"))?;
    ((1..=31).contains(&day) && is_year(year)).then_some((number.start, end))
}

/// `February 1, 1990`, the day being the number.
fn month_first(number: &Number<'_>) -> Option<(usize, usize)> {
    let (day, at) = digits(number, number.start)?;
    let (year, end) = digits(number, skip(number, at, b" ,sthndr"))?;
    let before = number.bytes[..number.start].strip_suffix(b" ")?;
    let before = before.strip_suffix(b".").unwrap_or(before);
    let letters = before.iter().rev().take(10).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let start = before.len() - letters;
    let is_date = month(&before[start..]) == Some(letters) && (1..=31).contains(&day) && is_year(year);
    is_date.then_some((start, end))
}

fn skip(number: &Number<'_>, at: usize, set: &[u8]) -> usize {
    at + number.bytes[at..].iter().take(4).take_while(|byte| set.contains(byte)).count()
}

/// How long the name of a month is that stands at the start.
fn month(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(10).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let start: [u8; 3] = text.get(..3)?.try_into().ok()?;
    let is_month = MONTHS.iter().any(|month| start.eq_ignore_ascii_case(month));
    (is_month && (3..=9).contains(&length)).then_some(length)
}
