//! Turns answers into what may be kept.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mentci_authority::inexact;
use mentci_detect::{Detector, Kind};
use mentci_tokens::Tokenizer;
use serde_json::{Value, json};

use super::content::artifact;
use super::{AlignOptions, Aligned, AlignedStatus, RedactedPart, depth, pairs, terminal};
use crate::summary::{cut, summarize_value};
use crate::{ContentKind, SchemaError, SchemaRegistry, Summary, summarize, summarize_bytes};

/// The most places that are told of what was redacted.
const MOST_PLACES: usize = 64;

/// Turns what tools answer into what may be kept: redacted first, over keys and values, before anything else is derived;
/// then checked against the tool's schema, summarised by its type, and moved into an artifact when it is large.
///
/// Deterministic: the same answer, options and time give the same bytes.
///
/// ```
/// use std::sync::Arc;
/// use mentci_context::{AlignOptions, AlignedStatus, PerceptionAligner, SchemaRegistry};
/// use serde_json::json;
/// let tokens = Arc::new(mentci_tokens::Bytes);
/// let aligner = PerceptionAligner::new(AlignOptions::default(), SchemaRegistry::default(), tokens).unwrap();
/// let kept = aligner.normalize("login", &json!({"user": "ann", "password": "correct-horse-7"}), 0.0);
/// assert_eq!((kept.status, kept.value), (AlignedStatus::Ok, json!({"user": "ann", "password": "[SECRET]"})));
/// assert_eq!(kept.redactions[0].place, "/password");
/// ```
#[derive(Clone)]
pub struct PerceptionAligner {
    options: AlignOptions,
    detector: Detector,
    schemas: SchemaRegistry,
    tokenizer: Arc<dyn Tokenizer>,
}

impl PerceptionAligner {
    /// An aligner.
    ///
    /// # Errors
    /// - What is wrong with an option, in words: a kind that is not known, a pattern that does not read or is not linear.
    pub fn new(
        options: AlignOptions,
        schemas: SchemaRegistry,
        tokenizer: Arc<dyn Tokenizer>,
    ) -> Result<Self, String> {
        let detector =
            Detector::new(options.kinds()?, options.customs()).map_err(|error| error.to_string())?;
        let detector = detector
            .allowing(options.allow.iter().cloned(), &options.allow_patterns)
            .map_err(|error| error.to_string())?;
        Ok(Self { options, detector, schemas, tokenizer })
    }

    /// An aligner that counts bytes and no tokens: it loads nothing.
    ///
    /// # Errors
    /// - as [`Self::new`].
    pub fn by_bytes(options: AlignOptions, schemas: SchemaRegistry) -> Result<Self, String> {
        Self::new(options, schemas, Arc::new(mentci_tokens::Bytes))
    }

    /// What is kept of an answer that came at this time (seconds since 1970 UTC). A plain text is a JSON string.
    pub fn normalize(&self, tool: &str, raw: &Value, at: f64) -> Aligned {
        if depth::is_too_deep(raw) {
            return too_deep();
        }
        self.normalize_owned(tool, raw.clone(), at)
    }

    /// As [`Self::normalize`], of an answer that nobody needs any more: it is not copied.
    pub fn normalize_owned(&self, tool: &str, raw: Value, at: f64) -> Aligned {
        if depth::is_too_deep(&raw) {
            depth::take_apart(raw);
            return too_deep();
        }
        let is_valid = self.schemas.validate(tool, &raw).valid;
        let redacted = pairs::redact(&self.detector, raw);
        let redactions = parts(&redacted.hits);
        let errors = if is_valid { Vec::new() } else { self.errors(tool, &redacted.value, &redacted.hits) };
        let status = if is_valid { AlignedStatus::Ok } else { AlignedStatus::Invalid };
        Aligned { status, errors, redactions, ..self.keep(tool, redacted.value, at) }
    }

