//! Numbers that states give to people: social security, passports, taxpayers, insurance.

use crate::Kind;
use crate::cue::Cues;
use crate::number::{Found, Number, digits, is_clean_end};

/// The groups of a number: how many digits each has, with one separator of the set between.
fn groups(number: &Number<'_>, lengths: &[usize], separators: &[u8]) -> Option<usize> {
    let mut at = number.start;
    for (index, length) in lengths.iter().enumerate() {
        if index > 0 {
            if !separators.contains(&number.byte(at)) {
                return None;
            }
            at += 1;
        }
        let run = number.bytes[at..].iter().take(length + 1).take_while(|byte| byte.is_ascii_digit()).count();
        if run != *length {
            return None;
        }
        at += run;
    }
    Some(at)
}

/// `AAA-GG-SSSS`; with blanks or bare only after a cue. Never given: areas 000, 666 and 9xx, group 00, serial 0000.
pub(crate) fn ssn(number: &Number<'_>) -> Found {
    if !matches!(number.len(), 3 | 9) || !number.starts_clean() {
        return None;
    }
    let lengths = [3, 2, 4];
    let end = groups(number, &lengths, b"-")
        .or_else(|| groups(number, &lengths, b" ").filter(|_| number.before.has(Cues::SSN)))
        .or_else(|| groups(number, &[9], b"").filter(|_| number.before.has(Cues::SSN)))?;
    let (found, _) = digits(&number.bytes[number.start..end]);
    let value = |range: std::ops::Range<usize>| {
        found[range].iter().fold(0_u32, |n, digit| n * 10 + u32::from(*digit))
    };
    let (area, group, serial) = (value(0..3), value(3..5), value(5..9));
    let is_given = area != 0 && area != 666 && area < 900 && group != 0 && serial != 0;
    (is_given && is_clean_end(number.bytes, end)).then_some((number.start..end, Kind::Ssn))
}

/// Six to nine letters and digits after a word for passport: one or two letters before, or one after the first
/// (`C01X0006H` has letters between).
pub(crate) fn passport(number: &Number<'_>) -> Found {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let room = number.start.saturating_sub(9);
    let back = number.bytes[room..number.start].iter().rev().take_while(|byte| is_part(byte)).count();
    let forth = number.bytes[number.end..].iter().take(9).take_while(|byte| is_part(byte)).count();
    let (start, end) = (number.start - back, number.end + forth);
    let count = number.bytes[start..end].iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_shaped = (6..=10).contains(&(end - start)) && count >= 5 && back <= 3;
    let stands_alone = crate::number::is_clean_start(number.bytes, start) && is_clean_end(number.bytes, end);
    let is_passport = is_shaped && stands_alone && number.before.has(Cues::PASSPORT);
    is_passport.then_some((start..end, Kind::Passport))
}

/// `45 06 123456`, `4506 123456` after a word for passport.
pub(crate) fn ru_passport(number: &Number<'_>) -> Found {
    if !matches!(number.len(), 2 | 4) || !number.starts_clean() {
        return None;
    }
    let end = groups(number, &[2, 2, 6], b" -").or_else(|| groups(number, &[4, 6], b" -"))?;
    let is_passport = is_clean_end(number.bytes, end) && number.before.has(Cues::PASSPORT);
    is_passport.then_some((number.start..end, Kind::RuPassport))
}

/// Ten or twelve digits after `INN`, with their check digits.
pub(crate) fn inn(number: &Number<'_>) -> Found {
    if !matches!(number.len(), 10 | 12) || !number.starts_clean() || !is_clean_end(number.bytes, number.end) {
        return None;
    }
    let (found, count) = digits(&number.bytes[number.start..number.end]);
    let checks = |weights: &[u32]| {
        let sum: u32 = weights.iter().zip(&found).map(|(weight, digit)| weight * u32::from(*digit)).sum();
        sum % 11 % 10 == u32::from(found[weights.len()])
    };
    let is_checked = if count == 10 {
        checks(&[2, 4, 10, 3, 5, 9, 4, 6, 8])
    } else {
        checks(&[7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) && checks(&[3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8])
    };
    (is_checked && number.before.has(Cues::INN)).then_some((number.start..number.end, Kind::Inn))
}

/// `112-233-445 95`: nine digits weighed 9 to 1, the remainder by 101 behind them.
pub(crate) fn snils(number: &Number<'_>) -> Found {
    if number.len() != 3 || !number.starts_clean() {
        return None;
    }
    let end = groups(number, &[3, 3, 3, 2], b"- ")?;
    let (found, _) = digits(&number.bytes[number.start..end]);
    let sum: u32 = (1..=9).rev().zip(&found).map(|(weight, digit)| weight * u32::from(*digit)).sum();
    let check = u32::from(found[9]) * 10 + u32::from(found[10]);
    let is_checked = sum % 101 % 100 == check && sum > 0;
    (is_checked && is_clean_end(number.bytes, end)).then_some((number.start..end, Kind::Snils))
}
