//! What is kept of an answer.

use mentci_authority::NewArtifact;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{SchemaError, Summary};

/// Whether an answer is what its tool's schema says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlignedStatus {
    /// It is, or the tool has no schema.
    Ok,
    /// It is not: never a success.
    Invalid,
}

/// A place in which something was redacted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RedactedPart {
    /// Where in the answer: a JSON pointer (RFC 6901) into the redacted value, empty for a plain text; cut to 240 bytes.
    pub place: String,
    /// What it was: `AWS_KEY`, `SECRET`, `EMAIL`.
    pub kind: String,
    /// How often.
    pub count: u64,
}

/// An answer as it may be kept. Nothing of it is raw.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// Whether it is what the tool's schema says.
    pub status: AlignedStatus,
    /// Where it is not, at most 16 places.
    pub errors: Vec<SchemaError>,
    /// The redacted answer; of a large one `{"artifact": handle, "summary": text}`.
    pub value: Value,
    /// What a large answer says in short.
    pub summary: Option<Summary>,
    /// What was redacted, at most 64 places.
    pub redactions: Vec<RedactedPart>,
    /// What is worth knowing of the answer: bytes that were no UTF-8, nesting that was too deep.
    pub notes: Vec<String>,
    /// A large answer's redacted content, to be stored.
    pub artifact: Option<NewArtifact>,
}
