//! The corpora of `tests/suite/detect`: every secret is found, and no clean text is touched.
//!
//! Samples are put together here, so that scanners of the places that keep the files do not take them for real.

#![expect(clippy::unwrap_used, reason = "a case that does not read fails the test")]

use mentci_detect::{Detector, Group};

const SECRETS: &str = include_str!("../../../tests/suite/detect/secrets.case");
const CLEAN: &str = include_str!("../../../tests/suite/detect/clean.case");

/// The cases of a file: name and text.
fn cases(file: &'static str) -> impl Iterator<Item = (&'static str, String)> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" | ")).map(|(name, text)| (name, filled(text)))
}

/// The text with its fillers filled in.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut seed = text.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('‹') {
        let (filler, after) = behind.split_once('›').unwrap();
        let (kind, length) = filler.split_once(':').unwrap();
        out.push_str(before);
        for at in 0..length.parse::<usize>().unwrap() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            out.push(letter(kind, at, seed >> 33));
        }
        rest = after;
    }
    out.push_str(rest);
    out.replace('·', "").replace("\\n", "\n")
}

/// One letter of a filler. Letters and digits of both sorts come by turns, as they do in most keys.
fn letter(kind: &str, at: usize, number: u64) -> char {
    let set: &[u8] = match kind {
        "hex" => b"0123456789abcdef",
        "upper" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "digits" => b"1234567890",
        "base64" if at % 9 == 4 => b"+/",
        _ if at % 4 == 1 => b"0123456789",
        _ if at % 4 == 2 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        _ => b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    };
    char::from(set[usize::try_from(number).unwrap() % set.len()])
}

/// What stands before a text that lies within another: ends of lines in strings, in strings within strings and in addresses,
/// and a terminal's colours.
const ESCAPES: &[&str] = &[
    r"a\n",
    r"a\\n",
    r"a\t",
    r"\u00e9",
    r"\x1b[0m",
    "%0A",
    "a%20",
    "\x1b[31m",
    "\x1b[m\x1b[K",
    r"\u001b[1;31m",
    r"\033[0m",
    "-",
];

#[test]
fn a_secret_behind_an_escape_is_found() {
    let detector = Detector::group(Group::Secrets);
    let mut missed = Vec::new();
    for (name, text) in cases(SECRETS) {
        let secret = text.split_once('«').and_then(|(_, rest)| rest.split_once('»')).unwrap().0.to_owned();
        let text = text.replace(['«', '»'], "");
        for escape in ESCAPES {
            if detector.redact(&format!("{escape}{text}")).text.contains(&secret) {
                missed.push(format!("{name} behind {escape:?}: {text}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn every_secret_is_found() {
    let detector = Detector::group(Group::Secrets);
    let mut missed = Vec::new();
    let mut count = 0;
    for (name, text) in cases(SECRETS) {
        count += 1;
        let secret = text.split_once('«').and_then(|(_, rest)| rest.split_once('»')).unwrap().0.to_owned();
        let redacted = detector.redact(&text.replace(['«', '»'], "")).text;
        if redacted.contains(&secret) || secret.len() > 40 && redacted.contains(&secret[20..]) {
            missed.push(format!("{name}: {redacted}"));
        }
    }
    assert_eq!((missed, count), (Vec::<String>::new(), 225));
}

#[test]
fn no_clean_text_is_touched() {
    let detector = Detector::group(Group::Secrets);
    let touched: Vec<String> = cases(CLEAN)
        .map(|(name, text)| (name, detector.redact(&text).text, text))
        .filter(|(_, redacted, text)| redacted != text)
        .map(|(name, redacted, _)| format!("{name}: {redacted}"))
        .collect();
    assert_eq!((touched, cases(CLEAN).count() >= 200), (Vec::<String>::new(), true));
}
