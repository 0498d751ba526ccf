//! Long texts in slices, so that no text takes more than linear time or memory to count.

use std::collections::BTreeSet;

/// The longest slice, in bytes: a multiple of three and of 4,096, so that a run of digits or of one sign is cut where its
/// tokens end.
pub(crate) const LONGEST: usize = 12 << 10;
/// Characters of one slice from more blocks of 128 than this make a babel: splitting such text at word borders takes a
/// hundred times as long.
const MOST_BLOCKS: usize = 32;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice<'a> {
    pub(crate) text: &'a str,
    /// Whether its characters come from all over Unicode.
    pub(crate) is_babel: bool,
}

/// The text in order, in slices of at most [`LONGEST`] bytes, cut where no token reaches across if there is such a place.
pub(crate) fn slices(text: &str) -> impl Iterator<Item = Slice<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (slice, more) = rest.split_at(end(rest));
        rest = more;
        (!slice.is_empty()).then(|| Slice { text: slice, is_babel: is_babel(slice) })
    })
}

/// Where the first slice ends: at the last sure border, else at the last character that fits.
fn end(text: &str) -> usize {
    if text.len() <= LONGEST {
        return text.len();
    }
    let border = (1..=LONGEST).rev().find(|&at| is_border(text, at));
    border.unwrap_or_else(|| text.floor_char_boundary(LONGEST))
}

/// Whether no piece of o200k's pattern reaches across this place. Pieces are letters with one other character in front at
/// most, and an apostrophe's ending; up to three digits; signs with one space in front at most, and line breaks or slashes
/// behind; white space.
fn is_border(text: &str, at: usize) -> bool {
    let (before, after) = (text.as_bytes()[at - 1], text.as_bytes()[at]);
    match after {
        b' ' => text[..at].chars().next_back().is_some_and(|one| !one.is_whitespace()),
        b'a'..=b'z' | b'A'..=b'Z' => before.is_ascii_digit() || before == b'\n',
        b'0'..=b'9' => before.is_ascii_alphabetic() || before == b'\n',
        b'\'' => before.is_ascii_digit(),
        after => after.is_ascii_punctuation() && before.is_ascii_alphanumeric(),
    }
}

fn is_babel(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let blocks: BTreeSet<u32> =
        text.chars().filter(|&one| !is_east_asian(one)).map(|one| u32::from(one) >> 7).collect();
    blocks.len() > MOST_BLOCKS
}

/// The Han and Hangul blocks, which are many and take no long time.
fn is_east_asian(one: char) -> bool {
    matches!(one, '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_at_a_border() {
        let text = "never rest ".repeat(LONGEST);
        let parts: Vec<&str> = slices(&text).map(|slice| slice.text).collect();
        assert!(parts.len() > 10 && parts.concat() == text);
        assert!(parts[1..].iter().all(|part| part.starts_with(" rest") || part.starts_with(" never")));
    }

    #[test]
    fn an_unbroken_run_is_cut_between_characters() {
        let text = "é".repeat(LONGEST + 1);
        assert!(slices(&text).all(|slice| slice.text.len() <= LONGEST && !slice.is_babel));
        assert_eq!(slices(&text).map(|slice| slice.text).collect::<String>(), text);
    }

    #[test]
    fn only_all_of_unicode_is_a_babel() {
        let all: String = (0..2000).filter_map(|n| char::from_u32(n * 37)).collect();
        let han: String = (0..4000).filter_map(|n| char::from_u32(0x4e00 + n * 5)).collect();
        assert!(slices(&all).all(|slice| slice.is_babel));
        assert!(slices(&han).all(|slice| !slice.is_babel));
    }
}
