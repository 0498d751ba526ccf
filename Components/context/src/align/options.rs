//! What is redacted, and what is large.

use std::collections::BTreeMap;

use mentci_detect::{Custom, Kind};
use serde::{Deserialize, Serialize};

/// How answers are aligned. Secrets are redacted always.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlignOptions {
    /// What else is redacted, by name: `personal`, `email`, `credit_card`.
    pub redact: Vec<String>,
    /// Patterns of one's own that are redacted: regular expressions by the name that stands in the mark.
    pub patterns: BTreeMap<String, String>,
    /// Texts that are never redacted, as they stand: false positives.
    pub allow: Vec<String>,
    /// Regular expressions of texts that are never redacted; a pattern means the whole of what would be redacted.
    pub allow_patterns: Vec<String>,
    /// From how many bytes an answer is moved out.
    pub externalize_bytes: usize,
    /// From how many tokens an answer is moved out.
    pub externalize_tokens: usize,
    /// The most tokens of a summary.
    pub summary_tokens: usize,
}

impl Default for AlignOptions {
    /// Secrets alone; 1,024 bytes or 300 tokens; summaries of 200 tokens.
    fn default() -> Self {
        let (redact, patterns, allow, allow_patterns) = Default::default();
        let (externalize_bytes, externalize_tokens, summary_tokens) = (1024, 300, 200);
        Self {
            redact,
            patterns,
            allow,
            allow_patterns,
            externalize_bytes,
            externalize_tokens,
            summary_tokens,
        }
    }
}

impl AlignOptions {
    /// The kinds that are looked for: secrets always.
    pub(super) fn kinds(&self) -> Result<Vec<Kind>, String> {
        let mut kinds: Vec<Kind> = Kind::of(mentci_detect::Group::Secrets).collect();
        for name in &self.redact {
            let named = Kind::named(name).map_err(|unknown| match unknown.suggestion {
                Some(near) => format!("{unknown}; did you mean `{near}`?"),
                None => unknown.to_string(),
            })?;
            kinds.extend(named);
        }
        Ok(kinds)
    }

    /// The patterns of one's own.
    pub(super) fn customs(&self) -> Vec<Custom> {
        let custom = |(name, regex): (&String, &String)| Custom { name: name.clone(), regex: regex.clone() };
        self.patterns.iter().map(custom).collect()
    }
}
