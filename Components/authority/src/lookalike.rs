//! Letters that look like Latin ones.

use std::borrow::Cow;

/// `text` as a reader sees it, for comparing: in words that are written in look-alikes, full-width letters and letters of other
/// alphabets become the Latin ones that they look like, in lower case. Words that are plainly of another alphabet stay as they stand.
///
/// ```
/// use mentci_authority::seen;
/// assert_eq!(seen("\u{440}ush to \u{43c}\u{430}in"), "push to main");
/// assert_eq!(seen("\u{ff50}ush it"), "push it");
/// assert_eq!(seen("push to MAIN"), "push to MAIN");
/// assert_eq!(seen("приказ Москвы"), "приказ Москвы");
/// ```
pub fn seen(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_inclusive(char::is_whitespace).map(seen_word).collect())
}

/// One word, and the blank behind it.
fn seen_word(text: &str) -> Cow<'_, str> {
    let word = text.trim_end();
    if word.is_ascii() {
        return Cow::Borrowed(text);
    }
    // What is written in two alphabets, or in look-alikes alone, is meant to be read as Latin.
    let is_mixed = || mentci_expr::normalize(word).contains(|c: char| c.is_ascii_alphabetic());
    let mut letters = word.chars().filter(|c| c.is_alphabetic()).peekable();
    let is_latin = letters.peek().is_some() && (letters.all(|c| latin(c).is_some()) || is_mixed());
    if !is_latin {
        return Cow::Borrowed(text);
    }
    let plain: String = word.chars().map(|c| latin(c).unwrap_or(c)).collect();
    Cow::Owned(mentci_expr::normalize(&plain) + &text[word.len()..])
}

/// The Latin letter that a letter of the Cyrillic, Greek or Armenian alphabet looks like, in this or in the other case.
fn latin(c: char) -> Option<char> {
    let found = LOOK_ALIKES.iter().find(|(_, others)| others.contains(c));
    found.map(|(letter, _)| *letter)
}

const LOOK_ALIKES: &[(char, &str)] = &[
    ('a', "\u{430}\u{410}\u{3b1}\u{391}\u{251}"),
    ('b', "\u{432}\u{412}\u{392}\u{3b2}\u{42c}\u{44c}"),
    ('c', "\u{441}\u{421}\u{3f2}\u{3f9}"),
    ('d', "\u{501}\u{500}"),
    ('e', "\u{435}\u{415}\u{395}\u{3b5}\u{451}\u{401}"),
    ('g', "\u{261}\u{581}"),
    ('h', "\u{43d}\u{41d}\u{4bb}\u{4ba}\u{397}\u{570}"),
    ('i', "\u{456}\u{406}\u{3b9}\u{399}\u{131}\u{457}"),
    ('j', "\u{458}\u{408}\u{3f3}"),
    ('k', "\u{43a}\u{41a}\u{3ba}\u{39a}"),
    ('l', "\u{4cf}\u{4c0}"),
    ('m', "\u{43c}\u{41c}\u{39c}"),
    ('n', "\u{39d}\u{3b7}\u{578}\u{57c}"),
    ('o', "\u{43e}\u{41e}\u{3bf}\u{39f}\u{3c3}\u{585}"),
    ('p', "\u{440}\u{420}\u{3c1}\u{3a1}"),
    ('q', "\u{51b}\u{51a}\u{566}"),
    ('s', "\u{455}\u{405}\u{54f}"),
    ('t', "\u{442}\u{422}\u{3c4}\u{3a4}"),
    ('u', "\u{3c5}\u{57d}"),
    ('v', "\u{3bd}\u{474}\u{475}"),
    ('w', "\u{51d}\u{51c}\u{461}"),
    ('x', "\u{445}\u{425}\u{3c7}\u{3a7}"),
    ('y', "\u{443}\u{423}\u{3b3}\u{3a5}"),
    ('z', "\u{396}"),
];
