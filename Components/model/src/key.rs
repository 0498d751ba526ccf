//! A provider's key.

use std::fmt;

/// A key that shows itself to nobody but the provider: not in a log, not in an error, not to a debugger's printout.
///
/// ```
/// let key = mentci_model::ApiKey::new(" sk-12345678 ").unwrap();
/// assert_eq!(format!("{key:?}"), "ApiKey(…)");
/// assert_eq!(key.redact("no such key: sk-12345678"), "no such key: …");
/// assert!(mentci_model::ApiKey::new("two\nlines").is_none());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key; none where the text can be no key: empty, longer than 4 KiB, or with what no header holds.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_key =
            !text.is_empty() && text.len() <= 4_096 && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| Self(text.to_owned()))
    }

    /// The text without the key.
    pub fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }

    /// The key itself, for the header.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}
