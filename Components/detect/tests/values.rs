//! Whole JSON values.

use mentci_detect::{Custom, CustomError, Detector, Kind};
use serde_json::{Value, json};

fn redacted(value: Value) -> (Value, Vec<(String, String)>) {
    let redaction = Detector::all().redact_value(value);
    let hits = redaction.hits.into_iter().map(|(place, kind)| (place, kind.to_string())).collect();
    (redaction.value, hits)
}

#[test]
fn nested_values_in_their_order() {
    let (value, hits) = redacted(json!({
        "a": {"b": [{"c": "ann@example.com"}, "clean", "123-45-6789 and 10.0.0.1"]},
        "z": "4111 1111 1111 1111",
    }));
    assert_eq!(
        value,
        json!({
            "a": {"b": [{"c": "[EMAIL]"}, "clean", "[SSN] and [IP_ADDRESS]"]},
            "z": "[CREDIT_CARD]",
        })
    );
    let places: Vec<(&str, &str)> =
        hits.iter().map(|(place, kind)| (place.as_str(), kind.as_str())).collect();
    assert_eq!(
        places,
        [("/a/b/0/c", "EMAIL"), ("/a/b/2", "SSN"), ("/a/b/2", "IP_ADDRESS"), ("/z", "CREDIT_CARD")]
    );
}

#[test]
fn keys() {
    let (value, hits) =
        redacted(json!({"ann@example.com": 1, "bob@example.com": {"x/y": "ann@example.com"}}));
    assert_eq!(value, json!({"[EMAIL]": 1, "[EMAIL] 2": {"x/y": "[EMAIL]"}}));
    let places: Vec<&str> = hits.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["/[EMAIL]", "/[EMAIL] 2", "/[EMAIL] 2/x~1y"]);
    let (value, _) = redacted(json!({"[EMAIL]": 0, "[EMAIL] 2": 1, "ann@example.com": 2}));
    assert_eq!(value.as_object().unwrap().len(), 3);
}

#[test]
fn numbers_as_text() {
    let (value, _) =
        redacted(json!({"n": 4_111_111_111_111_111_u64, "ssn": 123_456_789, "at": 1_700_000_000}));
    assert_eq!(value, json!({"n": "[CREDIT_CARD]", "ssn": "[SSN]", "at": 1_700_000_000}));
}

#[test]
fn a_key_says_what_its_value_is() {
    let (value, _) = redacted(json!({
        "password": "hunter", "userPassword": "correcthorse", "api_key": ["9bQ8zYx71LmNop"], "dob": "1990-02-01",
        "phone": "867-5309", "passport": {"number": "AB1234567"}, "passportNumber": "AB1234567", "pin": 123_456,
    }));
    assert_eq!(
        value,
        json!({
            "password": "[SECRET]", "userPassword": "[SECRET]", "api_key": ["[SECRET]"], "dob": "[DATE_OF_BIRTH]",
            "phone": "[PHONE]", "passport": {"number": "AB1234567"}, "passportNumber": "[PASSPORT]", "pin": 123_456,
        })
    );
}

#[test]
fn short_tokens_under_their_key() {
    for (value, wanted) in [
        (json!({"api_key": "Zx9kk2pQ"}), json!({"api_key": "[SECRET]"})),
        (json!({"secret": "zx9!kk2p"}), json!({"secret": "[SECRET]"})),
        (json!({"token": "v1.2.3-x"}), json!({"token": "v1.2.3-x"})),
        (json!({"token": "abcdefgh"}), json!({"token": "abcdefgh"})),
        (json!({"token": "user1234"}), json!({"token": "user1234"})),
        (json!({"v": "8.8.8.8", "version": "8.8.8.8"}), json!({"v": "[IP_ADDRESS]", "version": "8.8.8.8"})),
    ] {
        assert_eq!(redacted(value).0, wanted);
    }
}

#[test]
fn what_stands_before_or_beside_says_what_a_value_is() {
    let word = ["correct", "horse"].concat();
    for value in [
        json!({"args": ["login", "--password", word]}),
        json!([{"name": "DB_PASSWORD", "value": word}]),
        json!({"headers": {"Authorization": "ApiKey a1b2c3d4e5f6"}}),
        json!({"auths": {"x": {"auth": "dXNlcjpjb3JyZWN0aG9yc2U="}}}),
    ] {
        let (redacted, hits) = redacted(value.clone());
        assert_eq!(hits.len(), 1, "{value}: {redacted}");
        assert!(Detector::all().has_any_value(&value), "{value}");
    }
    for value in [
        json!({"args": ["login", "--user", word]}),
        json!([{"name": "GREETING", "value": word}]),
        json!({"auth": "oauth2-client-credentials"}),
        json!({"args": ["--password", "--force"]}),
    ] {
        assert_eq!(redacted(value.clone()), (value, Vec::new()));
    }
}

