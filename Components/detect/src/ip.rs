//! Internet addresses: version 4 in four decimal parts, version 6 in hexadecimal groups.

use std::net::Ipv6Addr;

use crate::Kind;
use crate::alphabet::{self, HEX};
use crate::cue::Cues;
use crate::number::{Found, Number};

pub(crate) fn check(number: &Number<'_>) -> Found {
    version_4(number).or_else(|| version_6(number))
}

/// Four parts from 0 to 255 without leading zeros. A version, a section or an object identifier of four parts is none.
fn version_4(number: &Number<'_>) -> Found {
    if number.len() > 3 || number.byte(number.end) != b'.' {
        return None;
    }
    let (end, parts) = quad(number)?;
    let is_followed = match number.byte(end) {
        b'.' => number.byte(end + 1).is_ascii_alphanumeric(),
        b'-' => number.byte(end + 1).is_ascii_alphabetic(),
        next => next.is_ascii_alphanumeric() || next == b'_',
    };
    if is_followed || is_joined(number) || is_version(number) || is_heading(number, end, parts) {
        return None;
    }
    Some((number.start..end, Kind::Ip))
}

fn quad(number: &Number<'_>) -> Option<(usize, [u8; 4])> {
    let mut parts = [0; 4];
    let mut at = number.start;
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            if number.byte(at) != b'.' {
                return None;
            }
            at += 1;
        }
        let run = number.bytes[at..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let digits = std::str::from_utf8(&number.bytes[at..at + run]).ok()?;
        if run > 1 && digits.starts_with('0') {
            return None;
        }
        *part = digits.parse().ok()?;
        at += run;
    }
    Some((at, parts))
}

/// Whether what stands before makes it part of something longer: `v1.2.3.4`, `5.1.2.3.4`, `pkg-1.2.3.4`,
/// `Chrome/1.2.3.4`.
fn is_joined(number: &Number<'_>) -> bool {
    let Some(at) = number.start.checked_sub(1) else { return false };
    let further = |back: usize| at.checked_sub(back).map_or(0, |at| number.bytes[at]);
    match number.bytes[at] {
        b'.' | b'_' | b'#' | b'~' | b'^' => true,
        b'-' => further(1).is_ascii_alphabetic(),
        b'/' => further(1).is_ascii_alphabetic() && !number.bytes[..at].ends_with(b"host"),
        b'=' => matches!(further(1), b'=' | b'>' | b'<' | b'~' | b'!' | b'^'),
        byte => byte.is_ascii_alphanumeric(),
    }
}

/// Whether the words before speak of a version or a section, and none of them of a host.
fn is_version(number: &Number<'_>) -> bool {
    let is_named = number.before.near(Cues::VERSION) || number.before.near(Cues::SECTION);
    is_named && !number.before.near(Cues::ADDRESS)
}

/// `1.2.3.4 Title` at the start of a line.
fn is_heading(number: &Number<'_>, end: usize, parts: [u8; 4]) -> bool {
    let start =
        number.bytes[..number.start].iter().rev().take(8).find(|byte| !matches!(byte, b'#' | b' ' | b'*'));
    matches!(start, None | Some(b'\n'))
        && parts.iter().all(|part| *part < 10)
        && number.byte(end) == b' '
        && number.byte(end + 1).is_ascii_uppercase()
}

/// The longest address: eight groups of four and seven colons.
const LONGEST: usize = 39;

/// Groups of up to four hexadecimal digits, eight of them or fewer around one `::`; at least three, one of them with
/// a digit. `::1` and `a::b` are not taken: programs are full of their like.
fn version_6(number: &Number<'_>) -> Found {
    if number.len() > 4 {
        return None;
    }
    if !has_colon(number) {
        return None;
    }
    let colons = HEX | 1 << b':';
    let room = number.start.saturating_sub(LONGEST + 1);
    let back = alphabet::run_back(&number.bytes[room..number.start], colons);
    let forth = alphabet::run(
        &number.bytes[number.start..number.bytes.len().min(number.start + LONGEST + 1)],
        colons,
    );
    let start = number.start - back;
    let mut end = number.start + forth;
    if end - start > LONGEST + 1 || start.checked_sub(1).is_some_and(|at| is_word(number.bytes[at])) {
        return None;
    }
    if number.bytes[..end].ends_with(b":") && !number.bytes[..end].ends_with(b"::") {
        end -= 1;
    }
    let text = std::str::from_utf8(&number.bytes[start..end]).ok()?;
    let groups = text.split(':').filter(|group| !group.is_empty()).count();
    let is_short = groups < 3 || !text.contains("::") && groups != 8;
    if is_short || is_word(number.byte(end)) || text.parse::<Ipv6Addr>().is_err() {
        return None;
    }
    Some((start..end, Kind::Ip))
}

/// Whether a colon stands beside the group of up to four hexadecimal digits that the run is in.
fn has_colon(number: &Number<'_>) -> bool {
    let back = alphabet::run_back(&number.bytes[number.start.saturating_sub(4)..number.start], HEX);
    let forth = alphabet::run(&number.bytes[number.end..number.bytes.len().min(number.end + 4)], HEX);
    let previous = number.start.checked_sub(back + 1).map_or(0, |at| number.bytes[at]);
    previous == b':' || number.byte(number.end + forth) == b':'
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}
