//! Secrets: what is found in a text, and what only looks like it.
//!
//! Samples are put together here and stand nowhere in full, so that scanners of the places that keep this file do not
//! take them for real.

use mentci_detect::{Detector, Group, Kind};

/// `length` bytes of letters and digits, no two runs of them alike.
fn alnum(length: usize) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    (0..length).map(|at| letters[(at * 37 + at * at * 11 + 5) % letters.len()]).collect()
}

fn hex(length: usize) -> String {
    (0..length).map(|at| char::from(b"0123456789abcdef"[(at * 7 + at * at * 3 + 1) % 16])).collect()
}

fn upper(length: usize) -> String {
    (0..length)
        .map(|at| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(at * 11 + at * at * 3) % 32]))
        .collect()
}

fn redacted(text: &str) -> String {
    Detector::group(Group::Secrets).redact(text).text
}

#[test]
fn each_provider_by_its_prefix() {
    let samples = [
        ("AWS_KEY", format!("AKIA{}", upper(16))),
        ("AWS_KEY", format!("ASIA{}", upper(16))),
        ("GITHUB_TOKEN", format!("ghp_{}", alnum(36))),
        ("GITHUB_TOKEN", format!("ghs_{}", alnum(36))),
        ("GITHUB_TOKEN", format!("github_pat_{}_{}", alnum(22), alnum(59))),
        ("GITLAB_TOKEN", format!("glpat-{}", alnum(20))),
        ("ANTHROPIC_KEY", format!("sk-ant-api03-{}-{}AA", alnum(40), alnum(50))),
        ("OPENAI_KEY", format!("sk-{}", alnum(48))),
        ("OPENAI_KEY", format!("sk-a{}", alnum(40))),
        ("OPENAI_KEY", format!("sk-p{}", alnum(40))),
        ("OPENAI_KEY", format!("sk-proj-{}", alnum(120))),
        ("OPENROUTER_KEY", format!("sk-or-v1-{}", hex(64))),
        ("STRIPE_KEY", format!("sk_live_{}", alnum(24))),
        ("STRIPE_KEY", format!("rk_test_{}", alnum(99))),
        ("SLACK_TOKEN", format!("xoxb-123456789012-123456789012-{}", alnum(24))),
        ("SLACK_WEBHOOK", format!("hooks.slack.com/services/T{}/B{}/{}", upper(10), upper(10), alnum(24))),
        ("DISCORD_WEBHOOK", format!("discord.com/api/webhooks/123456789012345678/{}", alnum(68))),
        ("GOOGLE_KEY", format!("AIza{}", alnum(35))),
        ("GOOGLE_KEY", format!("ya29.{}", alnum(60))),
        ("NPM_TOKEN", format!("npm_{}", alnum(36))),
        ("PYPI_TOKEN", format!("pypi-AgEIcHlwaS5vcmc{}", alnum(100))),
        ("HUGGINGFACE_TOKEN", format!("hf_{}", alnum(34))),
        ("SENDGRID_KEY", format!("SG.{}.{}", alnum(22), alnum(43))),
        ("DIGITALOCEAN_TOKEN", format!("dop_v1_{}", hex(64))),
        ("SHOPIFY_TOKEN", format!("shpat_{}", hex(32))),
        ("VAULT_TOKEN", format!("hvs.{}", alnum(90))),
        ("DATABRICKS_TOKEN", format!("dapi{}", hex(32))),
        ("GRAFANA_TOKEN", format!("glsa_{}_{}", alnum(32), hex(8))),
        ("GROQ_KEY", format!("gsk_{}", alnum(52))),
        ("NVIDIA_KEY", format!("nvapi-{}", alnum(64))),
        ("AGE_KEY", format!("AGE-SECRET-KEY-1{}", upper(58))),
        ("TELEGRAM_TOKEN", format!("123456789:AA{}", alnum(33))),
        ("LINEAR_KEY", format!("lin_api_{}", alnum(40))),
        ("DOCKER_TOKEN", format!("dckr_pat_{}", alnum(27))),
        ("POSTMAN_KEY", format!("PMAK-{}-{}", hex(24), hex(34))),
        ("ATLASSIAN_TOKEN", format!("ATATT3{}", alnum(180))),
    ];
    for (name, sample) in samples {
        for (around, wanted) in [
            ("use {} now", "use [{}] now"),
            ("{}", "[{}]"),
            ("x=\"{}\";", "x=\"[{}]\";"),
            ("({}).", "([{}])."),
        ] {
            let text = around.replace("{}", &sample);
            assert_eq!(redacted(&text), wanted.replace("{}", name), "{text}");
        }
    }
}

