//! Large content outside the log, named by what it is.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The SHA-256 of an artifact's content: 64 lower-case hexadecimal digits as text, nothing else.
///
/// ```
/// use mentci_authority::ArtifactId;
/// assert!("../victim".parse::<ArtifactId>().is_err());
/// let id: ArtifactId = "a".repeat(64).parse()?;
/// assert_eq!(id.to_string(), "a".repeat(64));
/// # Ok::<(), mentci_authority::ArtifactIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ArtifactId([u8; 32]);

/// A text that is no artifact's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactIdError;

impl fmt::Display for ArtifactIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an artifact's id is 64 lower-case hexadecimal digits")
    }
}

impl std::error::Error for ArtifactIdError {}

impl ArtifactId {
    /// The id with this digest.
    pub fn from_bytes(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// The digest.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ArtifactId {
    type Err = ArtifactIdError;

    fn from_str(text: &str) -> Result<Self, ArtifactIdError> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(ArtifactIdError),
        };
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| ArtifactIdError)?;
        let mut digest = [0; 32];
        for (byte, pair) in digest.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(digest))
    }
}

impl From<ArtifactId> for String {
    fn from(id: ArtifactId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ArtifactId {
    type Error = ArtifactIdError;

    fn try_from(text: String) -> Result<Self, ArtifactIdError> {
        text.parse()
    }
}

/// What stands in a context in an artifact's place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArtifactHandle {
    /// What it is.
    pub artifact_id: ArtifactId,
    /// What it says, in short: extractive.
    pub summary: String,
    /// The length of its content in bytes.
    pub size_bytes: u64,
    /// `text/plain`, `application/json`.
    pub mime_type: String,
    /// When it was first stored, in seconds since 1970 UTC.
    pub created_at: f64,
    /// Where it came from: `tool:echo`.
    pub source: String,
}

/// An artifact that is to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewArtifact {
    /// What will stand in its place. Its id is the SHA-256 of the content.
    pub handle: ArtifactHandle,
    /// The content.
    pub content: Vec<u8>,
}

/// Why an artifact could not be had, or not be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactError {
    /// What is stored is not what the id names.
    Tampered(ArtifactId),
    /// The content that is to be stored is not what its id names.
    Misnamed(ArtifactId),
    /// A part that lies outside of the content.
    Range {
        /// The content's length in bytes.
        size_bytes: u64,
    },
    /// Lines that lie outside of the content.
    Lines {
        /// How many lines the content has.
        lines: u64,
    },
    /// The content that is to be stored could not be read to its end, or what is copied could not be written.
    Stream(String),
    /// What is noted of an artifact cannot be read; what it says, its content may still be there.
    Unread {
        /// Of which.
        id: ArtifactId,
        /// Where it stands in the store.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The store cannot be read or written: locked, full, damaged, denied.
    Unavailable {
        /// What it says about it.
        why: String,
        /// What to do.
        help: &'static str,
    },
}

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tampered(id) => write!(f, "the content of artifact {id} is not what was stored"),
            Self::Misnamed(id) => write!(f, "the content is not that of artifact {id}"),
            Self::Range { size_bytes: 1 } => f.write_str("the artifact has 1 byte"),
            Self::Range { size_bytes } => write!(f, "the artifact has {size_bytes} bytes"),
            Self::Lines { lines: 1 } => f.write_str("the artifact has 1 line"),
            Self::Lines { lines } => write!(f, "the artifact has {lines} lines"),
            Self::Unread { id, why, .. } => write!(f, "the note of artifact {id} cannot be read: {why}"),
            Self::Stream(why) | Self::Unavailable { why, .. } => f.write_str(why),
        }
    }
}

impl std::error::Error for ArtifactError {}

/// Where artifacts are kept: content-addressed, each content once, whole or not at all.
///
/// A session holds the artifacts that were stored in it. The first who stores a content says what its handle says; whoever
/// stores it again only holds it too. Many threads may store and read at once.
pub trait ArtifactStore: Send + Sync + fmt::Debug {
    /// Stores artifacts for a session, all or none, in one durable commit: when it returns they survive a loss of power.
    ///
    /// # Errors
    /// - [`ArtifactError::Misnamed`]: an id is not the SHA-256 of its content.
    /// - [`ArtifactError::Unavailable`].
    fn store(&self, session: &str, artifacts: &[NewArtifact]) -> Result<(), ArtifactError>;

    /// The whole content, verified against its id; none when it is not there.
    fn retrieve(&self, id: &ArtifactId) -> Result<Option<Vec<u8>>, ArtifactError>;

    /// Bytes of the content, verified; none when the artifact is not there. A range that begins inside and ends outside ends
    /// with the content.
    ///
    /// # Errors
    /// - [`ArtifactError::Range`]: it begins outside of the content, or after its end.
    fn retrieve_range(&self, id: &ArtifactId, range: Range<u64>) -> Result<Option<Vec<u8>>, ArtifactError>;

    /// What stands for an artifact; none when it is not there.
    fn handle(&self, id: &ArtifactId) -> Result<Option<ArtifactHandle>, ArtifactError>;

    /// Whether it is there.
    fn exists(&self, id: &ArtifactId) -> Result<bool, ArtifactError> {
        Ok(self.handle(id)?.is_some())
    }

    /// The artifacts of a session, or of all, the oldest first.
    fn list_handles(&self, session: Option<&str>) -> Result<Vec<ArtifactHandle>, ArtifactError>;

    /// Deletes one, whoever holds it; whether it was there.
    fn delete(&self, id: &ArtifactId) -> Result<bool, ArtifactError>;
}
