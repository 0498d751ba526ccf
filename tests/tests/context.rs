//! Sessions, contexts and artifacts from the command line: what fits, what goes, what comes back.

#![expect(
    clippy::disallowed_methods,
    reason = "tests write files that are no text, and look at what was kept"
)]

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use mentci_tests::Scratch;
use serde_json::{Value, json};

/// A log that nobody could keep in a context: so many lines, one of which matters.
fn build_log(lines: usize) -> String {
    let line = |at: usize| match at {
        at if at == lines / 2 => {
            "12:00:01 ERROR src/main.rs:12: error[E0432]: unresolved import `serde`".to_owned()
        }
        at => format!("12:00:00 INFO compiling crate number {at} of {lines}"),
    };
    (0..lines).map(|at| line(at) + "\n").collect()
}

fn user(text: &str) -> Value {
    json!({"event": "message_appended", "at": 1, "session": "s1", "message": {"role": "user", "text": text}})
}

fn assistant(text: &str) -> Value {
    json!({"event": "message_appended", "at": 2, "session": "s1", "message": {"role": "assistant", "text": text}})
}

/// A call and its answer.
fn called(id: &str, result: &Value) -> [Value; 2] {
    let tool = json!({"name": "bash", "args": {"command": format!("make {id}")}, "call_id": id});
    [
        json!({"event": "pre_tool_call", "at": 3, "session": "s1", "tool": tool}),
        json!({"event": "post_tool_response", "at": 4, "session": "s1", "tool": tool, "result": result}),
    ]
}

/// So many exchanges, each with a call whose answer has so many words.
fn exchanges(count: usize, words: usize) -> Vec<Value> {
    let exchange = |at: usize| {
        let [call, answer] = called(&format!("c{at}"), &json!("word ".repeat(words)));
        [user(&format!("question {at}")), call, answer, assistant(&format!("answer {at}"))]
    };
    (0..count).flat_map(exchange).collect()
}

fn lines(events: &[Value]) -> String {
    events.iter().fold(String::new(), |mut text, event| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{event}");
        text
    })
}

fn session(events: &[Value]) -> Scratch {
    Scratch::new(&[("s.jsonl", &lines(events))])
}

fn compiled(scratch: &Scratch, budget: &str) -> Value {
    scratch.json(&["context", "compile", "--session", "s.jsonl", "--budget", budget])
}

/// Messages as an answer over MCP tells them: what is null is left out.
fn without_nulls(messages: &Value) -> Value {
    let mut messages = messages.clone();
    for message in messages.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        message.retain(|_, value| !value.is_null());
    }
    messages
}

/// Everything that a context says.
fn said(context: &Value) -> String {
    let messages = context["messages"].as_array().into_iter().flatten();
    messages.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn e2e_a_large_payload_is_moved_out_and_comes_back_by_its_handle() {
    let log = build_log(400);
    let [call, answer] = called("c1", &json!(log));
    let scratch = session(&[user("why does it fail?"), call, answer]);
    let context = compiled(&scratch, "1000");
    let text = said(&context);
    assert!(!text.contains("crate number 7 of"), "{text}");
    let handle = &context["artifact_refs"][0];
    let id = handle["artifact_id"].as_str().unwrap();
    assert!(text.contains(id) && text.contains("E0432"), "{text}");
    assert_eq!(handle["size_bytes"], log.len());
    assert_eq!(scratch.must(&["artifact", "get", id]), log);
}

#[test]
fn e2e_a_budget_is_kept_whatever_it_is() {
    let scratch = session(&exchanges(40, 120));
    let whole = compiled(&scratch, "1000000");
    let all = whole["token_count"].as_u64().unwrap();
    for budget in [all, all / 2, all / 4, all / 10, 400] {
        let context = compiled(&scratch, &budget.to_string());
        let tokens = context["token_count"].as_u64().unwrap();
        assert!(tokens <= budget, "{tokens} of {budget}");
    }
    assert_eq!(compiled(&scratch, &all.to_string())["messages"], whole["messages"], "all fits");
}

#[test]
fn the_demo_shows_a_handle_and_gets_the_content_back() {
    let scratch = Scratch::new(&[]);
    let text = scratch.must(&["context", "demo"]);
    assert!(text.contains("came back whole"), "{text}");
    let demo = scratch.json(&["context", "demo", "--budget", "500"]);
    assert!(demo["output_bytes"].as_u64().unwrap() >= 10_000);
    assert!(demo["token_count"].as_u64().unwrap() <= 500);
    assert_eq!(demo["retrieved"], true);
    let id = demo["handle"]["artifact_id"].as_str().unwrap();
    let size = demo["output_bytes"].as_u64().unwrap();
    assert_eq!(scratch.must(&["artifact", "get", &id[..12]]).len() as u64, size);
}

/// The same over MCP: what an agent's client shows it is said once.
#[test]
fn a_context_over_mcp_holds_its_messages_once() {
    let [call, answer] = called("c1", &json!(build_log(100)));
    let scratch = session(&[user("why?"), call, answer]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "story", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let ask = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "compile_context", "arguments": {"session": "s1", "budget": 2000}}});
    let mut server = scratch.engine();
    let server = server.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = server.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines(&[hello, ready, ask]).as_bytes()).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let answers = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answer = answers.into_iter().find(|answer| answer["id"] == 2).unwrap();
    let told = answer["result"]["structuredContent"].as_object().unwrap();
    let keys: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["artifact_refs", "budget", "messages", "session", "stable", "token_count", "tokenizer"]
    );
    let by_line = scratch.json(&["context", "compile", "--session", "s1", "--budget", "2000"]);
    assert_eq!(told["messages"], without_nulls(&by_line["messages"]));
    assert_eq!(by_line["token_count"], told["token_count"]);
    assert!(by_line["history"].is_array() && by_line["context"].is_null(), "{by_line}");
}