#[test]
fn names_are_known() {
    for name in
        ["AWS_KEY", "TELEGRAM_TOKEN", "JWT", "SECRET", "EMAIL", "secrets", "pii", "all", "credit-card"]
    {
        assert!(Kind::named(name).is_ok(), "{name}");
    }
    let unknown = Kind::named("GITHUB_TOKENS").unwrap_err();
    insta::assert_snapshot!(unknown, @"unknown kind `GITHUB_TOKENS`");
    assert_eq!(unknown.suggestion, Some("GITHUB_TOKEN"));
    let mut all: Vec<Kind> = Kind::all().collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count, "a name's rows do not stand together");
}

#[test]
fn no_key() {
    let texts = [
        format!("ghp_{}", "x".repeat(36)),
        format!("ghp_{}", alnum(20)),
        format!("aghp_{}", alnum(36)),
        format!("AKIA{}", upper(12)),
        format!("AKIA{}", upper(20)),
        format!("XAKIA{}", upper(16)),
        "task-management-and-other-long-names-of-things".to_owned(),
        "sk-fading-circle-container-of-the-spinner".to_owned(),
        "disk-usage-by-directory-1234567890".to_owned(),
        format!("npm_{}", alnum(12)),
        "npm_config_registry_and_other_variables".to_owned(),
        format!("pul-{}", hex(20)),
        "key-value-store-with-some-more-words-1".to_owned(),
        format!("sha256:{}", hex(64)),
        hex(40),
        "550e8400-e29b-41d4-a716-446655440000".to_owned(),
        "SG.region.example".to_owned(),
        "hf_hub_download(repo_id)".to_owned(),
        format!("{}AIza{}", alnum(20), alnum(35)),
        "12345678:AAA".to_owned(),
    ];
    for text in texts {
        assert_eq!(redacted(&text), text);
    }
}

#[test]
fn keys_of_just_the_right_length_may_repeat() {
    for (name, key) in [
        ("GITHUB_TOKEN", format!("ghp_{}", "a".repeat(36))),
        ("GITHUB_TOKEN", format!("ghp_{}", "abc".repeat(12))),
        ("GITHUB_TOKEN", format!("gho_{}", "1234".repeat(9))),
        ("AWS_KEY", format!("AKIA{}", "AB12".repeat(4))),
        ("NPM_TOKEN", format!("npm_{}", "z9".repeat(18))),
    ] {
        assert_eq!(redacted(&format!("use {key} now")), format!("use [{name}] now"));
    }
    for text in [
        format!("ghp_{}", "x".repeat(36)),
        format!("ghp_{}", "X".repeat(36)),
        format!("ghp_{}", "0".repeat(36)),
        format!("ghp_{}", "xX".repeat(18)),
        format!("AKIA{}", "X".repeat(16)),
        format!("ghp_{}", "a".repeat(35)),
        format!("ghp_{}", "a".repeat(40)),
    ] {
        assert_eq!(redacted(&text), text);
    }
}

