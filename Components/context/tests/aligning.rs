//! What is kept of answers.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::sync::Arc;

use mentci_authority::ArtifactId;
use mentci_context::{AlignOptions, AlignedStatus, ContentKind, PerceptionAligner, SchemaRegistry};
use mentci_tokens::{Bytes, Tokenizer, o200k};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn aligner() -> PerceptionAligner {
    let mut schemas = SchemaRegistry::default();
    let count =
        json!({"type": "object", "properties": {"n": {"type": "integer"}, "card": {"type": "integer"}}});
    schemas.register("count", &count).unwrap();
    let options = AlignOptions { redact: vec!["credit_card".into()], ..AlignOptions::default() };
    PerceptionAligner::new(options, schemas, Arc::new(Bytes)).unwrap()
}

fn sha256(content: &[u8]) -> String {
    ArtifactId::from_bytes(Sha256::digest(content).into()).to_string()
}

#[test]
fn test_normalization() {
    let aligned = aligner().normalize("count", &json!({"n": 3}), 0.0);
    assert_eq!((aligned.status, aligned.value, aligned.artifact), (AlignedStatus::Ok, json!({"n": 3}), None));
    let wrong = aligner().normalize("count", &json!({"n": "three", "password": "correct-horse-7"}), 0.0);
    assert_eq!(wrong.status, AlignedStatus::Invalid);
    assert_eq!(wrong.errors[0].path, "/n");
    assert_eq!(wrong.value, json!({"n": "three", "password": "[SECRET]"}));
}

#[test]
fn what_was_redacted_is_no_violation() {
    let card = 4_111_111_111_111_111_u64;
    let aligned = aligner().normalize("count", &json!({"card": card}), 0.0);
    assert_eq!((aligned.status, aligned.value), (AlignedStatus::Ok, json!({"card": "[CREDIT_CARD]"})));
    let wrong = aligner().normalize("count", &json!({"card": card.to_string()}), 0.0);
    assert_eq!((wrong.status, wrong.errors.len()), (AlignedStatus::Invalid, 1));
    assert!(!format!("{wrong:?}").contains("4111"));
    let both = aligner().normalize("count", &json!({"card": card, "n": "x"}), 0.0);
    assert_eq!(both.errors.iter().map(|error| error.path.as_str()).collect::<Vec<_>>(), ["/n"]);
}

#[test]
fn test_externalization() {
    let rows: Vec<Value> = (0..200).map(|n| json!({"id": n, "token": "correct-horse-7-battery"})).collect();
    let aligned = aligner().normalize("list", &json!(rows), 12.5);
    let artifact = aligned.artifact.unwrap();
    assert_eq!(artifact.handle.artifact_id.to_string(), sha256(&artifact.content));
    assert_eq!(artifact.handle.size_bytes, artifact.content.len() as u64);
    assert_eq!(
        (artifact.handle.mime_type.as_str(), artifact.handle.source.as_str()),
        ("application/json", "tool:list")
    );
    assert!((artifact.handle.created_at - 12.5).abs() < 1e-9);
    assert_eq!(aligned.value["artifact"], serde_json::to_value(&artifact.handle).unwrap());
    assert_eq!(aligned.value["summary"], json!(aligned.summary.unwrap().text));
    let content: Value = serde_json::from_slice(&artifact.content).unwrap();
    assert_eq!(content[199], json!({"id": 199, "token": "[SECRET]"}));
    assert_eq!(aligned.redactions.len(), 64, "places are bounded");
}

#[test]
fn the_threshold_is_bytes_or_tokens() {
    let of = |text: &str| {
        let tokens = Arc::new(o200k());
        let aligner =
            PerceptionAligner::new(AlignOptions::default(), SchemaRegistry::default(), tokens).unwrap();
        aligner.normalize("echo", &json!(text), 0.0).artifact.is_some()
    };
    assert!(!of(&"established ".repeat(85)) && of(&"established ".repeat(86)));
    let dense = "Ω≈ç√∫ ".repeat(50);
    assert!(dense.len() < 1024 && o200k().count(&dense) >= 300 && of(&dense));
}

#[test]
fn what_a_handle_would_not_shorten_stays() {
    let options = AlignOptions { externalize_bytes: 40, externalize_tokens: 10, ..AlignOptions::default() };
    let aligner = PerceptionAligner::by_bytes(options, SchemaRegistry::default()).unwrap();
    for length in [39, 40, 90, 120, 150, 200, 300, 1_000] {
        for text in
            ["word ".repeat(length / 5), "a\n".repeat(length / 2), format!("[{}1]", "7,".repeat(length / 2))]
        {
            let read = aligner.normalize("echo", &json!(text), 0.0);
            let Some(artifact) = read.artifact else {
                assert_eq!(read.value, json!(text));
                continue;
            };
            let (handle, summary) = (artifact.handle, read.summary.unwrap().text);
            let stands_in = format!(
                "[artifact {}, {} bytes, {}]\n{summary}",
                handle.artifact_id, handle.size_bytes, handle.mime_type
            );
            assert!(stands_in.len() < text.len(), "{stands_in}\n{text}");
        }
    }
}

