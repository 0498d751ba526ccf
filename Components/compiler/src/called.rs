//! Names that are written like words: `ripgrep`, `npm`, `black`. In a norm the backticks tell them; a lesson rarely has any.

use std::collections::BTreeSet;

use crate::law::{is_finite, is_nounish, is_verb};
use crate::words::{is_stop, looks_like_a_name, lowered, tokens};

/// The names of a norm that are written like words: what stands alone between backticks.
pub(crate) fn word_names(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2).map(str::trim);
    let is_word = |name: &&str| {
        let mut found = tokens(name);
        found.next() == Some(*name) && found.next().is_none()
    };
    let words = quoted.filter(is_word).filter(|name| name.contains(char::is_alphabetic));
    words.filter(|name| !looks_like_a_name(name)).map(|name| lowered(name).into_owned()).collect()
}

/// The condition of a lesson, and which words in it can be names.
#[derive(Debug)]
pub(crate) struct Told {
    /// Every word, in lower case.
    words: BTreeSet<String>,
    /// What stands between backticks.
    quoted: BTreeSet<String>,
    /// The word of which it tells something.
    subject: Option<String>,
}

impl Told {
    /// Reads a condition.
    pub(crate) fn of(condition: &str) -> Self {
        let words: Vec<String> = tokens(condition).map(plain).collect();
        Self {
            quoted: word_names(condition),
            subject: subject(&words).map(str::to_owned),
            words: words.into_iter().collect(),
        }
    }

    /// Whether the condition means this name. A name that is a common word as well (`test`, `black`) must be what it tells of, or
    /// stand in backticks.
    pub(crate) fn means(&self, name: &str) -> bool {
        let is_subject = || self.subject.as_deref() == Some(name);
        self.quoted.contains(name) || self.words.contains(name) && (!is_common(name) || is_subject())
    }
}

/// In lower case, and without what makes it a possessive.
fn plain(token: &str) -> String {
    let lower = lowered(token);
    let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("\u{2019}s"));
    bare.unwrap_or(&lower).to_owned()
}

/// The word that a condition opens with, without an article, in front of its verb: `black breaks the notebook`; not in `black boxes
/// fail` or `the test fails`.
fn subject(words: &[String]) -> Option<&str> {
    let mut said = words.iter().map(String::as_str).skip_while(|word| OPENING.contains(word));
    let subject = said.next()?;
    let (verb, object) = (said.next(), said.next());
    verb.is_none_or(|verb| tells(verb, object)).then_some(subject)
}

/// Whether a word behind a subject is its verb. `files` and `tests` are so only in front of an object.
fn tells(word: &str, object: Option<&str>) -> bool {
    let bases = ["s", "es", "ed", "d"].into_iter().filter_map(|ending| word.strip_suffix(ending));
    let has_object = || object.is_none_or(|word| OBJECTS.contains(&word));
    let mut verbs = bases.filter(|base| is_verb(base));
    BEHIND.contains(&word) || is_finite(word) || verbs.any(|base| !is_nounish(base) || has_object())
}

/// Whether a name is a word of plain English as well.
fn is_common(name: &str) -> bool {
    let is_letter = name.chars().nth(1).is_none();
    is_letter
        || is_stop(name)
        || is_verb(name)
        || is_nounish(name)
        || is_finite(name)
        || COMMON.split_whitespace().any(|word| word == name)
}

/// Words in front of the subject of a condition.
const OPENING: &[&str] =
    &["after", "as", "because", "before", "if", "once", "since", "when", "whenever", "while"];

/// Words behind a subject beside verbs.
const BEHIND: &[&str] = &[
    "also", "always", "and", "at", "can", "can't", "cannot", "could", "crashed", "crashes", "doesn't", "for",
    "from", "hangs", "hung", "in", "isn't", "may", "might", "misses", "must", "needs", "never", "no", "not",
    "now", "often", "on", "only", "or", "over", "should", "still", "under", "wasn't", "will", "with",
    "without", "won't", "would",
];

/// Words that open an object.
const OBJECTS: &[&str] = &[
    "a", "all", "an", "any", "each", "every", "its", "my", "no", "our", "some", "that", "the", "these",
    "this",
];

/// Words that are names of commands, branches, folders, fields and values, and words all the same, beside verbs.
const COMMON: &str = include_str!("called/common.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_a_common_word_must_be_what_is_spoken_of() {
        // a norm's text, a condition, whether the condition means the norm's name
        let table = [
            ("Fetch with `wget`", "the proxy breaks wget", true),
            ("Fetch with `wget`", "Wget's cache is full", true),
            ("Fetch with `wget`", "curl breaks", false),
            ("Start it with `podman-compose`", "podman-compose needs a login", true),
            ("Start it with `podman-compose`", "podman needs a login", false),
            ("Call `build` first", "the build is slow", false),
            ("Call `build` first", "build is slow", true),
            ("Call `build` first", "build hangs", true),
            ("Call `build` first", "when `build` is slow", true),
            ("Call `build` first", "build files are missing", false),
            ("Style it with `black`", "black boxes fail", false),
            ("Style it with `black`", "if black changes the header", true),
            ("Style it with `black`", "the screen is black", false),
            ("Compile with `make`", "make fails on a mac", true),
            ("Compile with `make`", "you make a mistake", false),
            ("Compile with `make all`", "make fails", false),
            ("Keep `x` sorted", "the axis x is too long", false),
        ];
        for (norm, condition, means) in table {
            let told = Told::of(condition);
            assert_eq!(word_names(norm).iter().any(|name| told.means(name)), means, "{norm} / {condition}");
        }
    }
}
