//! Halves of UTF-16 pairs in JSON: Node writes a text that was cut within a character as `\ud83d`, and no text holds one.

use std::borrow::Cow;

/// The length of an escape of a code unit.
const LENGTH: usize = 6;

/// The JSON with each half that stands alone as U+FFFD. All else stays byte for byte, and each byte at its place.
///
/// ```
/// assert_eq!(*mentci_authority::mended(br#"["cut \ud83d", "\ud83d\ude00"]"#), *br#"["cut \ufffd", "\ud83d\ude00"]"#);
/// ```
pub fn mended(json: &[u8]) -> Cow<'_, [u8]> {
    let mut all = Cow::Borrowed(json);
    for at in halves(json) {
        all.to_mut()[at..at + LENGTH].copy_from_slice(b"\\ufffd");
    }
    all
}

/// Where the halves begin that stand alone, in order.
///
/// ```
/// assert_eq!(mentci_authority::halves(br#"["cut \ud83d", "\ud83d\ude00"]"#).collect::<Vec<_>>(), [6]);
/// ```
pub fn halves(json: &[u8]) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let found = at + escape(json.get(at..)?)?;
            let Some(first) = unit(json, found) else {
                // Another escape: what is escaped may be a backslash.
                at = found + 2;
                continue;
            };
            let is_pair = matches!(first, 0xD800..=0xDBFF)
                && matches!(unit(json, found + LENGTH), Some(0xDC00..=0xDFFF));
            at = found + if is_pair { 2 * LENGTH } else { LENGTH };
            if !is_pair && matches!(first, 0xD800..=0xDFFF) {
                return Some(found);
            }
        }
    })
}

/// Where the next escape begins.
fn escape(json: &[u8]) -> Option<usize> {
    json.iter().position(|byte| *byte == b'\\')
}

/// The code unit that is escaped here, where one is.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + LENGTH)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}
