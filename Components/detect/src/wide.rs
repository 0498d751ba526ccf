//! Texts in look-alikes of plain letters: full-width ones, as East Asian keyboards write them (`ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ`), blanks
//! that do not break, typographic hyphens; and texts with letters inside that nobody sees.
//!
//! Such a text is read a second time with plain letters in their place, and what is found there is taken out of the text as
//! it was.

use std::ops::Range;

use mentci_source::is_invisible;

/// A text in plain letters, and where they come from.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) text: String,
    /// Behind each letter that was replaced: its end here, and in the text as it was. In order.
    ends: Vec<(usize, usize)>,
}

impl Plain {
    /// None where the text is plain already.
    pub(crate) fn of(text: &str) -> Option<Self> {
        if text.is_ascii() || !text.chars().any(|letter| plain(letter) != Some(letter)) {
            return None;
        }
        let mut own = Self { text: String::with_capacity(text.len()), ends: Vec::new() };
        for (at, letter) in text.char_indices() {
            let plain = plain(letter);
            own.text.extend(plain);
            if plain != Some(letter) {
                own.ends.push((own.text.len(), at + letter.len_utf8()));
            }
        }
        Some(own)
    }

    /// What a span takes in the text as it was.
    pub(crate) fn origin(&self, span: &Range<usize>) -> Range<usize> {
        // Letters that nobody sees are no part of a hit that they stand before, but of one that they stand in or behind.
        let start = self.ends.partition_point(|(end, _)| *end <= span.start);
        let end = self.ends.partition_point(|(end, _)| *end < span.end);
        let end = match self.ends.get(end) {
            Some((own, origin)) if *own == span.end => *origin,
            _ => self.moved(end, span.end),
        };
        self.moved(start, span.start)..end
    }

    /// A place behind so many letters that were replaced.
    fn moved(&self, count: usize, at: usize) -> usize {
        count.checked_sub(1).map_or(at, |last| {
            let (own, origin) = self.ends[last];
            origin + (at - own)
        })
    }
}

/// The plain letter that one looks like; none of one that nobody sees.
fn plain(letter: char) -> Option<char> {
    Some(match letter {
        _ if is_invisible(letter) => return None,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{a0}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}'
        | '\u{3008}'..='\u{3011}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        '\u{fe6b}' => '@',
        '\u{fe52}' | '\u{2024}' | '\u{3002}' | '\u{ff61}' => '.',
        '\u{3001}' | '\u{ff64}' => ',',
        _ => letter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_found_where_it_came_from() {
        let text = "é ａ\u{200b}b\u{200b}\u{200b}ｃ\u{200b} d";
        let own = Plain::of(text).unwrap();
        assert_eq!(own.text, "é abc d");
        for (part, origin) in [
            ("abc", "ａ\u{200b}b\u{200b}\u{200b}ｃ"),
            ("b", "b\u{200b}"),
            ("bc", "b\u{200b}\u{200b}ｃ"),
            ("d", "d"),
        ] {
            let at = own.text.find(part).unwrap();
            assert_eq!(&text[own.origin(&(at..at + part.len()))], origin, "{part}");
        }
        assert!(Plain::of("é").is_none() && Plain::of("a b").is_none());
    }
}
