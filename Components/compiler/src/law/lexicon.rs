//! The words that reading turns on. Lists, not cleverness: a word that is missing is added to its list in `lexicon/`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::word::{Word, WordKind};

/// A list of words in lower case.
pub(crate) struct WordList(LazyLock<HashSet<&'static str>>);

impl WordList {
    /// Whether the list holds this word.
    pub(crate) fn has(&self, lower: &str) -> bool {
        self.0.contains(lower)
    }
}

impl Word {
    /// Whether it is a plain word of this list.
    pub(crate) fn among(&self, list: &WordList) -> bool {
        self.kind == WordKind::Plain && list.has(&self.lower)
    }
}

macro_rules! lists {
    ($($(#[doc = $doc:literal])+ $name:ident $file:literal)*) => {
        $($(#[doc = $doc])+
        pub(crate) static $name: WordList =
            WordList(LazyLock::new(|| include_str!(concat!("lexicon/", $file, ".txt")).split_whitespace().collect()));)*
    };
}

lists! {
    /// Verbs that open an order when they stand first.
    VERBS "verbs"
    /// Of these, the words that are as often nouns or adjectives: they order only when what follows reads like an object.
    NOUNISH "nounish"
    /// Words after a nounish word that make it an order: what follows is an object or an adverbial.
    OBJECT_STARTS "object_starts"
    /// Finite verbs: a clause that holds one after its subject tells, it does not order.
    FINITE "finite"
    /// Verbs in the third person that are as often plural nouns: finite only in front of an object.
    FINITE_OR_PLURAL "finite_or_plural"
    /// Subjects that tell: a clause that opens with one of them orders nothing by itself.
    SUBJECTS "subjects"
    /// Words that open a condition.
    CONDITIONS "conditions"
    /// Words that open a sentence without changing what it orders.
    CONNECTIVES "connectives"
    /// Words whose loss changes nothing.
    FILLERS "fillers"
    /// Determiners: a word that is no known verb and stands first in front of one is a verb all the same.
    DETERMINERS "determiners"
}

/// Whether this is the base form of a known verb, or of one with `re-` before it.
pub(crate) fn is_verb(lower: &str) -> bool {
    let again =
        || lower.strip_prefix("re-").or_else(|| lower.strip_prefix("re")).filter(|base| base.len() > 3);
    VERBS.has(lower) || again().is_some_and(|base| VERBS.has(base))
}

/// Whether a verb is as often a noun.
pub(crate) fn is_nounish(lower: &str) -> bool {
    NOUNISH.has(lower)
}
