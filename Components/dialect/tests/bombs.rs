//! Files made to hurt: each is refused, or read in time that does not grow faster than its size.

mod common;

use std::fmt::Write as _;

use common::{reading, said};
use mentci_dialect::Dialect;

#[test]
fn billion_laughs() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..10 {
        let repeated = vec![format!("*a{}", n - 1); 10].join(", ");
        let _ = writeln!(text, "a{n}: &a{n} [{repeated}]");
    }
    text.push_str("rules: []\n");
    insta::assert_snapshot!(said(&text, Dialect::Yaml), @r"
    mine.yaml:5:25: error[E0220]: the file holds more than is read
      help: at most 64 levels and 250,000 values are read, 50,000 of them by aliases; split the file
    ");
}

#[test]
fn a_hundred_thousand_brackets() {
    let open = "[".repeat(100_000);
    insta::assert_snapshot!(said(&format!("rules: {open}"), Dialect::Yaml), @r"
    mine.yaml:1:263: error[E0220]: the file holds more than is read
      help: at most 64 levels and 250,000 values are read, 50,000 of them by aliases; split the file
    ");
    insta::assert_snapshot!(said(&open, Dialect::Edn), @r"
    mine.edn:1:129: error[E0502]: this is nested deeper than 128 levels
      help: flatten it; nothing after this place was read
    ");
    let toml = said(&format!("a = {open}"), Dialect::Toml);
    insta::assert_snapshot!(toml.lines().next().unwrap(), @r"mine.toml:1:85: error[E0220]: this TOML does not parse: cannot recurse further; max recursion depth met");
}

#[test]
fn deep_conditions() {
    let deep =
        |n: usize| format!("- {{id: a, then: block, when: {}true{}}}", "{not: ".repeat(n), "}".repeat(n));
    assert!(reading(&deep(20), Dialect::Yaml).value.is_some());
    assert!(reading(&deep(5_000), Dialect::Yaml).value.is_none());
    let lisp =
        |n: usize| format!("{{:rule/id :a :then :block :when {}true{}}}", "(not ".repeat(n), ")".repeat(n));
    assert!(reading(&lisp(80), Dialect::Edn).value.is_some());
    assert!(reading(&lisp(120), Dialect::Edn).value.is_none());
    assert!(reading(&lisp(50_000), Dialect::Edn).value.is_none());
    let nots = format!("- {{id: a, then: block, when: {{if: \"{}true\"}}}}", "not ".repeat(20_000));
    assert!(reading(&nots, Dialect::Yaml).value.is_none());
}

#[test]
fn long_texts_and_many_keys() {
    let text = format!("- {{id: a, then: block, message: \"{}\"}}", "x".repeat(10_000_000));
    assert!(reading(&text, Dialect::Yaml).value.is_some());
    let mut keys = String::new();
    for n in 0..20_000 {
        let _ = write!(keys, ":k{n} 1 ");
    }
    assert!(
        reading(&format!("{{:rule/id :a :then :block :parameters {{{keys}}}}}"), Dialect::Edn)
            .value
            .is_some()
    );
}

#[test]
fn findings_are_bounded() {
    let text: String = (0..1_000).map(|_| "- {then: block}\n").collect();
    let findings = reading(&text, Dialect::Yaml).findings;
    assert_eq!(findings.len(), 257);
    insta::assert_snapshot!(findings[256], @r"
    mine.yaml:257:3: error[E0223]: 744 more findings from here on
      help: mend the first ones, and check again
    ");
}
