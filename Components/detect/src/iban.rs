//! International bank account numbers (ISO 13616): a country's length, and the remainder 1 by 97.

use crate::Kind;
use crate::number::{Found, Number};

/// Countries and how long their numbers are (SWIFT's registry).
const COUNTRIES: &[(&[u8; 2], usize)] = &[
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BI", 27),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DJ", 27),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FK", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HN", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MN", 20),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NI", 28),
    (b"NL", 18),
    (b"NO", 15),
    (b"OM", 23),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"RU", 33),
    (b"SA", 24),
    (b"SC", 31),
    (b"SD", 18),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"SO", 23),
    (b"ST", 25),
    (b"SV", 28),
    (b"TL", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VA", 22),
    (b"VG", 24),
    (b"XK", 20),
    (b"YE", 30),
];

/// Two letters before the run, its first two digits the check digits; written together or in groups, in capitals or in small
/// letters.
pub(crate) fn check(number: &Number<'_>) -> Found {
    if !number.previous().is_ascii_alphabetic() {
        return None;
    }
    let start = number.start.checked_sub(2)?;
    let letters = &number.bytes[start..number.start];
    let is_small = letters[0].is_ascii_lowercase();
    if is_small != letters[1].is_ascii_lowercase() {
        return None;
    }
    let country: &[u8; 2] = &[letters[0].to_ascii_uppercase(), letters[1].to_ascii_uppercase()];
    let is_word =
        start > 0 && (number.bytes[start - 1].is_ascii_alphanumeric() || number.bytes[start - 1] == b'_');
    if number.len() < 2 || is_word {
        return None;
    }
    let at = COUNTRIES.binary_search_by_key(country, |(name, _)| **name).ok()?;
    let (end, remainder) = remainder(&number.bytes[start..], COUNTRIES[at].1, is_small)?;
    let is_whole =
        !number.bytes.get(start + end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (remainder == 1 && is_whole).then_some((start..start + end, Kind::Iban))
}

/// How many bytes the `length` characters take, and the remainder by 97 of the number that they make, the first four
/// put last and letters read as 10 to 35.
fn remainder(bytes: &[u8], length: usize, is_small: bool) -> Option<(usize, u32)> {
    let mut characters = [0; 34];
    let (mut count, mut at) = (0, 0);
    while count < length {
        let byte = *bytes.get(at)?;
        let is_gap = matches!(byte, b' ' | b'-') && count > 0 && bytes[at - 1].is_ascii_alphanumeric();
        if !is_gap {
            let is_letter = byte.is_ascii_alphabetic() && byte.is_ascii_lowercase() == is_small;
            characters[count] = (byte.is_ascii_digit() || is_letter).then_some(byte.to_ascii_uppercase())?;
            count += 1;
        }
        at += 1;
    }
    let step = |remainder: u32, byte: &u8| {
        if byte.is_ascii_digit() {
            (remainder * 10 + u32::from(byte - b'0')) % 97
        } else {
            (remainder * 100 + u32::from(byte - b'A') + 10) % 97
        }
    };
    let turned = characters[4..length].iter().chain(&characters[..4]);
    Some((at, turned.fold(0, step)))
}
