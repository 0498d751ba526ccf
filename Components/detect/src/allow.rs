//! What is never taken for a hit.

use std::collections::BTreeSet;

use regex::Regex;

use crate::{CustomError, Hit, custom};

/// False positives, as a person told of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowed {
    texts: BTreeSet<String>,
    patterns: Vec<Regex>,
}

impl Allowed {
    /// Texts as they stand, and patterns that mean the whole of a hit.
    pub(crate) fn new(
        texts: impl IntoIterator<Item = String>,
        patterns: &[String],
    ) -> Result<Self, CustomError> {
        let whole = |pattern: &String| {
            let reason = |error: regex::Error| custom::reason(&error);
            let refused = |error| CustomError::Regex { name: pattern.clone(), reason: reason(error) };
            // The pattern is read by itself first, so that none closes the group that holds it.
            custom::build(pattern).and_then(|_| custom::build(&format!("^(?:{pattern})$"))).map_err(refused)
        };
        let patterns = patterns.iter().map(whole).collect::<Result<_, _>>()?;
        Ok(Self { texts: texts.into_iter().collect(), patterns })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.patterns.is_empty()
    }

    /// The hits that nothing allows.
    pub(crate) fn others(&self, text: &str, mut hits: Vec<Hit>) -> Vec<Hit> {
        if !self.is_empty() {
            hits.retain(|hit| !text.get(hit.span.clone()).is_some_and(|words| self.has(words)));
        }
        hits
    }

    fn has(&self, words: &str) -> bool {
        self.texts.contains(words) || self.patterns.iter().any(|pattern| pattern.is_match(words))
    }
}