#[test]
fn plain_texts_keep_their_type() {
    let cases: [(&str, String, &str, ContentKind); 4] = [
        (
            "a diff",
            "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n".to_owned() + &" x\n".repeat(500),
            "text/x-diff",
            ContentKind::Diff,
        ),
        ("a table", "id,name\n".to_owned() + &"1,Ann\n".repeat(300), "text/csv", ContentKind::Table),
        (
            "a page",
            format!("# Title\n\n{}", "Some words stand in this line.\n".repeat(60)),
            "text/markdown",
            ContentKind::Prose,
        ),
        ("JSON", json!(vec!["x"; 500]).to_string(), "application/json", ContentKind::Json),
    ];
    for (name, text, mime, kind) in cases {
        let aligned = aligner().normalize("echo", &json!(text), 0.0);
        let artifact = aligned.artifact.unwrap();
        assert_eq!(
            (artifact.handle.mime_type.as_str(), aligned.summary.unwrap().kind),
            (mime, kind),
            "{name}"
        );
        assert_eq!(artifact.content, text.into_bytes());
    }
}

#[test]
fn bytes_are_kept_when_they_can_be() {
    let png = [b"\x89PNG\r\n\x1a\n\0".as_slice(), &[0xfe; 3000]].concat();
    let aligned = aligner().normalize_bytes("screenshot", &png, 0.0);
    let artifact = aligned.artifact.unwrap();
    assert_eq!((artifact.handle.mime_type.as_str(), &artifact.content), ("image/png", &png));
    let latin = aligner().normalize_bytes("cat", b"caf\xe9 is nearly all of what this sentence says", 0.0);
    assert_eq!(latin.value, json!("caf\u{fffd} is nearly all of what this sentence says"));
    assert_eq!(latin.notes, ["some bytes are not UTF-8 and are read as U+FFFD"]);
    let text = aligner().normalize_bytes("cat", "plain".as_bytes(), 0.0);
    assert_eq!((text.value, text.notes.len()), (json!("plain"), 0));
}

#[test]
fn an_answer_that_nests_too_deep_is_invalid() {
    let mut deep = json!(1);
    (0..200).for_each(|_| deep = json!([deep.take()]));
    let aligned = aligner().normalize("echo", &deep, 0.0);
    assert_eq!((aligned.status, aligned.notes.len()), (AlignedStatus::Invalid, 1));
    assert_eq!(aligner().redact_value(&deep), aligned.value);
}

#[test]
fn odd_answers_are_kept() {
    for raw in [
        json!(null),
        json!(""),
        json!([]),
        json!({}),
        json!({"": ""}),
        json!(1e300),
        json!("\0"),
        json!("\u{10ffff}"),
    ] {
        assert_eq!(aligner().normalize("echo", &raw, 0.0).value, raw);
    }
    let line = "x".repeat(1 << 20);
    assert!(aligner().normalize("echo", &json!(line), 0.0).artifact.is_some());
}

/// Any JSON value that is no deeper than a few levels.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~\n\u{e9}\u{4e2d}\u{1f600}]{0,600}".prop_map(Value::from),
        "(password|token|id): [a-zA-Z0-9]{0,30}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{0,9}", inner, 0..6).prop_map(Value::from_iter),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_kept_is_the_same_each_time_and_never_longer(raw in value()) {
        let aligned = aligner().normalize("echo", &raw, 1.0);
        prop_assert_eq!(&aligned, &aligner().normalize("echo", &raw, 1.0));
        let Some(artifact) = aligned.artifact else {
            prop_assert!(aligned.value.to_string().len() < 1200);
            return Ok(());
        };
        prop_assert_eq!(artifact.handle.artifact_id.to_string(), sha256(&artifact.content));
        prop_assert!(std::str::from_utf8(&artifact.content).is_ok());
        let summary = aligned.summary.unwrap().text;
        prop_assert!(summary.len() < artifact.content.len() && summary.len() <= 200);
        let is_long = artifact.content.len() >= 1024;
        prop_assert!(!is_long || aligned.value.to_string().len() < artifact.content.len());
    }

    #[test]
    fn what_is_redacted_stays_so(raw in value()) {
        let once = aligner().redact_value(&raw);
        prop_assert_eq!(aligner().redact_value(&once), once);
    }

    #[test]
    fn any_text_has_a_short_one(text in "\\PC{0,80}(\n[a-z ,:|\\-+@0-9.{}\"]{0,60}){0,40}", tokens in 0_usize..300) {
        let summary = mentci_context::summarize(&text, tokens, &Bytes);
        prop_assert!(summary.text.len() <= tokens);
        prop_assert!(summary.text.len() < text.len() || text.is_empty());
        prop_assert_eq!(summary, mentci_context::summarize(&text, tokens, &Bytes));
    }

    #[test]
    fn any_bytes_are_kept(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        let aligned = aligner().normalize_bytes("cat", &bytes, 0.0);
        if let Some(artifact) = aligned.artifact {
            prop_assert_eq!(artifact.handle.artifact_id.to_string(), sha256(&artifact.content));
        }
    }
}
