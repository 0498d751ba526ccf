//! A tokenizer by the name of a model.

use crate::{O200k, Tokenizer};

/// Counts for one family of models: as o200k does, or as many times more as its vocabulary is known to need, and never more
/// than there are bytes.
///
/// Only the counts of families that use o200k are exact. The factors of others are rounded up from what their makers and users
/// report for English and code; of text outside ASCII they count up to twice as much, because vocabularies differ most there.
/// They are made to count too many rather than too few. The one sure bound is [`Bytes`](crate::Bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelTokenizer {
    family: &'static str,
    /// Thousandths of o200k's count; none where o200k is exact.
    factor: Option<u64>,
}

/// What is in a model's name, its family, and its factor in thousandths; the first that fits.
const FAMILIES: &[(&str, &str, Option<u64>)] = &[
    ("gpt-4o", "o200k", None),
    ("gpt-4.1", "o200k", None),
    ("gpt-4.5", "o200k", None),
    ("gpt-5", "o200k", None),
    ("gpt-oss", "o200k", None),
    ("gpt-", "cl100k", Some(1_200)),
    ("claude", "claude", Some(1_500)),
    ("gemini", "gemini", Some(1_250)),
    ("gemma", "gemini", Some(1_250)),
    ("llama-2", "llama-2", Some(1_500)),
    ("llama", "llama", Some(1_250)),
    ("qwen", "qwen", Some(1_250)),
    ("mistral", "mistral", Some(1_500)),
    ("mixtral", "mistral", Some(1_500)),
    ("codestral", "mistral", Some(1_500)),
    ("devstral", "mistral", Some(1_500)),
    ("deepseek", "deepseek", Some(1_250)),
    ("glm", "glm", Some(1_250)),
    ("kimi", "kimi", Some(1_250)),
    ("grok", "grok", Some(1_500)),
];

/// The factor of a model that nobody knows.
const UNKNOWN: ModelTokenizer = ModelTokenizer { family: "unknown", factor: Some(2_000) };

/// The tokenizer of a model, by its name as a provider spells it, in any case. Loads nothing.
///
/// ```
/// use mentci_tokens::{Tokenizer, for_model, o200k};
/// let text = "Never edit generated code.";
/// assert!(for_model("gpt-5-mini").is_exact());
/// assert_eq!(for_model("openai/gpt-5-mini").count(text), o200k().count(text));
/// assert_eq!(for_model("claude-opus-4").count(text), 8);
/// assert_eq!(for_model("someone's own").family(), "unknown");
/// ```
pub fn for_model(name: &str) -> ModelTokenizer {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or("");
    if is_o_series(last) {
        return ModelTokenizer { family: "o200k", factor: None };
    }
    let found = FAMILIES.iter().find(|(part, ..)| name.contains(part));
    found.map_or(UNKNOWN, |&(_, family, factor)| ModelTokenizer { family, factor })
}

/// `o1`, `o3-mini`, `o4-mini`.
fn is_o_series(name: &str) -> bool {
    let bytes = name.as_bytes();
    matches!(bytes, [b'o', b'1'..=b'9', rest @ ..] if rest.first().is_none_or(|byte| *byte == b'-'))
}

impl ModelTokenizer {
    /// Whether counts are those of the model itself.
    pub fn is_exact(self) -> bool {
        self.factor.is_none()
    }

    /// `o200k`, `claude`; `unknown` for a name that no family has. Counts of one family hold for all its models.
    pub fn family(self) -> &'static str {
        self.family
    }

    /// How many times o200k's count is counted for ASCII text, in thousandths: 1,000 where that is exact.
    pub fn thousandths(self) -> u64 {
        self.factor.unwrap_or(1_000)
    }
}

impl Tokenizer for ModelTokenizer {
    fn count(&self, text: &str) -> usize {
        let count = O200k.count(text);
        let Some(factor) = self.factor else { return count };
        let foreign = text.bytes().filter(|byte| !byte.is_ascii()).count() as u128;
        let bytes = (text.len() as u128).max(1);
        // The factor, and as much again for the share of text outside ASCII.
        let scaled = (count as u128 * u128::from(factor) * (bytes + foreign)).div_ceil(1_000 * bytes);
        usize::try_from(scaled).unwrap_or(usize::MAX).min(text.len())
    }
}
