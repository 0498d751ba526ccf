//! What is granted to nobody, and verbs that take something out of a rule.

/// Verbs that take something out of a rule: under `No exceptions:` they name an exception.
pub(crate) const LEAVING: &[&str] =
    &["skip", "ignore", "bypass", "omit", "disable", "waive", "forgo", "exempt", "except", "leave"];

/// What is granted to nobody.
pub(crate) const LENIENT: &[&str] =
    &["exception", "exceptions", "exemption", "exemptions", "excuses", "shortcuts", "loopholes", "waivers"];

/// `No exceptions`, `No exemptions for anybody`.
pub(crate) fn no_exceptions(label: &str) -> bool {
    let lower = label.to_lowercase();
    let mut words = lower.split_whitespace().map(|word| word.trim_matches([':', ',', '.', '!']));
    words.next() == Some("no") && words.take(2).any(|word| LENIENT.contains(&word))
}
