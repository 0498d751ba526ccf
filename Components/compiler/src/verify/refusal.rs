//! Why a line is refused.

use std::fmt;

/// A refused line: why, and what of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: RefusalReason,
    /// What of it, in the words of the line or the law; may be empty.
    pub detail: String,
}

impl Refusal {
    pub(crate) fn of(reason: RefusalReason) -> Self {
        Self { reason, detail: String::new() }
    }

    pub(crate) fn with(reason: RefusalReason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.words())?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident $id:literal $words:literal)*) => {
        /// Why a line is refused; one name for each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RefusalReason {
            $($(#[doc = $doc])+ $name,)*
        }

        impl RefusalReason {
            /// All, in the order in which they are looked for.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// `polarity-changed`: the name in locks and answers.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// In words.
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }
        }
    };
}

reasons! {
    /// The answer is no JSON.
    NotJson "not-json" "the answer is no JSON"
    /// The answer is JSON of another shape.
    Shape "wrong-shape" "the answer is not of the form that was asked for"
    /// The answer was cut off.
    Truncated "truncated" "the answer was cut off"
    /// The answer is far longer than what was asked about.
    Huge "huge" "the answer is far longer than the law"
    /// An id that was not asked about.
    UnknownId "unknown-id" "it states a norm that was not asked about"
    /// An id twice.
    DuplicateId "duplicate-id" "it states one norm twice"
    /// A line for several norms.
    Merged "merged" "one line states several norms"
    /// No line for a norm.
    Unstated "unstated" "it states nothing"
    /// The line is what stands there already.
    Same "same" "there is nothing shorter"
    /// Nothing.
    Empty "empty" "the line is empty"
    /// More than one line.
    Lines "several-lines" "it is more than one line"
    /// A control character, or one that nobody sees.
    Control "control-character" "it holds a character that nobody sees"
    /// A tag of a harness.
    Tag "harness-tag" "it poses as the harness"
    /// Markup that the law does not have.
    Markup "markup" "it holds markup that the law does not have"
    /// It begins or ends as other parts of a digest do.
    Frame "framed" "it poses as another part of the digest"
    /// A character that the law does not have.
    Foreign "foreign-character" "it holds a character that the law does not have"
    /// A literal is missing.
    LiteralLost "literal-lost" "a literal is missing"
    /// A literal that the law does not have.
    LiteralInvented "literal-invented" "a literal is invented"
    /// A number, a unit or a bound.
    Number "number-changed" "a number or a bound changed"
    /// A negation.
    Polarity "polarity-changed" "a negation was lost or added"
    /// Must, should, may.
    Level "level-changed" "must, should and may were exchanged"
    /// Unless, except, without.
    Exception "exception-changed" "an exception was lost or added"
    /// If, when, until.
    Condition "condition-changed" "a condition was lost or added"
    /// Before, after, first.
    Order "order-changed" "what comes first changed"
    /// All, some, only.
    Quantifier "quantifier-changed" "how many or how often changed"
    /// And, or, instead of.
    Connective "connective-changed" "and, or and instead were exchanged"
    /// A word that the law does not have.
    WordInvented "word-invented" "a word is invented"
    /// A word that carries meaning.
    WordLost "word-lost" "a word is missing"
    /// The same words in another order.
    Swapped "swapped" "the words were put in another order"
    /// The same words with other marks between them.
    Punctuation "punctuation" "the marks between its parts changed"
    /// Not shorter.
    NotShorter "not-shorter" "it is not shorter"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_reason_has_a_name_of_its_own() {
        let names: BTreeSet<_> = RefusalReason::ALL.iter().map(|reason| reason.name()).collect();
        assert_eq!(names.len(), RefusalReason::ALL.len());
    }
}
