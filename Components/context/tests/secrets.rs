//! Secrets never reach a value, a summary, an artifact or an error; clean texts stay as they are.
//!
//! Every secret is put together from parts, so that none stands in this file.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::sync::Arc;

use mentci_context::{AlignOptions, Aligned, PerceptionAligner, SchemaRegistry};
use mentci_tokens::Bytes;
use serde_json::{Value, json};

fn aligner() -> PerceptionAligner {
    with(AlignOptions::default())
}

fn with(options: AlignOptions) -> PerceptionAligner {
    let mut schemas = SchemaRegistry::default();
    schemas.register("strict", &json!({"type": "object", "additionalProperties": false})).unwrap();
    PerceptionAligner::new(options, schemas, Arc::new(Bytes)).unwrap()
}

/// Letters and digits that repeat no pattern, the same each time.
fn random(length: usize, seed: u64) -> String {
    let alphabet = b"aB3dE5fG7hJ9kLmN2pQrS4tUvW6xYz8c";
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(alphabet[(state >> 33) as usize % alphabet.len()])
    };
    (0..length).map(|_| next()).collect()
}

/// What a text is written like, and the part of it that nobody may see.
fn secrets() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |text: &dyn Fn(&str) -> String, secret: String| all.push((text(&secret), secret));
    let whole = |secret: &str| format!("the key is {secret} as told");
    let prefixed = [
        ("sk-proj-", 48),
        ("sk-ant-api03-", 93),
        ("ghs_", 36),
        ("ghp_", 36),
        ("gho_", 36),
        ("github_pat_", 82),
        ("glpat-", 20),
        ("xoxb-", 40),
        ("sk_live_", 24),
        ("rk_live_", 24),
        ("npm_", 36),
        ("AIza", 35),
        ("hf_", 34),
        ("SG.", 66),
    ];
    for (seed, (prefix, length)) in prefixed.into_iter().enumerate() {
        let mut tail = random(length, seed as u64 + 7);
        if prefix == "SG." {
            tail.replace_range(22..23, ".");
        }
        add(&whole, format!("{prefix}{tail}"));
    }
    let upper = random(16, 3).to_uppercase().replace(['8', '9', '0', '1'], "Q");
    add(&whole, format!("AKIA{upper}"));
    let jwt = format!("eyJ{}.eyJ{}.{}", random(30, 11), random(60, 12), random(43, 13));
    add(&whole, jwt.clone());
    add(&|secret| format!("Authorization: Bearer {secret}"), jwt);
    let pem =
        ["-----BEGIN ", "RSA PRIVATE", " KEY-----\n"].concat() + &random(64, 14) + "\n" + &random(64, 15);
    add(&|secret| format!("{secret}\n-----END RSA PRIVATE KEY-----\n"), pem);
    let keys =
        ["password", "passwd", "api_key", "apiKey", "secret", "client_secret", "access_token", "auth_token"];
    for (seed, key) in keys.into_iter().enumerate() {
        let secret = || random(20, 40 + seed as u64);
        add(&|secret| format!("{{\"{key}\": \"{secret}\"}}"), secret());
        add(&|secret| format!("{{\n  'user': 'ann',\n  '{key}': '{secret}'\n}}"), secret());
        add(&|secret| format!("export {}={secret}", key.to_uppercase()), secret());
    }
    add(&|secret| format!("{key}: {secret}", key = "db_password"), random(18, 60));
    add(&|secret| format!("postgres://ann:{secret}@db.example.com:5432/app"), random(18, 61));
    add(&|secret| format!("https://ann:{secret}@git.example.com/a.git"), random(18, 62));
    add(&|secret| format!("curl -H 'Authorization: Bearer {secret}' https://example.com"), random(40, 63));
    add(&|secret| format!("{{\"body\": \"{{\\\"password\\\": \\\"{secret}\\\"}}\"}}"), random(20, 64));
    all
}

/// Everything that is kept of an answer, as text.
fn kept(aligned: &Aligned) -> String {
    let artifact = aligned.artifact.as_ref().map(|new| {
        format!("{} {}", serde_json::to_string(&new.handle).unwrap(), String::from_utf8_lossy(&new.content))
    });
    let (errors, parts) = (&aligned.errors, &aligned.redactions);
    format!("{} {:?} {artifact:?} {errors:?} {parts:?} {:?}", aligned.value, aligned.summary, aligned.notes)
}

/// The parts of a secret that are long enough to be one: all of its lines.
fn shows(text: &str, secret: &str) -> bool {
    secret.lines().filter(|line| !line.starts_with("-----")).any(|line| text.contains(line))
}

