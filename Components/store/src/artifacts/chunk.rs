//! A content in pieces of one size.

use std::io::{self, Read};

use mentci_authority::ArtifactId;
use mentci_source::Hash;
use sha2::{Digest as _, Sha256};

/// The length of each piece but the last.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024;

/// The id of a content: its SHA-256.
///
/// ```
/// let id = mentci_store::artifact_id(b"");
/// assert_eq!(id.to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
pub fn artifact_id(content: &[u8]) -> ArtifactId {
    ArtifactId::from_bytes(Sha256::digest(content).into())
}

/// An id in the making.
#[derive(Default)]
pub(crate) struct Naming(Sha256);

impl Naming {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn id(self) -> ArtifactId {
        ArtifactId::from_bytes(self.0.finalize().into())
    }
}

/// What is known of a piece without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) hash: Hash,
    pub(crate) newlines: u64,
}

impl Sum {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { hash: Hash::of_bytes(bytes), newlines: newlines(bytes) }
    }
}

pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// How many pieces a content of this length has; an empty content has none.
pub(crate) fn chunk_count(size: u64) -> u64 {
    size.div_ceil(CHUNK_BYTES as u64)
}

/// Reads the next piece into `buffer`: shorter than [`CHUNK_BYTES`] only at the end, empty behind it.
pub(crate) fn next_chunk(from: &mut dyn Read, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    from.take(CHUNK_BYTES as u64).read_to_end(buffer).map(drop)
}
