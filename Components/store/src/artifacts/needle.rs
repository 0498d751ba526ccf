//! What is sought: a text as it stands, and its words.

use std::ops::Range;

use memchr::memmem::Finder;

/// So much of a query counts.
const MOST_BYTES: usize = 512;

/// So many words of a query count.
const MOST_WORDS: usize = 16;

/// A query. Every sign of it is text; letters match in either case.
pub(crate) struct Needle {
    literal: Finder<'static>,
    words: Vec<Finder<'static>>,
}

/// How well a line matches: the whole query is better than any number of words, and long words are better than short ones.
pub(crate) type Score = usize;

/// The score of a line that holds the whole query.
pub(crate) const WHOLE: Score = usize::MAX;

impl Needle {
    /// None for a query without any sign.
    pub(crate) fn of(query: &str) -> Option<Self> {
        let query = lower(cut(query.trim()).as_bytes());
        // OK because letters of a text are replaced by letters.
        let query = String::from_utf8_lossy(&query);
        if query.is_empty() {
            return None;
        }
        let mut words: Vec<&str> = query.split_whitespace().take(MOST_WORDS).collect();
        words.sort_unstable();
        words.dedup();
        let literal = Finder::new(&*query).into_owned();
        Some(Self { literal, words: words.into_iter().map(|word| Finder::new(word).into_owned()).collect() })
    }

    /// The longest text that is sought.
    pub(crate) fn len(&self) -> usize {
        self.literal.needle().len()
    }

    /// Whether anything is found in a text in lower case.
    pub(crate) fn is_in(&self, lower: &[u8]) -> bool {
        self.words.iter().any(|word| word.find(lower).is_some())
    }

    /// How well a line in lower case matches, and where; what begins at `end` or behind does not count.
    pub(crate) fn find(&self, lower: &[u8], end: usize) -> Option<(Score, Range<usize>)> {
        if let Some(at) = self.literal.find(lower).filter(|at| *at < end) {
            return Some((WHOLE, at..at + self.len()));
        }
        let found = |word: &Finder<'_>| {
            let length = word.needle().len();
            word.find(lower).filter(|at| *at < end).map(|at| (length, at..at + length))
        };
        let mut found: Vec<(usize, Range<usize>)> = self.words.iter().filter_map(found).collect();
        let score = found.iter().map(|(length, _)| length).sum();
        found.sort_by_key(|(length, range)| (std::cmp::Reverse(*length), range.start));
        found.into_iter().next().map(|(_, range)| (score, range))
    }

    /// The query for an index of words: each word a phrase, so that no sign of it is syntax. None without a letter or digit.
    pub(crate) fn phrases(&self, joint: &str) -> Option<String> {
        let word = |finder: &Finder<'_>| {
            let word = String::from_utf8_lossy(finder.needle()).replace('\0', " ");
            word.chars().any(char::is_alphanumeric).then(|| format!("\"{}\"", word.replace('"', "\"\"")))
        };
        let phrases: Vec<String> = self.words.iter().filter_map(word).collect();
        (!phrases.is_empty()).then(|| phrases.join(joint))
    }
}

/// The text in lower case, each letter in its place, and the sigma that ends a word as any other: one whose other case takes more or fewer bytes stays as it is, and so do
/// bytes that are no text.
pub(crate) fn lower(text: &[u8]) -> Vec<u8> {
    let mut lower = text.to_ascii_lowercase();
    if text.is_ascii() {
        return lower;
    }
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let place = at..at + letter.len_utf8();
            at = place.end;
            let mut cases = letter.to_lowercase().filter(|_| !letter.is_ascii());
            if let (Some(small), None) =
                (cases.next().map(|small| if small == 'ς' { 'σ' } else { small }), cases.next())
                && small.len_utf8() == place.len()
            {
                small.encode_utf8(&mut lower[place]);
            }
        }
        at += chunk.invalid().len();
    }
    lower
}

fn cut(query: &str) -> &str {
    &query[..query.floor_char_boundary(MOST_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_is_text() {
        let phrases = |query: &str| Needle::of(query).and_then(|needle| needle.phrases(" AND "));
        assert_eq!(phrases("src/main.rs:12").as_deref(), Some("\"src/main.rs:12\""));
        assert_eq!(phrases("a\"b NEAR(").as_deref(), Some("\"a\"\"b\" AND \"near(\""));
        assert_eq!((phrases("* - \" ("), phrases(" ")), (None, None));
    }

    #[test]
    fn letters_match_in_either_case_and_stay_in_their_places() {
        let lowered = |text: &str| String::from_utf8(lower(text.as_bytes())).unwrap();
        for (text, wanted) in [
            ("Ошибка БАЗЫ", "ошибка базы"),
            ("Über GRÖSSE", "über grösse"),
            ("İ ẞ ﬀ", "İ ẞ ﬀ"),
            ("日本", "日本"),
            ("ΛΟΓΟΣ λόγος", "λογοσ λόγοσ"),
        ] {
            assert_eq!(lowered(text), wanted);
        }
        assert_eq!(lower(b"\xff\xd0A\xd0\x91"), b"\xff\xd0a\xd0\xb1");
        let found =
            |query: &str, text: &str| Needle::of(query).unwrap().find(&lower(text.as_bytes()), 99).is_some();
        assert!(found("базой", "соединения с Базой") && found("ÜBER", "über Größe"));
    }

    #[test]
    fn the_whole_query_is_better_than_its_words() {
        let needle = Needle::of("failed to link").unwrap();
        let score = |line: &str| needle.find(line.as_bytes(), line.len()).map(|(score, _)| score);
        assert_eq!(score("it failed to link"), Some(WHOLE));
        assert_eq!(score("to link: failed"), Some(12));
        assert_eq!(score("failed"), Some(6));
        assert_eq!(score("well"), None);
    }
}
