//! Addresses in full-width letters, as East Asian keyboards write them: `ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ`; and addresses with
//! letters inside that nobody sees.
//!
//! Each is read in its compatibility form (NFKC), which for these letters is U+0021 to U+007E in the same order.

use std::ops::Range;

use crate::sink::Sink;
use crate::{Kind, email};

/// The full-width `@` (U+FF20) and the small one (U+FE6B).
const SIGNS: [&str; 2] = ["\u{ff20}", "\u{fe6b}"];

/// The most letters on either side that are looked at.
const REACH: usize = 256;

/// Addresses around a wide `@`.
pub(crate) fn scan(text: &str, sink: &mut Sink) {
    for sign in SIGNS {
        for at in memchr::memmem::find_iter(text.as_bytes(), sign) {
            if let Some(span) = address(text, at, sign.len(), sink) {
                sink.push(span, Kind::Email);
                if sink.is_full() {
                    return;
                }
            }
        }
    }
}

/// The address around the sign of `width` bytes at `at`, if something beside it is wide.
pub(crate) fn address(text: &str, at: usize, width: usize, sink: &mut Sink) -> Option<Range<usize>> {
    let (before, after) = (&text[..at], &text[at + width..]);
    sink.steps.add(0);
    // Neither part holds an `@`, so no letter is read more than twice.
    let is_part = |letter: &char| match narrow(*letter) {
        '@' | '\0'..=' ' => false,
        narrow => narrow.is_ascii() || narrow.is_alphanumeric() || is_hidden(narrow),
    };
    let back: Vec<char> = before.chars().rev().take(REACH).take_while(is_part).collect();
    let forth: Vec<char> = after.chars().take(REACH).take_while(is_part).collect();
    let is_beside = [back.first(), forth.first()].into_iter().flatten().any(|letter| is_wide(*letter));
    if width == 1 && !is_beside && !back.iter().chain(&forth).any(|letter| is_hidden(*letter)) {
        return None;
    }
    let mut narrowed = Narrowed::default();
    let start = at - back.iter().map(|letter| letter.len_utf8()).sum::<usize>();
    back.iter().rev().for_each(|letter| narrowed.add(*letter, letter.len_utf8()));
    let sign = narrowed.text.len();
    narrowed.add('@', width);
    for letter in &forth {
        narrowed.add(*letter, letter.len_utf8());
    }
    sink.steps.add(narrowed.text.len());
    let span = email::address(&narrowed.text, sign, sink)?;
    Some(start + narrowed.origin(span.start)..start + narrowed.origin(span.end))
}

/// A stretch in narrow letters, and where each of its bytes comes from.
#[derive(Default)]
struct Narrowed {
    text: String,
    origins: Vec<usize>,
    length: usize,
}

impl Narrowed {
    /// Adds a letter that took `width` bytes.
    fn add(&mut self, letter: char, width: usize) {
        if !is_hidden(letter) {
            self.text.push(narrow(letter));
        }
        self.origins.resize(self.text.len(), self.length);
        self.length += width;
    }

    fn origin(&self, at: usize) -> usize {
        self.origins.get(at).copied().unwrap_or(self.length)
    }
}

/// Whether letters that nobody sees stand in the text.
pub(crate) fn hides(text: &str) -> bool {
    ["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{ad}"]
        .iter()
        .any(|hidden| memchr::memmem::find(text.as_bytes(), hidden.as_bytes()).is_some())
}

/// Whether nobody sees the letter: no width, a joiner, a soft hyphen.
fn is_hidden(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

fn is_wide(letter: char) -> bool {
    narrow(letter) != letter
}

/// The compatibility form of a full-width letter or a small sign.
fn narrow(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{fe6b}' => '@',
        '\u{fe52}' => '.',
        '\u{fe63}' => '-',
        _ => letter,
    }
}
