//! Edits of EDN text: what stands there stays.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use mentci_reader::edn::{self, Document, Node, append_to_vector, remove_entry, replace_value, set_key};
use mentci_source::{Source, Span};
use proptest::prelude::*;

fn read(text: &str) -> Document {
    let reading = edn::read(&Source::new("a.edn", text));
    assert_eq!(reading.findings, [], "{text}");
    reading.value
}

fn append(text: &str, entry: &str) -> String {
    append_to_vector(text, &read(text).forms[0], &[entry]).unwrap()
}

/// The text without its entry at `index`.
fn remove(text: &str, index: usize) -> String {
    let document = read(text);
    remove_entry(text, document.forms[0].items().unwrap()[index].span).unwrap()
}

fn set(text: &str, key: &str, value: &str) -> String {
    set_key(text, &read(text).forms[0], key, value).unwrap()
}

#[test]
fn appending_keeps_layout_and_comments() {
    let cases = [
        ("[]", "[{:a 1}]"),
        ("[ ]\n", "[{:a 1} ]\n"),
        ("[\n]\n", "[\n {:a 1}\n]\n"),
        ("[; none yet\n]", "[; none yet\n {:a 1}\n]"),
        ("[{:b 2}]", "[{:b 2}\n {:a 1}]"),
        ("[{:b 2} ; kept\n]", "[{:b 2} ; kept\n {:a 1}\n]"),
        ("[\n  {:b 2}\n  {:c 3}\n]\n", "[\n  {:b 2}\n  {:c 3}\n  {:a 1}\n]\n"),
        ("[\r\n\t{:b 2}\r\n]\r\n", "[\r\n\t{:b 2}\r\n\t{:a 1}\r\n]\r\n"),
        ("; head\n[{:b 2} #_{:c 3}] ; tail", "; head\n[{:b 2} #_{:c 3}\n {:a 1}] ; tail"),
    ];
    for (text, expected) in cases {
        assert_eq!(append(text, "{:a 1}"), expected, "{text:?}");
    }
}

#[test]
fn entries_appended_at_once_stand_as_if_appended_one_by_one() {
    for text in ["[]", "[\n]\n", "  []", "[\n  {:b 2}\n]\n", "[\r\n\t{:b 2}\r\n]\r\n", "[{:b 2} ; kept\n]"] {
        let at_once = append_to_vector(text, &read(text).forms[0], &["{:c 3}", "{:d 4}"]).unwrap();
        assert_eq!(at_once, append(&append(text, "{:c 3}"), "{:d 4}"), "{text:?}");
        assert_eq!(append_to_vector(text, &read(text).forms[0], &[] as &[&str]).unwrap(), text, "{text:?}");
    }
}

#[test]
fn appending_refuses_what_is_not_a_closed_vector() {
    let first = |text: &str| edn::read(&Source::new("a.edn", text)).value.forms.remove(0);
    assert_eq!(append_to_vector("{:a [1 2", &first("[1 2]"), &["3"]), None);
    assert_eq!(append_to_vector("{:a 1}", &first("{:a 1}"), &["3"]), None);
    assert_eq!(append_to_vector("[1 2", &first("[1 2"), &["3"]), None);
}

#[test]
fn setting_a_key_changes_only_its_value() {
    let cases = [
        ("{:status :active}", "{:status :x}"),
        ("{:id 1 :status ; why\n :active, :b 2}", "{:id 1 :status ; why\n :x, :b 2}"),
        ("{}", "{:status :x}"),
        ("{:id 1}", "{:id 1 :status :x}"),
        ("{:id 1, :b 2}", "{:id 1, :b 2, :status :x}"),
        ("{:id 1\n  :b 2}", "{:id 1\n  :b 2\n  :status :x}"),
        ("{:id 1 ; one\n :b 2 ; two\n}", "{:id 1 ; one\n :b 2\n :status :x ; two\n}"),
        ("{:id\"1\":b\"2\"}", "{:id\"1\":b\"2\" :status :x}"),
    ];
    for (text, expected) in cases {
        assert_eq!(set(text, ":status", ":x"), expected, "{text:?}");
    }
}

