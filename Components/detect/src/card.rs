//! Payment card numbers: a known issuer's prefix and length (ISO/IEC 7812), and Luhn's check digit.

use crate::Kind;
use crate::cue::Cues;
use crate::number::{Found, Number, is_clean_end, is_clean_start};

/// A card of 12 to 19 digits, bare or in groups by one kind of single space or hyphen.
pub(crate) fn check(number: &Number<'_>) -> Found {
    if number.len() < 4 || number.len() > 19 || !is_clean_start(number.bytes, number.start) {
        return None;
    }
    let (end, groups) = grouped(number)?;
    let mut digits = [0; 19];
    let mut count = 0;
    for byte in number.bytes[number.start..end].iter().filter(|byte| byte.is_ascii_digit()) {
        *digits.get_mut(count)? = byte - b'0';
        count += 1;
    }
    let digits = &digits[..count];
    let is_usual = matches!(count, 14..=16);
    let end = if groups == 1 { past_zeros(number.bytes, end) } else { end };
    let is_card = is_clean_end(number.bytes, end)
        && is_issued(digits)
        && luhn(digits)
        && (is_usual || number.before.has(Cues::CARD))
        && (groups > 1 || number.len() == count);
    is_card.then_some((number.start..end, Kind::Card))
}

/// Where the groups end and how many there are: each of 4 to 6 digits but the last, which may be shorter.
fn grouped(number: &Number<'_>) -> Option<(usize, usize)> {
    if number.len() >= 12 {
        return Some((number.end, 1));
    }
    let separator = number.byte(number.end);
    if !matches!(separator, b' ' | b'-') || number.len() > 6 {
        return None;
    }
    let (mut end, mut groups) = (number.end, 1);
    while number.byte(end) == separator && groups < 6 {
        let run = number.bytes[end + 1..].iter().take(7).take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=7).contains(&run) || run == 7 {
            break;
        }
        end += 1 + run;
        groups += 1;
        if run < 4 {
            break;
        }
    }
    Some((end, groups))
}

/// Past the `.0` of a number that was read as a decimal.
fn past_zeros(bytes: &[u8], end: usize) -> usize {
    let room = &bytes[end..bytes.len().min(end + 8)];
    let zeros = room.iter().skip(1).take_while(|byte| **byte == b'0').count();
    if room.first() == Some(&b'.') && zeros > 0 { end + 1 + zeros } else { end }
}

/// Whether an issuer has this prefix with this length.
fn is_issued(digits: &[u8]) -> bool {
    if digits.len() < 12 {
        return false;
    }
    let first =
        |count: usize| digits[..count].iter().fold(0_u32, |number, digit| number * 10 + u32::from(*digit));
    let length = digits.len();
    match first(4) {
        // Visa
        4000..=4999 => matches!(length, 13 | 16 | 19),
        // Mastercard
        5100..=5599 | 2221..=2720 => length == 16,
        // American Express
        3400..=3499 | 3700..=3799 => length == 15,
        // Mir, Discover, JCB, UnionPay
        2200..=2204 | 6011 | 6440..=6599 | 3528..=3589 | 6200..=6299 => (16..=19).contains(&length),
        // Diners Club
        3000..=3059 | 3095 | 3600..=3699 | 3800..=3999 => (14..=19).contains(&length),
        // Maestro
        5000..=5099 | 5600..=5899 | 6304 | 6759 | 6761..=6763 => (12..=19).contains(&length),
        _ => false,
    }
}

/// Luhn's formula (ISO/IEC 7812-1, annex B).
fn luhn(digits: &[u8]) -> bool {
    let doubled = |(at, digit): (usize, &u8)| {
        let digit = u32::from(*digit) * if at % 2 == 1 { 2 } else { 1 };
        digit / 10 + digit % 10
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}
