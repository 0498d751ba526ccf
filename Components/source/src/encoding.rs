//! Bytes that are no text.

use crate::{Code, Finding};

/// The finding for bytes that cannot be read as text: UTF-16, or more than a third of them no characters. Law that was saved so
/// says nothing that could be followed, whatever else of it decodes.
///
/// ```
/// use mentci_source::not_text;
/// let told = not_text("SKILL.md", b"\xFF\xFEN\0e\0v\0e\0r\0").unwrap();
/// assert_eq!(told.to_string(), "SKILL.md: error[E0011]: this file is UTF-16 text\n  help: save it as UTF-8");
/// assert!(not_text("SKILL.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x90").is_some());
/// assert!(not_text("SKILL.md", "Schließe den Puffer nie.".as_bytes()).is_none());
/// assert!(not_text("SKILL.md", b"Never\0 serve a caf\xE9.").is_none());
/// ```
pub fn not_text(path: &str, bytes: &[u8]) -> Option<Finding> {
    let message = if is_utf16(bytes) {
        "this file is UTF-16 text"
    } else if is_binary(bytes) {
        "this file is no text"
    } else {
        return None;
    };
    Some(Finding::new(Code::NOT_TEXT, message).help("save it as UTF-8").in_file(path))
}

/// Whether bytes begin with a byte order mark of UTF-16, as PowerShell and old editors write it.
pub fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// Whether more than a third of what stands there is NUL or no UTF-8. In UTF-16 without a mark every second byte is NUL; text of
/// an 8-bit code page with letters of its own is no UTF-8 at all.
fn is_binary(bytes: &[u8]) -> bool {
    let (mut all, mut odd) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        let nul = chunk.valid().bytes().filter(|byte| *byte == 0).count();
        all += chunk.valid().chars().count() + chunk.invalid().len();
        odd += nul + chunk.invalid().len();
    }
    odd * 3 > all
}