    /// As [`Self::normalize`], of an answer whose text says more than what was read of it (digits, keys that stand twice): the text
    /// itself is kept where it is large, or where digits would be lost; but for one that holds something to redact.
    pub fn normalize_told(&self, tool: &str, raw: &Value, told: Option<&str>, at: f64) -> Aligned {
        let aligned = self.normalize(tool, raw, at);
        let is_meant = |text: &&str| self.is_large(text) && terminal::printed(raw).is_none();
        match told.filter(|text| is_meant(text) || inexact(raw).is_some()) {
            Some(text) if aligned.redactions.is_empty() && !self.detector.has_any(text) => {
                let Aligned { status, errors, .. } = aligned;
                Aligned { status, errors, ..self.keep(tool, Value::String(text.to_owned()), at) }
            }
            _ => aligned,
        }
    }

    /// What is kept of an answer that came as bytes. What becomes an artifact keeps every byte but those of a secret; what
    /// stays in the answer is text, in which what is no UTF-8 is read as U+FFFD, with a note.
    pub fn normalize_bytes(&self, tool: &str, raw: &[u8], at: f64) -> Aligned {
        let is_binary = ContentKind::of_bytes(raw) == ContentKind::Binary;
        if let (false, Ok(text)) = (is_binary, std::str::from_utf8(raw)) {
            return self.normalize(tool, &Value::String(text.to_owned()), at);
        }
        let redacted = self.detector.redact_bytes(raw);
        let text = String::from_utf8_lossy(&redacted.bytes);
        if is_binary || self.is_large(&text) {
            let hits: Vec<_> = redacted.kinds.into_iter().map(|kind| (String::new(), kind)).collect();
            return Aligned { redactions: parts(&hits), ..self.keep_bytes(tool, redacted.bytes, at) };
        }
        let mut aligned = self.normalize(tool, &Value::String(String::from_utf8_lossy(raw).into_owned()), at);
        aligned.notes.push("some bytes are not UTF-8 and are read as U+FFFD".to_owned());
        aligned
    }

    /// What is kept of a text that no schema is asked about: an error, in a tool's own words.
    pub fn align_text(&self, tool: &str, text: &str, at: f64) -> Aligned {
        let redacted = self.detector.redact(text);
        let hits: Vec<_> = redacted.hits.into_iter().map(|hit| (String::new(), hit.kind)).collect();
        let aligned = self.keep(tool, Value::String(redacted.text), at);
        Aligned { redactions: parts(&hits), ..aligned }
    }

    /// The text, redacted.
    pub fn redact_text(&self, text: &str) -> String {
        self.detector.redact(text).text
    }

    /// The value, redacted; one that nests too deep is replaced by a mark.
    pub fn redact_value(&self, value: &Value) -> Value {
        if depth::is_too_deep(value) {
            return too_deep().value;
        }
        pairs::redact(&self.detector, value.clone()).value
    }

    /// What finds what is redacted.
    pub fn detector(&self) -> &Detector {
        &self.detector
    }

    /// The schemas that answers are checked against.
    pub fn schemas(&self) -> &SchemaRegistry {
        &self.schemas
    }

    /// The beginning of a redacted content, for a line.
    pub(crate) fn head(&self, content: &[u8]) -> String {
        cut(&String::from_utf8_lossy(content), self.options.externalize_bytes.min(500))
    }

    /// Where an answer is not what its schema says. Whether it is, the raw answer said, since a mark is a string where a
    /// number was; where it is not, the redacted one says, so that no error quotes what was redacted.
    fn errors(&self, tool: &str, redacted: &Value, hits: &[(String, Kind)]) -> Vec<SchemaError> {
        let places: BTreeSet<&str> = hits.iter().map(|(place, _)| place.as_str()).collect();
        let mut errors = self.schemas.validate(tool, redacted).errors;
        errors.retain(|error| !places.contains(error.path.as_str()));
        if errors.is_empty() {
            errors
                .push(SchemaError::whole("", "the answer is not what its schema says where it is redacted"));
        }
        for error in &mut errors {
            error.path = self.redact_text(&error.path);
            error.message = self.redact_text(&error.message);
        }
        errors
    }