#[test]
fn what_only_looks_like_it_stays() {
    let clean = json!({
        "password": "required", "token": "Token", "max_tokens": 128_000, "secret": {"type": "string"},
        "password_confirmation": "string", "task-management": "sk-or-swim", "version": "1.2.3.4",
        "passwordHint": "your first pet", "at": "2026-03-02T10:00:00Z", "id": "550e8400-e29b-41d4-a716-446655440000",
        "ok": true, "none": null, "size": 1.5,
    });
    assert_eq!(redacted(clean.clone()), (clean.clone(), Vec::new()));
    assert!(!Detector::all().has_any_value(&clean));
}

#[test]
fn asking_agrees_with_redacting() {
    let detector = Detector::all();
    for value in [
        json!({"a": [1, {"password": "hunter"}]}),
        json!({"ann@example.com": 0}),
        json!(4_111_111_111_111_111_u64),
    ] {
        assert!(detector.has_any_value(&value), "{value}");
    }
    assert!(!detector.has_any_value(&json!(["a", 1, null, {"b": "c"}])));
}

#[test]
fn as_deep_as_it_comes() {
    let mut value = json!("ann@example.com");
    for _ in 0..5_000 {
        value = Value::Array(vec![value]);
    }
    let redaction = Detector::all().redact_value(value);
    assert_eq!(redaction.hits[0].0, "/0".repeat(5_000));
    let mut inner = redaction.value;
    while let Value::Array(mut items) = inner {
        inner = items.pop().unwrap();
    }
    assert_eq!(inner, json!("[EMAIL]"));
}

fn custom(name: &str, regex: &str) -> Custom {
    Custom { name: name.into(), regex: regex.into() }
}

#[test]
fn patterns_of_ones_own() {
    let detector =
        Detector::new([Kind::Email], [custom("CUSTOMER", r"CUST-\d+"), custom("word", r"(?i)\bfoo\w*")])
            .unwrap();
    let redaction = detector.redact("CUST-123456 foobar ann@example.com CUST-x");
    assert_eq!(redaction.text, "[CUSTOMER] [word] [EMAIL] CUST-x");
    assert_eq!(redaction.hits[0].kind, Kind::Custom("CUSTOMER".into()));
    assert_eq!(detector.redact(&redaction.text).text, redaction.text);
    assert_eq!(
        detector.redact_value(json!({"CUST-1": ["CUST-2"]})).value,
        json!({"[CUSTOMER]": ["[CUSTOMER]"]})
    );
}

#[test]
fn a_pattern_does_not_find_marks() {
    for pattern in [r"[A-Z]+", r"\w+", r".+", r"\[.*?\]", r"X|\[", r"[^a]", r"IL\] ."] {
        let detector = Detector::new([Kind::Email], [custom("X", pattern)]).unwrap();
        let once = detector.redact("to ann@example.com AND [others] X").text;
        assert_eq!(detector.redact(&once).text, once, "{pattern}");
    }
}

#[test]
fn long_texts_with_patterns_stay_linear() {
    // The square of this text's length would be minutes.
    let detector = Detector::new([], [custom("X", r"\p{Lu}*[^\p{Lu}]|b$")]).unwrap();
    let text = "A".repeat(300_000);
    assert!(detector.find(&text).is_empty());
    let text = format!("{}b", "x ".repeat(100_000));
    assert_eq!(detector.redact(&text).hits.len(), 200_001);
}

#[test]
fn patterns_that_are_refused() {
    let refused = |name: &str, regex: &str| Detector::new([], [custom(name, regex)]).unwrap_err().to_string();
    insta::assert_snapshot!(refused("A", "(a"), @"the pattern `A` is refused: unclosed group");
    insta::assert_snapshot!(refused("A", r"(?=a)b"), @"the pattern `A` is refused: look-around, including look-ahead and look-behind, is not supported");
    insta::assert_snapshot!(refused("A", r"(a)\1"), @"the pattern `A` is refused: backreferences are not supported");
    insta::assert_snapshot!(refused("A", r"(\w{1000}){1000}"), @"the pattern `A` is refused: it compiles to more than 4194304 bytes");
    insta::assert_snapshot!(refused("A", "a*"), @"the pattern `A` matches the empty text");
    insta::assert_snapshot!(refused("a b]", "a"), @"the name `a b]` cannot stand in a mark: use letters, digits and `_`, at most 64");
    assert!(matches!(Detector::new([], [custom("", "a")]), Err(CustomError::Name(_))));
}
