//! What must survive verbatim.

use super::word::{Word, WordKind};

/// The literals among words: code, quotations, numbers, paths and names with marks in them.
pub(crate) fn literals(words: &[Word], text: &str) -> Vec<String> {
    words.iter().filter_map(|word| literal(word, &text[word.range.clone()])).collect()
}

/// Whether a word is one.
pub(crate) fn is_literal(word: &Word) -> bool {
    let marks =
        |c: u8| c.is_ascii_digit() || matches!(c, b'/' | b'_' | b'\\' | b'<' | b'>' | b'{' | b'=' | b'#');
    match word.kind {
        WordKind::Code | WordKind::Quote => true,
        WordKind::Plain => word.lower.bytes().any(marks) && word.lower.chars().any(char::is_alphanumeric),
        WordKind::Mark => false,
    }
}

fn literal(word: &Word, written: &str) -> Option<String> {
    if !is_literal(word) {
        return None;
    }
    let literal = match word.kind {
        WordKind::Code => written.trim(),
        WordKind::Quote => word.lower.trim_matches(['"', '“', '”', '\'', '‘', '’']),
        _ => written,
    };
    (!literal.is_empty()).then(|| literal.to_owned())
}