#[test]
fn a_budget_has_no_default_and_must_hold_what_cannot_go() {
    let scratch = session(&[user(&"word ".repeat(500))]);
    let compile = ["context", "compile", "--session", "s.jsonl"];
    for (budget, said) in [
        (None, "E1010"),
        (Some("0"), "E1010"),
        (Some("-5"), "is no budget"),
        (Some("many"), "is no budget"),
        (Some("1"), "E1011"),
        (Some("300"), "E1011"),
    ] {
        let more: Vec<&str> = budget.map_or(vec![], |budget| vec!["--budget", budget]);
        let output = scratch.run(&[&compile[..], &more].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{budget:?}: {text}");
        assert!(text.contains(said), "{budget:?}: {text}");
    }
    scratch.write("mentci.toml", "[context]\nbudget = 600\n");
    assert_eq!(scratch.json(&compile)["budget"], 600);
}

#[test]
fn what_goes_is_in_the_ledger_with_all_its_tokens() {
    let scratch = session(&exchanges(30, 100));
    let explain =
        |budget: &str| scratch.json(&["context", "explain", "--session", "s.jsonl", "--budget", budget]);
    let (all, some) = (explain("1000000"), explain("1200"));
    let events = |ledger: &Value| ledger["ledger"]["events"].as_array().unwrap().len();
    assert_eq!((events(&all), events(&some)), (30 * 4, 30 * 4));
    let text = scratch.must(&["context", "explain", "--session", "s.jsonl", "--budget", "1200"]);
    assert!(text.contains("dropped") && text.contains("kept"), "{text}");
    assert_eq!(text.matches(" of 1200 tokens").count(), 1, "{text}");
    assert_eq!(some["ledger"]["budget"], 1200);
}

#[test]
fn an_answer_in_a_large_output_is_found_by_handle_part_and_search() {
    let [call, answer] = called("c1", &json!(build_log(2_000)));
    let scratch = session(&[user("why?"), call, answer]);
    let context = compiled(&scratch, "800");
    let id = context["artifact_refs"][0]["artifact_id"].as_str().unwrap().to_owned();
    let hits = scratch.json(&["artifact", "search", &id, "E0432"]);
    assert_eq!(hits["hits"][0]["line"], 1001);
    assert!(hits["hits"][0]["snippet"].as_str().unwrap().contains("unresolved import"));
    let part = scratch.must(&["artifact", "get", &id, "--range", "lines:1001-1001"]);
    assert_eq!(part, "12:00:01 ERROR src/main.rs:12: error[E0432]: unresolved import `serde`\n");
    assert_eq!(scratch.must(&["artifact", "get", &id, "--range", "0-12"]), "12:00:00 INFO");
    let found = scratch.must(&["artifact", "search", "src/main.rs:12"]);
    assert!(found.contains("unresolved import"), "{found}");
}

#[test]
fn a_handle_is_an_id_and_nothing_else() {
    let scratch = Scratch::new(&[("a.txt", "hello\n")]);
    scratch.must(&["artifact", "put", "a.txt"]);
    for (id, code) in [
        ("../victim", "E1020"),
        ("", "E1020"),
        ("abc", "E1020"),
        ("ffffffffffff", "E1020"),
        (&"A".repeat(64), "E1020"),
        (&"0".repeat(64), "E1020"),
    ] {
        let output = scratch.run(&["artifact", "get", id]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{id}: {text}");
        assert!(text.contains(code), "{id}: {text}");
    }
    let listed = scratch.json(&["artifact", "list"]);
    let id = listed["artifacts"][0]["artifact_id"].as_str().unwrap().to_owned();
    for range in ["9-12", "lines:2-3", "lines:0-1", "4-2", "x"] {
        let output = scratch.run(&["artifact", "get", &id, "--range", range]);
        assert_eq!(output.status.code(), Some(2), "{range}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("E1021"), "{range}");
    }
}

#[test]
fn the_same_content_is_kept_once_and_goes_when_nobody_holds_it() {
    let scratch = Scratch::new(&[("a.txt", "hello\n"), ("b.txt", "hello\n"), ("c.txt", "other\n")]);
    let id = |answer: &Value| answer["artifacts"][0]["artifact_id"].as_str().unwrap().to_owned();
    let a = id(&scratch.json(&["artifact", "put", "a.txt", "--session", "one"]));
    let b = id(&scratch.json(&["artifact", "put", "b.txt", "--session", "two"]));
    let c = id(&scratch.json(&["artifact", "put", "c.txt", "--session", "two"]));
    assert_eq!((a == b, a == c), (true, false));
    let count = |args: &[&str]| scratch.json(args)["artifacts"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&["artifact", "list"]), 2);
    assert_eq!(count(&["artifact", "list", "--session", "one"]), 1);
    scratch.must(&["artifact", "pin", &c[..10]]);
    let gc = |args: &[&str]| scratch.json(&[&["artifact", "gc", "--keep-days", "0"], args].concat());
    assert_eq!(gc(&["--dry-run"])["artifacts"], 1);
    assert_eq!(gc(&[])["artifacts"], 1);
    scratch.must(&["artifact", "unpin", &c[..10]]);
    assert_eq!(gc(&[])["artifacts"], 1);
    assert_eq!(count(&["artifact", "list"]), 0);
}

#[test]
fn files_keep_artifacts_as_the_database_does() {
    let scratch =
        Scratch::new(&[("mentci.toml", "[artifacts]\nbackend = \"files\"\n"), ("a.txt", "hello there\n")]);
    let put = scratch.json(&["artifact", "put", "a.txt"]);
    let id = put["artifacts"][0]["artifact_id"].as_str().unwrap().to_owned();
    assert_eq!(scratch.must(&["artifact", "get", &id]), "hello there\n");
    assert_eq!(scratch.json(&["artifact", "search", "there"])["hits"][0]["line"], 1);
    assert_eq!(scratch.json(&["artifact", "gc", "--keep-days", "0"])["artifacts"], 1);
}

/// Every byte that stands below a folder.
fn bytes_below(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(bytes_below(&path));
        } else {
            all.extend(std::fs::read(&path).unwrap_or_default());
        }
    }
    all
}

