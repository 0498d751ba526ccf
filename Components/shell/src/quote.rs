//! The way back: a text as one word of a shell.

/// Writes `text` so that a shell reads it as one word, and as exactly this text.
///
/// ```
/// use mentci_shell::quote;
/// assert_eq!(quote("src/main.rs"), "src/main.rs");
/// assert_eq!(quote("it's"), r"'it'\''s'");
/// assert_eq!(quote(""), "''");
/// ```
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
