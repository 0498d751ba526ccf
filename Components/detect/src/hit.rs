//! What was found, and what is left when it is taken out.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use crate::Kind;

/// One thing found in a text.
///
/// Its span lies on character boundaries and is never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hit {
    /// The bytes that it takes in the text.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// A text with marks where the hits were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Redaction {
    /// The text, with `[EMAIL]` and the like.
    pub text: String,
    /// What was taken out, with its places in the text as it was; in order and apart.
    pub hits: Vec<Hit>,
}

/// Bytes with marks where the hits were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BytesRedaction {
    /// The bytes: those of the marks, and all others as they were.
    pub bytes: Vec<u8>,
    /// What was taken out, in order.
    pub kinds: Vec<Kind>,
}

/// A JSON value with marks where the hits were.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueRedaction {
    /// The value. A number in which something was found has become a string.
    pub value: Value,
    /// Where something was taken out and what: JSON pointers (RFC 6901) into the value as it is now, in its
    /// order, an object's keys before its values.
    pub hits: Vec<(String, Kind)>,
}
