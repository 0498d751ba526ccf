//! Content names: BLAKE3, separated by domain.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A BLAKE3 hash of 32 bytes; prints and serialises as 64 hexadecimal digits.
///
/// ```
/// use mentci_source::Hash;
/// assert_ne!(Hash::of("a norm", [b"x".as_slice()]), Hash::of("a lesson", [b"x".as_slice()]));
/// assert_eq!(Hash::of_bytes(b"x").to_string().len(), 64);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash([u8; 32]);

/// The bytes up to which parts are hashed in one piece.
const PIECE: usize = 512;

impl Hash {
    /// The hash of a file's bytes: what `b3sum` prints.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The hash of `parts` under `domain`. Parts are separated by their length, so `["ab"]` and `["a", "b"]` differ.
    pub fn of<'a>(domain: &'a str, parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        // Most of what is named is a few words: hashed in one piece, which takes a tenth of what a hasher takes.
        let mut piece = Vec::with_capacity(PIECE);
        let mut hasher = None;
        for part in std::iter::once(domain.as_bytes()).chain(parts) {
            piece.extend_from_slice(&(part.len() as u64).to_le_bytes());
            if piece.len() + part.len() <= PIECE {
                piece.extend_from_slice(part);
            } else {
                hasher.get_or_insert_with(blake3::Hasher::new).update(&piece).update(part);
                piece.clear();
            }
        }
        let hash = hasher.map_or_else(|| blake3::hash(&piece), |mut hasher| hasher.update(&piece).finalize());
        Self(*hash.as_bytes())
    }

    /// The first `digits` hexadecimal digits, for names that people read. At most 64.
    pub fn short(&self, digits: usize) -> String {
        let text = blake3::Hash::from_bytes(self.0).to_hex();
        text.get(..digits).unwrap_or(&text).to_owned()
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// From raw bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self(*hash.as_bytes()))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({})", self.short(12))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("expected 64 hexadecimal digits"))
    }
}
