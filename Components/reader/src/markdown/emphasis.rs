//! Marks that emphasise, and marks that are letters of a name: `__init__.py`, `src/*.rs … tests/*.ts`, `__all__`.
//!
//! The parser pairs such marks as it does any other. Who wrote a path or an identifier meant its letters, and so does who reads the
//! file as it stands.

use std::ops::Range;

/// What may be stressed with `__`, and is no name.
const STRESSED: &[&str] = &[
    "not",
    "never",
    "no",
    "always",
    "must",
    "only",
    "should",
    "shall",
    "may",
    "can",
    "cannot",
    "do",
    "don",
    "and",
    "or",
    "any",
    "every",
    "each",
    "none",
    "before",
    "after",
    "very",
    "both",
    "is",
    "are",
    "note",
    "important",
    "warning",
];

/// What stands around the marks at the two ends of an emphasised piece.
struct Ends<'t> {
    mark: char,
    inner: &'t str,
    before: Option<char>,
    after: &'t str,
}

/// Whether the marks at both ends of `range`, `width` bytes each, are letters of a path or an identifier.
pub(super) fn is_of_name(text: &str, range: &Range<usize>, width: usize) -> bool {
    let Some(whole) = text.get(range.clone()).filter(|whole| whole.len() > 2 * width) else { return false };
    let Some(inner) = whole.get(width..whole.len() - width) else { return false };
    let Some(mark) = whole.chars().next().filter(|mark| matches!(mark, '*' | '_')) else { return false };
    let ends =
        Ends { mark, inner, before: text[..range.start].chars().next_back(), after: &text[range.end..] };
    ends.names_field()
        || ends.open_in_path()
        || ends.close_in_path()
        || ends.are_globs(width)
        || ends.are_dunder(width)
}

impl Ends<'_> {
    fn first(&self) -> Option<char> {
        self.inner.chars().next()
    }

    fn last(&self) -> Option<char> {
        self.inner.chars().next_back()
    }

    /// `the _Boundary:_ lines`: in the middle of a sentence, the label of a field as it is written.
    fn names_field(&self) -> bool {
        let name = self.inner.strip_suffix(':').unwrap_or_default();
        self.mark == '_'
            && self.before == Some(' ')
            && name.starts_with(char::is_uppercase)
            && name.chars().all(|c| c.is_alphanumeric() || c == ' ')
            && self.after.strip_prefix(' ').is_some_and(|after| after.starts_with(char::is_lowercase))
    }

    /// `src/*.rs`, `2*3*4`: a mark in the middle of a path, or between digits.
    fn open_in_path(&self) -> bool {
        let names = self.first().is_some_and(char::is_alphanumeric);
        match self.before {
            Some('/' | '\\') => !names,
            Some(before) if before.is_ascii_digit() => names && self.mark == '*',
            _ => false,
        }
    }

    /// `__init__.py`, `tests/*.ts`, `__tests__/`: the word goes on behind the mark.
    fn close_in_path(&self) -> bool {
        let mut after = self.after.chars();
        let ends_name = self.last().is_some_and(char::is_alphanumeric);
        match after.next() {
            // `*this*.Then` lacks a space.
            Some('.') => after.next().is_some_and(|next| next.is_ascii_lowercase() || next.is_ascii_digit()),
            Some('/' | '\\') => self.mark == '_' || !ends_name,
            Some('(' | '[' | '=') => self.mark == '_',
            _ => false,
        }
    }

    /// `*.rs, tests/*`, `*_test.go and foo_*`: what stands between is no phrase, but the ends of two patterns.
    fn are_globs(&self, width: usize) -> bool {
        let spaced = self.inner.contains(char::is_whitespace);
        let suffix = self.inner.starts_with('.')
            && self.inner[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let (opens, closes) = (self.inner.starts_with('_'), self.inner.ends_with('_'));
        let parted = opens != closes || opens && self.inner.split_whitespace().any(names_file);
        let cut = self.inner.ends_with(['/', '\\']);
        // `tow-*, haul-*`
        let prefix = self.before.is_some_and(|before| matches!(before, '-' | '_' | '.'))
            && self.inner.starts_with([',', ';', ')']);
        self.mark == '*' && (spaced && cut || width == 1 && (suffix || prefix || spaced && parted))
    }

    /// `__all__`.
    fn are_dunder(&self, width: usize) -> bool {
        let identifier = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        self.mark == '_'
            && width == 2
            && self.inner.chars().all(identifier)
            && !STRESSED.contains(&self.inner)
    }
}

/// `_test.go`, `src/x`.
fn names_file(word: &str) -> bool {
    let dotted = |(at, _): (usize, &str)| word[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric());
    word.contains('/') || word.match_indices('.').any(dotted)
}

#[cfg(test)]
mod tests {
    use super::super::tree;

    fn plain(text: &str) -> String {
        tree::read(text, 0).iter().map(|block| block.text.as_str().to_owned()).collect()
    }

    #[test]
    fn marks_of_paths_and_identifiers_stay() {
        for text in [
            "Use __init__.py for exports.",
            "Never edit src/*.rs or tests/*.ts by hand.",
            "Never import __all__.",
            "Only *.rs, tests/*.ts and lib/*.",
            "Keep src/**/*.rs and tests/**/*.rs apart.",
            "Call __enter__ and __exit__(self) in pairs.",
            "See __tests__/a.ts and __mocks__/b.ts.",
            "Open with a verb (tow-*, haul-*, moor-*).",
            "Match *_test.go and foo_*, or *_test.go, test_*.py.",
            "It is 2*3*4.",
        ] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn marks_that_emphasise_go() {
        for (text, expected) in [
            ("**Never** push *this* and __not__ that.", "Never push this and not that."),
            ("Either *and*/*or* **both**.", "Either and/or both."),
            ("In *src/* only, **.env** too.", "In src/ only, .env too."),
            ("un**frigging**believable ***so***", "unfriggingbelievable so"),
            ("__Never push__ and _always_ pull.", "Never push and always pull."),
            ("**Done**.Then *go*.", "Done.Then go."),
            ("*_Both marks_* and **.x** stay out.", "Both marks and .x stay out."),
        ] {
            assert_eq!(plain(text), expected);
        }
    }
}
