//! Halves of UTF-16 pairs in JSON: Node writes a text that was cut within a character as `\ud83d`, and no text holds one.

use std::borrow::Cow;

/// The length of an escape of a code unit.
const LENGTH: usize = 6;

/// The JSON with each half that stands alone as U+FFFD. All else stays byte for byte, and each byte at its place.
///
/// ```
/// assert_eq!(*mentci_host::mended(br#"["cut \ud83d", "\ud83d\ude00"]"#), *br#"["cut \ufffd", "\ud83d\ude00"]"#);
/// ```
pub fn mended(json: &[u8]) -> Cow<'_, [u8]> {
    let (mut all, mut at) = (Cow::Borrowed(json), 0);
    while let Some(found) = json.get(at..).and_then(escape) {
        at += found;
        let (first, second) = (unit(json, at), unit(json, at + LENGTH));
        at += match (first, second) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * LENGTH,
            (Some(0xD800..=0xDFFF), _) => {
                all.to_mut()[at..at + LENGTH].copy_from_slice(b"\\ufffd");
                LENGTH
            }
            (Some(_), _) => LENGTH,
            // Another escape: what is escaped may be a backslash.
            (None, _) => 2,
        };
    }
    all
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halves_that_stand_alone_are_replaced() {
        for (json, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\uDE00b""#, r#""\ufffdb""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00\ude00""#, r#""\ufffd\ud83d\ude00\ufffd""#),
            (r#""\ud83d\u0041\n""#, r#""\ufffd\u0041\n""#),
            (r#""\ud83d\\ude00""#, r#""\ufffd\\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\u+83d\ud8""#, r#""\u+83d\ud8""#),
            ("\\", "\\"),
        ] {
            assert_eq!(String::from_utf8_lossy(&mended(json.as_bytes())), expected, "{json}");
        }
    }

    proptest! {
        #[test]
        fn whatever_units_are_escaped_are_read_as_they_are_meant(units in prop::collection::vec(prop_oneof![any::<u16>(), 0xD700_u16..0xE100], 0..20)) {
            let escaped: String = units.iter().fold(String::new(), |all, unit| format!("{all}\\u{unit:04x}"));
            let json = format!("\"{escaped}\"");
            let read: String = serde_json::from_slice(&mended(json.as_bytes())).unwrap();
            prop_assert_eq!(read, String::from_utf16_lossy(&units));
        }
    }
}
