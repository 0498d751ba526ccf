//! Which tokens there are, and where one is looked for first.

/// The signs beyond ASCII that stand in much English text; none of them is a letter, a digit or a blank.
pub(crate) const SIGNS: &[char] =
    &['–', '—', '‘', '’', '“', '”', '…', '·', '§', '×', '→', '←', '≤', '≥', '≠', '±', '°', '•'];

/// Whether a text is of ASCII and of these signs.
pub(crate) fn is_plain(text: &str) -> bool {
    text.is_ascii() || text.chars().all(|one| one.is_ascii() || SIGNS.contains(&one))
}

/// A power of two, about twice as many as there are ASCII tokens.
pub(crate) const SLOTS: usize = 1 << 18;

/// FNV-1a with a last mix, so that the low bits know all bytes.
pub(crate) fn slot(token: &[u8]) -> usize {
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = token.iter().fold(0xcbf2_9ce4_8422_2325, fold);
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // OK because what is left fits the number of slots.
    usize::try_from(mixed >> 46).unwrap_or(0) % SLOTS
}
