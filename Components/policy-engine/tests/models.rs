//! The verbs of models.
#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod story;

use std::io::{BufRead, BufReader};

use story::Story;

const SCRIPT: &str = "{\"when\": [\"pong\"], \"fail\": {\"status\": 503}, \"text\": \"pong\"}\n";

#[test]
fn a_script_answers_a_ping_and_what_is_wrong_is_said() {
    let story = Story::new();
    story.write("a.jsonl", "{\"expect\": [\"pong\"], \"text\": \"pong\"}\n");
    story.write("broken.jsonl", "{\"text\": \"a\"}\n{\"txt\": \"b\"}\n");
    let ran = story.run(&["model", "ping", "--model", "script:a.jsonl", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&answer["model"], &answer["text"]), (&"scripted".into(), &"pong".into()));
    for (arguments, code, words) in [
        (&["model", "ping"][..], 2, "no model is named"),
        (&["model", "ping", "--model", "opnai/x"], 2, "did you mean `openai`?"),
        (
            &[
                "model",
                "ping",
                "--model",
                "vllm/x",
                "--config",
                "model.provider=vllm",
                "--config",
                "model.base_url=ftp://x",
            ],
            2,
            "E1103",
        ),
        (&["model", "ping", "--model", "script:none.jsonl"], 2, "there is no script"),
        (&["model", "ping", "--model", "script:broken.jsonl"], 2, "broken.jsonl:2:6"),
        (
            &["model", "ping", "--model", "script:a.jsonl", "--config", "model.cap_cost=1"],
            2,
            "caps nothing without prices",
        ),
        (
            &["model", "ping", "--model", "script:a.jsonl", "--config", "model.cap_tokens=9"],
            1,
            "the cap of 9 tokens is reached",
        ),
        (&["model", "list", "--provider", "ollam"], 2, "the providers are anthropic"),
    ] {
        let ran = story.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn an_untrusted_workspace_sends_nothing_anywhere() {
    let story = Story::new();
    story.write("mentci.toml", "[model]\nprovider = \"compatible\"\nbase_url = \"http://127.0.0.1:9/v1\"\nkey_env = \"PATH\"\nname = \"x\"\n");
    let ran = story.run(&["model", "ping"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    for key in ["base_url", "key_env", "name", "provider"] {
        assert!(ran.err.contains(&format!("`model.{key}` says what is sent to whom")), "{}", ran.err);
    }
    assert_eq!(story.run(&["trust"]).code, 0);
    let ran = story.run(&["model", "ping"]);
    // Now it is asked, with a variable that holds no key or at a port that nobody serves.
    assert!(!ran.err.contains("E0704"), "{}", ran.err);
}

#[test]
fn a_served_script_answers_both_wires() {
    let story = Story::new();
    story.write("a.jsonl", SCRIPT);
    let mut server = story.start(&["model", "serve", "--script", "a.jsonl"]);
    let mut line = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_whitespace().find(|word| word.starts_with("http")).unwrap().to_owned();
    let base = format!("model.base_url={address}");
    let ping = |provider: &str| {
        let provider = format!("model.provider={provider}");
        story.run(&["model", "ping", "--model", "m", "--config", &provider, "--config", &base])
    };
    // A ping is one try: the first one meets the failure of the script.
    let first = ping("compatible");
    assert_eq!(
        (first.code, first.err.contains("the provider failed (status 503)")),
        (1, true),
        "{}",
        first.err
    );
    for provider in ["compatible", "anthropic-compatible"] {
        let ran = ping(provider);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.starts_with(&format!("{provider}/m answers at {address}: pong\n")), "{}", ran.out);
    }
    let list = story.run(&["model", "list", "--config", &base]);
    assert_eq!(list.out, format!("scripted\n1 model of compatible at {address}\n"));
    server.kill().unwrap();
    let logged = server.wait_with_output().unwrap();
    let lines = String::from_utf8(logged.stdout).unwrap();
    assert_eq!(lines.lines().count(), 4, "{lines}");
}
