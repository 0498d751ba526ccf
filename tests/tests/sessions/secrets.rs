//! No secret is a name, a source or a prompt.

use mentci_tests::Scratch;
use serde_json::json;

use super::{COMPILE, lines, said};

#[test]
fn a_secret_that_is_a_name_is_no_name() {
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let tool = json!({"name": format!("tool_{secret}"), "args": {"command": "ls"}, "call_id": secret});
    let event = |name: &str| json!({"event": name, "session": secret, "sender": secret, "tool": tool, "result": "fine"});
    let scratch = Scratch::new(&[
        ("call.json", &event("pre_tool_call").to_string()),
        ("answer.json", &event("post_tool_response").to_string()),
        ("s.jsonl", &lines(&[said(&format!("imported {secret}"), "user", "hello")])),
    ]);
    scratch.run(&["decide", "call.json"]);
    scratch.run(&["decide", "answer.json"]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let listed = scratch.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(2), "{listed}");
    let text = listed.to_string();
    assert!(!text.contains(&secret), "{text}");
    for name in ["store.db", "store.db-wal"] {
        let path = scratch.kept("store.db").with_file_name(name);
        let bytes = std::fs::read(path).unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{name}");
    }
}

/// A file is shown as it stands, by no log in between.
#[test]
fn a_secret_in_a_name_or_a_source_is_in_no_context() {
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let call = json!({"call_id": secret, "tool": format!("t_{secret}")});
    let ended = json!({"call_id": secret, "tool": format!("t_{secret}"), "value": "fine"});
    let events = [
        json!({"kind": "user_input", "data": {"role": "user", "text": "go"}}),
        json!({"kind": "memory_hit", "data": {"text": "t", "source": secret}}),
        json!({"kind": "tool_call", "data": call}),
        json!({"kind": "tool_success", "data": ended}),
    ];
    let scratch = Scratch::new(&[("s.jsonl", &lines(&events))]);
    for more in [&[][..], &["--json"]] {
        let text = scratch.must(&[&COMPILE[..], more].concat());
        assert!(!text.contains(&secret), "{text}");
        assert!(text.contains("memory:[GITHUB_TOKEN]") && text.contains("[GITHUB_TOKEN]-"), "{text}");
    }
}

#[test]
fn a_system_prompt_and_a_source_are_redacted() {
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let scratch = Scratch::new(&[
        ("system.md", &format!("Use {secret} to log in.\n")),
        ("s.jsonl", &lines(&[said("s1", "user", "hello")])),
        ("a.txt", "hello\n"),
    ]);
    let context = scratch.must(&[&COMPILE[..], &["--system", "system.md"]].concat());
    assert!(context.contains("to log in") && !context.contains(&secret), "{context}");
    let put = scratch.must(&["artifact", "put", "a.txt", "--source", &format!("curl {secret}"), "--json"]);
    assert!(put.contains("curl [") && !put.contains(&secret), "{put}");
}
