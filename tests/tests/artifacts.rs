//! Artifacts from the command line and over MCP: in bounded parts, and whatever became of the files that keep them.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests change what was kept, and may stop"
)]

use std::io::Write;
use std::process::Stdio;

use mentci_tests::Scratch;
use rusqlite::Connection;
use serde_json::{Value, json};

/// What one call of a tool answers over MCP, and how long the line is.
fn over_mcp(scratch: &Scratch, tool: &str, arguments: &Value) -> (Value, usize) {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "story", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let ask = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments}});
    let mut server = scratch.engine();
    let server = server.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = server.spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{hello}\n{ready}\n{ask}\n").as_bytes()).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let line = output.lines().find(|line| line.contains("\"id\":2")).unwrap();
    let answer: Value = serde_json::from_str(line).unwrap();
    (answer["result"].clone(), line.len())
}

/// The blocks of text of an answer.
fn blocks(answer: &Value) -> Vec<String> {
    let blocks = answer["content"].as_array().unwrap().iter();
    blocks.map(|block| block["text"].as_str().unwrap().to_owned()).collect()
}

/// Standard error, and the exit code.
fn told(scratch: &Scratch, args: &[&str]) -> (Option<i32>, String) {
    let output = scratch.run(args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn put(scratch: &Scratch, file: &str) -> String {
    let answer = scratch.json(&["artifact", "put", file, "--session", "s1", "--raw"]);
    answer["artifacts"][0]["artifact_id"].as_str().unwrap().to_owned()
}

/// Ten calls with large answers.
fn calls(session: &str) -> String {
    let mut lines = String::new();
    for at in 0..10 {
        let tool =
            json!({"name": "bash", "args": {"command": format!("make {at}")}, "call_id": format!("c{at}")});
        let result = format!("line {at} of a large output\n").repeat(200);
        let call = json!({"event": "pre_tool_call", "at": 3, "session": session, "tool": tool});
        let answer = json!({"event": "post_tool_response", "at": 4, "session": session, "tool": tool, "result": result});
        lines.extend([call.to_string(), answer.to_string()].map(|line| line + "\n"));
    }
    lines
}

#[test]
fn an_agent_is_given_a_large_artifact_in_parts() {
    // No part ends between two characters: each line has some of two, three and four bytes.
    let text: String =
        (0..4_000).fold(String::new(), |all, at| all + &format!("{at} é世🦀 {}\n", "x".repeat(at % 60)));
    let scratch = Scratch::new(&[("large.txt", &text), ("small.txt", "one\ntwo\n")]);
    let (id, small) = (put(&scratch, "large.txt"), put(&scratch, "small.txt"));
    let (mut whole, mut range, mut parts) = (String::new(), None::<String>, 0);
    loop {
        let mut arguments = json!({"handle": id});
        if let Some(range) = &range {
            arguments["range"] = json!(range);
        }
        let (answer, length) = over_mcp(&scratch, "get_artifact", &arguments);
        assert!(length < 48 << 10, "{length}");
        assert!(answer.get("structuredContent").is_none(), "the text stands once");
        let [part, about] = &blocks(&answer)[..] else { panic!("{answer}") };
        assert!(part.len() <= 32 << 10 && !part.contains('\u{FFFD}'));
        let held = format!("[bytes {}-{} of {}, ", whole.len(), whole.len() + part.len() - 1, text.len());
        assert!(about.starts_with(&held), "{about}");
        whole.push_str(part);
        parts += 1;
        match about.split_once("go on with the range ") {
            Some((_, next)) => range = Some(next.trim_end_matches(']').to_owned()),
            None => break,
        }
    }
    assert!(whole == text && parts > 4, "{parts}");
    for range in ["0-", "0-99999999", "lines:1-", "bytes:0-9999999"] {
        let (answer, length) = over_mcp(&scratch, "get_artifact", &json!({"handle": id, "range": range}));
        let [part, about] = &blocks(&answer)[..] else { panic!("{answer}") };
        assert!(
            text.starts_with(part.as_str()) && part.len() > 32_000 && length < 48 << 10,
            "{range}: {about}"
        );
        assert!(about.contains("; go on with the range 327"), "{range}: {about}");
    }
    let (answer, _) = over_mcp(&scratch, "get_artifact", &json!({"handle": small}));
    assert_eq!(blocks(&answer), ["one\ntwo\n", "[bytes 0-7 of 8, application/octet-stream]"]);
    let (answer, _) = over_mcp(&scratch, "get_artifact", &json!({"handle": small, "range": "lines:2-2"}));
    assert_eq!(blocks(&answer), ["two\n", "[bytes 4-7 of 8, application/octet-stream]"]);
    let (answer, _) = over_mcp(&scratch, "get_artifact", &json!({"handle": "0".repeat(64)}));
    let refused = blocks(&answer).join("\n");
    assert!(
        answer["isError"] == true && refused.contains("help: `list_artifacts` shows what is kept"),
        "{refused}"
    );
    // The command line gives all of it, and JSON says all of it.
    assert_eq!(scratch.must(&["artifact", "get", &id]), text);
    assert_eq!(scratch.json(&["artifact", "get", &id])["text"], text);
}

#[test]
fn bytes_that_are_no_text_are_told_by_their_number() {
    let scratch = Scratch::new(&[]);
    let bytes: Vec<u8> = (0..=255_u8).rev().cycle().take(100_000).collect();
    std::fs::write(scratch.path("b.bin"), &bytes).unwrap();
    let id = put(&scratch, "b.bin");
    let (answer, length) = over_mcp(&scratch, "get_artifact", &json!({"handle": id}));
    let told = blocks(&answer).join("\n");
    assert!(length < 1_000, "{length}");
    assert!(
        told.starts_with("[bytes 0-327") && told.contains("; they are no text; go on with the range 327"),
        "{told}"
    );
    assert!(scratch.run(&["artifact", "get", &id]).stdout == bytes);
}

/// A note is not what it was, and the session goes on with what the log has.
#[test]
fn a_session_goes_on_whatever_became_of_a_note() {
    let scratch =
        Scratch::new(&[("mentci.toml", "[artifacts]\nbackend = \"files\"\n"), ("s.jsonl", &calls("s1"))]);
    scratch.must(&["session", "import", "s.jsonl"]);
    scratch.must(&["session", "export", "s1", "--handles"]);
    let handles = scratch.must(&["session", "export", "s1", "--handles"]);
    std::fs::write(scratch.path("handles.jsonl"), &handles).unwrap();
    let listed = scratch.json(&["artifact", "list"]);
    let id = listed["artifacts"][3]["artifact_id"].as_str().unwrap().to_owned();
    let file = format!("artifacts/{}/{id}.json", &id[..2]);
    let note = scratch.kept("artifacts").with_file_name(&file);
    let whole = std::fs::read(&note).unwrap();
    for broken in ["{\n", "", "[1]", "\u{0}"] {
        std::fs::write(&note, broken).unwrap();
        for verb in [
            &["context", "compile", "--session", "s1", "--budget", "3000"][..],
            &["context", "explain", "--session", "s1", "--budget", "3000"],
            &["session", "export", "s1"],
            &["session", "export", "s1", "--handles"],
            &["session", "show", "s1"],
            &["session", "verify", "s1"],
            &["session", "import", "handles.jsonl", "--as", &format!("again{}", broken.len())],
            &["artifact", "list"],
            &["artifact", "search", "large output"],
            &["artifact", "gc", "--dry-run"],
        ] {
            let (code, said) = told(&scratch, verb);
            assert_eq!(code, Some(0), "{verb:?}: {said}");
            let is_looked_at = !matches!(verb, ["session", "show" | "verify", ..]);
            if is_looked_at {
                let warns = said.contains("warning[E1022]") && said.contains(&file) && said.contains(&id);
                assert!(warns && !said.contains("E1024"), "{verb:?}: {said}");
            }
        }
        let (code, said) = told(&scratch, &["artifact", "get", &id]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("error[E1022]") && said.contains(&file) && said.contains("help: "), "{said}");
        std::fs::write(&note, &whole).unwrap();
    }
    let (code, said) = told(&scratch, &["context", "compile", "--session", "s1", "--budget", "3000"]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

/// Whoever holds the store is waited for once, and what is large stays in the log.
#[test]
fn a_store_that_another_holds_is_waited_for_once() {
    let scratch = Scratch::new(&[("s.jsonl", &calls("s1")), ("a.txt", "hello\n")]);
    put(&scratch, "a.txt");
    let other = Connection::open(scratch.kept("artifacts.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (code, said) = told(&scratch, &["session", "import", "s.jsonl"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("E1024").count(), 1, "{said}");
    let expected = "warning[E1024]: large results stay in the log: another process holds the store";
    assert!(said.contains(expected) && said.contains("artifacts.db"), "{said}");
    assert!(said.contains("help: wait for the other process, or end it"), "{said}");
    let (code, said) = told(&scratch, &["context", "compile", "--session", "s1", "--budget", "3000"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("error[E1024]: another process holds the store") && said.contains("artifacts.db"),
        "{said}"
    );
    assert!(said.contains("help: wait for the other process, or end it"), "{said}");
    drop(other);
    let listed =
        || scratch.json(&["artifact", "list", "--session", "s1"])["artifacts"].as_array().map(Vec::len);
    assert_eq!(listed(), Some(1));
    let shown = scratch.must(&["session", "export", "s1"]);
    assert_eq!(shown.matches("line 7 of a large output").count(), 200, "the log has all of it");
    scratch.must(&["context", "compile", "--session", "s1", "--budget", "3000"]);
    assert_eq!(listed(), Some(11));
}

#[test]
fn a_note_that_somebody_changed_steers_nobody() {
    let scratch = Scratch::new(&[("a.txt", &"word ".repeat(1_000))]);
    let id = put(&scratch, "a.txt");
    let secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let summary = format!("\u{1b}[2J\u{7}{secret} {}", "x".repeat(20_000));
    let changed = Connection::open(scratch.kept("artifacts.db")).unwrap();
    let sql = "UPDATE artifacts SET size = 5, summary = ?1, mime_type = ?1, source = ?1";
    changed.execute(sql, [&summary]).unwrap();
    let output = scratch.run(&["artifact", "list"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains(&format!(
            "warning[E1022]: the note of artifact {id} says 5 bytes, and its content has 5000"
        )),
        "{said}"
    );
    let listed = scratch.json(&["artifact", "list"]).to_string();
    let (answer, _) = over_mcp(&scratch, "list_artifacts", &json!({"session": "s1"}));
    for text in [String::from_utf8_lossy(&output.stdout).into_owned(), listed, answer.to_string()] {
        assert!(!text.contains(&secret) && !text.contains("\\u001b") && !text.contains('\u{1b}'), "{text}");
        assert!(text.len() < 30_000 && text.contains("5000"), "{}", text.len());
    }
    let (code, said) = told(&scratch, &["artifact", "get", &id]);
    assert!(code == Some(2) && said.contains("error[E1022]"), "{said}");
    put(&scratch, "a.txt");
    assert_eq!(scratch.must(&["artifact", "get", &id]).len(), 5_000, "stored again, it is mended");
}

#[test]
fn what_is_long_is_redacted_while_it_is_stored_and_told_in_parts() {
    const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let line = "2026-01-02 10:00:00 INFO ordinary words in a line of a log\n";
    let mut text = line.repeat(9 * (1 << 20) / line.len());
    // Across the place to which the first stretch is looked at, and at the end.
    text.replace_range((4 << 20) - 20..(4 << 20) + 20, &format!("\n{SECRET}\n"));
    text.push_str(SECRET);
    let scratch = Scratch::new(&[("long.log", &text)]);
    let by_file = scratch.json(&["artifact", "put", "long.log"]);
    let mut engine = scratch.engine();
    engine.args(["artifact", "put", "-", "--json", "--root"]).arg(scratch.root());
    engine.stdin(std::fs::File::open(scratch.path("long.log")).unwrap());
    let by_input: Value = serde_json::from_slice(&engine.output().unwrap().stdout).unwrap();
    let row = &by_file["artifacts"][0];
    assert_eq!(by_input["artifacts"][0]["artifact_id"], row["artifact_id"]);
    assert!(row["summary"].as_str().unwrap().starts_with("of its first 1048576 bytes:\nlog"), "{row}");
    let id = row["artifact_id"].as_str().unwrap();
    let kept = scratch.must(&["artifact", "get", id]);
    assert_eq!(kept.matches("[GITHUB_TOKEN]").count(), 2);
    assert!(!kept.contains("ghp_") && kept.lines().count() == text.lines().count());
    let part = scratch.json(&["artifact", "get", id]);
    let next = format!("8388608-{}", kept.len() - 1);
    assert_eq!((&part["bytes"], &part["next"]), (&json!(8 << 20), &json!(next)));
    let rest = scratch.json(&["artifact", "get", id, "--range", "8388608-"]);
    let told = format!("{}{}", part["text"].as_str().unwrap(), rest["text"].as_str().unwrap());
    assert!(told == kept && rest["next"].is_null());
}
