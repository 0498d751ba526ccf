//! Numbers that tell of a person, found in one pass over the digits of a text.

use std::ops::Range;

use crate::cue::{Before, Cues};
use crate::sink::Sink;
use crate::{Kind, birth, card, escape, iban, ip, paper, phone};

/// Which kinds of numbers are wanted.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each kind, asked for at each number")]
pub(crate) struct Wanted {
    pub(crate) phone: bool,
    pub(crate) ru_phone: bool,
    pub(crate) card: bool,
    pub(crate) ssn: bool,
    pub(crate) iban: bool,
    pub(crate) ip: bool,
    pub(crate) passport: bool,
    pub(crate) ru_passport: bool,
    pub(crate) inn: bool,
    pub(crate) snils: bool,
    pub(crate) birth: bool,
}

impl Wanted {
    pub(crate) fn new(wants: impl Fn(&Kind) -> bool) -> Self {
        Self {
            phone: wants(&Kind::Phone),
            ru_phone: wants(&Kind::RuPhone),
            card: wants(&Kind::Card),
            ssn: wants(&Kind::Ssn),
            iban: wants(&Kind::Iban),
            ip: wants(&Kind::Ip),
            passport: wants(&Kind::Passport),
            ru_passport: wants(&Kind::RuPassport),
            inn: wants(&Kind::Inn),
            snils: wants(&Kind::Snils),
            birth: wants(&Kind::DateOfBirth),
        }
    }

    pub(crate) fn any(&self) -> bool {
        let Self { phone, ru_phone, card, ssn, iban, ip, passport, ru_passport, inn, snils, birth } = *self;
        phone || ru_phone || card || ssn || iban || ip || passport || ru_passport || inn || snils || birth
    }
}

/// A run of digits in a text.
#[derive(Debug)]
pub(crate) struct Number<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where the run starts and ends.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The words before it.
    pub(crate) before: Before<'a>,
}

/// What a check of a number found.
pub(crate) type Found = Option<(Range<usize>, Kind)>;

impl Number<'_> {
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    /// The byte at `at`, 0 past the ends: no byte of a text that matters here is 0.
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The byte before the run.
    pub(crate) fn previous(&self) -> u8 {
        self.start.checked_sub(1).map_or(0, |at| self.bytes[at])
    }

    /// Whether the run could start a number: it does not go on a word, a decimal or an identifier.
    pub(crate) fn starts_clean(&self) -> bool {
        is_clean_start(self.bytes, self.start)
    }
}

/// Whether a number may start at `start`: no letter, digit or `_` before it, and no digit or word tied by `.`, `-`.
pub(crate) fn is_clean_start(bytes: &[u8], start: usize) -> bool {
    let Some(at) = start.checked_sub(1) else { return true };
    let previous = bytes[at];
    let is_tied = matches!(previous, b'.' | b'-' | b'#' | b'$')
        && (previous == b'#' || previous == b'$' || at > 0 && bytes[at - 1].is_ascii_alphanumeric());
    let is_word = previous.is_ascii_alphanumeric() && !escape::ends(&bytes[..start]);
    !(is_word || previous == b'_' || is_tied)
}

/// Whether a number may end at `end`: no letter, digit or `_` after it, and no digit or word tied by `.`, `-`.
pub(crate) fn is_clean_end(bytes: &[u8], end: usize) -> bool {
    let Some(&next) = bytes.get(end) else { return true };
    let is_tied = matches!(next, b'.' | b'-') && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
        || next == b'%';
    !(next.is_ascii_alphanumeric() || next == b'_' || is_tied)
}

/// The digits of a stretch and how many there are; those past 24 are not kept.
pub(crate) fn digits(stretch: &[u8]) -> ([u8; 24], usize) {
    let (mut kept, mut count) = ([0; 24], 0);
    for byte in stretch.iter().filter(|byte| byte.is_ascii_digit()).take(24) {
        kept[count] = byte - b'0';
        count += 1;
    }
    (kept, count)
}

pub(crate) fn scan(bytes: &[u8], key: Cues, wanted: Wanted, sink: &mut Sink) {
    let mut at = 0;
    while let Some(start) = next_digit(bytes, at) {
        let end = start
            + bytes[start..].iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len() - start);
        let number = Number { bytes, start, end, before: Before::new(bytes, start, key) };
        at = end;
        // The checks look at no more than 64 bytes around the run.
        sink.steps.add(0);
        if end - start < 2 && number.is_lone() {
            continue;
        }
        sink.steps.add(64);
        if let Some((span, kind)) = check(&number, wanted) {
            at = at.max(span.end);
            sink.push(span, kind);
            if sink.is_full() {
                return;
            }
        }
    }
}

impl Number<'_> {
    /// A digit beside which nothing stands that could make it part of a longer number.
    fn is_lone(&self) -> bool {
        let is_joint = |byte: u8| matches!(byte, b'.' | b'-' | b'/' | b':' | b'+' | b'(' | b' ' | b',');
        let (previous, next) = (self.previous(), self.byte(self.end));
        let is_colon =
            previous == b':' || next == b':' || next.is_ascii_hexdigit() || previous.is_ascii_hexdigit();
        let is_ordinal = matches!(next, b's' | b'n' | b'r' | b't');
        let is_free = !is_colon && !is_ordinal;
        is_free
            && !(is_joint(next) && matches!(self.byte(self.end + 1), b'0'..=b'9' | b'(' | b' ' | b'A'..=b'z'))
    }
}

/// The first check that holds; the ones that are surest stand first. Digits that go on a word of small letters, as in
/// hashes and names, can only be part of an address, or of an account number written small.
fn check(number: &Number<'_>, wanted: Wanted) -> Found {
    if number.previous().is_ascii_lowercase() || number.previous() == b'_' {
        let account = wanted.iban.then(|| iban::check(number)).flatten();
        return account.or_else(|| wanted.ip.then(|| ip::check(number)).flatten());
    }
    None.or_else(|| wanted.iban.then(|| iban::check(number)).flatten())
        .or_else(|| wanted.card.then(|| card::check(number)).flatten())
        .or_else(|| wanted.snils.then(|| paper::snils(number)).flatten())
        .or_else(|| wanted.inn.then(|| paper::inn(number)).flatten())
        .or_else(|| wanted.ru_passport.then(|| paper::ru_passport(number)).flatten())
        .or_else(|| wanted.ssn.then(|| paper::ssn(number)).flatten())
        .or_else(|| wanted.birth.then(|| birth::check(number)).flatten())
        .or_else(|| wanted.ip.then(|| ip::check(number)).flatten())
        .or_else(|| (wanted.phone || wanted.ru_phone).then(|| phone::check(number, wanted)).flatten())
        .or_else(|| wanted.passport.then(|| paper::passport(number)).flatten())
}

/// The next digit; texts have few, so 32 bytes are asked at once.
fn next_digit(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut blocks = bytes[from..].chunks_exact(32);
    for block in &mut blocks {
        if block.iter().fold(false, |any, byte| any | (byte.wrapping_sub(b'0') < 10)) {
            break;
        }
        at += 32;
    }
    bytes[at..].iter().position(u8::is_ascii_digit).map(|found| at + found)
}
