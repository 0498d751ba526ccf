//! What a large content says in short, by what it is.

mod binary;
mod code;
mod diff;
mod json;
mod json_lines;
mod kind;
mod lines;
mod log;
mod plain;
mod prose;
mod sample;
mod search;
mod table;
mod trace;

use mentci_tokens::Tokenizer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use kind::ContentKind;
pub(crate) use lines::cut;

use lines::Lines;

/// What a content says in short. Extractive: every line of it stands in the content, but for counts, shapes and names of
/// parts; lines are cut to 160 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// What the content is.
    pub kind: ContentKind,
    /// `text/plain`, `application/json`.
    pub mime_type: String,
    /// What it says: at most a third of the content's bytes, and of no more tokens than were asked for.
    pub text: String,
}

/// What a text says in short, in at most so many tokens; in linear time. Of a text that is shorter than any summary of it,
/// its beginning.
///
/// ```
/// use mentci_context::{ContentKind, summarize};
/// let log = "10:00:01 INFO started\n".repeat(500) + "10:09:00 ERROR disk full\n10:09:01 INFO stopped\n";
/// let summary = summarize(&log, 200, &mentci_tokens::Bytes);
/// assert_eq!(summary.kind, ContentKind::Log);
/// assert!(summary.text.contains("ERROR disk full") && summary.text.len() <= 200);
/// ```
pub fn summarize(text: &str, tokens: usize, tokenizer: &dyn Tokenizer) -> Summary {
    let kind = ContentKind::of(text);
    let lines = match kind {
        ContentKind::Json => match json::read(text) {
            Ok(value) => json::summary(&value, text.len()),
            Err(_) => plain::summary(text),
        },
        ContentKind::JsonLines => json_lines::summary(text),
        ContentKind::Diff => diff::summary(text),
        ContentKind::Trace => trace::summary(text),
        ContentKind::Log => log::summary(text),
        ContentKind::Search => search::summary(text),
        ContentKind::Table => table::summary(text),
        ContentKind::Code => code::summary(text),
        ContentKind::Prose => prose::summary(text),
        ContentKind::Text => plain::summary(text),
        ContentKind::Binary => binary::summary(text.as_bytes()),
    };
    fitted(kind, kind.mime_type(text), lines, text, tokens, tokenizer)
}

/// As [`summarize`], of a value and its text, which need not be read again.
pub(crate) fn summarize_value(
    value: &Value,
    text: &str,
    tokens: usize,
    tokenizer: &dyn Tokenizer,
) -> Summary {
    let lines = json::summary(value, text.len());
    fitted(ContentKind::Json, "application/json", lines, text, tokens, tokenizer)
}

/// As [`summarize`], of bytes: binary content is told by its type, its size and its first bytes.
pub fn summarize_bytes(bytes: &[u8], tokens: usize, tokenizer: &dyn Tokenizer) -> Summary {
    if ContentKind::of_bytes(bytes) != ContentKind::Binary {
        return summarize(&String::from_utf8_lossy(bytes), tokens, tokenizer);
    }
    let text = binary::summary(bytes).fit(tokens, bytes.len() / LONGEST_SHARE, tokenizer);
    let mime_type = binary::magic(bytes).unwrap_or("application/octet-stream").to_owned();
    Summary { kind: ContentKind::Binary, mime_type, text }
}

/// A summary takes at most this part of its content's bytes: with its handle beside it, it is shorter still.
const LONGEST_SHARE: usize = 3;

fn fitted(
    kind: ContentKind,
    mime_type: &str,
    lines: Lines,
    content: &str,
    tokens: usize,
    tokenizer: &dyn Tokenizer,
) -> Summary {
    let mut text = lines.fit(tokens, content.len() / LONGEST_SHARE, tokenizer);
    if text.is_empty() {
        // No token is shorter than a byte, so as many bytes as tokens fit.
        text = cut(content, tokens.min(content.len() / LONGEST_SHARE));
    }
    Summary { kind, mime_type: mime_type.to_owned(), text }
}
