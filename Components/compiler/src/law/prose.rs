//! A paragraph in words.

use std::ops::Range;

use mentci_reader::markdown::RichText;
use mentci_source::Span;

use super::condense::{condense, render};
use super::literal::literals;
use super::word::{Word, WordKind, split_words};

/// A paragraph in words.
pub(crate) struct Prose<'b> {
    pub text: &'b RichText,
    pub words: Vec<Word>,
}

impl<'b> Prose<'b> {
    pub(crate) fn new(text: &'b RichText) -> Self {
        Self { text, words: split_words(text) }
    }

    pub(crate) fn span(&self, words: &Range<usize>) -> Span {
        let (Some(first), Some(last)) =
            (self.words.get(words.start), self.words.get(words.end.saturating_sub(1)))
        else {
            return Span::default();
        };
        self.text.source_span(first.range.start..last.range.end)
    }

    pub(crate) fn condensed(&self, words: Range<usize>) -> String {
        condense(&self.words[words], self.text.as_str())
    }

    /// Condensed, with a small first letter; what is code or a quotation keeps its own.
    pub(crate) fn lowered(&self, words: Range<usize>) -> String {
        let condensed = self.condensed(words.clone());
        let literal = self.words[words].iter().any(|word| {
            matches!(word.kind, WordKind::Code | WordKind::Quote)
                && condensed
                    .trim_start_matches('`')
                    .starts_with(self.text.as_str()[word.range.clone()].trim())
        });
        if literal { condensed } else { lower_first(&condensed) }
    }

    pub(crate) fn verbatim(&self, words: Range<usize>) -> String {
        render(&self.words[words].iter().collect::<Vec<_>>(), self.text.as_str())
    }

    pub(crate) fn literals(&self, words: Range<usize>) -> Vec<String> {
        literals(&self.words[words], self.text.as_str())
    }
}

/// Small first letter, unless the first word is a name.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let (Some(first), Some(second)) = (chars.next(), chars.clone().next()) else { return text.to_owned() };
    let named =
        text.split_whitespace().next().is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()));
    if first.is_uppercase() && second.is_lowercase() && !named {
        first.to_lowercase().chain(chars).collect()
    } else {
        text.to_owned()
    }
}
