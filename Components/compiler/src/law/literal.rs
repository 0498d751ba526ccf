//! What must survive verbatim.

use super::word::{Word, WordKind};

/// The literals among words: code, quotations, numbers, paths and names with marks in them.
pub(crate) fn literals(words: &[Word], text: &str) -> Vec<String> {
    words.iter().filter_map(|word| literal(word, &text[word.range.clone()])).collect()
}

fn literal(word: &Word, written: &str) -> Option<String> {
    match word.kind {
        WordKind::Code => Some(written.trim().to_owned()).filter(|code| !code.is_empty()),
        WordKind::Quote => Some(written.trim_matches(['"', '“', '”']).to_owned()),
        WordKind::Plain => {
            let marked = written.contains(|c: char| {
                c.is_ascii_digit() || matches!(c, '/' | '_' | '\\' | '<' | '>' | '{' | '=' | '#')
            });
            (marked && written.chars().any(char::is_alphanumeric)).then(|| written.to_owned())
        }
        WordKind::Mark => None,
    }
}