#[test]
fn no_secret_is_kept_in_any_place() {
    let aligner = aligner();
    let rest = "2026-03-02T10:00:00Z INFO worker: job done\n".repeat(60);
    let mut seen = Vec::new();
    for (text, secret) in secrets() {
        let places: [(&str, Value); 8] = [
            ("a short text", json!(text)),
            ("a long text's beginning", json!(format!("{text}\n{rest}"))),
            ("a long text's end", json!(format!("{rest}{text}"))),
            ("a value", json!({"log": [text]})),
            ("a large value", json!({"log": [text], "rest": rest})),
            ("a key", json!({&text: 1})),
            ("a list of lines", json!(text.lines().collect::<Vec<_>>().join("\n"))),
            ("an answer as JSON", serde_json::from_str(&text).unwrap_or_default()),
        ];
        for (place, raw) in places {
            for tool in ["echo", "strict"] {
                if shows(&kept(&aligner.normalize(tool, &raw, 0.0)), &secret) {
                    seen.push(format!("{place}: {text}"));
                }
            }
        }
        if shows(&aligner.redact_text(&text), &secret)
            || shows(&kept(&aligner.align_text("echo", &text, 0.0)), &secret)
        {
            seen.push(format!("an error: {text}"));
        }
        let bytes = [b"\xff\xfe\0".as_slice(), text.as_bytes(), rest.as_bytes()].concat();
        if shows(&kept(&aligner.normalize_bytes("echo", &bytes, 0.0)), &secret) {
            seen.push(format!("bytes: {text}"));
        }
    }
    assert!(seen.is_empty(), "{} are seen:\n{}", seen.len(), seen.join("\n"));
    assert!(secrets().len() >= 40);
}

#[test]
fn a_secret_beside_or_under_its_name_is_one() {
    let secret = random(14, 70);
    let login = format!("Basic {}", random(24, 71));
    for (raw, kept) in [
        (
            json!([{"name": "DB_PASSWORD", "value": secret}]),
            json!([{"name": "DB_PASSWORD", "value": "[SECRET]"}]),
        ),
        (json!({"Key": "api_key", "Value": secret}), json!({"Key": "api_key", "Value": "[SECRET]"})),
        (json!({"password": {"value": secret}}), json!({"password": {"value": "[SECRET]"}})),
        (json!({"headers": {"Authorization": login}}), json!({"headers": {"Authorization": "[BASIC_AUTH]"}})),
        (json!({"name": "city", "value": "Bern"}), json!({"name": "city", "value": "Bern"})),
        (json!({"name": "ann", "password": ""}), json!({"name": "ann", "password": ""})),
    ] {
        let aligned = aligner().normalize("env", &raw, 0.0);
        assert_eq!(aligned.value, kept);
        assert_eq!(aligned.redactions.is_empty(), raw == kept);
        assert_eq!(aligner().redact_value(&raw), kept);
    }
    let aligned = aligner().normalize("env", &json!([{"name": "DB_PASSWORD", "value": secret}]), 0.0);
    assert_eq!(aligned.redactions[0].place, "/0/value");
}

/// Texts in which nothing is secret.
const CLEAN: &[&str] = &[
    "task-management",
    "risk-assessment of the disk-management",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "commit 84f794d1c0ffee5e6b4b0d3255bfef95601890af",
    "550e8400-e29b-41d4-a716-446655440000",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "the password must have 12 characters",
    "forgot your password? ask the admin",
    "tokens: 1824, budget: 4000",
    "let token = lexer.next_token();",
    "fn password(&self) -> Option<&str> {",
    "max_tokens=4096 temperature=0.2",
    "https://example.com/a/b?page=2&sort=name",
    "src/auth/password.rs:12:pub struct PasswordHasher;",
    "integrity sha512-AbCdEf",
    "key: value",
    "API key rotation happens every 90 days",
    "v1.2.3.4-rc.1",
    "secret santa is on Friday",
];

#[test]
fn nothing_of_a_clean_text_is_redacted() {
    let aligner = aligner();
    for text in CLEAN {
        let kept = aligner.normalize("echo", &json!({"text": text, (*text): [1]}), 0.0);
        assert_eq!(kept.value, json!({"text": text, (*text): [1]}), "{text}");
        assert_eq!(kept.redactions, []);
        assert_eq!(aligner.redact_text(text), *text);
    }
}

#[test]
fn what_is_allowed_stays() {
    let example = format!("AKIA{}", "IOSFODNN7EXAMPLE");
    let other = format!("AKIA{}", "IOSFODNN7EXAMPLQ");
    let text = format!("{example} {other}");
    let allow = with(AlignOptions { allow: vec![example.clone()], ..AlignOptions::default() });
    assert_eq!(allow.normalize("echo", &json!(text), 0.0).value, json!(format!("{example} [AWS_KEY]")));
    let allow_patterns = vec!["AKIA.*EXAMPLE".to_owned()];
    let allow = with(AlignOptions { allow_patterns, ..AlignOptions::default() });
    assert_eq!(allow.redact_text(&text), format!("{example} [AWS_KEY]"));
    assert_eq!(
        allow.redact_value(&json!({"id": example, "password": "correct-horse-7"})),
        json!({"id": example, "password": "[SECRET]"})
    );
}