#[test]
fn no_secret_reaches_log_artifact_or_context() {
    let secret = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let scratch = Scratch::new(&[]);
    let large = format!("{}\ntoken = {secret}\n", build_log(100));
    let [mut call, small] = called("c1", &json!({"password": "correct-horse-battery", "token": secret}));
    call["tool"]["args"]["command"] = json!(format!("curl -H 'Authorization: Bearer {secret}' example.org"));
    let [second, answer] = called("c2", &json!(large));
    for event in [user(&format!("use {secret}")), call, small, second, answer] {
        scratch.write("event.json", &event.to_string());
        scratch.run(&["decide", "event.json"]);
    }
    let context = scratch.must(&["context", "compile", "--session", "s1", "--budget", "5000"]);
    assert!(context.contains('[') && !context.contains(&secret), "{context}");
    assert!(!context.contains("correct-horse-battery"), "{context}");
    let kept = bytes_below(&scratch.root().with_file_name("nobody"));
    let holds = |text: &str| kept.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("crate number"), "the output is kept");
    assert!(!holds(&secret) && !holds("correct-horse-battery"));
}

#[test]
fn what_looks_like_a_secret_and_is_none_can_be_named() {
    let text = "password = task-management-2024\n";
    let scratch = Scratch::new(&[("a.txt", text)]);
    let put = |args: &[&str]| {
        let answer = scratch.json(&[&["artifact", "put", "a.txt"], args].concat());
        let id = answer["artifacts"][0]["artifact_id"].as_str().unwrap().to_owned();
        scratch.must(&["artifact", "get", &id])
    };
    assert_ne!(put(&[]), text);
    assert_eq!(put(&["--config", "context.allow=task-management-2024"]), text);
    assert_eq!(put(&["--raw"]), text);
}

