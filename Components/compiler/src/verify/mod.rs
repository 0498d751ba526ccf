//! Whether a shorter line says what the norm says: the judge of every line that a language model proposes.
//!
//! 1. **Shape** ([`shape`]): one line of plain text that poses as nothing else.
//! 2. **Split** ([`piece`]): words, literals, numbers and marks.
//! 3. **Sense** ([`sense`]): what is left when articles and fillers are gone and equivalent phrases are one ([`phrases`]).
//! 4. **Compare**: both senses are the same, word by word and in the same order; what differs names the refusal ([`differ`]).
//!
//! INVARIANT (nothing invented): every word of an accepted line is a word of what it states, in its order, or stands for it in the
//! table of phrases; every word that is missing is a filler, or a reason at the end that orders nothing. What is not known to be
//! harmless is refused: a refused line costs some tokens, an accepted wrong one costs the law.
//!
//! Knows nothing about models: a line is judged alike wherever it comes from.

mod actor;
mod clause;
mod differ;
mod doing;
mod head;
mod instead;
mod leading;
mod limit;
mod measure;
mod noun;
mod numeral;
mod phrases;
mod piece;
mod reader;
mod refusal;
mod reword;
mod sense;
mod series;
mod shape;
mod tail;
mod words;

pub use measure::numbers;
pub use refusal::{Refusal, RefusalReason};

use mentci_authority::Level;

use crate::budget::tokens;
use sense::Sense;

/// What is to be stated: the deterministic line, and what of it is verbatim.
#[derive(Debug, Clone, Copy)]
pub struct Original<'a> {
    /// The deterministic line.
    pub text: &'a str,
    /// Its level and polarity; none for a lesson that stands as an exception.
    pub level: Option<Level>,
    /// What must survive verbatim.
    pub literals: &'a [String],
}

/// Accepts `line` as a shorter form of `original`, or says why not.
///
/// ```
/// use mentci_authority::Level;
/// use mentci_compiler::{Original, RefusalReason, verify};
///
/// let text = "You must always run the tests prior to pushing to `main`";
/// let original = Original { text, level: Some(Level::Must), literals: &["main".to_owned()] };
/// assert!(verify(&original, "Run tests before pushing to `main`").is_ok());
///
/// let refused = verify(&original, "Run tests after pushing to `main`").unwrap_err();
/// assert_eq!(refused.reason, RefusalReason::Order);
/// ```
///
/// # Errors
/// The first thing that is wrong with it, the gravest first.
pub fn verify(original: &Original<'_>, line: &str) -> Result<(), Refusal> {
    if line == original.text {
        return Err(Refusal::of(RefusalReason::Same));
    }
    shape::check(original.text, line)?;
    let told = Sense::of(line, original);
    let meant = Sense::of(original.text, original);
    if !meant.is_said_by(&told) {
        return Err(differ::differ(&meant, &told));
    }
    let (before, after) = (tokens(original.text), tokens(line));
    if after >= before || line.chars().count() > original.text.chars().count() {
        let words = format!("{before} tokens became {after}");
        return Err(Refusal { reason: RefusalReason::NotShorter, detail: words });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
