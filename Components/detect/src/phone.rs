//! Phone numbers: international with `+`, North American by its plan, Russian with 8, others after a cue.

use std::ops::Range;

use crate::Kind;
use crate::cue::Cues;
use crate::escape;
use crate::number::{Found, Number, Wanted, is_clean_end, is_clean_start};

/// A stretch of digits in groups, as phone numbers are written.
struct Dialled {
    /// From the `+` or `(`.
    span: Range<usize>,
    digits: [u8; 16],
    count: usize,
    has_plus: bool,
    /// Separators other than blanks: `-`, `.`, brackets.
    has_marks: bool,
    has_blanks: bool,
}

pub(crate) fn check(number: &Number<'_>, wanted: Wanted) -> Found {
    // Seven digits at least: in one run, or with more behind a separator.
    if number.len() < 7 && !b" -.()".contains(&number.byte(number.end)) {
        return None;
    }
    let dialled = Dialled::read(number)?;
    let kind = dialled.kind(number)?;
    // Who asks only for phone numbers means the Russian ones as well.
    let kind = if kind == Kind::RuPhone && !wanted.ru_phone { dialled.as_phone()? } else { kind };
    let is_wanted = if kind == Kind::Phone { wanted.phone } else { wanted.ru_phone };
    is_wanted.then_some((dialled.span, kind))
}

impl Dialled {
    /// The longest stretch from the number's start, or from the `+` or `(` before it, that could be dialled.
    fn read(number: &Number<'_>) -> Option<Self> {
        let bytes = number.bytes;
        let opened = number.previous() == b'(';
        let mut start = number.start - usize::from(opened);
        let has_plus = start > 0 && bytes[start - 1] == b'+';
        start -= usize::from(has_plus);
        let is_start = if has_plus { !is_word_before(bytes, start) } else { is_clean_start(bytes, start) };
        if !is_start {
            return None;
        }
        let mut dialled = Self {
            span: start..start,
            digits: [0; 16],
            count: 0,
            has_plus,
            has_marks: opened,
            has_blanks: false,
        };
        dialled.fill(bytes, number.start, opened);
        let end = dialled.span.end;
        (dialled.count >= 7 && is_clean_end(bytes, end) && bytes.get(end) != Some(&b':')).then_some(dialled)
    }

    /// Reads groups: digits, then at most one separator, or brackets with blanks around them.
    fn fill(&mut self, bytes: &[u8], from: usize, mut is_open: bool) {
        let mut at = from;
        loop {
            let run = bytes[at..].iter().take(17).take_while(|byte| byte.is_ascii_digit()).count();
            if run == 0 || self.count + run > 15 {
                return;
            }
            for byte in &bytes[at..at + run] {
                self.digits[self.count] = byte - b'0';
                self.count += 1;
            }
            at += run;
            self.span.end = at;
            let gap = &bytes[at..bytes.len().min(at + 3)];
            let width = gap.iter().take_while(|byte| b" -.()".contains(byte)).count();
            let gap = &gap[..width];
            let opens = gap.contains(&b'(');
            let closes = gap.contains(&b')');
            if width == 0 || is_open != closes || opens && (is_open || closes) || gap.starts_with(b"  ") {
                return;
            }
            self.has_blanks |= gap == b" ";
            self.has_marks |= gap != b" ";
            is_open = opens;
            at += width;
        }
    }

    fn value(&self, range: Range<usize>) -> u32 {
        self.digits[range].iter().fold(0, |value, digit| value * 10 + u32::from(*digit))
    }

    fn kind(&self, number: &Number<'_>) -> Option<Kind> {
        let first = self.digits[0];
        let is_grouped = self.has_marks || self.has_blanks;
        if self.has_plus {
            let is_international =
                first != 0 && (8..=15).contains(&self.count) && (is_grouped || self.count >= 10);
            return is_international.then(|| if self.is_russian(7) { Kind::RuPhone } else { Kind::Phone });
        }
        let is_cued = || number.before.has(Cues::PHONE);
        if self.is_russian(8) && (self.has_marks || is_cued()) {
            return Some(Kind::RuPhone);
        }
        let offset = usize::from(self.count == 11 && first == 1);
        if self.has_marks && self.count == 10 + offset && self.is_american(offset, number) {
            return Some(Kind::Phone);
        }
        (is_cued() && self.count >= 7 && !self.is_date()).then_some(Kind::Phone)
    }

    /// Eleven digits, 7 or 8 before an area code that Russia gives.
    fn is_russian(&self, first: u8) -> bool {
        self.count == 11 && self.digits[0] == first && matches!(self.digits[1], 3 | 4 | 8 | 9)
    }

    /// Area and exchange start with 2 to 9 and are no service codes such as 911, and the groups are 3, 3 and 4.
    fn is_american(&self, offset: usize, number: &Number<'_>) -> bool {
        let (area, exchange) = (self.value(offset..offset + 3), self.value(offset + 3..offset + 6));
        let last =
            number.bytes[self.span.clone()].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        area >= 200 && exchange >= 200 && area % 100 != 11 && last == 4
    }

    /// `2024-01-15` after a word such as `call`.
    fn is_date(&self) -> bool {
        self.count == 8 && matches!(self.value(0..2), 19 | 20) && self.has_marks
    }

    fn as_phone(&self) -> Option<Kind> {
        self.has_plus.then_some(Kind::Phone)
    }
}

fn is_word_before(bytes: &[u8], start: usize) -> bool {
    let Some(&previous) = bytes[..start].last() else { return false };
    previous.is_ascii_alphanumeric() && !escape::ends(&bytes[..start]) || matches!(previous, b'_' | b'+')
}