#[test]
fn a_session_goes_out_and_comes_back() {
    let [call, answer] = called("c1", &json!(build_log(100)));
    let scratch = session(&[user("why?"), call, answer, assistant("an import is missing")]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let listed = scratch.json(&["session", "list"]);
    assert_eq!(
        (&listed["sessions"][0]["session"], &listed["sessions"][0]["events"]),
        (&json!("s1"), &json!(4))
    );
    let again = scratch.run(&["session", "import", "s.jsonl"]);
    assert_eq!(again.status.code(), Some(2));
    let exported = scratch.must(&["session", "export", "s1"]);
    assert!(exported.contains("crate number 40 of"), "large content comes along");
    scratch.write("out.jsonl", &exported);
    scratch.must(&["session", "import", "out.jsonl", "--as", "s2"]);
    let compile = |id: &str| scratch.json(&["context", "compile", "--session", id, "--budget", "2000"]);
    assert_eq!(compile("s1")["messages"], compile("s2")["messages"]);
    scratch.write("handles.jsonl", &scratch.must(&["session", "export", "s1", "--handles"]));
    assert!(!scratch.read("handles.jsonl").contains("crate number 40 of"));
    let outcomes = scratch.must(&["replay", "--rules", "builtin", "out.jsonl"]);
    assert_eq!(outcomes.lines().count(), 4);
}

#[test]
fn evidence_tells_what_was_changed() {
    let [call, answer] = called("c1", &json!("fine"));
    let scratch = session(&[user("why?"), call, answer, assistant("so")]);
    scratch.must(&["session", "import", "s.jsonl"]);
    let root = scratch.json(&["session", "verify", "s1"])["root"].as_str().unwrap().to_owned();
    let evidence = scratch.must(&["session", "export", "s1", "--evidence"]);
    scratch.write("whole.jsonl", &evidence);
    let whole = scratch.json(&["session", "verify", "whole.jsonl", "--expect", &root]);
    assert_eq!((&whole["holds"], &whole["root"]), (&json!(true), &json!(root)));
    let lines: Vec<&str> = evidence.lines().collect();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let swapped = [lines[0], lines[2], lines[1], lines[3], lines[4]];
    for (what, text) in [
        ("changed", evidence.replace("why?", "who?")),
        ("taken out", joined(&[&lines[..2], &lines[3..]].concat())),
        ("cut off", joined(&lines[..lines.len() - 1])),
        ("moved", joined(&swapped)),
        ("added", format!("{evidence}{}\n", lines[1])),
    ] {
        scratch.write("bad.jsonl", &text);
        let output = scratch.run(&["session", "verify", "bad.jsonl", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{what}");
    }
    let other = scratch.run(&["session", "verify", "s1", "--expect", &"0".repeat(64)]);
    assert_eq!(other.status.code(), Some(1));
}

#[test]
fn an_output_is_checked_against_its_schema() {
    let schemas = json!({"tools": [{"name": "count", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}]});
    let scratch = Scratch::new(&[
        ("tools.json", &schemas.to_string()),
        ("good.json", r#"{"n": 3}"#),
        ("bad.json", r#"{"n": "three"}"#),
    ]);
    let align = |file: &str| {
        scratch.run(&["context", "align", "--tool", "count", "--schemas", "tools.json", file, "--json"])
    };
    let told = |output: &std::process::Output| serde_json::from_slice::<Value>(&output.stdout).unwrap();
    let (good, bad) = (align("good.json"), align("bad.json"));
    assert_eq!((good.status.code(), &told(&good)["status"]), (Some(0), &json!("ok")));
    assert_eq!((bad.status.code(), &told(&bad)["status"]), (Some(1), &json!("invalid")));
    assert!(told(&bad)["errors"][0].as_str().unwrap().contains("/n"));
}

#[test]
fn odd_files_are_refused_or_read_and_never_a_panic() {
    let long = user(&"x".repeat(1 << 20)).to_string();
    for (name, bytes, code) in [
        ("nothing", b"".to_vec(), 0),
        ("no JSON", b"hello\n".to_vec(), 2),
        ("half a line", b"{\"event\":\"message_app".to_vec(), 2),
        ("no UTF-8", b"{\"kind\":\"user_input\",\"data\":{\"text\":\"a\xff\xfeb\"}}\n".to_vec(), 0),
        ("nesting", [b"[".repeat(100_000), b"\n".to_vec()].concat(), 2),
        ("a line of a megabyte", format!("{long}\n").into_bytes(), 0),
        (
            "scripts",
            "{\"kind\":\"user_input\",\"data\":{\"text\":\"привет 你好 שלום 🦀\"}}\n".as_bytes().to_vec(),
            0,
        ),
    ] {
        let scratch = Scratch::new(&[]);
        std::fs::write(scratch.path("s.jsonl"), bytes).unwrap();
        let output = scratch.run(&["context", "compile", "--session", "s.jsonl", "--budget", "2000000"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{name}: {text}");
    }
    let scratch = Scratch::new(&[]);
    let output = scratch.run(&["context", "compile", "--session", "nobody", "--budget", "5"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("E1001"));
}