#[test]
fn pypi_tokens_of_any_length() {
    for length in [16, 40, 100, 180, 400, 900] {
        let token = format!("pypi-AgEIcHlwaS5vcmc{}", alnum(length));
        assert_eq!(redacted(&format!("password = {token}\n")), "password = [PYPI_TOKEN]\n");
        assert_eq!(redacted(&format!("pypi-{}", alnum(length + 4))), "[PYPI_TOKEN]");
    }
    for text in ["pypi-server-with-a-long-name-2024", "pypi-AgEnt", "pypi-mirror"] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn json_web_token() {
    let token = format!("eyJ{}.eyJ{}.{}", alnum(30), alnum(60), alnum(43));
    assert_eq!(redacted(&format!("a {token} b")), "a [JWT] b");
    assert_eq!(redacted(&format!("?jwt={token}&x")), "?jwt=[JWT]&x");
    assert_eq!(redacted(&format!("Authorization: Bearer {token}")), "Authorization: Bearer [JWT]");
    let unsigned = format!("eyJ{}.eyJ{}.", alnum(30), alnum(60));
    assert_eq!(redacted(&unsigned), "[JWT]");
    for text in [
        format!("eyJ{}", alnum(60)),
        format!("eyJ{}.{}", alnum(30), alnum(30)),
        format!("x{token}"),
        "eyJ.eyJ.".to_owned(),
    ] {
        assert_eq!(redacted(&text), text);
    }
}

#[test]
fn private_key() {
    let line = format!("{}+/{}\n", alnum(30), alnum(32));
    let body = line.repeat(5);
    for label in
        ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
    {
        let key = format!("-----BEGIN {label}-----\n{body}-----END {label}-----");
        assert_eq!(redacted(&format!("a\n{key}\nb")), "a\n[PRIVATE_KEY]\nb");
        assert_eq!(redacted(&key.replace('\n', "\\n")), "[PRIVATE_KEY]");
        assert_eq!(redacted(&key.replace('\n', "\r\n")), "[PRIVATE_KEY]");
    }
    let open = format!("-----BEGIN PRIVATE KEY-----\n{body}\nand then prose");
    assert_eq!(redacted(&open), "[PRIVATE_KEY] then prose");
    let proc = format!(
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{body}-----END RSA PRIVATE KEY-----"
    );
    assert_eq!(redacted(&proc), "[PRIVATE_KEY]");
    for text in [
        format!("-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----"),
        format!("-----BEGIN PUBLIC KEY-----\n{body}-----END PUBLIC KEY-----"),
        "if text.contains(\"-----BEGIN PRIVATE KEY-----\") { … }".to_owned(),
        "-----------------------------".to_owned(),
        "BEGIN PRIVATE KEY".to_owned(),
    ] {
        assert_eq!(redacted(&text), text);
    }
}

#[test]
fn short_and_cut_private_keys() {
    for label in
        ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
    {
        for body in [
            "MIIEpAIBAAKCAQEA",
            "MC4CAQAwBQYDK2Vw",
            "MIIE...",
            "b3BlbnNzaC1rZXkt",
            "Zm9vYmFyMQ==",
            "MIIB\nAbC1",
        ] {
            let key = format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----");
            assert_eq!(redacted(&format!("a\n{key}\nb")), "a\n[PRIVATE_KEY]\nb", "{key}");
            assert_eq!(redacted(&key.replace('\n', "\\n")), "[PRIVATE_KEY]", "{key}");
            assert_eq!(redacted(&key.replace('\n', " ")), "[PRIVATE_KEY]", "{key}");
        }
        for (cut, rest) in [
            ("MIIEpAIBAAKCAQEA", ""),
            ("MIIEpAIBAAKCAQEAx3Rq\n9bQ8zYx71LmNop", ""),
            ("  MIIEpAIBAAKCAQEAx3Rq\n  9bQ8zYx71LmNop", "\n"),
            ("Zm9vYmFyMQ9bQ8zYx71LmNop", "…"),
            ("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\nMIIEpAIBAAKCAQEA", " and more"),
        ] {
            let text = format!("key: |\n-----BEGIN {label}-----\n{cut}{rest}");
            assert_eq!(redacted(&text), format!("key: |\n[PRIVATE_KEY]{rest}"), "{text}");
        }
    }
    for text in [
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nyour key here\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n[PRIVATE_KEY]\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nand then prose",
        "pem = \"-----BEGIN PRIVATE KEY-----\\n\" + body + \"\\n-----END PRIVATE KEY-----\"",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn password_in_a_url() {
    let detector = Detector::group(Group::Secrets);
    for (text, wanted) in [
        ("https://ann:hunter2@example.com/x", "https://[BASIC_AUTH]@example.com/x"),
        ("postgres://app:s3cr3t!@db:5432/app", "postgres://[BASIC_AUTH]@db:5432/app"),
        ("redis://:p4ssw0rdx@cache", "redis://[BASIC_AUTH]@cache"),
        ("mongodb+srv://u:p%40ss@c.example.net", "mongodb+srv://[BASIC_AUTH]@c.example.net"),
        ("amqp://u:a@b@host", "amqp://[BASIC_AUTH]@host"),
    ] {
        assert_eq!(detector.redact(text).text, wanted);
    }
    for text in [
        "https://example.com:8080/a@b",
        "https://ann@example.com",
        "ssh://git@example.com:22/x",
        "https://user:password@example.com",
        "https://user:${PASS}@example.com",
        "https://user:$PASS@example.com",
        "https://user:<pass>@example.com",
        "https://user:***@example.com",
        "https://example.com/?a:b@c",
        "://a:b@c",
        "std::x //a:b",
        "postgres://user:pass@localhost",
    ] {
        assert_eq!(detector.redact(text).text, text);
    }
}

#[test]
fn assignment() {
    let detector = Detector::group(Group::Secrets);
    for (text, wanted) in [
        ("password=hunter22", "password=[SECRET]"),
        ("DB_PASSWORD='s3cret!x'", "DB_PASSWORD='[SECRET]'"),
        ("export API_KEY=a8f5f167f44f4964e6c998dee827110c", "export API_KEY=[SECRET]"),
        ("\"api_key\": \"a8f5f167f44f4964\",", "\"api_key\": \"[SECRET]\","),
        ("{\\\"token\\\": \\\"a8f5f167f44f4964\\\"}", "{\\\"token\\\": \\\"[SECRET]\\\"}"),
        ("client-secret: 9bQ8zYx71LmNop", "client-secret: [SECRET]"),
        ("clientSecret: `9bQ8zYx71LmNop`", "clientSecret: `[SECRET]`"),
        ("--password hunter22", "--password [SECRET]"),
        ("--db-password=hunter22", "--db-password=[SECRET]"),
        ("const accessToken = \"9bQ8zYx71LmNop\";", "const accessToken = \"[SECRET]\";"),
        ("aws_secret_access_key = wJalrXUtnFE/K7MDENG/bPxRfiCYzzz1", "aws_secret_access_key = [SECRET]"),
        ("smtp_pass: Xy7!kk29", "smtp_pass: [SECRET]"),
        ("passwd := \"Xy7!kk29\"", "passwd := \"[SECRET]\""),
        ("?access_token=9bQ8zYx71LmNop&x=1", "?access_token=[SECRET]"),
        ("config['secret_key'] = 'x8#kQ02mmz'", "config['secret_key'] = '[SECRET]'"),
        ("Authorization: Bearer 9bQ8zYx71LmNop9bQ8zYx7", "Authorization: Bearer [BEARER_TOKEN]"),
        ("PASSWORD=12345678", "PASSWORD=[SECRET]"),
    ] {
        assert_eq!(detector.redact(text).text, wanted);
    }
}

#[test]
fn no_assignment() {
    let detector = Detector::group(Group::Secrets);
    for text in [
        "password=changeme",
        "password: ${DB_PASSWORD}",
        "password = \"$DB_PASSWORD1\"",
        "token: <your-token-123>",
        "api_key = YOUR_API_KEY_123",
        "secret: xxxxxxxx1",
        "password = None",
        "password: string;",
        "token = process.env.TOKEN1",
        "token = os.environ[\"TOKEN1\"]",
        "let token = lexer.next_token2();",
        "max_tokens=1234567890",
        "tokens: 128000",
        "total_tokens = 1234567890123",
        "token_count: 1234567890",
        "PWD=/srv/ann/work2",
        "passing: 123 tests",
        "password_field = \"input7name\"",
        "secret_name: my-app-secret1",
        "key: \"value1234567890\"",
        "primary_key = order_1234567",
        "password=[SECRET]",
        "password: \"Enter your password 1\"",
        "token: 2024",
        "token=sha256",
        "token: Token2",
        "private_key = load_key(\"x.pem\")",
        "secret_key = settings.SECRET_KEY1",
        "password=",
        "password: \"\"",
        "fn token(&self) -> Token2 {",
        "password == other_password1()",
        "Bearer of the good news, and of 20 more",
        "key_path: ~/.ssh/id_rsa2",
    ] {
        assert_eq!(detector.redact(text).text, text);
    }
}

#[test]
fn a_password_in_a_url_is_no_address() {
    let key = format!("ghp_{}", alnum(36));
    for (text, wanted) in [
        ("https://ann:hunter2@example.com/", "https://[BASIC_AUTH]@example.com/"),
        ("postgres://app:s3cr3t@db.example.com:5432/x", "postgres://[BASIC_AUTH]@db.example.com:5432/x"),
        ("https://ann@corp.com:hunter2@example.com", "https://[BASIC_AUTH]@example.com"),
        (&*format!("https://{key}@github.com/x"), "https://[GITHUB_TOKEN]@github.com/x"),
        ("https://user:password@example.com", "https://user:password@example.com"),
        ("mailto:ann@example.com", "mailto:[EMAIL]"),
        ("https://example.com/?to=ann@example.com", "https://example.com/?to=[EMAIL]"),
    ] {
        assert_eq!(Detector::all().redact(text).text, wanted);
    }
    let personal = Detector::group(Group::Personal);
    assert!(!personal.has_any("https://ann:hunter2@example.com/"));
}

#[test]
fn the_surer_kind_gives_the_mark() {
    let key = format!("ghp_{}", alnum(36));
    assert_eq!(redacted(&format!("token={key}")), "token=[GITHUB_TOKEN]");
    assert_eq!(redacted(&format!("\"password\": \"{key}\"")), "\"password\": \"[GITHUB_TOKEN]\"");
    let hits = Detector::all().find("https://ann:hunter2@example.com/");
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].span.clone(), &hits[0].kind), (8..19, &Kind::BasicAuthUrl));
}
