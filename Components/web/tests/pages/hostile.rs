//! What others wrote is never markup.

use mentci_web::{Fields, Reply};
use proptest::prelude::*;

use super::house::House;
use super::read::is_clean;
use super::{PAGES, page, sent};

/// What hides, breaks out or turns around.
const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg onload=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</pre></li></ul></main><form action=//evil.example>",
    "javascript:alert(1)",
    "a&b=c#d?e=f%2F../..",
    "]]><!--<!doctype html>",
    "\u{202e}gnp.exe\u{2066}\u{200b}\u{feff}\u{e0041}",
    "nul\0bell\u{7}escape\u{1b}[2Jreturn\rback\u{8}",
    "`<b>` and ``",
    "{{ 7*7 }} {% raw %}",
];

#[test]
fn nothing_that_others_wrote_is_markup() {
    for text in HOSTILE {
        all_clean(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn no_text_is_markup(text in "[<>\"'&/a-z`{}%\\u{202e}\\u{0}-\\u{1f} =-]{1,40}") {
        all_clean(&text);
    }
}

fn all_clean(text: &str) {
    let house = House::saying(text);
    for (path, query) in PAGES {
        let (_, html) = page(&house, path, query);
        is_clean(path, &html);
        for hidden in [
            '\u{202e}',
            '\u{2066}',
            '\u{200b}',
            '\u{feff}',
            '\u{e0041}',
            '\0',
            '\u{7}',
            '\u{1b}',
            '\r',
            '\u{8}',
        ] {
            assert!(!html.contains(hidden), "{path} holds {hidden:?}");
        }
    }
    // What is refused is shown again, too.
    for (path, form) in [
        ("/rule/test", Fields::from([("rule", text), ("event", text), ("session", text)])),
        ("/rule/parameter", Fields::from([("rule", text), ("name", text), ("value", text)])),
        ("/plugin/setting", Fields::from([("id", text), ("name", text), ("value", text)])),
        ("/lesson/reject", Fields::from([("id", text), ("reason", text)])),
    ] {
        match sent(&House { refuses: true, ..House::saying(text) }, path, form) {
            Reply::Page { html, .. } => is_clean(path, &html),
            Reply::See { to } => panic!("{path} leads to {to}"),
        }
    }
}

#[test]
fn an_address_cannot_put_words_into_the_page() {
    let (_, html) = page(&House::default(), "/rules", &[("done", "<b>Your account was closed</b>")]);
    assert!(!html.contains("account"));
    let (_, html) = page(&House::default(), "/rules", &[("done", "off")]);
    assert!(html.contains("role=\"status\">Switched off."));
}