    /// What is kept of a redacted answer: itself, or what stands for it.
    fn keep(&self, tool: &str, value: Value, at: f64) -> Aligned {
        let (is_text, text) = match &value {
            Value::String(text) => (true, Cow::Borrowed(text.as_str())),
            other => (false, Cow::Owned(other.to_string())),
        };
        if !self.is_large(&text) {
            return Aligned { value, ..ok() };
        }
        if let Some(printed) = terminal::printed(&value) {
            return self.keep_printed(tool, printed, at);
        }
        let (tokens, tokenizer) = (self.options.summary_tokens, &*self.tokenizer);
        let summary = if is_text {
            summarize(&text, tokens, tokenizer)
        } else {
            summarize_value(&value, &text, tokens, tokenizer)
        };
        if !self.is_shorter(&summary, text.len()) {
            drop(text);
            return Aligned { value, ..ok() };
        }
        let written = if is_text { None } else { Some(text.into_owned()) };
        let content = match (value, written) {
            (Value::String(text), _) | (_, Some(text)) => text.into_bytes(),
            // OK because what is no text was written just above.
            (_, None) => Vec::new(),
        };
        externalized(artifact(content, &summary, self.source(tool), at), summary)
    }

    /// What is kept of what a command printed.
    fn keep_printed(&self, tool: &str, printed: String, at: f64) -> Aligned {
        let summary = summarize(&printed, self.options.summary_tokens, &*self.tokenizer);
        externalized(artifact(printed.into_bytes(), &summary, self.source(tool), at), summary)
    }

    /// What is kept of redacted content that is no UTF-8.
    fn keep_bytes(&self, tool: &str, content: Vec<u8>, at: f64) -> Aligned {
        let summary = summarize_bytes(&content, self.options.summary_tokens, &*self.tokenizer);
        externalized(artifact(content, &summary, self.source(tool), at), summary)
    }

    /// Where an answer is from. A name that is a secret is kept as the log keeps it.
    fn source(&self, tool: &str) -> String {
        format!("tool:{}", self.detector.redact_name(tool))
    }

    /// Whether what would stand for a content takes fewer bytes than it: with a threshold below what a handle takes, it may not.
    fn is_shorter(&self, summary: &Summary, bytes: usize) -> bool {
        let stands_in = HANDLE + bytes.to_string().len() + summary.mime_type.len() + summary.text.len();
        self.options.externalize_bytes == 0 || stands_in < bytes
    }

    fn is_large(&self, text: &str) -> bool {
        let tokens = self.options.externalize_tokens;
        // No token is shorter than a byte, so a shorter text need not be counted.
        text.len() >= self.options.externalize_bytes
            || text.len() >= tokens && self.tokenizer.count(text) >= tokens
    }
}

/// The bytes of a handle as it is shown, without its length and type: words, id and signs around them.
const HANDLE: usize = "[artifact ,  bytes, ]\n".len() + 64;

/// Nothing to tell yet.
fn ok() -> Aligned {
    Aligned {
        status: AlignedStatus::Ok,
        errors: Vec::new(),
        value: Value::Null,
        summary: None,
        redactions: Vec::new(),
        notes: Vec::new(),
        artifact: None,
    }
}

fn externalized(artifact: mentci_authority::NewArtifact, summary: Summary) -> Aligned {
    // OK because a handle is plain data with text keys: it serialises.
    let handle = serde_json::to_value(&artifact.handle).unwrap_or_default();
    let value = json!({"artifact": handle, "summary": summary.text});
    Aligned { value, summary: Some(summary), artifact: Some(artifact), ..ok() }
}

/// What is kept of a value that nests too deep to be read.
fn too_deep() -> Aligned {
    let error = SchemaError::whole("depth", format!("the answer nests deeper than {} levels", depth::MOST));
    let (status, notes) = (AlignedStatus::Invalid, vec![error.message.clone()]);
    let value = Value::String(format!("[nested deeper than {} levels]", depth::MOST));
    Aligned { status, errors: vec![error], value, notes, ..ok() }
}

/// Hits by place and kind.
fn parts(hits: &[(String, Kind)]) -> Vec<RedactedPart> {
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (place, kind) in hits {
        *counts.entry((place, kind.name())).or_default() += 1;
    }
    let part = |((place, kind), count): ((&str, &str), u64)| RedactedPart {
        place: cut(place, 240),
        kind: kind.to_owned(),
        count,
    };
    counts.into_iter().map(part).take(MOST_PLACES).collect()
}
