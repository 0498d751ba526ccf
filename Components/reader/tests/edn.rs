//! EDN: every kind of value, every fault with its place, and the law of print and read.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use mentci_reader::edn::{self, Document, Map, Node, Set, Value};
use mentci_source::{Reading, Source, Span};
use proptest::prelude::*;

fn read(text: &str) -> Reading<Document> {
    edn::read(&Source::new("a.edn", text))
}

/// The values of `text`, printed, one a line; there must be no finding.
fn values(text: &str) -> String {
    let reading = read(text);
    assert_eq!(reading.findings, [], "{text}");
    reading.value.forms.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The findings of `text`, one a paragraph.
fn findings(text: &str) -> String {
    read(text).findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_kind_of_value_is_read() {
    let cases = [
        ("nil true false", "nil\ntrue\nfalse"),
        ("0 -0 +7 -12 9223372036854775807", "0\n0\n7\n-12\n9223372036854775807"),
        ("7N -0N 123456789012345678901234567890", "7N\n0N\n123456789012345678901234567890N"),
        ("1.5 -2e3 1.5e-3 1. 6.02E+23", "1.5\n-2000.0\n0.0015\n1.0\n6.02e23"),
        ("1.10M 5M -0.5e2M", "1.10M\n5M\n-0.5e2M"),
        ("##Inf ##-Inf ##NaN", "##Inf\n##-Inf\n##NaN"),
        (
            "a a/b + - / .x foo? <= clojure.core/+ naïve",
            "a\na/b\n+\n-\n/\n.x\nfoo?\n<=\nclojure.core/+\nnaïve",
        ),
        (":a :a/b :1st :a.b/c-d", ":a\n:a/b\n:1st\n:a.b/c-d"),
        (
            r"\a \newline \space \tab \return \\ \( \; \u00e9 \o101",
            "\\a\n\\newline\n\\space\n\\tab\n\\return\n\\\\\n\\(\n\\;\n\\é\n\\A",
        ),
        (
            r#""a\"b\\c\n\t\r" "caf\u00e9" "\ud83d\ude00" "\u{200b}|" "\101""#,
            "\"a\\\"b\\\\c\\n\\t\\r\"\n\"café\"\n\"😀\"\n\"\u{200b}|\"\n\"A\"",
        ),
        ("(1 [2 {:a #{3}}] ())", "(1 [2 {:a #{3}}] ())"),
        ("{:a 1, :b 2}", "{:a 1, :b 2}"),
        (
            "#inst \"1985-04-12T23:20:50.52Z\" #uuid \"f8\" #my/tag [1] #a #b c",
            "#inst \"1985-04-12T23:20:50.52Z\"\n#uuid \"f8\"\n#my/tag [1]\n#a #b c",
        ),
        ("#_ gone 1 #_ #_ two gone [#_{:a 1} 2]", "1\n[2]"),
        ("; note\n1 ; more\r\n,,,2;end", "1\n2"),
        ("[1 2]{:a\"b\"}\"c\"d", "[1 2]\n{:a \"b\"}\n\"c\"\nd"),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(values(text), expected, "{text}");
    }
}

#[test]
fn every_value_has_its_bytes() {
    let text = "[{:a \"é\"} ; note\n #t (1 2)]\n#_ x";
    let document = read(text).value;
    let slice = |span: Span| &text[span.range()];
    let items = document.forms[0].items().unwrap();
    assert_eq!(slice(document.forms[0].span), "[{:a \"é\"} ; note\n #t (1 2)]");
    assert_eq!(slice(items[0].get(":a").unwrap().span), "\"é\"");
    assert_eq!(slice(items[1].span), "#t (1 2)");
    assert_eq!(slice(document.comments[0]), "; note");
    assert_eq!(slice(document.discarded[0]), "#_ x");
}

#[test]
fn equality_is_sameness_of_meaning() {
    let same =
        [("{:a 1 :b 2}", "{:b 2, :a 1}"), ("#{1 2}", "#{2 1}"), ("(1 2)", "[1 2]"), ("\"é\"", r#""\u00e9""#)];
    for (a, b) in same {
        assert_eq!(read(a).value.forms, read(b).value.forms, "{a} {b}");
    }
    let different =
        [("1", "1N"), ("1.0", "1.0M"), ("1", "1.0"), (":a", "a"), ("#{1}", "[1]"), ("\\a", "\"a\"")];
    for (a, b) in different {
        assert_ne!(read(a).value.forms, read(b).value.forms, "{a} {b}");
    }
}

#[test]
fn a_bracket_that_is_never_closed_names_its_place() {
    insta::assert_snapshot!(findings("[{:a 1}\n {:b (2}\n {:c 3"), @r"
    a.edn:1:1: error[E0501]: `[` is never closed
      help: it opened at 1:1; put a `]` before 3:7
    a.edn:2:6: error[E0501]: `(` is never closed
      help: it opened at 2:6; put a `)` before 2:8
    a.edn:3:2: error[E0501]: `{` is never closed
      help: it opened at 3:2; put a `}` before 3:7
    ");
    assert_eq!(read("[{:a 1}\n {:c 3").value.forms[0].to_string(), "[{:a 1}]");
}

#[test]
fn a_bracket_of_the_wrong_kind_is_named() {
    insta::assert_snapshot!(findings("[1 2)\n]\n(3}"), @r"
    a.edn:1:5: error[E0501]: `)` does not close `[`
      help: the `[` opened at 1:1; close it with `]`
    a.edn:2:1: error[E0501]: `]` closes nothing
      help: take it out, or open its bracket before it
    a.edn:3:3: error[E0501]: `}` does not close `(`
      help: the `(` opened at 3:1; close it with `)`
    ");
}

#[test]
fn tokens_that_are_not_edn_are_named() {
    let text = r#"@a 007 1x 1/2 :: :a/b/c \word "a\qb" "lone \ud800" #( ##Nope 'q .5 # {:a}"#;
    insta::assert_snapshot!(findings(text), @r#"
    a.edn:1:1: error[E0501]: `@a` is not EDN
      help: write text in quotes, or a name of letters, digits and `.*+!-_?$%&=<>:#/`
    a.edn:1:4: error[E0501]: `007` is not a number
      help: write digits without a leading zero, as in `42`, `-1.5e3`, `7N` or `0.10M`
    a.edn:1:8: error[E0501]: `1x` is not a number
      help: write digits without a leading zero, as in `42`, `-1.5e3`, `7N` or `0.10M`
    a.edn:1:11: error[E0501]: `1/2` is not a number
      help: write digits without a leading zero, as in `42`, `-1.5e3`, `7N` or `0.10M`
    a.edn:1:15: error[E0501]: `::` is not a keyword
      help: write one colon and a name, as in `:status` or `:skill/name`
    a.edn:1:18: error[E0501]: `:a/b/c` is not a keyword
      help: write one colon and a name, as in `:status` or `:skill/name`
    a.edn:1:25: error[E0501]: `\word` is not a character
      help: write `\c`, `\newline`, `\return`, `\space`, `\tab` or `\u00e9`; text goes in quotes
    a.edn:1:33: error[E0501]: `\q` is not an escape
      help: write a backslash as `\\`; the escapes are `\"`, `\\`, `\n`, `\r`, `\t` and `\u` with four digits
    a.edn:1:44: error[E0501]: `\u` is not an escape
      help: write a backslash as `\\`; the escapes are `\"`, `\\`, `\n`, `\r`, `\t` and `\u` with four digits
    a.edn:1:52: error[E0501]: this `#` is not EDN
      help: only `#{…}`, `#_form` and `#tag form` start with `#`
    a.edn:1:53: error[E0501]: `(` is never closed
      help: it opened at 1:53; put a `)` before 1:74
    a.edn:1:55: error[E0501]: `##Nope` is not a number
      help: write `##Inf`, `##-Inf` or `##NaN`
    a.edn:1:62: error[E0501]: `'q` is not EDN
      help: write text in quotes, or a name of letters, digits and `.*+!-_?$%&=<>:#/`
    a.edn:1:65: error[E0501]: `.5` is not EDN
      help: write text in quotes, or a name of letters, digits and `.*+!-_?$%&=<>:#/`
    a.edn:1:68: error[E0501]: this `#` is not EDN
      help: only `#{…}`, `#_form` and `#tag form` start with `#`
    a.edn:1:71: error[E0501]: the key `:a` has no value
      help: a map holds keys and values in turn
    "#);
}

#[test]
fn what_is_torn_is_left_out_whole() {
    let cases = [
        (r#"[{:a 1 :b "\q"} {:a 2}]"#, "[{:a 2}]"),
        ("[{:a 1 :b} 3]", "[3]"),
        ("[1 @ 2]", "[1 2]"),
        ("[#inst @ 2]", "[2]"),
        ("[1 #t ]", "[1]"),
        ("[1 #_ ]", "[1]"),
        ("[1 \"open", "[1]"),
    ];
    for (text, expected) in cases {
        let reading = read(text);
        assert!(!reading.findings.is_empty(), "{text}");
        assert_eq!(reading.value.forms[0].to_string(), expected, "{text}");
    }
}

#[test]
fn duplicates_name_both_places() {
    insta::assert_snapshot!(findings("{:a 1\n :b 2 :a 3}\n#{1 2 1}"), @r"
    a.edn:2:7: warning[E0510]: the key `:a` stands here again
      help: it stands first at 1:2; take one out
    a.edn:3:7: warning[E0510]: the item `1` stands here again
      help: it stands first at 3:3; take one out
    ");
    assert_eq!(read("{:a 1 :a 2}").value.forms[0].get("a").unwrap().to_string(), "1");
}

#[test]
fn depth_is_bounded() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert_eq!(findings(&nested(edn::MAX_DEPTH)), "");
    insta::assert_snapshot!(findings(&nested(edn::MAX_DEPTH + 1)), @r"
    a.edn:1:129: error[E0502]: this is nested deeper than 128 levels
      help: flatten it; nothing after this place was read
    ");
    for odd in ["[", "]", "{", "#{", "(", "#_", "#a ", "\"", "\\", "{:a ", "#", "##", "@ "] {
        let reading = read(&odd.repeat(1_000_000));
        assert!(reading.findings.len() <= 200, "{odd}");
        assert!(!reading.findings.is_empty() || odd == "\"", "{odd}");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[a-zé*!_?][a-z0-9.*+!_?<>=-]{0,6}(/[a-z][a-z0-9-]{0,3})?"
        .prop_filter("a literal", |name| !matches!(name.as_str(), "nil" | "true" | "false"))
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<String>().prop_map(Value::String),
        any::<char>().prop_map(Value::Char),
        name().prop_map(Value::Symbol),
        name().prop_map(Value::Keyword),
        any::<i64>().prop_map(Value::Integer),
        "-?[1-9][0-9]{0,40}".prop_map(Value::BigInteger),
        any::<f64>().prop_map(Value::Float),
        "-?[1-9][0-9]{0,9}[.][0-9]{1,20}".prop_map(Value::Decimal),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 40, 6, |inner| {
        let node = inner.prop_map(Node::from).boxed();
        let nodes = prop::collection::vec(node.clone(), 0..6);
        let entries = prop::collection::vec((node.clone(), node.clone()), 0..6);
        prop_oneof![
            nodes.clone().prop_map(Value::List),
            nodes.clone().prop_map(Value::Vector),
            nodes.prop_map(|items| Value::Set(Set::new(items))),
            entries.prop_map(|entries| Value::Map(Map::new(entries))),
            ("[a-z][a-z0-9-]{0,5}", node).prop_map(|(tag, node)| Value::Tagged(tag, Box::new(node))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(value in value()) {
        let text = value.to_string();
        let document = read(&text).value;
        prop_assert_eq!(document.forms.len(), 1, "{}", text);
        // NaN has many bit patterns and one name.
        if !text.contains("##NaN") {
            prop_assert_eq!(&document.forms[0].value, &value);
        }
        prop_assert_eq!(document.forms[0].to_string(), text);
    }

    #[test]
    fn reading_never_fails(text in any::<String>()) {
        read(&text);
    }

    #[test]
    fn brackets_and_quotes_in_any_order_are_read(
        parts in prop::collection::vec(prop::sample::select(
            vec!["[", "]", "{", "}", "(", ")", "#{", "#_", "#", "\"", "\\", ";", "\n", " ", "a", ":b", "1",
                 ",", "\\u", "é", "^", "##"]), 0..60)
    ) {
        let text = parts.concat();
        for finding in read(&text).findings {
            prop_assert!(finding.span.is_some_and(|span| text.get(span.range()).is_some()));
        }
    }
}
