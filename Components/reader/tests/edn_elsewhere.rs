//! What we write reads the same in edn-rs.
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::str::FromStr;

use edn_rs::Edn;
use mentci_reader::edn::{Node, Value, quoted};
use proptest::prelude::*;

fn string_of(edn: &Edn) -> Option<&str> {
    match edn {
        Edn::Str(text) => Some(text),
        _ => None,
    }
}

#[test]
fn a_lesson_reads_the_same() {
    let condition = "tab\tquote \" backslash \\ line\nend é \u{200b} 😀";
    let entry = format!(
        "{{:id \"a1\", :condition {}, :sessions #{{\"s1\" \"s2\"}}, :status :active, :count 3}}",
        quoted(condition)
    );
    let edn = Edn::from_str(&format!("[{entry}]")).unwrap();
    let lesson = &edn[0];
    assert_eq!(lesson[":id"], Edn::Str("a1".to_owned()));
    assert_eq!(lesson[":status"], Edn::Key(":active".to_owned()));
    assert_eq!(lesson[":count"].to_int(), Some(3));
    assert_eq!(lesson[":sessions"].set_iter().unwrap().count(), 2);
    assert_eq!(string_of(&lesson[":condition"]), Some(condition));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strings_read_the_same(text in any::<String>()) {
        let edn = Edn::from_str(&quoted(&text)).unwrap();
        prop_assert_eq!(string_of(&edn), Some(text.as_str()));
    }

    #[test]
    fn numbers_and_names_read_the_same(number in any::<i32>(), name in "[a-z][a-z-]{0,8}") {
        let items = [Value::Integer(number.into()), Value::keyword(&name), Value::Bool(true), Value::Nil];
        let text = Value::Vector(items.into_iter().map(Node::from).collect()).to_string();
        let edn = Edn::from_str(&text).unwrap();
        prop_assert_eq!(edn[0].to_int(), Some(i64::from(number)));
        prop_assert_eq!(&edn[1], &Edn::Key(format!(":{name}")));
        prop_assert_eq!(&edn[2], &Edn::Bool(true));
        prop_assert_eq!(&edn[3], &Edn::Nil);
    }
}