#[test]
fn removing_keeps_comments() {
    let cases = [
        ("[1 2 3]", 1, "[1 3]"),
        ("[1 2 3]", 0, "[2 3]"),
        ("[1, 2, 3]", 2, "[1, 2]"),
        ("[{:a 1}\n {:b 2}\n {:c 3}]", 1, "[{:a 1}\n {:c 3}]"),
        ("[{:a 1}\n {:b 2}]", 1, "[{:a 1}]"),
        ("[{:a 1} ; one\n {:b 2}]", 1, "[{:a 1} ; one\n ]"),
        ("[\n {:a 1}\n {:b 2} ; two\n]", 1, "[\n {:a 1}\n ; two\n]"),
        ("[a{:b 1}c]", 1, "[a c]"),
        ("[\"a\"\"b\"\"c\"]", 1, "[\"a\" \"c\"]"),
        ("[{:a 1}]", 0, "[]"),
    ];
    for (text, index, expected) in cases {
        assert_eq!(remove(text, index), expected, "{text:?}");
    }
}

#[test]
fn places_outside_the_text_are_refused() {
    assert_eq!(replace_value("é", Span::new(1, 2), "x"), None);
    assert_eq!(replace_value("ab", Span::new(1, 9), "x"), None);
    assert_eq!(remove_entry("ab", Span::new(1, 9)), None);
    assert_eq!(replace_value("[1 2]", Span::new(3, 4), "x").as_deref(), Some("[1 x]"));
}

/// The text of a vector of small entries with blanks and comments between them.
fn vector() -> impl Strategy<Value = String> {
    let entry = prop::sample::select(vec![
        "{:a 1}",
        "{:a \"; ]\"}",
        "{}",
        "[1 2]",
        "\"x\"",
        "7",
        ":k",
        "#t 1",
        "\\;",
    ]);
    let gap =
        prop::sample::select(vec![" ", "\n", "\n ", " ; note ]\n", "\n;; {\n  ", " #_{:b 2} ", ", ", "\r\n"]);
    (gap.clone(), prop::collection::vec((entry, gap), 0..6)).prop_map(|(first, entries)| {
        let body: String = entries.into_iter().flat_map(|(entry, gap)| [entry, gap]).collect();
        format!("; head\n[{first}{body}]\n; tail")
    })
}

fn comments(text: &str) -> Vec<String> {
    read(text).comments.iter().map(|&span| text[span.range()].trim_end().to_owned()).collect()
}

fn items(text: &str) -> Vec<Node> {
    read(text).forms[0].items().unwrap().to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn appending_adds_one_entry_and_keeps_the_rest(text in vector()) {
        let edited = append(&text, "{:new 1}");
        let mut expected = items(&text);
        expected.push(items("[{:new 1}]").remove(0));
        prop_assert_eq!(items(&edited), expected);
        prop_assert_eq!(comments(&edited), comments(&text));
        let kept = edited.replace("{:new 1}", "").replace(char::is_whitespace, "");
        prop_assert_eq!(kept, text.replace(char::is_whitespace, ""));
    }

    #[test]
    fn removing_takes_one_entry_and_keeps_the_rest(text in vector(), at in any::<prop::sample::Index>()) {
        let mut expected = items(&text);
        prop_assume!(!expected.is_empty());
        let index = at.index(expected.len());
        let edited = remove(&text, index);
        expected.remove(index);
        prop_assert_eq!(items(&edited), expected);
        prop_assert_eq!(comments(&edited), comments(&text));
    }

    #[test]
    fn setting_a_key_keeps_the_other_entries(text in vector(), status in "[a-z]{1,5}") {
        for item in items(&text).iter().filter(|item| item.as_map().is_some()) {
            let edited = set_key(&text, item, ":status", &format!(":{status}")).unwrap();
            let written = format!(":status :{status}");
            prop_assert_eq!(items(&edited).len(), items(&text).len());
            prop_assert_eq!(comments(&edited), comments(&text));
            prop_assert!(edited.contains(&written));
        }
    }
}
