//! Secrets: made by the operating system's randomness, kept and compared by their hash.

use std::fmt::Write;

use mentci_source::Hash;

/// A secret of 32 random bytes, in hexadecimal, behind a prefix that says what it is.
///
/// # Errors
/// When the operating system has no randomness.
pub(crate) fn secret(prefix: &str) -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    let mut text = prefix.to_owned();
    // Writing to a string cannot fail.
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> Hash {
    Hash::of("mentci access v1", [secret.as_bytes()])
}

/// Whether two hashes are the same. How long it takes says nothing of where they differ.
pub(crate) fn same(one: &Hash, other: &Hash) -> bool {
    let pairs = one.as_bytes().iter().zip(other.as_bytes());
    std::hint::black_box(pairs.fold(0, |differs, (a, b)| differs | (a ^ b))) == 0
}

#[cfg(test)]
mod tests {
    use super::{hash, same, secret};

    #[test]
    fn secrets_differ_and_are_known_again() {
        let (one, other) = (secret("a_").unwrap(), secret("a_").unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 66);
        assert!(same(&hash(&one), &hash(&one)));
        assert!(!same(&hash(&one), &hash(&other)));
    }
}
