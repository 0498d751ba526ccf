//! What holds for every text.

use std::sync::LazyLock;

use mentci_detect::{Custom, Detector, Kind, Steps};
use proptest::prelude::*;

/// Pieces that detectors look at, so that random texts come near to what they find.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "ann",
        "@",
        "example",
        ".com",
        ".",
        "-",
        " ",
        "(",
        ")",
        "+",
        "555",
        "867",
        "5309",
        "4111",
        "1111",
        "123-45-6789",
        "DE89",
        "3704",
        "192.168.1.1",
        "::",
        "2001:db8",
        "password",
        "=",
        ":",
        "\"",
        "'",
        "token",
        "dob ",
        "1990-02-01",
        "passport ",
        "AB1234567",
        "eyJ",
        "sk-",
        "://",
        "ann:x1y2z3",
        "[EMAIL]",
        "[",
        "]",
        "\n",
        "é",
        "юзер",
        "ａ＠ｂ．ｃｏｍ",
        "＠",
        "邮",
        "\\",
        "Bearer ",
        "9bQ8zYx71LmNop",
        "-----BEGIN PRIVATE KEY-----",
        "AKIA",
        "7",
        "8(999)1234567",
        "https",
        "_",
        "a1",
    ];
    prop_oneof![
        8 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
        1 => "[A-Za-z0-9]{10,40}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn detector() -> &'static Detector {
    static DETECTOR: LazyLock<Detector> = LazyLock::new(|| {
        let long = Custom { name: "LONG".into(), regex: r"\b[a-z]{9,}\b".into() };
        Detector::new(Kind::all(), [long]).expect("the pattern is well formed")
    });
    &DETECTOR
}

fn built_in() -> &'static Detector {
    static DETECTOR: LazyLock<Detector> = LazyLock::new(Detector::all);
    &DETECTOR
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn hits_stand_in_order_and_apart(text in text()) {
        let hits = detector().find(&text);
        for pair in hits.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start);
        }
        for hit in hits {
            prop_assert!(!hit.span.is_empty());
            prop_assert!(text.get(hit.span.clone()).is_some(), "{:?} splits a character", hit.span);
        }
    }

    #[test]
    fn a_redacted_text_is_redacted_to_itself(text in text()) {
        let detector = detector();
        let once = detector.redact(&text);
        prop_assert_eq!(&detector.redact(&once.text).text, &once.text);
        prop_assert!(!detector.has_any(&once.text));
        prop_assert_eq!(detector.has_any(&text), !once.hits.is_empty());
    }

    #[test]
    fn what_is_not_hit_stays(text in text()) {
        let redaction = detector().redact(&text);
        let (mut from, mut wanted) = (0, String::new());
        for hit in &redaction.hits {
            wanted.push_str(&text[from..hit.span.start]);
            wanted.push_str(&hit.kind.mark());
            from = hit.span.end;
        }
        wanted.push_str(&text[from..]);
        prop_assert_eq!(redaction.text, wanted);
    }

    #[test]
    fn a_value_is_redacted_to_itself(key in text(), inner in text(), number: u64) {
        let detector = built_in();
        let once = detector.redact_value(serde_json::json!({key: [inner, number]}));
        let twice = detector.redact_value(once.value.clone());
        prop_assert_eq!(twice.value, once.value);
    }

    #[test]
    fn work_is_linear(piece in text(), times in 1_usize..200) {
        let text = piece.repeat(times);
        let (_, steps) = built_in().find_counted(&text);
        prop_assert!(steps.count() <= Steps::PER_BYTE * text.len() as u64 + Steps::PER_TEXT, "{} for {}", steps.count(), text.len());
    }
}

#[test]
fn the_worst_texts_are_linear() {
    let worst = [
        "a@",
        "a@b.",
        "a.",
        "@",
        "x@y.z@",
        "1-",
        "1.",
        "1 ",
        "(1",
        "+1",
        "4111 ",
        "555-867-",
        "1:",
        "a:1",
        "::1",
        "DE89 ",
        "eyJ",
        "eyJa.",
        "-eyJ",
        "eyJaaaaaaaaaaa.eyJ",
        "sk-",
        "sk-a.",
        "-sk-",
        "://",
        "a://a:",
        "a://@",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----A",
        "token=",
        "token=\"",
        "token=\"a",
        "password:'",
        "_key",
        "--token ",
        "Bearer ",
        "dob 1",
        "passport A1",
        "12345678:AA",
        ":AA",
        "ghp_",
        "AKIA",
        "1 Jan ",
        "glpat-.",
        "xoxe.",
        "SG.",
        "hvs.-",
        "password=a1,",
        "юзер@",
        "1.1.1.1.",
        "＠",
        "ａ＠",
        "ａ＠ｂ．",
        "a@．",
        "pypi-AgE/",
        "a://b:c@d",
        "-----BEGIN PRIVATE KEY-----\nA: ",
    ];
    for piece in worst {
        for size in [1_000, 30_000] {
            let text = piece.repeat(size / piece.len());
            let (_, steps) = built_in().find_counted(&text);
            let most = Steps::PER_BYTE * text.len() as u64 + Steps::PER_TEXT;
            assert!(steps.count() <= most, "{piece}: {} steps for {} bytes", steps.count(), text.len());
        }
    }
}