#[test]
fn personal_data_is_redacted_when_it_is_asked_for() {
    let raw = json!({"to": "ann@example.com"});
    assert_eq!(aligner().normalize("mail", &raw, 0.0).value, raw);
    let personal = with(AlignOptions { redact: vec!["personal".into()], ..AlignOptions::default() });
    assert_eq!(personal.normalize("mail", &raw, 0.0).value, json!({"to": "[EMAIL]"}));
    let own = AlignOptions {
        patterns: [("CUSTOMER".into(), r"CUST-\d{6}".into())].into(),
        ..AlignOptions::default()
    };
    assert_eq!(with(own).redact_text("for CUST-123456"), "for [CUSTOMER]");
}

#[test]
fn options_that_do_not_read_say_so() {
    let said =
        |options| PerceptionAligner::new(options, SchemaRegistry::default(), Arc::new(Bytes)).err().unwrap();
    insta::assert_snapshot!(said(AlignOptions { redact: vec!["emial".into()], ..AlignOptions::default() }), @"unknown kind `emial`; did you mean `EMAIL`?");
    insta::assert_snapshot!(said(AlignOptions { allow_patterns: vec!["(a".into()], ..AlignOptions::default() }), @"the pattern `(a` is refused: unclosed group");
    insta::assert_snapshot!(said(AlignOptions { allow_patterns: vec!["a)|(.*".into()], ..AlignOptions::default() }), @"the pattern `a)|(.*` is refused: unopened group");
    insta::assert_snapshot!(said(AlignOptions { patterns: [("A".into(), "(?=a)".into())].into(), ..AlignOptions::default() }), @"the pattern `A` is refused: look-around, including look-ahead and look-behind, is not supported");
}

/// A file is written by anybody: a secret may stand under every key of it.
#[test]
fn no_secret_of_a_session_file_is_kept_under_any_key() {
    const SECRET: &str = "ghp_1234567890abcdefghijklmnopqrstuvwxyz12";
    let id = "ab".repeat(32);
    let handle = |summary: &str, source: &str| {
        json!({"artifact_id": id, "summary": summary, "size_bytes": 5, "mime_type": "text/plain",
               "created_at": 1.0, "source": source})
    };
    let data = json!({
        "role": SECRET, "text": SECRET, "content": SECRET, "phase": SECRET, "source": SECRET, "status": SECRET,
        "decision": SECRET, "rules": [SECRET], "events": [SECRET], "summary": SECRET, "call_id": SECRET,
        "tool": SECRET, "args": {"x": SECRET}, "error": SECRET, "errors": [SECRET],
        "artifact": handle(SECRET, SECRET), "handle": handle(SECRET, SECRET), "value": {"deep": [SECRET]},
        "approval": {"by": SECRET}, SECRET: 1, "password": "correct-horse-7",
    });
    let mut lines = Vec::new();
    for kind in mentci_context::SessionEventKind::ALL {
        let mut data = data.clone();
        if kind == mentci_context::SessionEventKind::ArtifactStored {
            data = handle(SECRET, SECRET);
        }
        lines.push(json!({"event_id": SECRET, "kind": kind.name(), "data": data}).to_string());
    }
    // A later line tells the whole call apart.
    lines.push(
        json!({"event": "post_tool_response", "session": SECRET, "tool": {"name": SECRET, "call_id": SECRET},
               "result": {"artifact": handle(SECRET, SECRET), "summary": SECRET}})
        .to_string(),
    );
    let lines = lines.join("\n") + "\n";
    let read = mentci_context::SessionFile::read("s", lines.as_bytes());
    let counts = Arc::new(mentci_context::Counts::new(Bytes));
    let session = read.value.session(None, counts, Some(aligner().detector().clone()));
    let config = mentci_context::CompileConfig::new(1_000_000);
    let compiled = mentci_context::ContextCompiler::new().compile(&session.value, &config).unwrap();
    let events: Vec<_> = session.value.events().collect();
    let kept = [
        format!("{events:?} {}", session.value.session_id()),
        format!("{compiled:?}"),
        format!("{:?}", session.findings),
    ];
    for kept in kept {
        assert!(!kept.contains(&SECRET[4..]) && !kept.contains("correct-horse"), "{kept}");
    }
    // What is no secret stays: the handle can be fetched.
    assert!(compiled.context.artifact_refs.iter().any(|handle| handle.artifact_id.to_string() == id));
}

/// The name of a tool stands in what is stored of its answer.
#[test]
fn a_name_that_is_a_secret_is_no_source() {
    const SECRET: &str = "ghp_1234567890abcdefghijklmnopqrstuvwxyz12";
    let aligned = aligner().normalize(SECRET, &json!("x".repeat(5_000)), 0.0);
    insta::assert_snapshot!(aligned.artifact.unwrap().handle.source, @r"tool:[GITHUB_TOKEN]-e951e7e4");
}
