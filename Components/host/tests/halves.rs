//! Halves of UTF-16 pairs in JSON.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use mentci_host::mended;
use proptest::prelude::*;

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
